"""Counts what the marks of a step stand for: records, elections, truncations.

A step may lose two records, and one frame may elect a leader for each of two partitions. Stored
frames of any age are counted.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias, TypeVar

from sim_engine.events.election import LeaderLost
from sim_engine.events.log import RecordLost
from sim_engine.events.run import PropertyViolated
from sim_engine.events.telling import Mark
from sim_engine.json_types import as_items
from sim_engine.story.event_groups import EventData
from sim_engine.story.steps import marks_of

_AnyMark = TypeVar("_AnyMark", bound=str)
_Thing: TypeAlias = tuple[object, ...]

_BY_FRAME: Final = frozenset[Mark]({"fault"})
"""One action causes the fault, however many links it cuts or messages it drops."""
_OF_RECORDS: Final = frozenset[Mark]({"loss", "at_risk"})


def counts_by_mark(
    frames: Mapping[_AnyMark, Sequence[object]], events: Iterable[EventData]
) -> dict[_AnyMark, int]:
    """How many records, elections and so on the marks of a step stand for; `frames` are the frames
    of each mark, which are counted themselves for faults and an author's texts.

    An election mark may stand for none: a lost leader has the mark, but elects nobody.
    """
    happened: dict[str, set[_Thing]] = {}
    violated: dict[str, set[_Thing]] = {}
    for number, event in enumerate(events):
        # A violated property repeats what the other events of its mark report.
        found = violated if event.kind == PropertyViolated.__name__ else happened
        for mark in marks_of([(event.kind, event.variant)]) - _BY_FRAME:
            found.setdefault(mark, set()).update(_things_of(event, number, mark))
    counted = violated | happened
    return {
        mark: len(counted[mark]) if mark in counted else len(marked)
        for mark, marked in frames.items()
    }


def _things_of(event: EventData, number: int, mark: Mark) -> set[_Thing]:
    """What one event adds to the count of a mark; the same record is the same thing."""
    if event.kind == LeaderLost.__name__:
        return set()
    numbers = event.numbers
    partition = numbers.get("partition")
    if event.kind == RecordLost.__name__:
        return {(partition, numbers.get("offset"), numbers.get("value"))}
    if mark in _OF_RECORDS:
        offsets, values = as_items(numbers.get("offsets")), as_items(numbers.get("values"))
        return {(partition, *record) for record in zip(offsets, values, strict=False)}
    return {(number,)}
