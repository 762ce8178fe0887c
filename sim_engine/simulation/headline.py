"""Which of a frame's events is told in large type.

A frame lists its events in the order in which one led to the next. The one that tells most is
seldom the first of them: a request is handled, and then an election is what matters. So a frame
states the index of its headline, and a view that shows one sentence shows that one.
"""

from collections.abc import Mapping, Sequence

from sim_engine.events import Event
from sim_engine.events.consumer import (
    ConsumerOffsetNotAvailable,
    ConsumerRead,
    ConsumerTruncationDetected,
)
from sim_engine.events.controller import BrokerFenced, SessionExpired
from sim_engine.events.election import LeaderElected, LeaderLost
from sim_engine.events.fetch import (
    FetchApplied,
    FetchDiverging,
    FetchHandled,
    FetchOutOfRange,
    FetchRejected,
    LateAnswerTaken,
)
from sim_engine.events.high_watermark import FollowerHighWatermarkSet, HighWatermarkAdvanced
from sim_engine.events.isr import IsrExpanded, IsrShrunk
from sim_engine.events.log import LogTruncated
from sim_engine.events.metadata import (
    BecameFollower,
    BecameLeader,
    DepositionMissed,
    PartitionChangeTaken,
)
from sim_engine.events.process import (
    BrokerCrashed,
    BrokerExited,
    BrokerHalted,
    BrokerHung,
    DiskLost,
    PowerLost,
    ShutdownStarted,
)
from sim_engine.events.producer import (
    DuplicateRecognised,
    MarkerWritten,
    ProduceAcknowledged,
    ProduceFailed,
    RecordProduced,
    TransactionEnded,
)

_MOST_TELLING: tuple[type[Event] | tuple[type[Event], str], ...] = (
    LateAnswerTaken,
    BrokerExited,
    BrokerHalted,
    BrokerHung,
    PowerLost,
    BrokerCrashed,
    DiskLost,
    ShutdownStarted,
    LeaderElected,
    LeaderLost,
    LogTruncated,
    SessionExpired,
    BrokerFenced,
    IsrExpanded,
    IsrShrunk,
    DepositionMissed,
    BecameLeader,
    BecameFollower,
    PartitionChangeTaken,
    RecordProduced,
    DuplicateRecognised,
    TransactionEnded,
    MarkerWritten,
    ProduceFailed,
    FetchDiverging,
    FetchOutOfRange,
    FetchRejected,
    ProduceAcknowledged,
    HighWatermarkAdvanced,
    FetchApplied,
    FollowerHighWatermarkSet,
    FetchHandled,
    (FetchApplied, "empty"),
    ConsumerTruncationDetected,
    ConsumerOffsetNotAvailable,
    ConsumerRead,
)
_RANK: Mapping[type[Event] | tuple[type[Event], str | None], int] = {
    kind: rank for rank, kind in enumerate(_MOST_TELLING)
}


def headline_of(events: Sequence[Event]) -> int:
    """The place of the event that tells most; of several alike the first, 0 where there is none."""
    return min(range(len(events)), key=lambda place: _rank(events[place]), default=0)


def _rank(happened: Event) -> int:
    """By its variant's place in the list, else by its class's, else behind all that are there."""
    by_class = _RANK.get(type(happened), len(_RANK))
    return _RANK.get((type(happened), happened.variant), by_class)
