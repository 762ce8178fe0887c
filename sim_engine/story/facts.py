"""What is told of a step: the few facts among its events that matter most, in causal order.

A fact is one event, or several that differ only in who, what or where: "brokers 2, 3 append m1".
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, TypeAlias

from msgspec import Struct

from sim_engine.events.log import RecordLost, RecordsAtRisk
from sim_engine.events.run import PropertyViolated
from sim_engine.story.significance import FIRST_TOLD_ALONE, goes_without_saying, rank_of

MOST_FACTS = 3

SpokenOf: TypeAlias = Callable[[str, str | None], Set[str]]
"""Of a kind and a variant, the numbers that their words speak of."""

_MERGED = ("brokers", "values", "replicas", "partitions", "links")
"""What several events may have one of each, and be one fact."""
_NEWEST = frozenset({"after", "elr", "high_watermark", "isr", "log_end_offset", "log_end_offsets"})
"""What a later event of the same kind brings up to date."""


class Happened(Struct, frozen=True, gc=False):
    """An event as its document has it: all that is needed to tell of it."""

    kind: str
    variant: str | None
    numbers: Mapping[str, Any]


class Fact(Struct, frozen=True, gc=False):
    """Something to tell: one event, or several in one.

    Its numbers are the event's, and lists of those who did it (`brokers`), of what (`values`), of
    whom it befell (`replicas`), of `partitions` and of `links`.
    """

    kind: str
    variant: str | None
    numbers: Mapping[str, Any]

    @property
    def rank(self) -> int:
        """The lower, the more it tells."""
        return rank_of(self.kind, self.variant)


def facts_of(happened: Iterable[Happened], spoken_of: SpokenOf) -> list[Fact]:
    """What could be told of a step, in causal order. Events that differ in one list, or in what the
    later one brings up to date, are one fact."""
    facts: list[Fact] = []
    for event in happened:
        fact = Fact(event.kind, event.variant, _with_lists(event.numbers))
        names = spoken_of(fact.kind, fact.variant)
        for place, earlier in enumerate(facts):
            merged = _merged(earlier, fact, names)
            if merged is None:
                continue
            if merged.numbers is fact.numbers:
                # It is as the later event says, so that is where it is told.
                del facts[place]
                facts.append(merged)
            else:
                facts[place] = merged
            break
        else:
            facts.append(fact)
    return list(_needing_words(facts))


def most_telling(facts: Sequence[Fact], most: int = MOST_FACTS) -> list[Fact]:
    """The few that tell most, in causal order."""
    ranked = sorted(range(len(facts)), key=lambda place: (facts[place].rank, place))
    telling = [place for place in ranked if facts[place].rank < FIRST_TOLD_ALONE]
    return [facts[place] for place in sorted(telling[:most] or ranked[:1])]


def _with_lists(numbers: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers, with a list for each of which several events may be one fact."""
    listed = dict(numbers)
    for one, several in (("broker", "brokers"), ("value", "values"), ("replica", "replicas")):
        if one in numbers:
            listed.setdefault(several, [numbers[one]])
    listed["partitions"] = [numbers["partition"]] if numbers.get("partition") else []
    if "from" in numbers and "to" in numbers:
        listed["links"] = [f"{numbers['from']} → {numbers['to']}"]
    return listed


def _merged(earlier: Fact, fact: Fact, names: Set[str]) -> Fact | None:
    """Two facts as one; null where that would say something else."""
    if (earlier.kind, earlier.variant) != (fact.kind, fact.variant):
        return None
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
        repeats = fact.kind == PropertyViolated.__name__ and named.issuperset(
            fact.numbers["values"]
        )
        if not goes_without_saying(fact.kind, kinds) and not (repeats and fact.numbers["values"]):
            yield fact
