"""Selects a frame's headline: the event that is shown large.

A frame lists its events in causal order. The most important one is rarely the first: a request is
handled, and the resulting election matters. A frame therefore contains the index of its headline,
and a view with room for one sentence shows that one.
"""

from collections.abc import Mapping, Sequence

from sim_engine.events import Event
from sim_engine.events.consumer import (
    ConsumerOffsetNotAvailable,
    ConsumerRead,
    ConsumerTruncationDetected,
)
from sim_engine.events.controller import (
    BrokerFenced,
    ControllerFailed,
    ReassignmentCancelled,
    ReassignmentStarted,
    SessionExpired,
)
from sim_engine.events.election import LeaderElected, LeaderLost
from sim_engine.events.fetch import (
    FetchApplied,
    FetchDiverging,
    FetchHandled,
    FetchOutOfRange,
    FetchRejected,
    LateResponseAccepted,
)
from sim_engine.events.high_watermark import FollowerHighWatermarkSet, HighWatermarkAdvanced
from sim_engine.events.isr import IsrChangesKept, IsrChecked, IsrExpanded, IsrShrunk
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
from sim_engine.events.run import TimeAdvanced

_MOST_TELLING: tuple[type[Event] | tuple[type[Event], str], ...] = (
    LateResponseAccepted,
    BrokerExited,
    BrokerHalted,
    BrokerHung,
    PowerLost,
    BrokerCrashed,
    DiskLost,
    ShutdownStarted,
    ControllerFailed,
    (ReassignmentStarted, "kept"),
    (ReassignmentStarted, "never_completes"),
    (ReassignmentCancelled, "unclean"),
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
    """The index of the most important event; the first of equal ones, and 0 if there
    are no events. Of the checks made while time passed it is the latest, as in a step's summary.
    """

    def order(place: int) -> tuple[int, int, int]:
        happened = events[place]
        checked = happened.checked_ms if isinstance(happened, IsrChecked | IsrChangesKept) else 0
        return _rank(happened), -checked if isinstance(checked, int) else 0, place

    return min(range(len(events)), key=order, default=0)


def _rank(happened: Event) -> int:
    """The rank of an event: its variant's index in the list, otherwise its class's, otherwise after
    all of them. The passing of time is last: what happened meanwhile matters more.
    """
    by_class = _RANK.get(type(happened), len(_RANK) + isinstance(happened, TimeAdvanced))
    return _RANK.get((type(happened), happened.variant), by_class)
