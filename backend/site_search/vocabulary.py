"""The words of readers: what people type, and what this site calls it.

`search_words.ftl` of each language lists concepts. The text of a message are the words that the
site uses, in that language; its attribute `typed` are other words for the same. Alternatives are
separated by "|". Whoever types any of them, in any language, also searches for the site's words in
every language. Words of one attribute of `same` are the same word in a name: "broker crashes" is
also "node down".
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from backend.site_search.words import is_han, pairs, pieces, stem
from sim_engine.languages import LANGUAGES, find_messages, translations_in

_FILE = "search_words"
_STOP = "stop-words"
_TYPED = ".typed"
_SAME = "same"
_COMPARE = "compare-words"
_NOT = "not-words"

_PAIR = 2

_Stem = tuple[int, int, str]
"""A word or a Chinese character of a text: where it begins and ends, and the word without its
ending.
"""


@dataclass(frozen=True)
class Concept:
    """One thing that readers look for; `words` are the site's, by language."""

    id: str
    words: Mapping[str, tuple[str, ...]]
    typed: tuple[str, ...]

    def searched(self, lang: str) -> list[str]:
        """The site's words, those of a language first, each once."""
        order = (lang, *(other for other in self.words if other != lang))
        return list(dict.fromkeys(word for one in order for word in self.words.get(one, ())))


