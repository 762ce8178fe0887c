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

from backend.site_search.words import is_han, pieces
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
            "".join(stem for _, _, stem in _stems(name)): owner for name, owner in named.items()
        }
        # The longest first: "unclean leader election" is not "unclean" and "leader election".
        ordered = sorted(self._concept_of, key=len, reverse=True)
        self._named = re.compile("|".join(map(_expression, ordered)))

    def find(self, text: str) -> list[tuple[int, int, Concept]]:
        """The concepts that a written text names: where each begins and ends, in order.

        Words are compared without their endings, and those that mean nothing may be between those
        of a name: "leader was set to -1" is "leader -1". Of names that overlap, the one with the
        most letters is meant.
        """
        stems = list(_stems(text))
        found: list[tuple[int, int, Concept]] = []
        for begin, end, _, concept in sorted(
            (*self._named_in(stems), *self._named_in(self._without_stop_words(stems, text))),
            key=lambda one: (-one[2], one[0]),
        ):
            if all(end <= other[0] or begin >= other[1] for other in found):
                found.append((begin, end, concept))
        return sorted(found, key=lambda one: one[0])

    def _without_stop_words(self, stems: Sequence[_Stem], text: str) -> list[_Stem]:
        stopped = {
            place
            for found in self.stop_runs.finditer(text)
            for place in range(found.start(), found.end())
        }
        kept: list[_Stem] = []
        for stem in stems:
            begin, end, shown = stem
            is_space = shown == " " and (not kept or kept[-1][2] == " ")
            if not is_space and begin not in stopped and text[begin:end] not in self.stop_words:
                kept.append(stem)
        return kept

    def _named_in(self, stems: Sequence[_Stem]) -> Iterator[tuple[int, int, int, Concept]]:
        places = [stem for stem in stems for _ in stem[2]]
        for found in self._named.finditer("".join(stem[2] for stem in stems)):
            concept = self.concepts[self._concept_of[found[0].replace(MARK, " ")]]
            yield places[found.start()][0], places[found.end() - 1][1], len(found[0]), concept


MARK = "_"
"""Stands where a query has a mark and no space between two words: `min.insync.replicas`."""

_PART = re.compile(r"[0-9a-z\u00df-\u024f]+|.", re.DOTALL)
_ENDING = re.compile(r"(?<=[a-z]{3})(?:ies|ied|ing|ed|es|e|s|y)$")
_DOUBLED = re.compile(r"([bdglmnprst])\1$")


def _stems(text: str) -> Iterator[_Stem]:
    for part in _PART.finditer(text):
        yield *part.span(), _DOUBLED.sub(r"\1", _ENDING.sub("", part[0]))


def written(text: str) -> str:
    """The words of a text with one space between them, except between Chinese characters."""
    return " ".join(pieces(text))


def _names(word: str) -> tuple[str, ...]:
    """`LeaderEpoch` and "highwatermark" are written so often that they are no mistakes."""
    name = written(word)
    return name, name.replace(" ", "")


def _expression(name: str) -> str:
    expression = f"[ {MARK}]".join(re.escape(part) for part in name.split())
    # A part of a name is not meant: `acks=1` is not acks, nor `log.flush.interval.ms` a flush.
    begin = "" if is_han(name[0]) else rf"(?<![0-9a-z{MARK}])"
    end = "" if is_han(name[-1]) else rf"(?![0-9a-z{MARK}])"
    return f"{begin}{expression}{end}"


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
