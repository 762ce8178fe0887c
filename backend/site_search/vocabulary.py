"""The words of readers: what people type, and what this site calls it.

`search_words.ftl` of each language lists concepts. The text of a message are the words that the
site uses, in that language; its attribute `typed` are other words for the same. Alternatives are
separated by "|". Whoever types any of them, in any language, also searches for the site's words in
every language.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from backend.site_search.words import is_han, pieces, stem
from sim_engine.languages.library import LANGUAGES, find_messages, translations_in

_FILE = "search_words"
_STOP = "stop-words"
_TYPED = ".typed"

_Stem = tuple[int, int, str]
"""A word or another character of a text: where it begins and ends, and the word without its ending.
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
        self.stop_runs = re.compile("|".join(stop) or r"(?!)")
        # Several concepts may lead to the same word; it is the name of the first of them.
        named = {
            name: one.id
            for one in reversed(self.concepts.values())
            for word in (*(word for words in one.words.values() for word in words), *one.typed)
            for name in _names(word)
        }
        self._concept_of = {
            tuple(one for _, _, one in _stems(name)): owner for name, owner in named.items()
        }
        self.words = {*(word for name in named for word in name.split()), *self.stop_words}
        self._longest = max(map(len, self._concept_of))

    def find(self, text: str) -> list[tuple[int, int, Concept]]:
        """The concepts that a written text names: where each begins and ends, in order.

        Words are compared without their endings, and those that mean nothing may be between those
        of a name: "leader was set to -1" is "leader -1". Of names that overlap, the one with the
        most letters is meant.
        """
        found: list[tuple[int, int, Concept]] = []
        for _, begin, end, concept in sorted(
            (*self._named_in(text, _stems(text)), *self._named_in(text, self._meant(text))),
            key=lambda one: (-one[0], one[1]),
        ):
            if all(end <= other[0] or begin >= other[1] for other in found):
                found.append((begin, end, concept))
        return sorted(found, key=lambda one: one[0])

    def _meant(self, text: str) -> list[_Stem]:
        """The stems without those of words that mean nothing."""
        stopped = {
            place
            for found in self.stop_runs.finditer(text)
            for place in range(found.start(), found.end())
        }
        return [
            (begin, end, shown)
            for begin, end, shown in _stems(text)
            if begin not in stopped and text[begin:end] not in self.stop_words
        ]

    def _named_in(
        self, text: str, stems: Sequence[_Stem]
    ) -> Iterator[tuple[int, int, int, Concept]]:
        """Every name: its number of letters, where it begins and ends, and its concept."""
        shown = [one for _, _, one in stems]
        for first, (begin, _, _) in enumerate(stems):
            for last in range(first, min(len(stems), first + self._longest)):
                end = stems[last][1]
                owner = self._concept_of.get(tuple(shown[first : last + 1]))
                # A part of a name is not meant: `acks=1` is not acks, nor
                # `log.flush.interval.ms` a flush.
                if owner is not None and MARK not in (text[begin - 1 : begin], text[end : end + 1]):
                    letters = sum(map(len, shown[first : last + 1]))
                    yield letters, begin, end, self.concepts[owner]


MARK = "_"
"""Stands where a query has a mark and no space between two words: `min.insync.replicas`."""

_PART = re.compile(r"[0-9a-z\u00df-\u024f]+|[^\W_]")


def _stems(text: str) -> list[_Stem]:
    return [(*part.span(), stem(part[0])) for part in _PART.finditer(text)]


def written(text: str) -> str:
    """The words of a text with one space between them, except between Chinese characters."""
    return " ".join(pieces(text))


def _names(word: str) -> tuple[str, ...]:
    """`LeaderEpoch` and "highwatermark" are written so often that they are no mistakes."""
    name = written(word)
    return name, name.replace(" ", "")


def _concepts() -> Iterator[Concept]:
    names = dict.fromkeys(
        name for lang in LANGUAGES for name in find_messages(lang, _FILE) if name != _STOP
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
