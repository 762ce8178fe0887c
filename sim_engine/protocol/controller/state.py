"""The state and the outcomes of controllers of both kinds, and the events that both report.

The decisions of each kind are in `zookeeper/` and `kraft/`, behind one protocol class (`kind.py`).
They compute the assignment of a reassignment (KIP-455) differently: ZooKeeper's from the original
replicas, KRaft's from the current ones.
"""

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.events.base import Event
from sim_engine.events.controller import (
    ElectionCase,
    LeaderElected,
    LeaderLost,
    LeaderRecovered,
    MetadataRecord,
    ReassignmentCancelled,
    ReassignmentCase,
    ReassignmentCompleted,
    ReassignmentStarted,
)
from sim_engine.events.isr import IsrExpanded, IsrShrunk
from sim_engine.identifiers import (
    FIRST_OFFSET,
    NO_LEADER,
    BrokerId,
    LeaderEpoch,
    Offset,
    TopicPartition,
)
from sim_engine.kafka_history import Rules
from sim_engine.protocol.messages import BrokerRegistration, PartitionRegistration, without
from sim_engine.versions import Profile


class Assignment(Struct, frozen=True, gc=False, kw_only=True):
    """The replicas of a partition, and those that are being added or removed.

    `reorders`: a reassignment that only changes their order is in progress.
    """

    replicas: tuple[BrokerId, ...]
    adding: tuple[BrokerId, ...] = ()
    removing: tuple[BrokerId, ...] = ()
    reorders: bool = False

    @property
    def in_progress(self) -> bool:
        """Whether replicas are being moved or reordered."""
        return bool(self.adding or self.removing or self.reorders)

    @property
    def target(self) -> tuple[BrokerId, ...]:
        """The target replicas, the preferred leader first."""
        return without(self.replicas, *self.removing)

    @property
    def original(self) -> tuple[BrokerId, ...]:
        """The replicas without those that are being added."""
        return without(self.replicas, *self.adding)


class ReassignmentRefusal(Struct, frozen=True, gc=False, kw_only=True):
    """Why a controller refuses to reassign a partition or to cancel its reassignment.

    `broker` is the broker that is the reason; null if there is none.
    """

    code: Literal[
        "cancel_needs_unclean_election",
        "new_replica_not_live",
        "no_reassignment",
        "reassignment_cannot_be_cancelled",
        "reassignment_fails",
        "reassignment_in_progress",
    ]
    broker: BrokerId | None = None


def assignment_of(registration: PartitionRegistration) -> Assignment:
    """A partition's assignment in the controller."""
    return Assignment(
        replicas=registration.replicas,
        adding=registration.adding_replicas,
        removing=registration.removing_replicas,
        reorders=registration.reorders_replicas,
    )


class Controller(Struct, frozen=True, gc=False, kw_only=True):
    """The controller's state. `brokers` and `partitions` are sorted by id and by name."""

    controller_epoch: int = 1
    metadata_offset: Offset = FIRST_OFFSET
    """KRaft: the end offset of the metadata log; broker epochs are offsets in it."""
    brokers: tuple[BrokerRegistration, ...]
    partitions: tuple[PartitionRegistration, ...]
    failed_for: tuple[BrokerId, ...] = ()
    """KRaft: the brokers whose registration or heartbeat has failed the controller since it last
    wrote something. Their next attempt fails in the same way.
    """

    def broker(self, broker_id: BrokerId) -> BrokerRegistration:
        """The registration of a broker. Raises `KeyError` for an unknown id."""
        for broker in self.brokers:
            if broker.broker_id == broker_id:
                return broker
        raise KeyError(broker_id)

    def partition(self, name: TopicPartition) -> PartitionRegistration:
        """The registration of a partition. Raises `KeyError` for an unknown name."""
        for partition in self.partitions:
            if partition.partition == name:
                return partition
        raise KeyError(name)

    def active_brokers(self) -> frozenset[BrokerId]:
        """The brokers that may be elected and may join an ISR."""
        return frozenset([broker.broker_id for broker in self.brokers if broker.active])


class PartitionPolicy(Struct, frozen=True, gc=False, kw_only=True):
    """The settings of a partition that the controller reads."""

    unclean_leader_election_enable: bool
    effective_min_insync_replicas: int
    """min.insync.replicas, limited to the number of replicas of the topic's partition 0."""


Policies = Mapping[TopicPartition, PartitionPolicy]


class Situation(Struct, frozen=True, gc=False):
    """What a controller decides on: its state, the release, and the settings of each partition."""

    controller: Controller
    profile: Profile
    policies: Policies

    @property
    def rules(self) -> Rules:
        """The release's rules."""
        return self.profile.rules


ControllerTask = Literal["elect", "reassign", "preferred_leader_check"]
"""Operations that the first releases with a kind of controller may not support."""


class BrokerStart(Struct, frozen=True, gc=False, kw_only=True):
    """The data that a starting broker registers with, and then reports in its heartbeats.

    `incarnation` distinguishes one start from the next. `broker_epoch` is the id of the transaction
    that created its znode (ZooKeeper; -1 before KIP-380), and `previous_broker_epoch` the epoch in
    its clean-shutdown marker (KRaft; -1 without a marker). `metadata_offset` is how far it has read
    the metadata log (KRaft).
    """

    broker_id: BrokerId
    incarnation: int
    broker_epoch: int
    previous_broker_epoch: int
    metadata_offset: Offset


