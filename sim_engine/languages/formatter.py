"""Fills patterns with numbers. The page fills them in the same way, by `language/pattern.ts`.

- A place is filled with the number of its name. A list is its elements joined by ", "; of more than
  ten, the first three, "…" and the last. An object is "key: value" pairs joined by ", "; null, a
  number that is missing and an empty list are "–"; true and false are those words.
- A value that has words of its own is said by them: `words` holds a pattern by the number's name,
  a selection by `$value`.
- A selection takes the variant whose key is the value as text; `nothing` is the key of what is
  "–". Else a whole number, or a list by how many elements it has, takes the variant of its plural
  category. Else the default is taken.
"""

import re
from collections.abc import Iterator, Mapping

from sim_engine.languages.fluent import Pattern, Selection, Value
from sim_engine.languages.plurals import plural_category

NOTHING = "–"
_NOTHING_KEY = "nothing"
_MOST_SHOWN = 10
_SHOWN_OF_MORE = 3
_WHOLE = re.compile(r"-?\d+")


class MissingTextError(LookupError):
    """There is no text of that name. Raised in strict mode only."""


class MissingNumberError(LookupError):
    """A pattern speaks of a number that is not given. Raised in strict mode only."""


def placeholders(pattern: Pattern) -> frozenset[str]:
    """The names of the numbers that a pattern speaks of, in any of its variants."""
    return frozenset(_placeholders(pattern))


def _placeholders(pattern: Pattern) -> Iterator[str]:
    for part in pattern:
        match part:
            case Value(name):
                yield name
            case Selection(name, variants):
                yield name
                for variant in variants.values():
                    yield from _placeholders(variant)


def fill(
    pattern: Pattern,
    numbers: Mapping[str, object],
    *,
    plurals: Mapping[str, str],
    words: Mapping[str, Pattern] | None = None,
    strict: bool = False,
) -> str:
    """Put numbers into a pattern. A missing one is "–", in strict mode a `MissingNumberError`.

    `plurals` are the language's rules, `words` what it says instead of some values.
    """
    if strict and not (missing := placeholders(pattern)) <= numbers.keys():
        raise MissingNumberError(f"no number '{min(missing - numbers.keys())}' for: {pattern}")
    said = []
    for part in pattern:
        match part:
            case str():
                said.append(part)
            case Value(name) if words is not None and name in words:
                said.append(fill(words[name], {"value": numbers.get(name)}, plurals=plurals))
            case Value(name):
                said.append(_plain(numbers.get(name)))
            case Selection(name):
                chosen = _variant(part, numbers.get(name), plurals)
                said.append(fill(chosen, numbers, plurals=plurals, words=words))
    return "".join(said)


def _variant(selection: Selection, value: object, plurals: Mapping[str, str]) -> Pattern:
    variants = selection.variants
    text = _plain(value)
    key = _NOTHING_KEY if text == NOTHING else text
    if key not in variants:
        count = len(value) if isinstance(value, list | tuple) else value
        if _WHOLE.fullmatch(str(count)):
            key = plural_category(int(str(count)), plurals)
    return variants.get(key, variants[selection.default])


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
