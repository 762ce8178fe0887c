"""Checks that every change of a replica's beliefs is reported by an event of the same frame.

Sentences, highlights and statistics are derived only from events. A change without an event is
invisible, and a sentence such as "nothing changes" would be false. Such a change is a bug in the
engine, whatever Kafka does.
"""

from collections.abc import Iterator, Mapping

from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.events import Event
from sim_engine.events.base import BrokerEvent
from sim_engine.events.fetch import (
    DivergenceHeard,
    FetchApplied,
    FetchedEpochForgotten,
    FetchErrorReceived,
    FetchHandled,
    FetchParked,
    LeaderOffsetHeard,
    PartitionFailed,
)
from sim_engine.events.high_watermark import FollowerHighWatermarkSet, HighWatermarkAdvanced
from sim_engine.events.isr import (
    IsrChangeBlocked,
    IsrChangeRejected,
    IsrCommitted,
    IsrExpanded,
    IsrExpandProposed,
    IsrShrinkProposed,
    IsrShrunk,
)
from sim_engine.events.log import (
    EpochAssigned,
    EpochsDropped,
    HighWatermarkCheckpointed,
    LogFlushed,
    LogTruncated,
    RecoveryPointCheckpointed,
    ReplicaCreated,
    ReplicaDeleted,
    TruncationNotNeeded,
    UnflushedRecordsLost,
)
from sim_engine.events.metadata import (
    BecameFollower,
    BecameLeader,
    BecameLeaderless,
    LeaderStateReset,
    PartitionChangeTaken,
)
from sim_engine.events.network import ResponseIgnored
from sim_engine.events.process import (
    BrokerBooted,
    BrokerCrashed,
    BrokerExited,
    BrokerHalted,
    BrokerHung,
    BrokerStopped,
    DiskLost,
    PowerLost,
    RegistrationRefused,
)
from sim_engine.events.producer import (
    DuplicateRecognised,
    MarkerWritten,
    ProduceFailed,
    RecordProduced,
)
from sim_engine.identifiers import TopicPartition
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.frames import Frame

Telling = type[Event] | tuple[type[Event], str]
"""A class of events, or one variant of it."""

_ENDS = (
    BrokerCrashed,
    BrokerExited,
    BrokerHalted,
    BrokerHung,
    BrokerStopped,
    DiskLost,
    PowerLost,
    ReplicaDeleted,
)
_ROLES = (BecameFollower, BecameLeader, BecameLeaderless)
_FILES = (
    BrokerExited,
    BrokerStopped,
    DiskLost,
    LogTruncated,
    RegistrationRefused,
    ReplicaDeleted,
)
_ROLE_CHANGES = (*_ENDS, *_ROLES)
_ISR = (*_ROLE_CHANGES, IsrCommitted, IsrExpanded, IsrShrunk, PartitionChangeTaken)

EXPLAINED_BY: Mapping[str, tuple[Telling, ...]] = {
    "log": (
        DiskLost,
        FetchApplied,
        LogTruncated,
        MarkerWritten,
        RecordProduced,
        ReplicaDeleted,
        UnflushedRecordsLost,
    ),
    "flushed": (*_FILES, FetchApplied, LogFlushed, MarkerWritten, RecordProduced),
    "epoch_cache": (
        *(BrokerBooted, DiskLost, EpochAssigned, EpochsDropped, ReplicaDeleted),
        (LogTruncated, "full"),
    ),
    "checkpoint_high_watermark": (*_FILES, HighWatermarkCheckpointed),
    "checkpoint_recovery_point": (*_FILES, RecoveryPointCheckpointed),
    "loaded": (*_ENDS, BrokerBooted, ReplicaCreated),
    "leader": _ROLE_CHANGES,
    "leader_epoch": (*_ROLE_CHANGES, PartitionChangeTaken),
    "partition_epoch": (*_ISR, LeaderStateReset),
    "role": _ROLE_CHANGES,
    "high_watermark": (
        *_ENDS,
        BrokerBooted,
        FollowerHighWatermarkSet,
        HighWatermarkAdvanced,
        LogTruncated,
    ),
    "isr": _ISR,
    "pending_isr": (
        *_ISR,
        IsrChangeRejected,
        IsrExpandProposed,
        IsrShrinkProposed,
        (ResponseIgnored, "given_up"),
        (ResponseIgnored, "another_epoch"),
    ),
    "blocked_isr": (*_ISR, IsrChangeBlocked, IsrChangeRejected),
    "leader_epoch_start_offset": (*_ROLE_CHANGES, LeaderStateReset),
    "followers": (
        *_ROLE_CHANGES,
        FetchHandled,
        FetchParked,
        LeaderStateReset,
        PartitionChangeTaken,
    ),
    "produces": (
        *_ROLE_CHANGES,
        DuplicateRecognised,
        HighWatermarkAdvanced,
        ProduceFailed,
        RecordProduced,
    ),
    "fetches_from": _ROLE_CHANGES,
    "fetch_offset": (*_ROLE_CHANGES, FetchApplied, LogTruncated, TruncationNotNeeded),
    "fetch_phase": (
        *_ROLE_CHANGES,
        FetchErrorReceived,
        LeaderOffsetHeard,
        LogTruncated,
        PartitionFailed,
        TruncationNotNeeded,
    ),
    "has_fetched": (*_ROLE_CHANGES, FetchApplied),
    "forgot_epoch": (*_ROLE_CHANGES, FetchApplied, FetchedEpochForgotten, LogTruncated),
    "diverging_epoch": (
        *_ROLE_CHANGES,
        DivergenceHeard,
        FollowerHighWatermarkSet,
        LogTruncated,
        TruncationNotNeeded,
    ),
}
"""For each part of a replica's beliefs, the events that report a change to it."""


