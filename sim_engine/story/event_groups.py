"""Selects the events that matter most: the headline of a frame, and a few groups of a step's events
in causal order. A summary reads the events of its step in hindsight: it does not tell what the same
step overtakes.

A group is one event, or several that differ only in the broker, the record or the place: "brokers
2, 3 append m1".
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import product
from typing import TypeAlias

from msgspec import Struct

from sim_engine.events import EVENTS, class_named, is_implied_by, isr, log, rank_of, run
from sim_engine.events.base import Event, Rank
from sim_engine.events.fetch import FetchApplied, FetchHandled, FetchParked, FetchSent
from sim_engine.events.isr import IsrExpanded
from sim_engine.events.log import HighWatermarkAdvanced, HighWatermarkHeld
from sim_engine.json_types import JsonObject, JsonView, as_items

MOST_GROUPS = 3

SpokenOf: TypeAlias = Callable[[str, str | None], Set[str]]
"""Kind and variant → the names of the values in their texts."""

_MERGED = ("brokers", "values", "partitions", "links")
"""The values in which several events may differ and still be one group."""
_NEWEST = frozenset({"after", "elr", "high_watermark", "isr", "log_end_offset", "log_end_offsets"})
"""The values that a later event of the same kind updates."""


_MOST_COMPARED = 16
"""The number of earlier events of its kind and variant with which an event is compared."""


class EventData(Struct, frozen=True, gc=False):
    """An event in the form of its document, with all that a text needs; or a group of events.

    A group's numbers are those of its last event, with lists of its `brokers`, `values`,
    `partitions` and `links`.
    """

    kind: str
    variant: str | None
    numbers: JsonView

    @property
    def rank(self) -> Rank:
        """How telling it is."""
        return rank_of(self.kind, self.variant)


def headline_of(events: Sequence[Event]) -> int:
    """The index of a frame's headline, the event that is shown large: the most telling one, the
    first of equal ones, and 0 if there are no events.

    A frame lists its events in causal order. A view with room for one sentence shows the headline.
    Of the checks made while time passed it is the latest, as in a step's summary.
    """

    def order(place: int) -> tuple[int, int, int]:
        happened = events[place]
        checked = (
            happened.checked_ms if isinstance(happened, isr.IsrChecked | isr.IsrChangesKept) else 0
        )
        rank = rank_of(happened.kind, happened.variant)
        return rank, -checked if isinstance(checked, int) else 0, place

    return min(range(len(events)), key=order, default=0)


def cause_of(events: Sequence[Event], headline: int) -> int | None:
    """The index of the event that explains a headline that names neither a rule nor a source, such
    as a loss: the most telling one before it that names a rule. None if there is none, or if the
    headline explains itself.
    """
    if not events or events[headline].rule is not None or events[headline].sources:
        return None
    before = enumerate(events[:headline])
    ruled = [place for place, one in before if one.rule is not None and one.explains]
    return ruled[headline_of([events[place] for place in ruled])] if ruled else None


def event_groups_of(events: Iterable[EventData], spoken_of: SpokenOf) -> list[EventData]:
    """The groups of a step, in causal order. Events that differ only in one list, or in values that
    the later one updates, are one group.
    """
    groups: dict[int, EventData] = {}
    alike: dict[tuple[str, str | None], deque[int]] = {}
    for number, event in enumerate(events):
        group = EventData(event.kind, event.variant, _with_lists(event))
        names = spoken_of(group.kind, group.variant)
        earlier = alike.setdefault((group.kind, group.variant), deque(maxlen=_MOST_COMPARED))
        for place in earlier:
            merged = _merged(groups[place], group, names)
            if merged is not None:
                # A group has its final form only at its last event.
                del groups[place]
                earlier.remove(place)
                group = merged
                break
        groups[number] = group
        earlier.append(number)
    return list(_needing_words([*groups.values()]))


def most_significant(groups: Sequence[EventData], most: int = MOST_GROUPS) -> list[EventData]:
    """The few most important groups, in causal order."""
    ranked = sorted(range(len(groups)), key=lambda place: (groups[place].rank, place))
    telling = [place for place in ranked if groups[place].rank < Rank.REGISTRATION]
    return [groups[place] for place in sorted(telling[:most] or ranked[:1])]


def _with_lists(event: EventData) -> JsonObject:
    """The numbers, with a list for each value in which merged events may differ."""
    numbers = event.numbers
    listed = dict(numbers)
    for one, several in (("broker", "brokers"), ("value", "values"), ("replica", "replicas")):
        if numbers.get(one) is not None:
            listed.setdefault(several, [numbers[one]])
    if class_named(event.kind).of_replicas:
        listed["brokers"] = listed["replicas"]
    listed["partitions"] = [numbers["partition"]] if numbers.get("partition") else []
    if "from" in numbers and "to" in numbers:
        listed["links"] = [f"{numbers['from']} → {numbers['to']}"]
    return listed


def _merged(earlier: EventData, group: EventData, names: Set[str]) -> EventData | None:
    """Two groups of one kind and variant merged; None if the result would have a
    different meaning.
    """
    before, after = earlier.numbers, group.numbers
    # A value of one partition does not update that of another.
    updated = _NEWEST if before["partitions"] == after["partitions"] else frozenset()
    differing = {name for name in names if before.get(name) != after.get(name)} - updated
    if not differing:
        return group
    (name,) = differing if len(differing) == 1 else (None,)
    if name not in _MERGED:
        return None
    assert name is not None, "the name is one of those that were merged"
    first, then = as_items(before[name]), as_items(after[name])
    both = [*first, *(item for item in then if item not in first)]
    return EventData(group.kind, group.variant, {**after, name: both})


def _needing_words(groups: Sequence[EventData]) -> Iterator[EventData]:
    kinds = {group.kind for group in groups}
    named = {
        value
        for group in groups
        if group.kind in (log.RecordLost.__name__, log.RecordsAtRisk.__name__)
        for value in as_items(group.numbers["values"])
    }
    lost = {record for group in groups if group.rank is Rank.LOSS for record in _records_of(group)}
    loaded = any(_loads_records(group) for group in groups)
    for group in groups:
        if group.kind == log.TruncationNotNeeded.__name__ and group.numbers["log_end_offset"] == 0:
            continue  # an empty log is not mentioned
        if group.kind == log.LogLoaded.__name__ and loaded and not _loads_records(group):
            continue  # neither is one next to others
        if is_implied_by(group.kind, kinds):
            continue
        if group.kind == log.LogTruncated.__name__:
            yield _without_values(group, lost)
            continue
        values = as_items(group.numbers.get("values"))
        repeats = group.kind == run.PropertyViolated.__name__ and named.issuperset(values)
        if not (repeats and values):
            yield group


def _loads_records(group: EventData) -> bool:
    return group.kind == log.LogLoaded.__name__ and group.numbers["log_end_offset"] != 0


def _records_of(group: EventData) -> Iterator[tuple[object, object]]:
    """The partition and the value of each record that a group names."""
    return product(as_items(group.numbers["partitions"]), as_items(group.numbers["values"]))


def _without_values(group: EventData, lost: Set[tuple[object, object]]) -> EventData:
    """A truncation without the records that another clause says are lost."""
    kept = {value for place, value in _records_of(group) if (place, value) not in lost}
    values = as_items(group.numbers["values"])
    if kept.issuperset(values):
        return group
    remaining = [value for value in values if value in kept]
    return EventData(group.kind, group.variant, {**group.numbers, "values": remaining})


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
