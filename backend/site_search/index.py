"""The order of what a query finds.

A query is a list of units: a concept of the vocabulary, a name such as `min.insync.replicas`, or a
word. A unit is found in an entry by any of its alternatives: what was typed, the site's words for
it, a word that begins so, or a similar one. Each alternative weighs by how rare it is (BM25); how
much of the query an entry contains decides most, then whether its title does.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher, get_close_matches
from math import log, sqrt

from backend.site_search.asked import AskedSentences, sentences
from backend.site_search.entry import Entry, Kind
from backend.site_search.postings import Postings
from backend.site_search.vocabulary import MARK, Concept, Vocabulary, written
from backend.site_search.words import is_han, pairs, pieces, plain, tokens, without_humps
from sim_engine.languages import LANGUAGES
from sim_engine.left_out import find_left_out

_WEIGHTS = (8.0, 8.0, 3.0, 1.0)
"""Of the columns title, names, text, more."""
_OF_KIND: Mapping[Kind, float] = {
    "error": 1.2,
    "term": 1.3,
    "lesson": 1.2,
    "loss": 1.0,
    "claim": 0.65,
    "setting": 1.0,
    "word": 0.95,
    "finding": 0.9,
    "challenge": 0.7,
    "release": 0.9,
    "kip": 0.95,
    "doc": 0.65,
    "left_out": 0.75,
    "step": 0.5,
}
_TYPED, _MEANT, _ALIKE, _BEGUN = 1.0, 0.9, 0.7, 0.6
_CALLED_SO, _LEFT_OUT_SO, _MEANT_SO, _VALUED_SO = 30.0, 25.0, 22.0, 8.0
"""What it adds that an entry is called what was typed, that it names something left out, that it is
called what the site calls what was typed, and that it is called so without the value."""
_ASKED_SO, _NEAR = 120.0, 0.01
"""What it adds that an entry is asked for in the words of a query, and from which nearness."""
_LIKENESS = 0.8
_SHORTEST_MISTAKE = 4
"""A shorter word is not corrected: it is similar to too many."""
_ENOUGH = 0.4
"""The part of a query that an entry must contain, if any does."""
_NEARLY = 0.7
"""If none does, the part of the most that any contains."""
_IN_NO_TITLE = 0.3
"""The weight of a word that no title contains: it is hardly what somebody looks for, however rare
it is."""
_ONE_SIGN = 0.1
"""The weight of a digit, or of a Chinese character that is no word of the vocabulary."""
_PLAIN = 0.6
"""The weight of a word that the vocabulary does not have: names are more often what is meant."""
_ACTORS = frozenset(
    ("broker", "consumer", "follower", "leader", "partition", "producer", "record", "replica")
) | {"crash"}
_ACTOR = 0.6
"""The weight of what takes part in almost everything, and of what almost everything begins with:
the question is what happens to it, and then."""
_RAREST_WORD = 4.0
"""The most that the rarity of a word counts that the vocabulary does not have: what one entry
contains by chance is not what is looked for."""
_USUAL = 1.4
"""The rarity of what every tenth entry contains, or fewer, is not usual any more."""
_ASKED = 1.6
"""For entries of the sort that a query names: a metric, a log line, a version."""
_FOREIGN = 0.9
"""The weight of a match in another language."""
_IN_TITLE = 2
_DEPTHS = {4: 0.45, 3: 0.95, _IN_TITLE: 1.0}
"""How much an entry is about what its first columns contain."""
_BEGUN_FROM, _MOST_BEGUN = 2, 6
"""The letters from which a word may be the beginning of others, and how many are tried."""
_NEAREST = 5
_WORD = re.compile(r"[a-z\u00df-\u024f][0-9a-z\u00df-\u024f]+")
_HUMPED = re.compile(r"[A-Za-z]*[a-z][A-Z][A-Za-z]*")
_COMMAND = re.compile(r"\.(?:sh|bat)\b")
_APART = re.compile(r"[\s/,;:|]+")
"""What words are never one name around: `shrink/expand` are two."""
_AS_SAID, _SAID = 0.3, 15.0
"""How much of the weight of what is found depends on the part of a query that it contains word by
word, and what that adds. A sentence names many things that are not what it is about; whoever asked
the same before said it in the same words."""
_RAREST = 5.0
_SENTENCE = 3
"""The words from which a query is a sentence."""
_SAID_ENOUGH = 0.5
"""The part of a query's words with which an entry is found that contains none of its concepts."""
_ONLY_NAMED = 2.0
"""How surely a query of one name, or of names that it compares, asks what these are."""


