"""The checks for every part of a scenario: types, ranges and names, with the place of each error.

A `Node` is a value with its place and its checks. A check returns the value. If it is invalid, the
check adds a problem to the list and returns a harmless value of the same type. The reader raises
the list at the end, so one pass finds several errors, and the harmless values are never used. The
error for an unknown name shows what the engine leaves out, the name that was probably meant, or the
allowed ones.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Literal

from msgspec import Struct

from sim_engine.actions.base import FieldSpec
from sim_engine.error_texts import Wording, Words, error, listed, literal, noun
from sim_engine.languages import LANGUAGES
from sim_engine.left_out import LeftOut, find_left_out
from sim_engine.scenario_reader.document import Problem, ScenarioError, Text
from sim_engine.scenario_reader.source import Source, is_word, pointer, shown

MAX_POINTED_CHARACTERS = 64
"""A longer name is compared with no other, and an error names its container instead."""

Kind = Literal["fault", "feature", "key", "rule", "setting", "step", "topic"]
"""A kind of things that have names."""


class UnknownName(Struct, frozen=True):
    """What is wrong with a name, and the name that was probably meant; `None` if unknown."""

    reason: Wording
    meant: str | None


class Suggestions:
    """Suggests names. Allowed names are listed only the first time: repeating does not help."""

    def __init__(self) -> None:
        self._listed: set[tuple[str, ...]] = set()

    def no_such(self, kind: Kind, name: str, names: Sequence[str]) -> UnknownName:
        """The error for a thing that does not exist."""
        # A topic may have any name; and a name that is known is never taken for a similar one.
        left_out = None if kind == "topic" else find_left_out(name)
        if left_out is not None:
            return UnknownName(_left_out(left_out, name), None)
        meant, what = _meant(name, names), noun(kind)
        if meant is not None:
            reason = error("no_such_but_meant", what=what, name=shown(name), meant=meant)
        elif self._is_first(kind, names):
            allowed = tuple(names) if names else noun("none_here")
            reason = error("no_such_but_allowed", what=what, name=shown(name), names=allowed)
        else:
            reason = error("no_such", what=what, name=shown(name))
        return UnknownName(reason, meant)

    def cannot_be(
        self, what: Wording, value: object, given: Wording, names: Sequence[str]
    ) -> UnknownName:
        """The error for a value that is none of `names`. `given` is the value for the message."""
        left_out = find_left_out(value) if isinstance(value, str) else None
        if left_out is not None:
            return UnknownName(_left_out(left_out, str(value)), None)
        meant = _meant(value, names) if isinstance(value, str) else None
        if meant is not None:
            reason = error("cannot_be_but_meant", what=what, given=given, meant=meant)
        elif self._is_first("", names):
            allowed = listed(names, "any_of")
            reason = error("cannot_be_but_allowed", what=what, given=given, names=allowed)
        else:
            reason = error("cannot_be", what=what, given=given)
        return UnknownName(reason, meant)

    def _is_first(self, kind: Kind | Literal[""], names: Sequence[str]) -> bool:
        known = (kind, *names)
        is_first = known not in self._listed
        self._listed.add(known)
        return is_first


def _meant(name: str, names: Sequence[str]) -> str | None:
    close = get_close_matches(name, names, n=1) if len(name) <= MAX_POINTED_CHARACTERS else []
    return close[0] if close else None


def _left_out(row: LeftOut, name: str) -> Wording:
    return row.error(name if is_word(name) else row.spelling_of(name))


MAX_PROBLEMS = 20

_BIDI_AND_INVISIBLE = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")


class Checker:
    """Collects problems in one document. Raises `ScenarioError` once there are too many."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.suggestions = Suggestions()
        self._problems: list[Problem] = []

    @property
    def root(self) -> "Node":
        """The whole document."""
        return Node(self, self.source.document, "")

    @property
    def problem_count(self) -> int:
        """The number of problems so far. Parts that depend on an invalid part are not checked."""
        return len(self._problems)

    def add(self, problem: Problem) -> None:
        """Add a problem; the last one that is allowed stops."""
        self._problems.append(problem)
        if len(self._problems) >= MAX_PROBLEMS:
            self.stop()

    def stop(self) -> None:
        """Raise the problems found, in the order of the text. Does nothing if there are none."""
        if self._problems:
            ordered = sorted(
                self._problems, key=lambda problem: (problem.line or 0, problem.column or 0)
            )
            raise ScenarioError(tuple(ordered))


