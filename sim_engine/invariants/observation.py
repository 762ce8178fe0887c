"""The input and the output of a property: the partitions that the last action changed, before and
after, with ghost state (`History`), which no broker knows; and the verdict with its evidence.

What an action does not change is the same object in both states, so unchanged partitions are
detected by identity and skipped. For a changed partition, the aspects describe what changed, and a
property is evaluated again only if it depends on one of them. Nothing here affects a transition.
"""

from collections.abc import Callable, Mapping
from itertools import repeat
from typing import Literal, TypeAlias, TypedDict

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.identifiers import (
    FIRST_OFFSET,
    NO_LEADER,
    BrokerId,
    FrameNumber,
    LeaderEpoch,
    Offset,
    TopicPartition,
)
from sim_engine.json_types import Document
from sim_engine.protocol.log import ReplicaLog, read_from, record_at
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.protocol.replica import Replica
from sim_engine.records import Record

Status = Literal["holds", "violated", "not_exercised"]


class RecordEvidence(TypedDict):
    """A record as evidence shows it."""

    offset: Offset
    epoch: int | None
    """The leader epoch of its batch. Null before 0.11, whose message format has none, and if no log
    has the record any more."""
    value: str
    id: str
    """The record's identity. A retry that creates a duplicate creates a record with a new id."""


class ViolationEvidence(TypedDict, total=False):
    """The evidence of a violation. Empty if nothing is violated.

    A violation always has `partition`, `replicas`, `offsets`, `records` and `acked_frame`. The
    other fields depend on the property.
    """

    partition: TopicPartition
    """The partition in which the property is violated."""
    replicas: list[BrokerId]
    """The ids of the brokers on which it is violated."""
    offsets: list[Offset]
    records: list[RecordEvidence]
    """The records concerned; for a read, the records that the consumer received; for a loss, all
    records of the partition that are lost so far."""
    elsewhere: dict[TopicPartition, list[RecordEvidence]]
    """Partition → its lost records, or those at risk, if there are any in partitions other than
    `partition`."""
    acked_frame: FrameNumber | None
    """The frame in which the first of `records` was acknowledged. Null if none was, or if the
    property is not about acknowledged records."""
    broker: int
    """The leader with the wrong belief; for a loss, the leader that acknowledged the record."""
    leader: BrokerId
    """The controller's leader; -1 if there is none."""
    leader_epoch: LeaderEpoch
    isr: list[int]
    """The in-sync replicas: the controller's, or those that `broker` knows."""
    maximal_isr: list[int]
    """The leader's ISR and the replicas that are about to join it (KIP-497)."""
    elr: list[int]
    """The eligible leader replicas (KIP-966)."""
    high_watermark: Offset
    high_watermarks: list[int]
    """One for each of `replicas`, in the same order."""
    log_start_offset: Offset
    log_end_offset: Offset
    flushed: Offset
    """Records below this offset are on disk."""
    found: list[RecordEvidence]
    """The leader's records at the offsets of the records that it lacks."""
    holders: list[int]
    """The brokers, up or down, that have one of the acknowledged records."""
    epochs: list[int]
    """Two leader epochs, in the order in which they occur."""
    epoch_cache: list[list[int]]
    """[leader epoch, start offset] pairs of the broker."""
    how: Literal["reread", "gap", "replaced"]
    """The inconsistency: a different record at an offset that the consumer had read, a record after
    one that it never received, or a record after one that was replaced."""
    consumer: str
    frames: list[int]
    """The frames in which the consumer read."""


PropertyResult = ViolationEvidence | Literal["holds", "not_exercised"]
"""The result of checking one state: the evidence of a violation, "holds", or "not_exercised" if
the property could not have been violated in that state."""