@dataclass(frozen=True)
class Hit:
    """An entry that was found."""

    entry: Entry
    score: float


@dataclass(frozen=True)
class Found:
    """What a query finds, best first."""

    hits: Sequence[Hit]
    counts: Mapping[Kind, int]
    """By kind, of everything that was found."""
    also: Sequence[str] = ()
    """The site's words that were searched too."""
    corrected: Sequence[str] = ()
    """Similar words that were searched for words that occur nowhere."""
    marks: Sequence[str] = ()
    """What to mark in titles."""
    nearest: Sequence[Entry] = ()
    """If nothing is found: what is called similarly."""


@dataclass
class _Matches:
    """The entries that contain a unit: their weights, how prominently, and whether any title
    contains it.
    """

    scores: dict[int, float] = field(default_factory=dict)
    depths: dict[int, float] = field(default_factory=dict)
    is_title: bool = False


@dataclass
class _Unit:
    """A part of a query. `alternatives` are words that follow each other, with their weights."""

    typed: str
    alternatives: dict[tuple[str, ...], float] = field(default_factory=dict)
    concept: Concept | None = None
    marks: list[str] = field(default_factory=list)

    def importance(self, matches: _Matches) -> float:
        """How likely it is what somebody looks for: a word of no title is not, nor is a digit."""
        if self.concept is None and len(self.typed) == 1:
            return _ONE_SIGN
        if self.concept is None and not matches.is_title:
            return _IN_NO_TITLE
        if self.concept is not None and self.concept.id in _ACTORS:
            return _ACTOR
        return _PLAIN if self.concept is None and " " not in self.typed else 1.0


