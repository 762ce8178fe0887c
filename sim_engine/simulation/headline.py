"""Which of a frame's events is told in large type.

A frame lists its events in the order in which one led to the next. The one that tells most is
seldom the first of them: a request is handled, and then an election is what matters. So a frame
says by number which one its headline is, and whoever shows one sentence shows that one.
"""

from collections.abc import Sequence

from sim_engine.protocol.events import Event

_MOST_TELLING: tuple[str, ...] = (
    "LateAnswerTaken",
    "BrokerExited",
    "BrokerHalted",
    "BrokerHung",
    "PowerLost",
    "BrokerCrashed",
    "DiskLost",
    "ShutdownStarted",
    "LeaderElected",
    "LeaderLost",
    "LogTruncated",
    "SessionExpired",
    "BrokerFenced",
    "IsrExpanded",
    "IsrShrunk",
    "DepositionMissed",
    "BecameLeader",
    "BecameFollower",
    "PartitionChangeTaken",
    "RecordProduced",
    "DuplicateRecognised",
    "TransactionEnded",
    "MarkerWritten",
    "ProduceFailed",
    "FetchDiverging",
    "FetchOutOfRange",
    "FetchRejected",
    "ProduceAcknowledged",
    "HighWatermarkAdvanced",
    "FetchApplied",
    "FollowerHighWatermarkSet",
    "FetchHandled",
    "FetchApplied.empty",
    "ConsumerTruncationDetected",
    "ConsumerOffsetNotAvailable",
    "ConsumerRead",
)
_RANK = {kind: rank for rank, kind in enumerate(_MOST_TELLING)}


def headline_of(events: Sequence[Event]) -> int:
    """The place of the event that tells most; of several alike the first, 0 where there is none."""
    return min(range(len(events)), key=lambda place: _rank(events[place]), default=0)


def _rank(happened: Event) -> int:
    """By its variant's place in the list, else by its kind's, else behind all that are there."""
    by_kind = _RANK.get(happened.kind, len(_RANK))
    return _RANK.get(f"{happened.kind}.{happened.variant}", by_kind)
