"""Reads the events of a step in hindsight: a summary does not tell what the same step overtakes."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from sim_engine.events.fetch import FetchApplied, FetchHandled, FetchParked, FetchSent
from sim_engine.events.isr import IsrExpanded
from sim_engine.events.log import HighWatermarkAdvanced, HighWatermarkHeld
from sim_engine.events.registry import EVENTS, class_named
from sim_engine.story.event_groups import EventData

HANDLED = "handled"
"""The variant of a fetch that the leader has recorded in the same step."""

_Case: TypeAlias = tuple[object, ...]

_OVERTAKEN_BY = [kind.overtaken_by for kind in EVENTS.values() if kind.overtaken_by is not None]
_SHARED: Mapping[str, frozenset[str]] = {
    later.__name__: frozenset(shared for other, shared in _OVERTAKEN_BY if other is later)
    for later, _ in _OVERTAKEN_BY
}
"""What overtakes other events → the values that it shares with them."""


def in_hindsight(events: Sequence[EventData]) -> list[EventData]:
    """The events of a step as its summary tells them.

    A high watermark that rises does not stay, and a replica that joins the ISR was not refused. A
    start is not about the session of the process before it. If the high watermark waited for a
    larger ISR, all that joined come before its rise. A fetch that the leader has recorded is
    "handled".
    """
    last = _last_places(events)
    told = [
        _as_it_ended(event, place, last)
        for place, event in enumerate(events)
        if not _is_overtaken(event, place, last)
    ]
    for leader in _waiting_leaders(events):
        told = _joined_first(told, leader)
    return told


def overtaken(events: Sequence[EventData]) -> frozenset[int]:
    """The places of the events of a step that the same step overtakes."""
    last = _last_places(events)
    return frozenset(
        place for place, event in enumerate(events) if _is_overtaken(event, place, last)
    )


def _last_places(events: Sequence[EventData]) -> dict[_Case, int]:
    return {case: place for place, event in enumerate(events) for case in _cases_of(event)}


def _cases_of(event: EventData) -> tuple[_Case, ...]:
    """What an event may overtake or handle."""
    numbers = event.numbers
    partition = numbers.get("partition")
    if event.kind in (FetchHandled.__name__, FetchParked.__name__):
        return ((HANDLED, partition, numbers.get("follower"), numbers.get("fetch_offset")),)
    return tuple(
        (event.kind, partition, numbers.get(shared)) for shared in _SHARED.get(event.kind, ())
    )


def _is_overtaken(event: EventData, place: int, last: Mapping[_Case, int]) -> bool:
    overtaken_by = class_named(event.kind).overtaken_by
    if overtaken_by is None:
        return False
    later, shared = overtaken_by
    case = (later.__name__, event.numbers.get("partition"), event.numbers.get(shared))
    return last.get(case, -1) > place


def _as_it_ended(event: EventData, place: int, last: Mapping[_Case, int]) -> EventData:
    """A fetch with its outcome; any other event as it is."""
    if event.kind != FetchSent.__name__:
        return event
    numbers = event.numbers
    case = (HANDLED, *(numbers.get(name) for name in ("partition", "broker", "fetch_offset")))
    return EventData(event.kind, HANDLED, numbers) if last.get(case, -1) > place else event


def _waiting_leaders(events: Sequence[EventData]) -> list[_Case]:
    """The partitions and leaders whose high watermark waited for a larger ISR and then rose."""
    waiting: dict[_Case, bool] = {}
    for event in events:
        case = (event.numbers.get("partition"), event.numbers.get("broker"))
        if event.kind == HighWatermarkHeld.__name__ and event.variant is None:
            waiting.setdefault(case, False)
        elif event.kind == HighWatermarkAdvanced.__name__ and case in waiting:
            waiting[case] = True
    return [case for case, rose in waiting.items() if rose]


def _joined_first(events: Sequence[EventData], leader: _Case) -> list[EventData]:
    """The events in which every replica that joined comes before the first rise that follows a
    join; unchanged if none follows, or if a replica still had to append.
    """
    partition, broker = leader
    own = [
        place
        for place, event in enumerate(events)
        if (event.numbers.get("partition"), event.numbers.get("broker")) == (partition, broker)
    ]
    joined = [place for place in own if events[place].kind == IsrExpanded.__name__]
    rises = [place for place in own if events[place].kind == HighWatermarkAdvanced.__name__]
    rise = next((place for place in rises if joined and place > joined[0]), None)
    if rise is None:
        return list(events)
    later = [place for place in joined if place > rise]
    joining = {events[place].numbers.get("replica") for place in later}
    if any(_appends(event) and event.numbers.get("broker") in joining for event in events[rise:]):
        return list(events)
    rest = [place for place in range(rise, len(events)) if place not in later]
    return [*events[:rise], *(events[place] for place in [*later, *rest])]


def _appends(event: EventData) -> bool:
    return event.kind == FetchApplied.__name__ and event.variant is None