class PropertyDocument(Document, frozen=True, kw_only=True):
    """The verdict of one property on a branch, up to a frame.

    A violated property stays violated; only `AckedRecordAtRisk` can return to holds. In both cases
    `first_frame` and `until_frame` show whether the violation persists.
    """

    status: Status
    """not_exercised: no state so far could have violated it."""
    first_frame: FrameNumber | None
    """The first frame in which it is violated; null if there is none."""
    evidence: ViolationEvidence
    """The evidence, as of `first_frame`; for `AckedRecordAtRisk`, as of the latest violation. For
    `NoAckedRecordLost`, `records`, `offsets` and `elsewhere` also have the records that were lost
    later."""
    until_frame: FrameNumber | None
    """The first frame after the latest violation in which the state no longer violates it. Null
    while it is violated, and if it never was."""

    @property
    def is_violated_now(self) -> bool:
        """Whether the state after the last frame violates it."""
        return self.first_frame is not None and self.until_frame is None


Verdicts: TypeAlias = Mapping[str, PropertyDocument]
"""Property name → verdict, in the order of `PROPERTY_NAMES`."""


def record_evidence(record: Record) -> RecordEvidence:
    """A record as evidence shows it."""
    return {"offset": record.offset, "epoch": record.epoch, "value": record.value, "id": record.id}


class History(Struct, frozen=True, gc=False, kw_only=True):
    """The committed records, and the state before the last action.

    `committed` has one log per partition, in the controller's order: all records that were ever
    below the high watermark of a legitimate leader. It never shrinks; the specifications call this
    the "true high watermark". `before` is `None` in frame 0. `before` and `has_grown` describe the
    last action and are ignored when two runs are compared.
    """

    committed: tuple[ReplicaLog, ...]
    before: ClusterState | None = None
    has_grown: bool = True
    """Whether the last action committed something."""


def start_history(cluster: ClusterState) -> History:
    """The ghost state of frame 0: the records below the leaders' high watermarks. Of a partition
    without a leader, those below the highest one that a replica with all committed records has
    checkpointed.
    """
    return History(
        committed=tuple(
            _grown(
                ReplicaLog((), _log_start(cluster, registration)),
                legitimate_leader(cluster, registration) or _last_known(cluster, registration),
            )
            for registration in cluster.controller.partitions
        )
    )


def _last_known(cluster: ClusterState, registration: PartitionRegistration) -> Replica | None:
    if registration.leader != NO_LEADER:
        return None
    members = registration.isr or registration.elr or registration.last_known_elr
    known = [
        replace(replica, high_watermark=replica.checkpoint_high_watermark or FIRST_OFFSET)
        for member in members
        if (replica := cluster.broker(member).replica(registration.partition)) is not None
    ]
    return max(known, key=lambda replica: replica.high_watermark, default=None)


def observe(
    history: History, before: ClusterState, after: ClusterState, frame: FrameNumber
) -> History:
    """The ghost state after the action that led from `before` to `after` and created `frame`."""
    assert frame > 0, "frame 0 has no action before it"
    if after.brokers is before.brokers and after.controller is before.controller:
        return History(committed=history.committed, before=before, has_grown=False)
    committed = tuple(
        [
            _grown(log, legitimate_leader(after, registration))
            for log, registration in zip(
                history.committed, after.controller.partitions, strict=True
            )
        ]
    )
    has_grown = any(now is not was for now, was in zip(committed, history.committed, strict=True))
    return History(
        committed=committed if has_grown else history.committed, before=before, has_grown=has_grown
    )


def legitimate_leader(cluster: ClusterState, registration: PartitionRegistration) -> Replica | None:
    """The replica of the controller's leader, if its broker is alive and is leader in the
    controller's leader epoch; otherwise None.
    """
    if registration.leader == NO_LEADER:
        return None
    broker = cluster.broker(registration.leader)
    if not broker.alive:
        return None
    replica = broker.replica(registration.partition)
    if (
        replica is None
        or replica.leading is None
        or replica.leader_epoch != registration.leader_epoch
    ):
        return None
    return replica


def _log_start(cluster: ClusterState, registration: PartitionRegistration) -> Offset:
    leader = legitimate_leader(cluster, registration)
    if leader is not None:
        return leader.log.log_start_offset
    return min(
        cluster.replica(broker_id, registration.partition).log.log_start_offset
        for broker_id in registration.replicas
    )


def _grown(committed: ReplicaLog, leader: Replica | None) -> ReplicaLog:
    if leader is None or leader.high_watermark <= committed.log_end_offset:
        return committed
    # A leader whose log starts later does not know the records before it.
    if leader.log.log_start_offset > committed.log_end_offset:
        return committed
    return ReplicaLog(
        committed.records
        + read_from(leader.log, committed.log_end_offset, up_to=leader.high_watermark),
        committed.log_start_offset,
    )


