"""The error for an unknown name: with what the engine leaves out, the name that was probably meant,
or the allowed ones.
"""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Literal

from msgspec import Struct

from sim_engine.error_texts import Wording, error, listed, noun
from sim_engine.left_out import LeftOut, find_left_out
from sim_engine.scenario_reader.source import is_word, shown

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