class SearchIndex:
    """Made once for a process. Can be used from several threads."""

    def __init__(self, entries: Iterable[Entry], vocabulary: Vocabulary | None = None) -> None:
        self.entries: Sequence[Entry] = tuple(entries)
        self._vocabulary = vocabulary or Vocabulary(
            Concept(f"term {entry.id}", {lang: (title,) for lang, title in entry.title.items()}, ())
            for entry in self.entries
            if entry.kind == "term"
        )
        self._languages: list[str] = []
        self._entry_of: list[int] = []
        self._beginning: dict[str, set[str]] = {}
        self._names: dict[str, list[int]] = {}
        self._prominent: set[str] = set()
        self._lines: list[tuple[int, re.Pattern[str]]] = []
        self._postings = Postings(_WEIGHTS)
        self._add_entries()

    def _add_entries(self) -> None:
        words = set(self._vocabulary.words)
        asked: list[tuple[int, set[str]]] = []
        for number, entry in enumerate(self.entries):
            for name in (entry.id, *entry.names, *entry.title.values()):
                self._names.setdefault(written(name), []).append(number)
            self._lines += [(number, _line(parts)) for parts in entry.lines]
            names = " ".join(entry.names)
            for lang in LANGUAGES:
                if lang not in entry.title:
                    continue
                parts = [
                    tokens(part)
                    for part in (
                        entry.title[lang],
                        f"{names} {entry.sort.get(lang, '')}",
                        f"{entry.text.get(lang, '')} {entry.asked.get(lang, '')}",
                        entry.more.get(lang, ""),
                    )
                ]
                words.update(*parts)
                self._prominent.update(*parts[:_IN_TITLE])
                asked += [
                    (number, {*self._vocabulary.senses(sentence)})
                    for sentence in sentences(entry.asked.get(lang, ""))
                ]
                self._entry_of.append(number)
                self._languages.append(lang)
                self._postings.add(parts)
        self._sentences = AskedSentences(asked)
        for word in filter(str.isascii, words):
            self._beginning.setdefault(word[0], set()).add(word)

    def search(
        self, query: str, lang: str, *, kind: Kind | None = None, as_typed: bool = False
    ) -> Found:
        """Everything that a query finds, in a language's order; only of one kind if it is given.

        With `as_typed`, neither the site's words for a concept nor similar words are searched.
        """
        text = _marked(query if as_typed else _HUMPED.sub(self._apart, query))
        corrections = {} if as_typed else self._corrections(text, query)
        text = _WORD.sub(lambda word: corrections.get(word[0], word[0]), text)
        units = self._units(text, query, as_typed=as_typed)
        matched = [self._matching(unit, lang) for unit in units]
        known = [pair for pair in zip(units, matched, strict=True) if pair[1].scores]
        scores = self._scores(known, query) if known else {}
        senses = () if as_typed else {*self._vocabulary.senses(query)}
        for number, nearness in self._sentences.near(senses).items():
            if nearness >= _NEAR:
                scores[number] = scores.get(number, 0.0) + _ASKED_SO * nearness
        for number in self._left_out(query):
            scores[number] = scores.get(number, 0.0) + _LEFT_OUT_SO
        for number, length in self._pasted(query).items():
            scores[number] = scores.get(number, 0.0) + _CALLED_SO + length
        hits = sorted(
            (
                Hit(
                    self.entries[number],
                    score * _OF_KIND[self.entries[number].kind] * self.entries[number].rank,
                )
                for number, score in scores.items()
            ),
            key=lambda hit: -hit.score,
        )
        counts = Counter(hit.entry.kind for hit in hits)
        also = [
            word
            for unit, _ in known
            if unit.concept is not None
            for word in unit.concept.searched(lang)
            if written(word) != written(unit.typed) and self._occurs(word)
        ]
        return Found(
            hits=[hit for hit in hits if kind is None or hit.entry.kind == kind],
            counts=counts,
            also=list(dict.fromkeys(also)),
            corrected=list(corrections.values()),
            marks=list(dict.fromkeys(mark for unit, _ in known for mark in unit.marks)),
            nearest=() if hits or not query.strip() else self._nearest(query),
        )

    # --- reading a query --------------------------------------------------------------------------

    def _apart(self, name: re.Match[str]) -> str:
        """A name of Kafka's code that nothing here is called, as its words:
        `maybeIncrementLeaderHW` is about the HW.
        """
        one = name[0].lower()
        if one in self._prominent or one in self._vocabulary.words:
            return name[0]
        words = without_humps(name[0])
        return f"{name[0]} {words}" if self._postings.occurs([one]) else words

    def _corrections(self, text: str, query: str) -> dict[str, str]:
        """Similar words for those that occur nowhere: in no entry, and in no name that readers use.
        Before a query is read, so that a misspelt name is still one.
        """
        words = _WORD.findall(text)
        written_as_one = {
            "".join(pieces(chunk))
            for chunk in query.split()
            if self._postings.occurs(_phrase(_in_humps(chunk)))
        }
        found: dict[str, str] = {}
        for word in words:
            known = self._beginning.get(word[0], set())
            if (
                len(word) < _SHORTEST_MISTAKE
                or word in known
                or word in written_as_one
                or self._postings.occurs([word])
                or (word == words[-1] and any(other.startswith(word) for other in known))
            ):
                continue
            for other in get_close_matches(word, known, n=1, cutoff=_LIKENESS):
                found[word] = other
        return found

    def _units(self, text: str, query: str, *, as_typed: bool) -> list[_Unit]:
        units: list[_Unit] = []
        at = 0
        for begin, end, concept in () if as_typed else self._vocabulary.find(text):
            if begin < at:
                continue
            units += self._plain_units(text[at:begin])
            typed = text[begin:end].replace(MARK, " ")
            if all(unit.typed != typed for unit in units):
                units.append(self._concept_unit(typed, concept))
            at = end
        units += self._plain_units(text[at:])
        if not units:
            # Every word is one that is usually skipped: then they are what is meant.
            units = [_word_unit(piece) for piece in pieces(query)]
        for place, unit in enumerate(units):
            if unit.concept is None:
                for word in self._vocabulary.same_as(unit.typed):
                    unit.alternatives.setdefault(_phrase([word]), _ALIKE)
                self._complete(unit, is_last=place == len(units) - 1)
        for chunk in query.split():
            words = _in_humps(chunk)
            if len(words) > 1 and not as_typed:
                for unit in units:
                    if unit.typed == "".join(pieces(chunk)):
                        unit.alternatives[_phrase(words)] = _MEANT
                        unit.marks.append(" ".join(words))
        return units

    def _plain_units(self, text: str) -> Iterator[_Unit]:
        for chunk in text.split():
            words = pieces(chunk.replace(MARK, " "))
            if len(words) > 1 and not any(map(is_han, words)):
                unit = _Unit(
                    chunk.replace(MARK, " "), {_phrase(words): _TYPED}, marks=[" ".join(words)]
                )
                if self._postings.occurs(_phrase(words)):
                    if words[-1].isdigit() or words[-1] == "minus1":
                        # `acks=0` is about acks, wherever its value is not written beside it.
                        unit.alternatives[_phrase(words[:-1])] = _BEGUN
                    yield unit
                    continue
            for word in words:
                if is_han(word):
                    yield from self._han_units(word)
                elif word not in self._vocabulary.stop_words:
                    yield _word_unit(word)

    def _han_units(self, run: str) -> Iterator[_Unit]:
        shown = self._vocabulary.runs.sub(r" \1 ", self._vocabulary.stop_runs.sub(" ", run))
        for part in shown.split():
            if self._postings.occurs(_phrase([part])):
                yield _word_unit(part)
            else:
                for pair in pairs(part):
                    yield _word_unit(pair)

    def _concept_unit(self, typed: str, concept: Concept) -> _Unit:
        alternatives = {_phrase(pieces(typed)): _TYPED}
        words = concept.searched(LANGUAGES[0])
        for word in words:
            alternatives.setdefault(_phrase(pieces(word)), _MEANT)
        return _Unit(typed, alternatives, concept, [typed, *words])

    def _complete(self, unit: _Unit, *, is_last: bool) -> None:
        """Adds the words that begin with the last one."""
        word = unit.typed
        if is_last and len(word) >= _BEGUN_FROM and " " not in word and not is_han(word):
            longer = (other for other in self._beginning.get(word[0], ()) if other.startswith(word))
            for other in sorted(longer, key=lambda other: (len(other), other))[:_MOST_BEGUN]:
                unit.alternatives.setdefault(_phrase([other]), _BEGUN)

    # --- finding ----------------------------------------------------------------------------------

    def _matching(self, unit: _Unit, lang: str) -> _Matches:
        """The entries that contain a unit, each with the weight of its best alternative, and more
        for each one in its title.
        """
        found = _Matches()
        for words, weight in unit.alternatives.items():
            counts = self._postings.find(words)
            for columns, depth in _DEPTHS.items():
                rows = self._postings.weigh(counts, columns)
                titled = columns == _IN_TITLE
                rarity = log(1 + len(self._postings) / (len(rows) or 1))
                best: dict[int, float] = {}
                for row, score in rows.items():
                    number = self._entry_of[row]
                    own = 1.0 if self._languages[row] == lang else _FOREIGN
                    worth = weight * own * (rarity if titled else score)
                    best[number] = max(best.get(number, 0.0), worth)
                    found.depths[number] = max(found.depths.get(number, 0.0), depth * own)
                for number, worth in best.items():
                    before = found.scores.get(number, 0.0)
                    found.scores[number] = before + worth if titled else max(before, worth)
                found.is_title |= titled and bool(rows)
        return found

    def _scores(self, known: Sequence[tuple[_Unit, _Matches]], query: str) -> dict[int, float]:
        """What is found, with its weight: everything that contains much of the query."""
        rarities = [log(1 + len(self.entries) / len(matches.scores)) for _, matches in known]
        weights = [
            (rarity if unit.concept else min(rarity, _RAREST_WORD)) * unit.importance(matches)
            for (unit, matches), rarity in zip(known, rarities, strict=True)
        ]
        whole = sum(weights)
        shares: dict[int, float] = {}
        scores: dict[int, float] = {}
        for (unit, matches), weight in zip(known, weights, strict=True):
            share = weight / whole
            for number, score in matches.scores.items():
                shares[number] = shares.get(number, 0.0) + share * matches.depths[number]
                own = score * unit.importance(matches)
                scores[number] = scores.get(number, 0.0) + own
        least = min(_ENOUGH, _NEARLY * max(shares.values()))
        found = {
            number: score * shares[number]
            for number, score in scores.items()
            if shares[number] >= least
        }
        said = self._said(query)
        if len(known) > 1 and len(said) >= _SENTENCE:
            found = self._as_said(found, said)
        only_named = all(self._has_term(unit) for unit, _ in known) and (
            len(known) == 1 or self._vocabulary.compares(query)
        )
        for (unit, _), weight, rarity in zip(known, weights, rarities, strict=True):
            # Almost every entry is about leaders and records: their terms are hardly meant, unless
            # nothing else is named.
            meant = sqrt(weight / whole) * min(1.0, (rarity / _USUAL) ** 2)
            if only_named:
                meant = _ONLY_NAMED
            for number, bonus in self._called(unit).items():
                found[number] = found.get(number, 0.0) + bonus * meant
        whole_name = _ASKED_SO if len(tokens(query)) >= _SENTENCE else _CALLED_SO
        for number in self._names.get(written(query), ()):
            found[number] = found.get(number, 0.0) + whole_name
        asked = {
            word
            for unit, _ in known
            if unit.concept
            for words in unit.concept.words.values()
            for word in words
        }
        for number in found:
            if asked.intersection(self.entries[number].sort.values()):
                found[number] *= _ASKED
        return found

    def _as_said(self, found: Mapping[int, float], said: Collection[str]) -> dict[int, float]:
        """What is found, also by the part of a query's words that it contains."""
        parts: dict[int, float] = {}
        whole = 0.0
        for word in said:
            depths: dict[int, float] = {}
            for row, counts in self._postings.find([word]).items():
                depth = next(_DEPTHS[end] for end in sorted(_DEPTHS) if any(counts[:end]))
                number = self._entry_of[row]
                depths[number] = max(depths.get(number, 0.0), depth)
            if depths:
                rarity = min(_RAREST, log(1 + len(self.entries) / len(depths)))
                whole += rarity
                for number, depth in depths.items():
                    parts[number] = parts.get(number, 0.0) + rarity * depth
        shares = {number: part / whole for number, part in parts.items()}
        added = {number for number, share in shares.items() if share >= _SAID_ENOUGH}
        return {
            number: found.get(number, 0.0) * (1 - _AS_SAID + 2 * _AS_SAID * share)
            + _SAID * share**2
            for number in found.keys() | added
            for share in (shares.get(number, 0.0),)
        }

    def _said(self, query: str) -> set[str]:
        """The words of a query that mean something, without numbers, as they are indexed."""
        return {
            token
            for piece in pieces(query)
            if piece not in self._vocabulary.stop_words
            for part in self._vocabulary.stop_runs.sub(" ", piece).split()
            for token in tokens(part)
            if not token.isdigit()
        }

    def _called(self, unit: _Unit) -> dict[int, float]:
        """The entries that are called what a part of a query is, or what the site calls it."""
        # A release is meant wherever its number is: "upgrade to 4.0" is hardly about upgrades.
        called = {
            number: _CALLED_SO / (1 if self.entries[number].kind == "release" else 2)
            for number in self._names.get(written(unit.typed), ())
        }
        meant = () if unit.concept is None else unit.concept.searched(LANGUAGES[0])
        # `min.insync.replicas=2` is about the setting that is called so without its value.
        for word, bonus in (
            *((word, _MEANT_SO) for word in meant),
            (unit.typed.rstrip("0123456789"), _VALUED_SO),
        ):
            for number in self._names.get(written(word), ()):
                called.setdefault(number, bonus)
        return called

    def _has_term(self, unit: _Unit) -> bool:
        return unit.concept is not None and any(
            self.entries[number].kind == "term" for number in self._called(unit)
        )

    def _left_out(self, query: str) -> Iterator[int]:
        """What a query names and the engine leaves out."""
        for name in (query.strip(), *query.split()):
            row = find_left_out(name)
            if row is not None:
                for number in self._names.get(written(row.id), ()):
                    if self.entries[number].kind == "left_out":
                        yield number

    def _pasted(self, query: str) -> dict[int, int]:
        """The log lines of which a query has every fixed part, with the length of these parts: the
        more is fixed, the surer it is that this line was pasted."""
        text = written(query)
        found: dict[int, int] = {}
        for number, line in self._lines:
            if line.search(text):
                found[number] = max(found.get(number, 0), len(line.pattern))
        return found

    def _occurs(self, word: str) -> bool:
        return self._postings.occurs(_phrase(pieces(word)))

    def _nearest(self, query: str) -> list[Entry]:
        wanted = plain(query).strip()
        rated = [
            (
                max(
                    SequenceMatcher(None, wanted, plain(title)).ratio()
                    for title in entry.title.values()
                ),
                entry,
            )
            for entry in self.entries
            if entry.kind in ("term", "lesson", "setting", "error")
        ]
        rated.sort(key=lambda pair: -pair[0])
        return [entry for ratio, entry in rated[:_NEAREST]]


def _line(parts: Sequence[str]) -> re.Pattern[str]:
    """The fixed parts of a log line in their order, each at whole words."""
    return re.compile(".*".join(rf"\b{re.escape(written(part))}\b" for part in parts))


def _in_humps(chunk: str) -> list[str]:
    """The words of a name in camel case, without what names of errors end with."""
    words = pieces(without_humps(chunk))
    return [word for word in words if word not in ("exception", "error")]


def _word_unit(word: str) -> _Unit:
    return _Unit(word, {_phrase([word]): _TYPED}, marks=[word])


def _phrase(words: Sequence[str]) -> tuple[str, ...]:
    """What is indexed of words that follow each other."""
    return tuple(token for word in words for token in tokens(word))


def _marked(query: str) -> str:
    """A query with `MARK` between words that have no space between them."""
    marked = []
    for chunk in _APART.split(_COMMAND.sub("", plain(query))):
        text = ""
        for piece in pieces(chunk):
            joins = text and not (is_han(piece) or is_han(text[-1]))
            text += f"{MARK if joins else ' ' if text else ''}{piece}"
        marked.append(text)
    return " ".join(filter(None, marked))
