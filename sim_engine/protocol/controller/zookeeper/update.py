"""The writes of one event of a ZooKeeper controller and the commands that it sends, with the writes
that several decisions make: elections and removals from the ISR (`PartitionStateMachine`,
`removeReplicasFromIsr`).

Every write of the controller increments the leader epoch, even if the leader stays. Each broker
receives its commands separately, in order (`ControllerBrokerRequestBatch`).
"""

from msgspec.structs import replace

from sim_engine.events.base import Event
from sim_engine.events.controller import ElectionCase, ElectionNotPossible
from sim_engine.identifiers import NO_LEADER, BrokerId, LeaderEpoch, TopicPartition
from sim_engine.protocol.controller import state
from sim_engine.protocol.messages import PartitionRegistration, without


class ZooKeeperUpdate:
    """Collects the znode writes, each applied immediately, and the commands to send.

    `controller` is the state after the writes so far. The deciding functions append to `events`,
    and set `unclean` if a leader is elected from outside the ISR.
    """

    def __init__(self, at: state.Situation) -> None:
        self.controller = at.controller
        self.profile = at.profile
        self.policies = at.policies
        self.events: list[Event] = []
        self.unclean = False
        self._leader_and_isr: dict[BrokerId, dict[TopicPartition, PartitionRegistration]] = {}
        self._stopped: list[tuple[BrokerId, TopicPartition, LeaderEpoch | None]] = []

    def change_broker(self, broker_id: BrokerId, **changed: bool | int) -> None:
        """Change what the controller knows about a broker."""
        changed_broker = replace(self.controller.broker(broker_id), **changed)
        self.controller = state.with_broker(self.controller, changed_broker)

    def write(self, partition: PartitionRegistration) -> PartitionRegistration:
        """Write a state znode, incrementing its version and the leader epoch."""
        written = replace(
            partition,
            leader_epoch=partition.leader_epoch + 1,
            partition_epoch=partition.partition_epoch + 1,
        )
        self.controller = state.with_partition(self.controller, written)
        return written

    def assign(
        self, partition: PartitionRegistration, assignment: state.Assignment
    ) -> PartitionRegistration:
        """Write an assignment to the topic's znode. It changes no epoch."""
        assigned = replace(
            partition,
            replicas=assignment.replicas,
            adding_replicas=assignment.adding,
            removing_replicas=assignment.removing,
            reorders_replicas=assignment.reorders,
        )
        self.controller = state.with_partition(self.controller, assigned)
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
            self._stopped.append((broker_id, partition.partition, None))

    def stop_fetching(self, partition: PartitionRegistration, broker_id: BrokerId) -> None:
        """Queue a StopReplica that does not delete, for a broker that is shutting down."""
        self._stopped.append((broker_id, partition.partition, partition.leader_epoch))

    def live(self, broker_id: BrokerId) -> bool:
        """Whether the broker's session exists, as far as the controller knows."""
        return self.controller.broker(broker_id).live

    def may_lead(self, broker_id: BrokerId) -> bool:
        """Whether the broker may be elected: it is live and not shutting down
        (`ControllerContext.liveBrokerIds`).
        """
        return self.controller.broker(broker_id).active

    def outcome(self) -> state.ControllerOutcome:
        """The outcome of the controller event."""
        return state.ControllerOutcome(
            controller=self.controller,
            commands=tuple(
                (broker_id, tuple(self._leader_and_isr[broker_id].values()))
                for broker_id in sorted(self._leader_and_isr)
            ),
            stops=tuple(self._stopped),
            events=tuple(self.events),
            unclean=self.unclean,
        )


SOURCES = ("KafkaController", "PartitionStateMachine")

ELECTION_SOURCES = ("Election", *SOURCES)


def elect_offline(
    update: ZooKeeperUpdate, before: PartitionRegistration, *, unclean_asked: bool = False
) -> bool:
    """Elect a leader for a partition without a live leader: the first replica of the assignment
    that is live and in the ISR; otherwise, if unclean election is enabled, the first live replica.
    Returns False if no replica can be elected.
    """
    isr = tuple(broker_id for broker_id in before.isr if update.may_lead(broker_id))
    leader = next((broker for broker in before.replicas if broker in isr), NO_LEADER)
    unclean = False
    recovery = before.leader_recovery_state
    if leader == NO_LEADER and (
        unclean_asked or update.policies[before.partition].unclean_leader_election_enable
    ):
        leader = next((one for one in before.replicas if update.may_lead(one)), NO_LEADER)
        unclean = leader != NO_LEADER
        isr = (leader,)
        if update.profile.rules.leader_recovery_state:
            recovery = "RECOVERING"
    if leader == NO_LEADER:
        return False
    written = update.write_and_queue(
        replace(before, leader=leader, isr=isr, leader_recovery_state=recovery)
    )
    update.unclean = update.unclean or unclean
    case: ElectionCase = "unclean" if unclean else "clean"
    if not unclean and before.leader == NO_LEADER:
        case = "returned"
    update.events.append(state.elected_event(before, written, case, ELECTION_SOURCES))
    return True


def not_possible_event(
    update: ZooKeeperUpdate, partition: PartitionRegistration, *, leader_stops: bool = False
) -> Event:
    """Reports that no replica can be elected, or that a stopping leader has no successor."""
    return ElectionNotPossible(
        variant="shutdown" if leader_stops else None,
        partition=partition.partition,
        isr=partition.isr,
        live=tuple(broker.broker_id for broker in update.controller.brokers if broker.live),
        leader=partition.leader,
    )


def remove_from_isr(
    update: ZooKeeperUpdate, before: PartitionRegistration, broker_id: BrokerId
) -> PartitionRegistration:
    """Remove a broker from a partition's ISR, with a new leader epoch; a broker that leads leaves
    the partition without a leader. Returns the new registration; the same one if the broker is not
    in the ISR.

    The last member stays; up to 1.0 only if unclean election is disabled.
    """
    if broker_id not in before.isr:
        return before
    keeps_last = (
        update.profile.rules.last_isr_member_always_stays
        or not update.policies[before.partition].unclean_leader_election_enable
    )
    remaining = without(before.isr, broker_id)
    isr = before.isr if not remaining and keeps_last else remaining
    led = before.leader == broker_id
    written = update.write(replace(before, isr=isr, leader=NO_LEADER if led else before.leader))
    if led:
        update.events.append(state.leader_lost_event(before, written, SOURCES))
    if isr != before.isr:
        update.events.append(shrunk_event(written, broker_id))
    update.queue_leader_and_isr(written, without(written.replicas, broker_id))
    return written


def shrunk_event(written: PartitionRegistration, broker_id: BrokerId) -> Event:
    """The event of a broker that the controller has removed from an ISR."""
    return state.isr_shrunk_event(
        written, (broker_id,), by="controller", rule="ZK-CONTROLLER-WRITE", sources=SOURCES
    )
