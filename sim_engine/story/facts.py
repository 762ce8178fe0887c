"""What is told of a step: the few facts among its events that matter most, in causal order.

A fact is one event, or several that differ only in who, what or where: "brokers 2, 3 append m1".
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import TypeAlias

from msgspec import Struct

from sim_engine.events.isr import IsrExpanded, IsrJoinRefused, IsrShrunk
from sim_engine.events.log import RecordLost, RecordsAtRisk, TruncationNotNeeded
from sim_engine.events.run import PropertyViolated
from sim_engine.json_types import JsonObject, JsonView
from sim_engine.story.significance import FIRST_TOLD_ALONE, goes_without_saying, rank_of

MOST_FACTS = 3

SpokenOf: TypeAlias = Callable[[str, str | None], Set[str]]
"""Of a kind and a variant, the numbers that their words speak of."""

_MERGED = ("brokers", "values", "partitions", "links")
"""What several events may have one of each, and be one fact."""
_NEWEST = frozenset({"after", "elr", "high_watermark", "isr", "log_end_offset", "log_end_offsets"})
"""What a later event of the same kind brings up to date."""


_MOST_COMPARED = 16
"""With how many earlier ones of its kind and variant an event is compared."""
_OF_REPLICAS = frozenset(kind.__name__ for kind in (IsrExpanded, IsrShrunk, IsrJoinRefused))
"""What a leader or the controller does to replicas, and is told as theirs."""


class Happened(Struct, frozen=True, gc=False):
    """An event as its document has it: all that is needed to tell of it."""

    kind: str
    variant: str | None
    numbers: JsonView


class Fact(Struct, frozen=True, gc=False):
    """Something to tell: one event, or several in one.

    Its numbers are the event's, and lists of whom it is told (`brokers`), of what (`values`), of
    `partitions` and of `links`.
    """

    kind: str
    variant: str | None
    numbers: JsonView

    @property
    def rank(self) -> int:
        """Lower ranks are more important."""
        return rank_of(self.kind, self.variant)


def facts_of(happened: Iterable[Happened], spoken_of: SpokenOf) -> list[Fact]:
    """What could be told of a step, in causal order. Events that differ in one list, or in what the
    later one brings up to date, are one fact."""
    facts: dict[int, Fact] = {}
    alike: dict[tuple[str, str | None], deque[int]] = {}
    for number, event in enumerate(happened):
        fact = Fact(event.kind, event.variant, _with_lists(event))
        names = spoken_of(fact.kind, fact.variant)
        earlier = alike.setdefault((fact.kind, fact.variant), deque(maxlen=_MOST_COMPARED))
        for place in earlier:
            merged = _merged(facts[place], fact, names)
            if merged is not None:
                # It is only now as it will be told.
                del facts[place]
                earlier.remove(place)
                fact = merged
                break
        facts[number] = fact
        earlier.append(number)
    return list(_needing_words([*facts.values()]))


def most_telling(facts: Sequence[Fact], most: int = MOST_FACTS) -> list[Fact]:
    """The few that tell most, in causal order."""
    ranked = sorted(range(len(facts)), key=lambda place: (facts[place].rank, place))
    telling = [place for place in ranked if facts[place].rank < FIRST_TOLD_ALONE]
    return [facts[place] for place in sorted(telling[:most] or ranked[:1])]


def _with_lists(event: Happened) -> JsonObject:
    """The numbers, with a list for each of which several events may be one fact."""
    numbers = event.numbers
    listed = dict(numbers)
    for one, several in (("broker", "brokers"), ("value", "values"), ("replica", "replicas")):
        if one in numbers:
            listed.setdefault(several, [numbers[one]])
    if event.kind in _OF_REPLICAS:
        listed["brokers"] = listed["replicas"]
    listed["partitions"] = [numbers["partition"]] if numbers.get("partition") else []
    if "from" in numbers and "to" in numbers:
        listed["links"] = [f"{numbers['from']} → {numbers['to']}"]
    return listed


def _merged(earlier: Fact, fact: Fact, names: Set[str]) -> Fact | None:
    """Two facts of one kind and variant as one; null where that would say something else."""
    before, after = earlier.numbers, fact.numbers
    differing = {name for name in names if before.get(name) != after.get(name)} - _NEWEST
    if not differing:
        return fact
    (name,) = differing if len(differing) == 1 else (None,)
    if name not in _MERGED:
        return None
    assert name is not None, "it is one of those merged"
    both = [*before[name], *(item for item in after[name] if item not in before[name])]
    return Fact(fact.kind, fact.variant, {**after, name: both})


def _needing_words(facts: Sequence[Fact]) -> Iterator[Fact]:
    kinds = {fact.kind for fact in facts}
    named = {
        value
        for fact in facts
        if fact.kind in (RecordLost.__name__, RecordsAtRisk.__name__)
        for value in fact.numbers["values"]
    }
    for fact in facts:
        if fact.kind == TruncationNotNeeded.__name__ and fact.numbers["log_end_offset"] == 0:
            continue  # an empty log is not news
        repeats = fact.kind == PropertyViolated.__name__ and named.issuperset(
            fact.numbers["values"]
        )
        if not goes_without_saying(fact.kind, kinds) and not (repeats and fact.numbers["values"]):
            yield fact
