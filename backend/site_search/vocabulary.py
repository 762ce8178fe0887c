"""The words of readers: what people type, and what this site calls it.

`search_words.ftl` of each language lists concepts. The text of a message are the words that the
site uses, in that language; its attribute `typed` are other words for the same. Alternatives are
separated by "|". Whoever types any of them, in any language, also searches for the site's words in
every language.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from backend.site_search.words import is_han, pieces
from sim_engine.languages.library import LANGUAGES, find_messages, translations_in

_FILE = "search_words"
_STOP = "stop-words"
_TYPED = ".typed"


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
    """The concepts of every language, and the words that mean nothing to a search."""

    def __init__(self) -> None:
        self.concepts: dict[str, Concept] = {one.id: one for one in _concepts()}
        self.stop_words: frozenset[str] = frozenset(
            word for lang in LANGUAGES for word in _alternatives(lang, _STOP)
        )
        # The longest first: "unclean leader election" is not "unclean" and "leader election".
        # Several concepts may lead to the same word; it is the name of the first of them.
        self._concept_of = {
            written(word): one.id
            for one in reversed(self.concepts.values())
            for word in (*(word for words in one.words.values() for word in words), *one.typed)
        }
        # `LeaderEpoch` and "highwatermark" are written so often that they are no mistakes.
        self._run_together = {
            name.replace(" ", ""): owner for name, owner in self._concept_of.items()
        }
        ordered = sorted(self._concept_of, key=len, reverse=True)
        self._named = re.compile("|".join(map(_expression, ordered)))
        stop = sorted((word for word in self.stop_words if is_han(word)), key=len, reverse=True)
        self.stop_runs = re.compile("|".join(stop) or r"(?!)")

    def find(self, text: str) -> Iterator[tuple[int, int, Concept]]:
        """The concepts that a written text names: where each begins and ends."""
        for found in self._named.finditer(text):
            name = found[0].replace(MARK, " ")
            for singular in _singulars(name):
                owner = self._concept_of.get(singular) or self._run_together.get(singular)
                if owner is not None:
                    yield *found.span(), self.concepts[owner]
                    break


MARK = "_"
"""Stands where a query has a mark and no space between two words: `min.insync.replicas`."""


def written(text: str) -> str:
    """The words of a text with one space between them, except between Chinese characters."""
    return " ".join(pieces(text))


def _expression(name: str) -> str:
    expression = f"[ {MARK}]?".join(re.escape(part) for part in name.split())
    # A part of a name is not meant: `acks=1` is not acks, nor `log.flush.interval.ms` a flush.
    begin = "" if is_han(name[0]) else rf"(?<![0-9a-z{MARK}])"
    end = "" if is_han(name[-1]) else rf"(?:e?s)?(?![0-9a-z{MARK}])"
    return f"{begin}{expression}{end}"


def _singulars(name: str) -> Iterator[str]:
    spaced = written(name)
    for text in (name, spaced):
        yield text
        yield text.removesuffix("s")
        yield text.removesuffix("es")


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