def find_unexplained(before: ClusterState | None, frame: Frame) -> str | None:
    """The first belief that changed in a frame without an event that reports it; None if there is
    none.
    """
    if before is None:
        return None
    return next(_unexplained(before, frame), None)


def _unexplained(before: ClusterState, frame: Frame) -> Iterator[str]:
    for was, now in zip(before.brokers, frame.cluster.brokers, strict=True):
        explained = {name for happened in frame.events for name in _names(happened, now)}
        for partition in frame.cluster.partitions:
            held, holds = _beliefs(was, partition), _beliefs(now, partition)
            for name, kinds in EXPLAINED_BY.items():
                if held[name] != holds[name] and not explained.intersection(kinds):
                    yield (
                        f"broker {now.broker_id}, {partition}: {name} was {held[name]} and is "
                        f"{holds[name]}, but no event reports it"
                    )


def _names(happened: Event, broker: Broker) -> tuple[Telling, ...]:
    """An event's class, alone and with its variant, if it is about that broker."""
    is_there = isinstance(happened, BrokerEvent) and happened.broker == broker.broker_id
    if not is_there and broker.broker_id not in happened.where().replicas:
        return ()
    kind = type(happened)
    return (kind,) if happened.variant is None else (kind, (kind, happened.variant))


def _beliefs(broker: Broker, partition: TopicPartition) -> dict[str, object]:
    """What a broker has and believes about a partition. Requests in flight and the times that a
    leader records for its followers are excluded, because they change in every round of fetches.
    """
    replica = broker.replica(partition)
    if replica is None:
        replica = Replica(partition=partition, broker_id=broker.broker_id)
    leading, fetcher = replica.leading, replica.fetcher
    pending = None if leading is None else leading.pending_isr
    blocked = None if leading is None else leading.blocked_isr
    return {
        "log": replica.log,
        "flushed": replica.flushed,
        "epoch_cache": replica.epoch_cache,
        "checkpoint_high_watermark": replica.checkpoint_high_watermark,
        "checkpoint_recovery_point": replica.checkpoint_recovery_point,
        "loaded": replica.loaded,
        "leader": replica.leader,
        "leader_epoch": replica.leader_epoch,
        "partition_epoch": replica.partition_epoch,
        "role": replica.role,
        "high_watermark": replica.high_watermark,
        "isr": leading and leading.isr,
        "pending_isr": pending and (pending.kind, pending.isr, pending.given_up),
        "blocked_isr": blocked and (blocked.kind, blocked.isr),
        "leader_epoch_start_offset": leading and leading.leader_epoch_start_offset,
        "followers": leading
        and [(remote.broker_id, remote.log_end_offset) for remote in leading.remotes],
        "produces": leading and leading.produces,
        "fetches_from": fetcher and (fetcher.leader, fetcher.leader_epoch),
        "fetch_offset": fetcher and fetcher.fetch_offset,
        "fetch_phase": fetcher and fetcher.phase,
        "has_fetched": fetcher and fetcher.has_fetched,
        "forgot_epoch": fetcher and fetcher.forgot_epoch,
        "diverging_epoch": fetcher and fetcher.diverging_epoch,
    }
