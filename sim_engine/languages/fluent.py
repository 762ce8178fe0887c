"""Reads Fluent files (https://projectfluent.org), the part of the format that this project uses,
and fills their patterns with values. `language/pattern.ts` fills them in the same way on the page.

A file contains messages, their attributes and comments. A pattern is one line of text with
variables, quoted text and selections in braces; only a selection may span several lines. Terms,
references to other messages and functions are rejected with their line.

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

A plural category has CLDR's condition for whole numbers, such as `i = 1 and v = 0` or `v = 0 and
i % 10 = 2..4 and i % 100 != 12..14`. Browsers include these rules, but Python and the service's
drawing engine do not, so each language has its own.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct


class Value(Struct, frozen=True):
    """A placeholder for the value with this name."""

    value: str


class Selection(Struct, frozen=True):
    """A choice among patterns by the value with this name; `fill` defines how."""

    select: str
    variants: "dict[str, Pattern]"
    default: str
    """The key of the default variant."""


Part: TypeAlias = str | Value | Selection
Pattern: TypeAlias = tuple[Part, ...]
"""A text with placeholders, in order. Strings are never adjacent and never empty."""

PatternDocument: TypeAlias = str | list[object]
"""A pattern as JSON: a string without placeholders, otherwise the list of its parts."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_VARIABLE = re.compile(r"\$([A-Za-z][A-Za-z0-9_-]*)")
_QUOTED = re.compile(r'"((?:[^"\\\n]|\\["\\]|\\u[0-9A-Fa-f]{4})*)"')
_ESCAPE = re.compile(r'\\(?:(["\\])|u([0-9A-Fa-f]{4}))')
_KEY = re.compile(r"(\*?)\[[ ]*([A-Za-z][A-Za-z0-9_-]*|-?[0-9]+)[ ]*\]")
_ATTRIBUTE = re.compile(r"\n[ ]+\.([A-Za-z][A-Za-z0-9_-]*)")
_NEXT_LINE = re.compile(r"[ ]*(?:\n[ ]+(?![ .\[*}]))?")
_CONTINUED = re.compile(r"\n[ ]+(?=[^ \n.])")
_ARROW = re.compile(r"->")
_SPACES = re.compile(r"[ ]*")
_END = re.compile(r"[ \n]*\}")
_SIGN = re.compile(r"[ ]*=")
_COMMENT = re.compile(r"#{1,3}(?: [^\n]*)?(?![^\n])")
_BLANK = re.compile(r"[ \n]*")
_TEXT = re.compile(r"[^{}\n]*")


class LanguageFileError(ValueError):
    """A file of a language cannot be read; the message names the file and the line."""


class Message(Struct, frozen=True):
    """One message: its text (None if it has only attributes) and its attributes by name."""

    text: Pattern | None
    attributes: dict[str, Pattern]


def pattern_document(pattern: Pattern) -> PatternDocument:
    """A pattern in the JSON form that the page reads.

    Its parts are strings, `{"value": "offset"}`, and `{"select": "records", "variants": {"one": …,
    "other": …}, "default": "other"}`.
    """
    if all(isinstance(part, str) for part in pattern):
        return "".join(part for part in pattern if isinstance(part, str))
    return [_part_document(part) for part in pattern]


def _part_document(part: Part) -> object:
    match part:
        case str():
            return part
        case Value(name):
            return {"value": name}
        case Selection(name, variants, default):
            documents = {key: pattern_document(variant) for key, variant in variants.items()}
            return {"select": name, "variants": documents, "default": default}


def read_messages(source: str, name: str) -> dict[str, Message]:
    """The messages of a file, in order. `name` is the file's name in errors.

    Raises `LanguageFileError` for invalid Fluent, for unsupported Fluent, and for a duplicate
    message or attribute.
    """
    return _Reader(source, name).messages()


def read_pattern(source: str) -> Pattern:
    """Parse one pattern: the text after the `=` of a message."""
    (message,) = read_messages(f"pattern = {source}", "pattern").values()
    assert message.text is not None, source
    return message.text


