"""The template language: names in braces, replaced by numbers. A page fills templates the same way.

- `{name}` is replaced by the number of that name; names are small letters, digits and underscores.
- `{{` and `}}` are braces.
- A list is its elements joined by ", "; of more than ten, the first three, "…" and the last. An
  object is "key: value" pairs joined by ", "; null, a number that is missing and an empty list are
  "–"; true and false are those words.
- A value that has words of its own (`names` in the catalogue, by the number's name and the value as
  text) is said by them.
"""

import re
from collections.abc import Mapping
from typing import Any

NOTHING = "–"
_MOST_SHOWN = 10
_SHOWN_OF_MORE = 3
_TOKEN = re.compile(r"\{\{|\}\}|\{([a-z0-9_]+)\}")

Names = Mapping[str, Mapping[str, Mapping[str, str]]]
"""Words for values, by the number's name, the value as text, and the language."""


class MissingTextError(LookupError):
    """There is no text of that name. Raised in strict mode only."""


class MissingNumberError(LookupError):
    """A template speaks of a number that is not given. Raised in strict mode only."""


def placeholders(template: str) -> frozenset[str]:
    """The names of the numbers that a template speaks of."""
    return frozenset(match[1] for match in _TOKEN.finditer(template) if match[1] is not None)


def fill(
    template: str,
    numbers: Mapping[str, Any],
    *,
    lang: str = "en",
    names: Names | None = None,
    strict: bool = False,
) -> str:
    """Put numbers into a template. A missing one is "–", in strict mode a `MissingNumberError`."""

    def replacement(match: re.Match[str]) -> str:
        name = match[1]
        if name is None:
            return match[0][0]
        if strict and name not in numbers:
            raise MissingNumberError(f"no number '{name}' for: {template}")
        value = numbers.get(name)
        words = (names or {}).get(name, {}).get(_plain(value))
        return words[lang] if words is not None else _plain(value)

    return _TOKEN.sub(replacement, template)


def _plain(value: object) -> str:
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        if len(value) > _MOST_SHOWN:
            return ", ".join([*map(_plain, value[:_SHOWN_OF_MORE]), f"… {_plain(value[-1])}"])
        return ", ".join(map(_plain, value)) or NOTHING
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_plain(item)}" for key, item in value.items()) or NOTHING
    return str(value)