class Vocabulary:
    """The concepts of every language, `terms` for what is in none of them, and the words that mean
    nothing to a search.
    """

    def __init__(self, terms: Iterable[Concept] = ()) -> None:
        self.concepts: dict[str, Concept] = {one.id: one for one in (*_concepts(), *terms)}
        self.stop_words: frozenset[str] = frozenset(
            word for lang in LANGUAGES for word in _alternatives(lang, _STOP)
        )
        stop = sorted((word for word in self.stop_words if is_han(word)), key=len, reverse=True)
        self._nots = frozenset(word for lang in LANGUAGES for word in _alternatives(lang, _NOT))
        self.stop_runs = re.compile("|".join(stop) or r"(?!)")
        self._same = {
            stem(word): name
            for lang in LANGUAGES
            for name in _texts(lang)
            if name.startswith(f"{_SAME}.")
            for word in _alternatives(lang, name)
        }
        self._others: dict[str, list[str]] = {}
        for word, name in self._same.items():
            self._others.setdefault(name, []).append(word)
        whole = sorted((word for word in self._same if is_han(word)), key=len, reverse=True)
        self.runs = re.compile(f"({'|'.join(whole) or '(?!)'})")
        self._part = re.compile("|".join((*whole, r"[0-9a-z\u00df-\u024f]+", r"[^\W_]")))
        # Several concepts may lead to the same word; it is the name of the first of them.
        named = {
            name: one.id
            for one in reversed(self.concepts.values())
            for word in (*(word for words in one.words.values() for word in words), *one.typed)
            for name in _names(word)
        }
        self.words = {*(word for name in named for word in name.split()), *self.stop_words}
        # What a name is in other words, or two words in the other order, comes after every name as
        # it is written.
        stems = {tuple(self._stems(name)): owner for name, owner in named.items()}
        self._concept_of = {
            **{
                self._in_common(own[::-1]): owner
                for own, owner in stems.items()
                if len(own) == _PAIR
            },
            **{self._in_common(own): owner for own, owner in stems.items()},
            **{self._as_written(own): owner for own, owner in stems.items()},
        }
        self._longest = max(map(len, self._concept_of))
        # A name that contains words that are the same to a name is these words, and not one.
        apart = re.compile("|".join(word for word in whole if len(word) > 1))
        self._senses = {
            **{
                stem(name): self._same.get(owner, owner)
                for name, owner in named.items()
                if " " not in name and not apart.search(name)
            },
            **{word: f"{FORM}{word}" for word in self.stop_words if stem(word) not in self._same},
            **self._same,
            **dict.fromkeys(self._nots, _NOT),
        }
        self._widest = max(map(len, filter(is_han, self._senses)))

    def find(self, text: str) -> list[tuple[int, int, Concept]]:
        """The concepts that a written text names: where each begins and ends, in order.

        Words are compared without their endings, and those that mean nothing may be between those
        of a name: "leader was set to -1" is "leader -1". A word of `same` may mean something there
        or not: "all replicas go down" is "all replicas down". Of names that overlap, the one with
        the most letters is meant.
        """
        found: list[tuple[int, int, Concept]] = []
        readings = (self._stems(text), self._meant(text, self._same), self._meant(text))
        for _, begin, end, concept in sorted(
            (one for stems in readings for one in self._named_in(text, stems)),
            key=lambda one: (-one[0], one[1]),
        ):
            if all(end <= other[0] or begin >= other[1] for other in found):
                found.append((begin, end, concept))
        return sorted(found, key=lambda one: one[0])

    def same_as(self, word: str) -> list[str]:
        """The other words that mean the same, in every language, without their endings."""
        own = stem(word)
        return [other for other in self._others.get(self._same.get(own, ""), ()) if other != own]

    def senses(self, text: str) -> Iterator[str]:
        """What the words of a text mean, in no language: words that mean the same are one. Chinese
        is divided at the longest words that the vocabulary has, and what is between them into
        pairs.
        """
        for piece in pieces(text):
            if not is_han(piece):
                yield self._senses.get(piece, self._senses.get(stem(piece), stem(piece)))
                continue
            at = rest = 0
            while at < len(piece):
                ends = range(min(len(piece), at + self._widest), at, -1)
                end = next((end for end in ends if piece[at:end] in self._senses), None)
                if end is None:
                    at += 1
                    continue
                if rest < at:
                    yield from pairs(piece[rest:at])
                yield self._senses[piece[at:end]]
                at = rest = end
            if rest < at:
                yield from pairs(piece[rest:at])

    def compares(self, query: str) -> bool:
        """Whether a query names things to tell them apart."""
        words = set(pieces(query))
        return any(
            word in (query if is_han(word) else words)
            for lang in LANGUAGES
            for word in _alternatives(lang, _COMPARE)
        )

    def _stems(self, text: str) -> list[_Stem]:
        return [(*part.span(), stem(part[0])) for part in self._part.finditer(text)]

    def _as_written(self, stems: Sequence[_Stem]) -> tuple[str, ...]:
        return tuple(shown for _, _, shown in stems)

    def _in_common(self, stems: Sequence[_Stem]) -> tuple[str, ...]:
        return tuple(self._same.get(shown, shown) for _, _, shown in stems)

    def _meant(self, text: str, kept: Collection[str] = ()) -> list[_Stem]:
        """The stems without those of words that mean nothing, except the `kept`. A "not" stays: it
        makes another name of what stands around it.
        """
        stopped = {
            place
            for found in self.stop_runs.finditer(text)
            if found[0] not in self._nots and found[0] not in kept
            for place in range(found.start(), found.end())
        }
        return [
            (begin, end, shown)
            for begin, end, shown in self._stems(text)
            if begin not in stopped
            and (
                text[begin:end] not in self.stop_words
                or text[begin:end] in self._nots
                or shown in kept
            )
        ]

    def _named_in(
        self, text: str, stems: Sequence[_Stem]
    ) -> Iterator[tuple[int, int, int, Concept]]:
        """Every name: its number of letters, where it begins and ends, and its concept."""
        for first, (begin, _, _) in enumerate(stems):
            for last in range(first, min(len(stems), first + self._longest)):
                part = stems[first : last + 1]
                end = part[-1][1]
                # A part of a name is not meant: `acks=1` is not acks, nor
                # `log.flush.interval.ms` a flush.
                if MARK in (text[begin - 1 : begin], text[end : end + 1]):
                    continue
                owner = self._concept_of.get(self._as_written(part))
                letters = sum(end - begin for begin, end, _ in part)
                if owner is None and last > first:
                    owner = self._concept_of.get(self._in_common(part))
                    letters -= 1
                if owner is not None:
                    yield letters, begin, end, self.concepts[owner]


FORM = "~"
"""Begins the sense of a word that means nothing by itself."""
MARK = "_"
"""Stands where a query has a mark and no space between two words: `min.insync.replicas`."""


def written(text: str) -> str:
    """The words of a text with one space between them, except between Chinese characters."""
    return " ".join(pieces(text))


def _names(word: str) -> tuple[str, ...]:
    """`LeaderEpoch` and "highwatermark" are written so often that they are no mistakes."""
    name = written(word)
    return name, name.replace(" ", "")


def _concepts() -> Iterator[Concept]:
    names = dict.fromkeys(
        name
        for lang in LANGUAGES
        for name in find_messages(lang, _FILE)
        if name not in (_STOP, _SAME, _COMPARE, _NOT)
    )
    for name in names:
        yield Concept(
            name,
            {lang: _alternatives(lang, name) for lang in LANGUAGES},
            tuple(word for lang in LANGUAGES for word in _alternatives(lang, f"{name}{_TYPED}")),
        )


def _alternatives(lang: str, name: str) -> tuple[str, ...]:
    return tuple(_texts(lang).get(name, "").split("|")) if _texts(lang).get(name) else ()


@cache
def _texts(lang: str) -> Mapping[str, str]:
    return translations_in(lang, _FILE)
