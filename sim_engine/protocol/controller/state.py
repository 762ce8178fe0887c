"""What a controller holds and returns, whichever kind it is.

The decisions of each kind are in `zookeeper/` and `kraft/`, behind one protocol (`kind.py`).
"""

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.events import Event
from sim_engine.events.controller import ReassignmentCompleted, ReassignmentStarted
from sim_engine.events.election import ElectionCase, LeaderElected, LeaderLost, LeaderRecovered
from sim_engine.events.isr import IsrExpanded, IsrShrunk
from sim_engine.identifiers import FIRST_OFFSET, NO_LEADER, BrokerId, Offset, TopicPartition
from sim_engine.protocol.controller.reassignment import Assignment
from sim_engine.protocol.metadata import BrokerRegistration, PartitionRegistration


class Controller(Struct, frozen=True, gc=False, kw_only=True):
    """The controller's state. `brokers` and `partitions` are sorted by id and by name."""

    controller_epoch: int = 1
    metadata_offset: Offset = FIRST_OFFSET
    """KRaft: how far the metadata log reaches; broker epochs are taken from it."""
    brokers: tuple[BrokerRegistration, ...]
    partitions: tuple[PartitionRegistration, ...]

    def broker(self, broker_id: BrokerId) -> BrokerRegistration:
        """The registration of a broker of this cluster."""
        for broker in self.brokers:
            if broker.broker_id == broker_id:
                return broker
        raise KeyError(broker_id)

    def partition(self, name: TopicPartition) -> PartitionRegistration:
        """The registration of a partition of this cluster."""
        for partition in self.partitions:
            if partition.partition == name:
                return partition
        raise KeyError(name)

    def active_brokers(self) -> frozenset[BrokerId]:
        """Who may be elected and may join an ISR."""
        return frozenset([broker.broker_id for broker in self.brokers if broker.active])


class PartitionPolicy(Struct, frozen=True, gc=False, kw_only=True):
    """What the controller reads of a partition's configuration."""

    unclean_leader_election_enable: bool
    effective_min_insync_replicas: int
    """min.insync.replicas, but no more than partition 0 of the topic has replicas."""


Policies = Mapping[TopicPartition, PartitionPolicy]

ControllerTask = Literal["elect", "reassign", "preferred_leader_check"]
"""What the first releases of a kind of controller may not be able to do yet."""


class BrokerStart(Struct, frozen=True, gc=False, kw_only=True):
    """What a start of a broker's process says of itself as it registers.

    `incarnation` tells one start from the next. `broker_epoch` is the transaction that made its
    znode (ZooKeeper; -1 before KIP-380), and `previous_broker_epoch` the epoch that its
    clean-shutdown marker names (KRaft; -1 without a marker).
    """

    broker_id: BrokerId
    incarnation: int
    broker_epoch: int
    previous_broker_epoch: int


class ControllerOutcome(Struct, frozen=True, gc=False, kw_only=True):
    """The controller as it is now, and what it wrote.

    `commands` names, for each broker that a ZooKeeper controller tells something, the partitions it
    is told of, and `stops` the replicas that brokers must delete. `changed_partitions` and
    `changed_brokers` are what a KRaft controller appended to the metadata log, which every broker
    reads. `registered` is a start of a broker that it has just registered: from now on that process
    reads the log, from its beginning.
    """

    controller: Controller
    commands: tuple[tuple[BrokerId, tuple[PartitionRegistration, ...]], ...] = ()
    stops: tuple[tuple[BrokerId, TopicPartition], ...] = ()
    changed_partitions: tuple[PartitionRegistration, ...] = ()
    changed_brokers: tuple[BrokerRegistration, ...] = ()
    registered: BrokerId | None = None
    events: tuple[Event, ...] = ()
    unclean: bool = False
    """Whether a leader was elected from outside the ISR."""


def with_broker(controller: Controller, changed: BrokerRegistration) -> Controller:
    """The controller with one broker's registration replaced."""
    return replace(
        controller,
        brokers=tuple(
            changed if broker.broker_id == changed.broker_id else broker
            for broker in controller.brokers
        ),
    )


def with_partition(controller: Controller, changed: PartitionRegistration) -> Controller:
    """The controller with one partition's registration replaced."""
    return replace(
        controller,
        partitions=tuple(
            changed if partition.partition == changed.partition else partition
            for partition in controller.partitions
        ),
    )


