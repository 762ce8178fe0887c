"""What is wrong with an input: a code with values, and its sentence in every language.

Scenario files, steps, campaign grids and imports use it. The codes are the names of the messages in
`scenario_errors.ftl` of each language; a test compares each literal use of a code with its message.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal, TypeAlias

from msgspec import Struct, structs

from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES, find_language, messages, say
from sim_engine.languages.fluent import Pattern, Value


class WrongInputError(Exception):
    """A file, an option or a name is invalid; the message is for the user, with a line for each
    problem.
    """


TEXTS = "scenario_errors"
"""The file of a language that has the texts."""


class Wording(Struct, frozen=True):
    """A text with its values. A value can itself be a text, such as a noun, or a list of names."""

    code: str
    """The name of the message in `file`."""
    values: Mapping[str, object] = {}
    file: str = TEXTS
    """The file of a language that has the text."""

    def text(self, lang: str = DEFAULT_LANGUAGE) -> str:
        """The text in a language."""
        values = {name: _in_language(value, lang) for name, value in self.values.items()}
        return say(lang, self.file, self.code, **values)

    def said(self) -> dict[str, str]:
        """The text in every language."""
        return {lang: self.text(lang) for lang in LANGUAGES}

    def shortening(self, text: str, shown: str) -> "Wording":
        """The same with `shown` in place of `text` in each value."""
        values = {
            name: value.replace(text, shown) if isinstance(value, str) else value
            for name, value in self.values.items()
        }
        return structs.replace(self, values=values)


def _in_language(value: object, lang: str) -> object:
    """A value for the text in a language. Lists are whole: each name may be the right one."""
    match value:
        case Wording():
            return value.text(lang)
        case tuple():
            return find_language(lang).separator.join(value)
    return value


Words: TypeAlias = str | Wording
"""A word of the input as it is, or a text in each language."""
Names: TypeAlias = tuple[str, ...]
"""Words of the input, listed as the language lists them."""


WordingValue: TypeAlias = int | Words | Names
"""A value that a text shows: each code has its own, by name."""


def error(code: str, /, **values: WordingValue) -> Wording:
    """What is wrong, as a clause."""
    return Wording(code, values)


def noun(code: str, /, **values: WordingValue) -> Wording:
    """A noun of a clause: a part of the input, what was given, or what is allowed."""
    return Wording(code, values)


def literal(word: str) -> Wording:
    """A word of the input. Languages can mark it as such."""
    return noun("literal", of=word)


def listed(names: Sequence[str], joined: Literal["all_of", "any_of"]) -> Words:
    """Names joined by "and" or by "or"."""
    if len(names) == 1:
        return names[0]
    return noun(joined, first=tuple(names[:-1]), last=names[-1])


class WordedError(Exception):
    """An error whose reason is available in every language; the message is English."""

    def __init__(self, reason: Wording) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return self.reason.text()


class WrongValueError(WordedError, ValueError):
    """A value is wrong."""


def foreign_error(text: str, prefix: str) -> Wording | None:
    """The message whose English text is that of another program's error, with its values.

    Only messages whose names begin with `prefix` are compared; None if there is none.
    """
    for code, pattern in _patterns(prefix):
        match = pattern.fullmatch(text)
        if match is not None:
            return Wording(code, match.groupdict())
    return None


@cache
def _patterns(prefix: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (code, re.compile(_expression(message.text), re.DOTALL))
        for code, message in messages(DEFAULT_LANGUAGE, TEXTS).items()
        if code.startswith(prefix) and message.text is not None
    )


def _expression(pattern: Pattern) -> str:
    parts = (
        f"(?P<{part.value}>.*)" if isinstance(part, Value) else re.escape(str(part))
        for part in pattern
    )
    return "".join(parts)
