"""Fills patterns with values. `language/pattern.ts` fills them in the same way on the page.

- A placeholder is replaced by the value with its name. A list is its elements joined by the
  language's separator; a list of more than ten is shown as the first three, "…" and the last. An
  object is "key: value" pairs, joined likewise. Between ASCII brackets, as in {1, 2} and
  min(80, 90), the separator is always ", ", because that is notation and not a sentence. Null, a
  missing number and an empty list are "–", but an empty list after "{" is the empty set, "{}"; true
  and false are those words.
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
_NOTATION_SEPARATOR = ", "
_OPENING, _CLOSING = "([{", ")]}"
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
    separator: str = _NOTATION_SEPARATOR,
    words: Mapping[str, Pattern] | None = None,
    strict: bool = False,
) -> str:
    """Fill a pattern with values. A missing value is shown as "–"; in strict mode it raises
    `MissingNumberError`.

    `plurals` are the language's plural rules, `separator` stands between the elements of its lists,
    and `words` are its texts for certain values.
    """
    if strict and not (missing := placeholders(pattern)) <= numbers.keys():
        raise MissingNumberError(f"no number '{min(missing - numbers.keys())}' for: {pattern}")
    said: list[str] = []
    for part in pattern:
        between = _NOTATION_SEPARATOR if _is_in_brackets("".join(said)) else separator
        match part:
            case str():
                said.append(part)
            case Value(name) if words is not None and name in words:
                of_value = {"value": numbers.get(name)}
                said.append(fill(words[name], of_value, plurals=plurals, separator=between))
            case Value(name) if numbers.get(name) in ([], ()) and said and said[-1].endswith("{"):
                pass
            case Value(name):
                said.append(_plain(numbers.get(name), between))
            case Selection(name):
                chosen = _variant(part, numbers.get(name), plurals)
                said.append(
                    fill(chosen, numbers, plurals=plurals, separator=separator, words=words)
                )
    return "".join(said)


def _is_in_brackets(before: str) -> bool:
    """Whether the text after this one is between ASCII brackets."""
    opened = sum(before.count(bracket) for bracket in _OPENING)
    return opened > sum(before.count(bracket) for bracket in _CLOSING)


def _variant(selection: Selection, value: object, plurals: Mapping[str, str]) -> Pattern:
    variants = selection.variants
    text = _plain(value, _NOTATION_SEPARATOR)
    key = _NOTHING_KEY if text == NOTHING else text
    if key not in variants:
        count = len(value) if isinstance(value, list | tuple) else value
        if _WHOLE.fullmatch(str(count)):
            key = plural_category(int(str(count)), plurals)
    return variants.get(key, variants[selection.default])


def _plain(value: object, separator: str) -> str:
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        shown = [_plain(item, separator) for item in value]
        if len(shown) > _MOST_SHOWN:
            shown = [*shown[:_SHOWN_OF_MORE], f"… {shown[-1]}"]
        return separator.join(shown) or NOTHING
    if isinstance(value, Mapping):
        pairs = (f"{key}: {_plain(item, separator)}" for key, item in value.items())
        return separator.join(pairs) or NOTHING
    return str(value)