class _Reader:
    def __init__(self, source: str, name: str) -> None:
        self._source = source.replace("\r\n", "\n")
        self._name = name
        self._at = 0

    def messages(self) -> dict[str, Message]:
        messages: dict[str, Message] = {}
        while self._next_entry():
            if self._source[self._at] == "#":
                self._take(_COMMENT, "a comment begins with '# '")
                continue
            name = self._take(_NAME, "a message begins with its name")[0]
            if name in messages:
                raise self._error(f"there are two messages '{name}'")
            self._take(_SIGN, "a '=' is missing")
            text = self._line_pattern()
            attributes: dict[str, Pattern] = {}
            while attribute := self._skip(_ATTRIBUTE):
                if attribute[1] in attributes:
                    raise self._error(f"'{name}' has two attributes '{attribute[1]}'")
                self._take(_SIGN, "a '=' is missing")
                pattern = self._line_pattern()
                if pattern is None:
                    raise self._error(f"'{name}.{attribute[1]}' has no text")
                attributes[attribute[1]] = pattern
            if text is None and not attributes:
                raise self._error(f"'{name}' has no text")
            messages[name] = Message(text, attributes)
        return messages

    def _next_entry(self) -> bool:
        while self._at < len(self._source) and self._source[self._at] == "\n":
            self._at += 1
        return self._at < len(self._source)

    def _line_pattern(self) -> Pattern | None:
        """Parse a pattern up to the end of its line, which may begin below the name. `None` if
        there is none.
        """
        self._skip(_NEXT_LINE)
        pattern = self._pattern()
        if self._at < len(self._source) and self._source[self._at] != "\n":
            raise self._error("a '}' has no '{'")
        if self._skip(_CONTINUED):
            raise self._error("a text must be on one line")
        return pattern

    def _pattern(self) -> Pattern | None:
        """Parse text and placeholders up to the end of the line or the closing brace. `None` if
        there is nothing.
        """
        parts: list[Part] = []
        while True:
            text = self._take(_TEXT, "text")[0]
            last = not self._looking_at("{")
            parts.append(text.rstrip(" ") if last else text)
            if last:
                return None if parts == [""] else joined(parts)
            self._at += 1
            parts.append(self._placeable())

    def _placeable(self) -> Part:
        self._skip(_BLANK)
        quoted = self._skip(_QUOTED)
        if quoted is not None:
            self._close()
            return _ESCAPE.sub(lambda match: match[1] or chr(int(match[2], 16)), quoted[1])
        variable = self._take(_VARIABLE, "only a $name or a quoted text can be put in here")[1]
        self._skip(_BLANK)
        if not self._skip(_ARROW):
            self._close()
            return Value(variable)
        return self._selection(variable)

    def _selection(self, variable: str) -> Selection:
        variants: dict[str, Pattern] = {}
        default = None
        while self._skip(_BLANK) and not self._looking_at("}"):
            key = self._take(_KEY, "a variant begins with its key in square brackets")
            if key[2] in variants:
                raise self._error(f"there are two variants [{key[2]}]")
            if key[1]:
                if default is not None:
                    raise self._error("a selection has one default")
                default = key[2]
            self._skip(_SPACES)
            pattern = self._pattern()
            if pattern is None:
                raise self._error(f'the variant [{key[2]}] has no text; an empty one is {{ "" }}')
            variants[key[2]] = pattern
        self._close()
        if default is None:
            raise self._error("a selection needs a default, marked by '*'")
        return Selection(variable, variants, default)

    def _close(self) -> None:
        self._take(_END, "a '}' is missing")

    def _looking_at(self, sign: str) -> bool:
        return self._source.startswith(sign, self._at)

    def _skip(self, what: re.Pattern[str]) -> re.Match[str] | None:
        match = what.match(self._source, self._at)
        if match is not None:
            self._at = match.end()
        return match

    def _take(self, what: re.Pattern[str], expected: str) -> re.Match[str]:
        match = self._skip(what)
        if match is None:
            raise self._error(expected)
        return match

    def _error(self, message: str) -> LanguageFileError:
        line = self._source.count("\n", 0, self._at) + 1
        return LanguageFileError(f"{self._name}:{line}: {message}")


def joined(parts: Iterable[Part]) -> Pattern:
    """A pattern of these parts; adjacent strings are joined."""
    pattern: list[Part] = []
    for part in parts:
        if isinstance(part, str) and pattern and isinstance(pattern[-1], str):
            pattern[-1] += part
        elif part != "":
            pattern.append(part)
    return tuple(pattern)


_RELATION = re.compile(
    r"([nivwfte])(?: ?% ?(\d+))? ?(!?=) ?(\d+(?:\.\.\d+)?(?:, ?\d+(?:\.\.\d+)?)*)"
)


def plural_category(number: int, rules: Mapping[str, str]) -> str:
    """The first category whose rule matches a whole number; "other" if none does."""
    for category, rule in rules.items():
        if any(
            all(_holds(relation, number) for relation in re.split(" and ", alternative))
            for alternative in re.split(" or ", rule)
        ):
            return category
    return "other"


def _holds(relation: str, number: int) -> bool:
    match = _RELATION.fullmatch(relation.strip())
    assert match is not None, f"not a CLDR relation: {relation}"
    operand, modulus, sign, ranges = match.groups()
    # n and i are the number itself. The others are about its decimals or exponent, and whole
    # numbers have none.
    value = abs(number) if operand in "ni" else 0
    if modulus is not None:
        value %= int(modulus)
    inside = any(
        int(low) <= value <= int(high or low)
        for low, _, high in (part.strip().partition("..") for part in ranges.split(","))
    )
    return inside == (sign == "=")


NOTHING = "–"
_NOTHING_KEY = "nothing"
_MOST_SHOWN = 10
_SHOWN_OF_MORE = 3
_NOTATION_SEPARATOR = ", "
_OPENING = "([{"
_BRACKETS = re.compile(r"[()\[\]{}]")
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
    filled: list[str] = []
    for part in pattern:
        match part:
            case str():
                filled.append(part)
            case Value(name) if words is not None and name in words:
                of_value = {"value": numbers.get(name)}
                between = _between(filled, separator)
                filled.append(fill(words[name], of_value, plurals=plurals, separator=between))
            case Value(name) if (
                numbers.get(name) in ([], ()) and filled and filled[-1].endswith("{")
            ):
                pass
            case Value(name):
                filled.append(_plain(numbers.get(name), _between(filled, separator)))
            case Selection(name):
                chosen = _variant(part, numbers.get(name), plurals)
                filled.append(
                    fill(chosen, numbers, plurals=plurals, separator=separator, words=words)
                )
    return "".join(filled)


def _between(before: Iterable[str], separator: str) -> str:
    """What separates the elements of a list after this text: between ASCII brackets, as in Kafka's
    notation.
    """
    opened = 0
    for text in before:
        for bracket in _BRACKETS.findall(text):
            opened += 1 if bracket in _OPENING else -1
    return _NOTATION_SEPARATOR if opened > 0 else separator


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
