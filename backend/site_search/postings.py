"""Where every word stands, and how well a text matches words that follow each other (BM25).

All words are counted in the order in which they stand, so a phrase is looked for where its rarest
word stands. Words are the same without their endings. This is in memory and needs no database, so
a page without a service has the same search.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import log

from backend.site_search.words import is_han, stem

_SATURATION, _OF_LENGTH = 1.2, 0.75
"""BM25's usual constants: how soon more occurrences do not matter, and how much the length of a
text does."""
_BETWEEN = ""
"""Stands after each column, so that no phrase reaches into the next."""


class Postings:
    """Texts in columns, each with a weight; the first text that is added is number 0."""

    def __init__(self, weights: Sequence[float]) -> None:
        self._weights = weights
        self._words: list[str] = []
        self._columns = array("I")
        """The column at each place, counted through all texts."""
        self._places: defaultdict[str, array[int]] = defaultdict(lambda: array("I"))
        self._lengths: list[int] = []

    def __len__(self) -> int:
        return len(self._lengths)

    def add(self, columns: Sequence[Sequence[str]]) -> None:
        """A text: the words of each column."""
        for column, words in enumerate(columns, start=len(self) * len(self._weights)):
            stems = list(map(stem, words))
            for place, one in enumerate(stems, start=len(self._words)):
                self._places[one].append(place)
            self._words += (*stems, _BETWEEN)
            self._columns.extend([column] * (len(stems) + 1))
        self._lengths.append(sum(map(len, columns)))

    def occurs(self, words: Sequence[str]) -> bool:
        """Whether in any text the words follow each other."""
        return any(True for _ in self._begins(words))

    def find(self, words: Sequence[str]) -> dict[int, list[int]]:
        """The texts in which the words follow each other: how often in each column. A single
        Chinese character stands for every pair that begins with it.
        """
        found: dict[int, list[int]] = {}
        width = len(self._weights)
        for place in self._begins(words):
            text, column = divmod(self._columns[place], width)
            found.setdefault(text, [0] * width)[column] += 1
        return found

    def weigh(self, found: Mapping[int, Sequence[int]], columns: int) -> dict[int, float]:
        """How well texts match what was found in them, by their first columns alone."""
        weights = self._weights[:columns]
        often = {
            text: sum(weight * count for weight, count in zip(weights, counts, strict=False))
            for text, counts in found.items()
            if any(counts[:columns])
        }
        rarity = log(1 + (len(self) - len(often) + 0.5) / (len(often) + 0.5))
        usual = sum(self._lengths) / (len(self) or 1)
        return {
            text: rarity
            * (_SATURATION + 1)
            * often[text]
            / (often[text] + _SATURATION * (1 - _OF_LENGTH + _OF_LENGTH * length / usual))
            for text in often
            for length in (self._lengths[text],)
        }

    def _begins(self, words: Sequence[str]) -> Iterator[int]:
        if len(words) == 1 and len(words[0]) == 1 and is_han(words[0]):
            for word, places in self._places.items():
                if word.startswith(words[0]):
                    yield from places
            return
        wanted = list(map(stem, words))
        if not wanted or any(word not in self._places for word in wanted):
            return
        rarest = min(range(len(wanted)), key=lambda at: len(self._places[wanted[at]]))
        for place in self._places[wanted[rarest]]:
            begin = place - rarest
            if begin >= 0 and self._words[begin : begin + len(wanted)] == wanted:
                yield begin
