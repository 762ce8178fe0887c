"""What one run of a ZooKeeper controller writes, and which brokers it has to tell.

Every write of the controller bumps the leader epoch, even where the leader stays; writes of a
leader's own ISR do not (`isr_changes.py`). Brokers are told one by one, each in its own order
(`ControllerBrokerRequestBatch`).
"""

from msgspec.structs import replace

from sim_engine.events import Event
from sim_engine.identifiers import BrokerId, TopicPartition
from sim_engine.protocol.controller.state import (
    Controller,
    ControllerOutcome,
    Policies,
    with_partition,
)
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.versions import Profile


class ZooKeeperUpdate:
    """Collects the znodes that are written, each applied at once, and the commands to send.

    `controller` is the state after the writes so far. The functions that decide append to
    `events`, and set `unclean` where a leader comes from outside the ISR.
    """

    def __init__(self, controller: Controller, profile: Profile, policies: Policies) -> None:
        self.controller = controller
        self.profile = profile
        self.policies = policies
        self.events: list[Event] = []
        self.unclean = False
        self._told: dict[BrokerId, dict[TopicPartition, PartitionRegistration]] = {}
        self._stopped: list[tuple[BrokerId, TopicPartition]] = []

    def write(self, partition: PartitionRegistration) -> PartitionRegistration:
        """Write a state znode: its version and the leader epoch grow by one."""
        written = replace(
            partition,
            leader_epoch=partition.leader_epoch + 1,
            partition_epoch=partition.partition_epoch + 1,
        )
        self.controller = with_partition(self.controller, written)
        return written

    def tell(self, partition: PartitionRegistration, brokers: tuple[BrokerId, ...]) -> None:
        """Queue a LeaderAndIsr for those of `brokers` whose session lives."""
        active = {broker.broker_id for broker in self.controller.brokers if broker.live}
        for broker_id in brokers:
            if broker_id in active:
                self._told.setdefault(broker_id, {})[partition.partition] = partition

    def write_and_tell(self, partition: PartitionRegistration) -> PartitionRegistration:
        """Write a state znode, and queue a LeaderAndIsr for every replica."""
        written = self.write(partition)
        self.tell(written, written.replicas)
        return written

    def stop(self, partition: PartitionRegistration, broker_id: BrokerId) -> None:
        """Queue a StopReplica that deletes, if the broker's session lives."""
        if self.live(broker_id):
            self._stopped.append((broker_id, partition.partition))

    def live(self, broker_id: BrokerId) -> bool:
        """Whether the controller takes a broker for live."""
        return self.controller.broker(broker_id).live

    def outcome(self) -> ControllerOutcome:
        """What the run comes to."""
        return ControllerOutcome(
            controller=self.controller,
            commands=tuple(
                (broker_id, tuple(self._told[broker_id].values()))
                for broker_id in sorted(self._told)
            ),
            stops=tuple(self._stopped),
            events=tuple(self.events),
            unclean=self.unclean,
        )
