"""Ranks events by significance: which ones a summary describes if it cannot describe all."""

from collections.abc import Mapping, Set
from typing import TypeAlias

from sim_engine.events import (
    EVENTS,
    Event,
    consumer,
    controller,
    election,
    fetch,
    high_watermark,
    isr,
    log,
    metadata,
    network,
    process,
    producer,
    run,
)

_Kind: TypeAlias = type[Event] | tuple[type[Event], str]

_MOST_TELLING: tuple[_Kind, ...] = (
    run.ActionRefused,
    (log.RecordLost, "acked"),
    (log.RecordLost, "replaced"),
    (run.PropertyViolated, "NoAckedRecordLost"),
    log.RecordsAtRisk,
    (run.PropertyViolated, "AckedRecordAtRisk"),
    log.RecordsSafeAgain,
    (run.PropertyViolated, "ConsistentRead"),
    (run.PropertyViolated, "LogMatching"),
    consumer.ReadReplaced,
    run.DidNotSettle,
    process.BrokerExited,
    process.BrokerHalted,
    process.BrokerHung,
    fetch.PartitionFailed,
    fetch.RoundsRepeat,
    log.LogTruncated,
    log.UnflushedRecordsLost,
    process.PowerLost,
    process.BrokerCrashed,
    process.DiskLost,
    process.RegistrationRefused,
    controller.ControllerFailed,
    election.LeaderElected,
    election.LeaderLost,
    election.UncleanSettingNotRead,
    election.ElectionNotPossible,
    controller.ControllerElected,
    metadata.DepositionMissed,
    fetch.LateResponseAccepted,
    consumer.ConsumerTruncationDetected,
    producer.ProduceFailed,
    producer.ProduceAcknowledged,
    network.MessageDropped,
    metadata.CommandFenced,
    metadata.CommandSkipped,
    metadata.RoleIgnored,
    producer.ProduceUnanswered,
    producer.TransactionEnded,
    network.LinkCut,
    network.LinkHealed,
    process.BrokerPaused,
    process.BrokerResumed,
    process.BrokerStopped,
    network.BrokerSlowed,
    controller.ReassignmentStarted,
    controller.ReassignmentCancelled,
    controller.ReassignmentCompleted,
    controller.ReassignmentRepeated,
    controller.ReassignmentDropped,
    controller.ReplicasReordered,
    log.ReplicaDeleted,
    controller.ConfigChanged,
    controller.ProtocolLevelChanged,
    controller.SessionExpired,
    controller.BrokerFenced,
    isr.IsrShrunk,
    isr.IsrExpanded,
    isr.IsrJoinRefused,
    isr.IsrChangeRejected,
    isr.IsrChangeBlocked,
    election.EligibleLeaderReplicasChanged,
    log.RecordLost,
    consumer.ConsumerRead,
    consumer.ConsumerOutOfRange,
    consumer.ConsumerOffsetNotAvailable,
    consumer.ConsumeFailed,
    fetch.FetchDiverging,
    fetch.FetchOutOfRange,
    fetch.FetchRejected,
    fetch.DivergenceHeard,
    producer.DuplicateRecognised,
    high_watermark.HighWatermarkAdvanced,
    high_watermark.HighWatermarkHeld,
    isr.IsrCommitted,
    producer.MarkerWritten,
    producer.RecordProduced,
    fetch.FetchApplied,
    metadata.StatesPassedOver,
    isr.IsrChangesTold,
    isr.IsrChangesTaken,
    producer.ProduceWaiting,
    process.ShutdownStarted,
    log.LogLoaded,
    metadata.BecameLeader,
    metadata.BecameFollower,
    isr.IsrExpandProposed,
    isr.IsrShrinkProposed,
    fetch.EpochLookupAnswered,
    log.TruncationNotNeeded,
    log.HighWatermarkCheckpointed,
    log.RecoveryPointCheckpointed,
    log.LogFlushed,
    process.BrokerBooted,
    network.MessageHeld,
    network.MessageReleased,
    fetch.LateResponseDiscarded,
    high_watermark.FollowerHighWatermarkSet,
    consumer.ConsumerReadNothing,
)
"""The order of significance: earlier entries are described in preference to later ones."""

_TOLD_ALONE: tuple[_Kind, ...] = (
    controller.BrokerJoined,
    controller.BrokerRegistered,
    controller.BrokerUnfenced,
    producer.TransactionBegun,
    isr.IsrChangesKept,
    metadata.PartitionChangeTaken,
    fetch.FetchErrorReceived,
    metadata.CommandIgnored,
    network.ResponseIgnored,
    fetch.FetchSent,
    (fetch.FetchApplied, "empty"),
    fetch.FetchHandled,
    (fetch.FetchHandled, "empty"),
    fetch.LongPollExpired,
    fetch.FetchParked,
)
"""Described only if no event of the list above happened; the events of neither list come after
them.
"""

_TOLD_LAST: tuple[type[Event], ...] = (run.PropertyViolated, run.TimeAdvanced)
"""Described only if no other event happened."""

_SAID_BY: Mapping[type[Event], tuple[type[Event], ...]] = {
    metadata.BecameLeader: (election.LeaderElected,),
    metadata.BecameFollower: (election.LeaderElected,),
    process.BrokerBooted: (log.LogLoaded,),
    process.ShutdownStarted: (process.BrokerStopped,),
    election.ElectionNotPossible: (election.LeaderLost,),
    isr.IsrExpandProposed: (isr.IsrExpanded,),
    isr.IsrShrinkProposed: (isr.IsrShrunk,),
    isr.IsrCommitted: (isr.IsrExpanded, isr.IsrShrunk),
    high_watermark.FollowerHighWatermarkSet: (high_watermark.HighWatermarkAdvanced,),
    fetch.DivergenceHeard: (log.LogTruncated, fetch.FetchDiverging),
    fetch.FetchDiverging: (log.LogTruncated,),
    fetch.FetchOutOfRange: (
        log.LogTruncated,
        process.BrokerExited,
        process.BrokerHalted,
        process.BrokerHung,
    ),
    fetch.FetchErrorReceived: (fetch.FetchOutOfRange, fetch.FetchRejected, log.LogTruncated),
    process.PowerLost: (log.UnflushedRecordsLost,),
    isr.IsrChangesTold: (isr.IsrChangesTaken,),
    run.TimeAdvanced: tuple(kind for kind in EVENTS.values() if kind is not run.TimeAdvanced),
}
"""Events that are omitted if one of certain others is described."""

_RANKS: Mapping[tuple[str, str | None], int] = {
    (kind[0].__name__, kind[1]) if isinstance(kind, tuple) else (kind.__name__, None): rank
    for rank, kind in enumerate(_MOST_TELLING + _TOLD_ALONE)
}
FIRST_TOLD_ALONE = len(_MOST_TELLING)
"""Events from this rank on are described only if there is none with a lower rank."""

_LAST = frozenset(kind.__name__ for kind in _TOLD_LAST)
_SAID_BY_NAME: Mapping[str, frozenset[str]] = {
    kind.__name__: frozenset(other.__name__ for other in others)
    for kind, others in _SAID_BY.items()
}


def rank_of(kind: str, variant: str | None) -> int:
    """The rank of an event, by its variant or otherwise by its kind; 0 is the most significant."""
    own = _RANKS.get((kind, variant))
    if own is not None:
        return own
    return _RANKS.get((kind, None), len(_RANKS) + (kind in _LAST))


def is_implied_by(kind: str, others: Set[str]) -> bool:
    """Whether an event is omitted next to others of these kinds."""
    return not _SAID_BY_NAME.get(kind, frozenset()).isdisjoint(others)