LOG = 1
"""The records of a replica."""
HIGH_WATERMARK = 2
FLUSHED = 4
EPOCHS = 8
"""The epoch cache of a replica."""
ROLE = 16
"""Each replica's role, epoch and process."""
ISR = 32
"""The ISR as a leader knows it, including a pending change."""
REGISTRATION = 64
"""The controller's state of the partition."""
COMMITTED = 128
"""The ghost state: a record was committed."""
CLIENTS = 256
FETCHED = 512
"""Whether each follower has fetched from its leader."""
EVERYTHING = 1023


class Host(Struct, frozen=True, gc=False, kw_only=True):
    """A broker with its replica of one partition, now and before the last action.

    The state before is `None` in frame 0.
    """

    broker: Broker
    replica: Replica
    broker_before: Broker | None
    replica_before: Replica | None

    @property
    def broker_id(self) -> BrokerId:
        """The broker's id."""
        return self.broker.broker_id


class PartitionObservation(Struct, frozen=True, gc=False, kw_only=True):
    """One partition in one frame: the controller's state, every replica, the committed records."""

    cluster: ClusterState
    registration: PartitionRegistration
    hosts: tuple[Host, ...]
    committed: ReplicaLog
    leader: Host | None
    """The legitimate leader: the controller's leader, if alive and leading in that epoch."""
    known_lacking: dict[BrokerId, tuple[Record, ...]]
    """Cached results of `lacking`."""

    @property
    def name(self) -> TopicPartition:
        """The partition's name, `t-0`."""
        return self.registration.partition

    def host(self, broker_id: BrokerId) -> Host | None:
        """A broker with its replica, or `None` if it has none."""
        return next((host for host in self.hosts if host.broker_id == broker_id), None)

    def lacking(self, host: Host) -> tuple[Record, ...]:
        """The committed records that are missing on a host's disk."""
        broker_id = host.broker_id
        if broker_id not in self.known_lacking:
            self.known_lacking[broker_id] = lacking_records(
                host.replica.log, self.committed, self.committed.log_end_offset
            )
        return self.known_lacking[broker_id]


class Observation(Struct, frozen=True, gc=False, kw_only=True):
    """The input of the properties for one frame. `partitions` are those that may have changed."""

    cluster: ClusterState
    before: ClusterState | None
    partitions: tuple[PartitionObservation, ...]


Property: TypeAlias = Callable[[Observation], PropertyResult]


def in_every_partition(check: Callable[[PartitionObservation], PropertyResult]) -> Property:
    """Turn a check of one partition into a check of all partitions: the decorated function takes
    an `Observation`, and has the name and the docstring of the check.
    """

    def check_all(observation: Observation) -> PropertyResult:
        result: PropertyResult = "not_exercised"
        for partition in observation.partitions:
            in_this = check(partition)
            if isinstance(in_this, dict):
                return in_this
            if in_this == "holds":
                result = "holds"
        return result

    check_all.__name__, check_all.__doc__ = check.__name__, check.__doc__
    return check_all


class ChangedAspects(Struct, frozen=True, gc=False):
    """The partitions that the last action changed, and in which aspects."""

    partitions: frozenset[TopicPartition]
    aspects: int


def change_of(history: History, cluster: ClusterState) -> ChangedAspects:
    """Return the partitions that the last action changed, with the aspects on which properties
    depend.
    """
    before = history.before
    if before is None or before.controller.brokers is not cluster.controller.brokers:
        return ChangedAspects(frozenset(cluster.partitions), EVERYTHING)
    clients = 0 if before.clients is cluster.clients else CLIENTS
    if before.brokers is cluster.brokers and before.controller is cluster.controller:
        return ChangedAspects(frozenset(), clients)
    return _changed_partitions(before, cluster, clients | (COMMITTED if history.has_grown else 0))