class Node(Struct, frozen=True):
    """A value of the document and its place, a JSON Pointer. `what` names the value in errors."""

    checker: Checker
    value: object
    where: str

    def member(self, key: str | int, value: object) -> "Node":
        """A value inside this one."""
        return Node(self.checker, value, pointer(self.where, key))

    def report(
        self,
        reason: Wording,
        *,
        code: str = "wrong_document",
        at_key: bool = False,
        limit: str | None = None,
        repair: str | None = None,
    ) -> None:
        """Add a problem. `at_key` places it at the key instead of the value; `limit` is the name of
        the exceeded limit, and `repair` what to write instead, if any.
        """
        line, column = self.checker.source.place(self.where, at_key=at_key) or (None, None)
        self.checker.add(
            Problem(
                where=self.where,
                reason=reason,
                line=line,
                column=column,
                code=code,
                limit=limit,
                repair=repair,
            )
        )

    def unknown_name(self, name: str, names: Sequence[str], *, what: Kind) -> None:
        """Report an unknown key, step, setting and so on, with a suggestion."""
        unknown = self.checker.suggestions.no_such(what, name, names)
        is_pointed = len(name) <= MAX_POINTED_CHARACTERS
        where = self.where if is_pointed else self.where.rpartition("/")[0]
        Node(self.checker, None, where).report(
            unknown.reason,
            code="extra_forbidden" if what == "key" else "unknown_name",
            at_key=True,
            repair=unknown.meant,
        )

    def mapping(
        self, *, what: Words, known: Iterable[str] | None = None, required: Iterable[str] = ()
    ) -> dict[str, "Node"]:
        """Check a mapping, which must have all of `required` and, if `known` is given, no other
        keys. Returns its values by key, all of them.
        """
        if not isinstance(self.value, dict):
            self._not("not_a_mapping", what)
            return {}
        members = {key: self.member(key, value) for key, value in self.value.items()}
        if known is not None:
            names = tuple(known)
            for key, member in members.items():
                if key not in names:
                    member.unknown_name(key, names, what="key")
        missing = [key for key in required if key not in members]
        if missing:
            reason = error("missing", what=_noun(what), names=listed(missing, "all_of"))
            self.report(reason, code="missing")
        return members

    def items(
        self, *, what: Words, most: int, least: int = 0, limit: str | None = None
    ) -> list["Node"]:
        """Check a list of `least` to `most` elements; `limit` is the name of the upper limit."""
        if not isinstance(self.value, list):
            self._not("not_a_list", what)
            return []
        count, of = len(self.value), _noun(what)
        if count < least:
            reason = error("too_few_entries", what=of, least=least, count=count)
            self.report(reason, code="too_many")
        elif count > most:
            reason = error("too_many_entries", what=of, most=most, count=count)
            self.report(reason, code="too_many", limit=limit)
        return [self.member(index, item) for index, item in enumerate(self.value[:most])]

    def integer(self, lowest: int, highest: int, *, what: Words, limit: str | None = None) -> int:
        """Check a whole number in a range; `limit` is the name of its upper end. True and 1.0 are
        rejected.
        """
        value, of = self.value, _noun(what)
        if isinstance(value, bool) or not isinstance(value, int):
            written = self.written or (shown(value) if isinstance(value, float) else None)
            given = kind_of(value) if written is None else literal(written)
            self.report(error("not_an_integer", what=of, given=given), code="wrong_type")
            return lowest
        if not lowest <= value <= highest:
            self.report(
                error("out_of_range", what=of, lowest=lowest, highest=highest, number=value),
                code="out_of_range",
                limit=limit if value > highest else None,
                repair=str(min(max(value, lowest), highest)) if lowest <= highest else None,
            )
            return lowest
        return value

    @property
    def written(self) -> str | None:
        """A number as written in the file: `0.10` if the value is 0.1."""
        return self.checker.source.written.get(self.where)

    def plain(self, spec: FieldSpec) -> object:
        """Check a value of a closed set, a switch or a whole number, as its field is declared."""
        if spec.choices:
            names = [choice for choice in spec.choices if isinstance(choice, str)]
            return self.one_of(names, what=spec.written if spec.noun is None else noun(spec.noun))
        if spec.kind is bool:
            return self.switch(what=spec.written)
        assert spec.kind is int, f"{spec.name} needs a role or a part"
        return self.integer(spec.lowest, spec.highest, what=spec.written, limit=spec.limit)

    def switch(self, *, what: Words) -> bool:
        """Check that a value is true or false; false if it is neither."""
        if not isinstance(self.value, bool):
            self._not("not_a_switch", what)
            return False
        return self.value

    def string(self, *, what: Words) -> str:
        """Check that a value is text; empty if it is not."""
        if isinstance(self.value, str):
            return self.value
        if self.written is None:
            self._not("not_text", what)
            return ""
        given = kind_of(self.value)
        reason = error("not_text_but_number", what=_noun(what), given=given, right=self.written)
        self.report(reason, code="wrong_type")
        return ""

    def one_of(self, names: Sequence[str], *, what: Words) -> str:
        """Check that a value is one of a closed set of strings."""
        value = self.value
        if not isinstance(value, str) or value not in names:
            given = literal(shown(value)) if isinstance(value, str) else kind_of(value)
            unknown = self.checker.suggestions.cannot_be(_noun(what), value, given, names)
            self.report(unknown.reason, code="unknown_name", repair=unknown.meant)
            return names[0]
        return value

    def matching(self, pattern: re.Pattern[str], *, what: Words, right: Wording) -> str:
        """Check that text matches a pattern; `right` describes the pattern in words."""
        text = self.string(what=what)
        if isinstance(self.value, str) and not pattern.fullmatch(text):
            given = literal(shown(text)) if text else noun("empty")
            self.report(error("not_matching", what=_noun(what), right=right, given=given))
            return ""
        return text

    def text(self, *, what: Words, most: int, lines: bool = True) -> Text:
        """Check an author's text: a string, or a mapping by language.

        A missing language gets the text of the first one that exists.
        """
        if not isinstance(self.value, dict):
            return dict.fromkeys(LANGUAGES, self.one_text(what=what, most=most, lines=lines))
        return self.words(
            self.mapping(what=what, known=LANGUAGES), what=what, most=most, lines=lines
        )

    def words(
        self, members: Mapping[str, "Node"], *, what: Words, most: int, lines: bool = True
    ) -> Text:
        """Check the texts by language in this mapping, whose `members` may have other keys too."""
        words = {
            language: members[language].one_text(what=what, most=most, lines=lines)
            for language in LANGUAGES
            if language in members
        }
        if not words:
            reason = error("missing", what=_noun(what), names=listed(LANGUAGES, "any_of"))
            self.report(reason, code="missing")
        only = next(iter(words.values()), "")
        return {language: words.get(language, only) for language in LANGUAGES}

    def one_text(self, *, what: Words, most: int, lines: bool = True) -> str:
        """Check a text in one language."""
        text = self.string(what=what)
        text = _BIDI_AND_INVISIBLE.sub("", unicodedata.normalize("NFC", text))
        if not lines and any(character in text for character in "\n\r\t\x85\u2028\u2029"):
            self.report(error("not_on_one_line", what=_noun(what)), code="control_char")
        if len(text) > 8 * most or count_graphemes(text) > most or len(text.encode()) > 4 * most:
            reason = error("text_too_long", what=_noun(what), most=most, bytes=4 * most)
            self.report(reason, code="out_of_range")
        return text

    def _not(
        self, code: Literal["not_a_list", "not_a_mapping", "not_a_switch", "not_text"], what: Words
    ) -> None:
        """Report a value of the wrong type."""
        given = kind_of(self.value)
        self.report(error(code, what=_noun(what), given=given), code="wrong_type")


