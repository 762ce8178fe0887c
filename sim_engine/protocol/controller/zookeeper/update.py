"""The writes of one controller event under ZooKeeper, and the commands that it sends.

Every write of the controller increments the leader epoch, even if the leader stays; a leader's
write of its own ISR does not (`isr_changes.py`). Each broker receives its commands separately, in
order (`ControllerBrokerRequestBatch`).
"""

from msgspec.structs import replace

from sim_engine.events import Event
from sim_engine.identifiers import BrokerId, TopicPartition
from sim_engine.protocol.controller.reassignment import Assignment
from sim_engine.protocol.controller.state import (
    Controller,
    ControllerOutcome,
    Policies,
    with_partition,
)
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.versions import Profile


class ZooKeeperUpdate:
    """Collects the znode writes, each applied immediately, and the commands to send.

    `controller` is the state after the writes so far. The deciding functions append to `events`,
    and set `unclean` if a leader is elected from outside the ISR.
    """

    def __init__(self, controller: Controller, profile: Profile, policies: Policies) -> None:
        self.controller = controller
        self.profile = profile
        self.policies = policies
        self.events: list[Event] = []
        self.unclean = False
        self._leader_and_isr: dict[BrokerId, dict[TopicPartition, PartitionRegistration]] = {}
        self._stopped: list[tuple[BrokerId, TopicPartition]] = []

    def write(self, partition: PartitionRegistration) -> PartitionRegistration:
        """Write a state znode, incrementing its version and the leader epoch."""
        written = replace(
            partition,
            leader_epoch=partition.leader_epoch + 1,
            partition_epoch=partition.partition_epoch + 1,
        )
        self.controller = with_partition(self.controller, written)
        return written

    def assign(
        self, partition: PartitionRegistration, assignment: Assignment
    ) -> PartitionRegistration:
        """Write an assignment to the topic's znode. It changes no epoch."""
        assigned = replace(
            partition,
            replicas=assignment.replicas,
            adding_replicas=assignment.adding,
            removing_replicas=assignment.removing,
        )
        self.controller = with_partition(self.controller, assigned)
        return assigned

    def queue_leader_and_isr(
        self, partition: PartitionRegistration, brokers: tuple[BrokerId, ...]
    ) -> None:
        """Queue a LeaderAndIsr for those of `brokers` that have a live session."""
        active = {broker.broker_id for broker in self.controller.brokers if broker.live}
        for broker_id in brokers:
            if broker_id in active:
                self._leader_and_isr.setdefault(broker_id, {})[partition.partition] = partition

    def write_and_queue(self, partition: PartitionRegistration) -> PartitionRegistration:
        """Write a state znode, and queue a LeaderAndIsr for every replica."""
        written = self.write(partition)
        self.queue_leader_and_isr(written, written.replicas)
        return written

    def stop(self, partition: PartitionRegistration, broker_id: BrokerId) -> None:
        """Queue a StopReplica that deletes the replica, if the broker has a live session."""
        if self.live(broker_id):
            self._stopped.append((broker_id, partition.partition))

    def live(self, broker_id: BrokerId) -> bool:
        """Whether the broker's session exists, as far as the controller knows."""
        return self.controller.broker(broker_id).live

    def may_lead(self, broker_id: BrokerId) -> bool:
        """Whether the broker may be elected: it is live and not shutting down
        (`ControllerContext.liveBrokerIds`).
        """
        return self.controller.broker(broker_id).active

    def outcome(self) -> ControllerOutcome:
        """The outcome of the controller event."""
        return ControllerOutcome(
            controller=self.controller,
            commands=tuple(
                (broker_id, tuple(self._leader_and_isr[broker_id].values()))
                for broker_id in sorted(self._leader_and_isr)
            ),
            stops=tuple(self._stopped),
            events=tuple(self.events),
            unclean=self.unclean,
        )