def observation_of(history: History, cluster: ClusterState, change: ChangedAspects) -> Observation:
    """The observation after a change, with the partitions that it affected."""
    before = history.before
    return Observation(
        cluster=cluster,
        before=before,
        partitions=tuple(
            [
                _partition_moment(before, cluster, registration, committed)
                for registration, committed in zip(
                    cluster.controller.partitions, history.committed, strict=True
                )
                if registration.partition in change.partitions
            ]
        ),
    )


def lacking_records(log: ReplicaLog, of: ReplicaLog, up_to: Offset) -> tuple[Record, ...]:
    """The records of `of` below `up_to` that this log does not have at their offsets.

    Records below this log's start are not missing: retention removed them.
    """
    start = max(log.log_start_offset, of.log_start_offset)
    wanted = read_from(of, start, up_to=up_to)
    if wanted == read_from(log, start, up_to=up_to):
        return ()
    return tuple(record for record in wanted if not holds(log, record.offset, record.id))


def holds(log: ReplicaLog, offset: Offset, record_id: str) -> bool:
    """Whether the log has this record at its offset."""
    record = record_at(log, offset)
    return record is not None and record.id == record_id


def _changed_partitions(
    before: ClusterState, cluster: ClusterState, aspects: int
) -> ChangedAspects:
    changed: set[TopicPartition] = set()
    if before.controller is not cluster.controller:
        for registered_was, registered in zip(
            before.controller.partitions, cluster.controller.partitions, strict=True
        ):
            if registered_was is not registered:
                changed.add(registered.partition)
                aspects |= REGISTRATION
    for was, now in zip(before.brokers, cluster.brokers, strict=True):
        if was is now:
            continue
        if len(was.replicas) != len(now.replicas):
            return ChangedAspects(frozenset(cluster.partitions), EVERYTHING)
        # A process that ends or starts changes the state of its replicas.
        all_of_it = was.process != now.process or was.incarnation != now.incarnation
        for replica_was, replica in zip(was.replicas, now.replicas, strict=True):
            if all_of_it:
                difference = EVERYTHING
            elif replica_was is replica:
                continue
            else:
                difference = _difference(replica_was, replica)
            if difference:
                changed.add(replica.partition)
                aspects |= difference
    return ChangedAspects(frozenset(changed), aspects)


def _difference(was: Replica, now: Replica) -> int:
    """The aspects in which the two differ. Times, beliefs about other replicas and all of the
    fetcher except whether it has fetched are ignored: no property depends on them."""
    difference = 0
    if was.log is not now.log:
        difference |= LOG
    if was.high_watermark != now.high_watermark:
        difference |= HIGH_WATERMARK
    if was.flushed != now.flushed:
        difference |= FLUSHED
    if was.epoch_cache is not now.epoch_cache:
        difference |= EPOCHS
    if (
        was.leader_epoch != now.leader_epoch
        or was.loaded != now.loaded
        or was.following != now.following
    ):
        difference |= ROLE
    if _has_fetched(was) != _has_fetched(now):
        difference |= FETCHED
    leading_was, leading = was.leading, now.leading
    if leading_was is not leading:
        if leading_was is None or leading is None:
            difference |= ROLE | ISR
        elif (
            leading_was.isr is not leading.isr or leading_was.pending_isr is not leading.pending_isr
        ):
            difference |= ISR
    return difference


def _has_fetched(replica: Replica) -> bool:
    return replica.fetcher is not None and replica.fetcher.has_fetched


def _partition_moment(
    before: ClusterState | None,
    cluster: ClusterState,
    registration: PartitionRegistration,
    committed: ReplicaLog,
) -> PartitionObservation:
    name = registration.partition
    brokers_before = repeat(None) if before is None else before.brokers
    hosts = tuple(
        [
            Host(
                broker=broker,
                replica=replica,
                broker_before=was,
                replica_before=None if was is None else was.replica(name),
            )
            for broker, was in zip(cluster.brokers, brokers_before, strict=False)
            if (replica := broker.replica(name)) is not None
        ]
    )
    leader = legitimate_leader(cluster, registration)
    return PartitionObservation(
        cluster=cluster,
        registration=registration,
        hosts=hosts,
        committed=committed,
        leader=next((host for host in hosts if host.replica is leader), None),
        known_lacking={},
    )