def elected_event(
    before: PartitionRegistration,
    after: PartitionRegistration,
    variant: ElectionCase,
    sources: tuple[str, ...],
) -> Event:
    """Say that a partition has a leader, and how it got it."""
    rule = {
        "clean": "ELECTION-CLEAN",
        "returned": "ELECTION-CLEAN",
        "preferred": "ELECTION-PREFERRED",
        "unclean": "ELECTION-UNCLEAN",
        "elr": "KIP-966",
        "last_known_leader": "KIP-966",
        "shutdown": "CONTROLLED-SHUTDOWN",
        "reassigned": "REASSIGNMENT",
    }[variant]
    return LeaderElected(
        variant=variant,
        rule=rule,
        sources=sources,
        partition=after.partition,
        broker=after.leader,
        leader=after.leader,
        previous_leader=before.leader,
        leader_epoch=after.leader_epoch,
        isr=after.isr,
        elr=after.elr,
    )


def leader_lost_event(
    before: PartitionRegistration, after: PartitionRegistration, sources: tuple[str, ...]
) -> Event:
    """Reports that a partition has lost its leader."""
    assert after.leader == NO_LEADER, "there is no leader"
    emptied = bool(before.isr) and not after.isr and bool(after.last_known_elr)
    return LeaderLost(
        variant=("elr" if after.elr else "last_known") if emptied else None,
        rule="KIP-966" if emptied else "ELECTION-CLEAN",
        sources=sources,
        partition=after.partition,
        previous_leader=before.leader,
        leader_epoch=after.leader_epoch,
        isr=after.isr,
        elr=after.elr,
    )


def isr_shrunk_event(
    after: PartitionRegistration,
    gone: Iterable[BrokerId],
    *,
    by: Literal["leader", "controller"],
    rule: str,
    sources: tuple[str, ...],
) -> Event:
    """Say who left an ISR and who decided it (`leader` or `controller`)."""
    return IsrShrunk(
        variant=by,
        rule=rule,
        sources=sources,
        partition=after.partition,
        broker=after.leader,
        replicas=tuple(sorted(gone)),
        isr=after.isr,
        partition_epoch=after.partition_epoch,
        leader_epoch=after.leader_epoch,
    )


def isr_expanded_event(
    after: PartitionRegistration, joined: Iterable[BrokerId], rule: str, sources: tuple[str, ...]
) -> Event:
    """Say who joined an ISR."""
    return IsrExpanded(
        rule=rule,
        sources=sources,
        partition=after.partition,
        broker=after.leader,
        replica=sorted(joined)[0],
        isr=after.isr,
        partition_epoch=after.partition_epoch,
        leader_epoch=after.leader_epoch,
    )


def reassignment_started_event(
    before: PartitionRegistration, assignment: Assignment, sources: tuple[str, ...]
) -> Event:
    """Say that a partition moves, and who comes and goes."""
    return ReassignmentStarted(
        variant="removing"
        if not assignment.adding
        else "adding"
        if not assignment.removing
        else None,
        sources=("KIP-455", *sources),
        partition=before.partition,
        before=before.replicas,
        target=assignment.target,
        adding=assignment.adding,
        removing=assignment.removing,
    )


def reassignment_completed_event(after: PartitionRegistration, sources: tuple[str, ...]) -> Event:
    """Say that a partition stands where it was to stand."""
    return ReassignmentCompleted(
        sources=("KIP-455", *sources),
        partition=after.partition,
        replicas=after.replicas,
        isr=after.isr,
        leader=after.leader,
        leader_epoch=after.leader_epoch,
    )


def isr_change_events(
    before: PartitionRegistration,
    after: PartitionRegistration,
    rule: str,
    sources: tuple[str, ...],
) -> tuple[Event, ...]:
    """Say who joined and who left in a change that a leader asked for."""
    joined = [member for member in after.isr if member not in before.isr]
    gone = [member for member in before.isr if member not in after.isr]
    events: list[Event] = []
    if joined:
        events.append(isr_expanded_event(after, joined, rule, sources))
    if gone:
        events.append(isr_shrunk_event(after, gone, by="leader", rule=rule, sources=sources))
    if before.leader_recovery_state != after.leader_recovery_state:
        events.append(LeaderRecovered(partition=after.partition, leader=after.leader))
    return tuple(events)
