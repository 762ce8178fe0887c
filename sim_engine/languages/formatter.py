"""Fills patterns with values. `language/pattern.ts` fills them in the same way on the page.

- A placeholder is replaced by the value with its name. A list is its elements joined by ", "; a
  list of more than ten is shown as the first three, "…" and the last. An object is "key: value"
  pairs joined by ", ". Null, a missing number and an empty list are "–", but an empty list after
  "{" is the empty set, "{}"; true and false are those words.
- A value with its own text is replaced by that text: `words` maps the value's name to a pattern, a
  selection by `$value`.
- A selection takes the variant whose key is the value as text; `nothing` is the key of a value that
  is shown as "–". Otherwise a whole number, or the length of a list, takes the variant of its
  plural category. Otherwise the default is taken.
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
    """There is no text with this name. Raised only in strict mode."""


class MissingNumberError(LookupError):
    """A pattern needs a value that is not given. Raised only in strict mode."""


def placeholders(pattern: Pattern) -> frozenset[str]:
    """The names of the values that a pattern uses, in any of its variants."""
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
    """Fill a pattern with values. A missing value is shown as "–"; in strict mode it raises
    `MissingNumberError`.

    `plurals` are the language's plural rules, and `words` its texts for certain values.
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
            case Value(name) if numbers.get(name) in ([], ()) and said and said[-1].endswith("{"):
                pass
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
