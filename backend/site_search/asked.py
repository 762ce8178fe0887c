"""How near a query is to what somebody asked who does not know what it is called.

Sentences are compared by their senses (`Vocabulary.senses`): words that mean the same, in any
language, are one. A sense counts by how rare it is among the sentences. A query and a sentence are
near if most of each is in the other; a long text that happens to contain the words of a query is
not.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from math import log

from backend.site_search.vocabulary import FORM

_END = re.compile(r"[.?!:;](?:\s|$)|[。？！：；]")
"""What ends a sentence: not the dots of `min.insync.replicas`."""
_SHORT = 4.0
"""Is added to what a sentence weighs: that two short ones are the same is less of a sign."""
_OF_FORM = 0.5
"""The part of its rarity that a word counts which means nothing by itself: "how does it know" is
still another question than "why is it".
"""
_UNKNOWN = 1.0
"""What a word counts that is in no sentence: it is a detail of what happened to this reader."""


class AskedSentences:
    """The sentences of texts."""

    def __init__(self, told: Sequence[tuple[int, Collection[str]]]) -> None:
        """Of each sentence the number of its text, and its senses, each once."""
        self._texts = [number for number, _ in told]
        self._with: defaultdict[str, list[int]] = defaultdict(list)
        for place, (_, senses) in enumerate(told):
            for sense in senses:
                self._with[sense].append(place)
        self._rarities = {
            sense: log(1 + len(told) / (1 + len(places))) * _part_of(sense)
            for sense, places in self._with.items()
        }
        self._weights = [_SHORT + sum(map(self._rarity, senses)) for _, senses in told]

    def near(self, query: Collection[str]) -> dict[int, float]:
        """The texts of which a sentence has a sense of the query: how near the nearest is, up to
        1.
        """
        shared: defaultdict[int, float] = defaultdict(float)
        for sense in query:
            for place in self._with.get(sense, ()):
                shared[place] += self._rarity(sense)
        whole = _SHORT + sum(map(self._rarity, query))
        found: dict[int, float] = {}
        for place, common in shared.items():
            alike = (common * common / (whole * self._weights[place])) ** 2
            found[self._texts[place]] = max(found.get(self._texts[place], 0.0), alike)
        return found

    def _rarity(self, sense: str) -> float:
        return self._rarities.get(sense, _UNKNOWN * _part_of(sense))


def _part_of(sense: str) -> float:
    return _OF_FORM if sense.startswith(FORM) else 1.0


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text."""
    return filter(None, map(str.strip, _END.split(text)))