class ControllerOutcome(Struct, frozen=True, gc=False, kw_only=True):
    """The new state of the controller, and what it wrote.

    `commands` maps each broker that a ZooKeeper controller sends commands to, to the partitions in
    them, and `stops` lists the replicas that brokers must delete or, with a leader epoch, no longer
    fetch. `changed_partitions` and `changed_brokers` are the changes that a KRaft controller
    appended to the metadata log, which every broker reads, and `records` are the records with these
    changes. `registered` is a broker start that was just registered: from now on that process reads
    the log from its beginning.
    """

    controller: Controller
    commands: tuple[tuple[BrokerId, tuple[PartitionRegistration, ...]], ...] = ()
    stops: tuple[tuple[BrokerId, TopicPartition, LeaderEpoch | None], ...] = ()
    changed_partitions: tuple[PartitionRegistration, ...] = ()
    changed_brokers: tuple[BrokerRegistration, ...] = ()
    records: tuple[MetadataRecord, ...] = ()
    registered: BrokerId | None = None
    events: tuple[Event, ...] = ()
    unclean: bool = False
    """Whether a leader was elected from outside the ISR."""


def with_broker(controller: Controller, changed: BrokerRegistration) -> Controller:
    """The controller with the registration of `changed.broker_id` replaced."""
    return replace(
        controller,
        failed_for=(),
        brokers=tuple(
            changed if broker.broker_id == changed.broker_id else broker
            for broker in controller.brokers
        ),
    )


def with_partition(controller: Controller, changed: PartitionRegistration) -> Controller:
    """The controller with the registration of `changed.partition` replaced."""
    return replace(
        controller,
        failed_for=(),
        partitions=tuple(
            changed if partition.partition == changed.partition else partition
            for partition in controller.partitions
        ),
    )


def election_rule(name: Literal["ELECTION-CLEAN", "ELECTION-UNCLEAN"], *, elr: bool) -> str:
    """A rule of elections as it is in a cluster with or without eligible leader replicas."""
    return f"{name}-ELR" if elr else name


def elected_event(
    before: PartitionRegistration,
    after: PartitionRegistration,
    variant: ElectionCase,
    sources: tuple[str, ...],
    *,
    elr: bool = False,
) -> Event:
    """The event of an election. `elr`: whether the cluster has eligible leader replicas."""
    rule = {
        "clean": election_rule("ELECTION-CLEAN", elr=elr),
        "returned": election_rule("ELECTION-CLEAN", elr=elr),
        "preferred": "ELECTION-PREFERRED",
        "unclean": election_rule("ELECTION-UNCLEAN", elr=elr),
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
    before: PartitionRegistration,
    after: PartitionRegistration,
    sources: tuple[str, ...],
    *,
    elr: bool = False,
) -> Event:
    """Reports that a partition has lost its leader. `elr` as in `elected_event`."""
    assert after.leader == NO_LEADER, "the partition has no leader"
    emptied = bool(before.isr) and not after.isr and bool(after.last_known_elr)
    return LeaderLost(
        variant=("elr" if after.elr else "last_known") if emptied else None,
        rule="KIP-966" if emptied else election_rule("ELECTION-CLEAN", elr=elr),
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
    """The event of replicas that left an ISR, by decision of `leader` or `controller`."""
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
    """The event of replicas that joined an ISR."""
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
    before: PartitionRegistration,
    assignment: Assignment,
    asked: tuple[BrokerId, ...],
    sources: tuple[str, ...],
    *,
    never_completes: bool = False,
) -> Event:
    """The event of a reassignment to the replicas `asked`, which begins or replaces another one.

    A KRaft controller that keeps the added or removed replicas of the one in progress may end with
    other replicas than those.
    """
    was = assignment_of(before)
    variant: ReassignmentCase | None
    if never_completes:
        variant = "never_completes"
    elif {*asked} != {*assignment.target} or {*assignment.adding} & {*assignment.removing}:
        variant = "kept"
    elif was.in_progress:
        variant = "replaced"
    else:
        variant = _only(assignment)
    return ReassignmentStarted(
        variant=variant,
        sources=("KIP-455", *sources),
        partition=before.partition,
        before=before.replicas,
        asked=asked,
        target=assignment.target,
        adding=assignment.adding,
        removing=assignment.removing,
        stopped=without(before.replicas, *assignment.replicas),
    )


def _only(assignment: Assignment) -> ReassignmentCase | None:
    """Whether a reassignment only reorders, adds or removes replicas; None if it does both."""
    if assignment.reorders:
        return "reordering"
    if not assignment.adding:
        return "removing"
    return None if assignment.removing else "adding"


def reassignment_cancelled_event(
    before: PartitionRegistration,
    after: PartitionRegistration,
    sources: tuple[str, ...],
    *,
    unclean: bool = False,
) -> Event:
    """The event of a cancelled reassignment, with the replicas that are no longer added."""
    return ReassignmentCancelled(
        variant="unclean" if unclean else None,
        sources=("KIP-455", *sources),
        partition=after.partition,
        before=before.replicas,
        replicas=after.replicas,
        stopped=without(before.replicas, *after.replicas),
        isr=after.isr,
    )


def reassignment_completed_event(after: PartitionRegistration, sources: tuple[str, ...]) -> Event:
    """The event of a completed reassignment."""
    return ReassignmentCompleted(
        sources=("KIP-455", *sources),
        partition=after.partition,
        replicas=after.replicas,
        isr=after.isr,
        leader=after.leader,
        leader_epoch=after.leader_epoch,
    )


def isr_change_events(
    before: PartitionRegistration, after: PartitionRegistration, rule: str, sources: tuple[str, ...]
) -> tuple[Event, ...]:
    """The events of replicas that joined or left in a change that a leader requested."""
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