def count_graphemes(text: str) -> int:
    """Count the characters that a reader sees: an emoji family is one, and so is a letter with
    marks.

    Follows Unicode's extended grapheme clusters for marks, joined emoji, skin tones and flags,
    which covers titles in practice.
    """
    if text.isascii():
        return len(text)
    count = 0
    joined = False
    flag_open = False
    for character in text:
        if character == "\u200d":
            joined = count > 0
            continue
        is_flag_half = "\U0001f1e6" <= character <= "\U0001f1ff"
        extends = (
            unicodedata.category(character) in ("Mn", "Me", "Mc")
            or "\U0001f3fb" <= character <= "\U0001f3ff"
            or "\U000e0020" <= character <= "\U000e007f"
        )
        if count and (extends or joined or (is_flag_half and flag_open)):
            flag_open = False
        else:
            count += 1
            flag_open = is_flag_half
        joined = False
    return count


def kind_of(value: object) -> Wording:
    """The type of a value for error messages, with a short value itself: "a list", "the
    number 3".
    """
    if value is None:
        return noun("empty")
    if isinstance(value, bool):
        return noun("switch_given", of="true" if value else "false")
    if isinstance(value, (int, float)):
        return noun("number_given", of=shown(value))
    if isinstance(value, str):
        return noun("text_given", of=shown(value)) if value else noun("empty_text")
    return noun("list") if isinstance(value, list) else noun("mapping")


def _noun(what: Words) -> Wording:
    """What is wrong: a key of the document, or its name in words."""
    return literal(what) if isinstance(what, str) else what
