"""From the text of a scenario file to plain data, with the place of everything in it.

YAML 1.2 core schema, or JSON, and less of YAML than YAML has: no tags, anchors, aliases, merge
keys or second documents, and no key twice. PyYAML gives the events; what a plain scalar means is
decided here, because PyYAML follows YAML 1.1, where `no` is false and `1:30` is ninety.
"""

import json
import math
import re
from collections.abc import Mapping
from typing import Any

import yaml
from msgspec import Struct, field

from sim_engine.scenario_reader.document import Problem, ScenarioError

MAX_BYTES = 256 * 1024
MAX_DEPTH = 32
MAX_NODES = 200_000
MAX_DIGITS = 20
MAX_KEY_CHARACTERS = 256

Position = tuple[int, int]

_INTEGER = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_WORDS: Mapping[str, bool | None] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_FORBIDDEN_CHARACTER = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]"
)


class Source(Struct, frozen=True, kw_only=True):
    """A document as plain data: mappings with string keys, lists, strings, numbers, switches.

    The tables are by JSON Pointer: where a value and where its key starts, and numbers with a
    fraction as they were written. They are empty for a document that did not come from text.
    """

    document: Any
    positions: dict[str, Position] = field(default_factory=dict)
    key_positions: dict[str, Position] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)

    def place(self, where: str, *, at_key: bool = False) -> Position | None:
        """Where something is, or what contains it where it is not there itself."""
        if at_key and where in self.key_positions:
            return self.key_positions[where]
        while where not in self.positions and where:
            where = where.rpartition("/")[0]
        return self.positions.get(where)


def pointer(parent: str, key: str | int) -> str:
    """The JSON Pointer (RFC 6901) of something inside `parent`."""
    return f"{parent}/{str(key).replace('~', '~0').replace('/', '~1')}"


def shown(value: object) -> str:
    """A value as a message may repeat it: short, on one line, nothing unprintable."""
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    text = "".join(character if character.isprintable() else "?" for character in text[:41])
    return text if len(text) <= 40 else f"{text[:37]}..."


def read_source(text: str) -> Source:
    """Read YAML or JSON. Raises `ScenarioError` with the one thing that is wrong with the text."""
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise _error("", f"the document is larger than {MAX_BYTES} bytes", None, code="too_big")
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        source = _JsonText(text).read()
        if source is not None:
            return source
    return _YamlText().read(text)


def plain_source(document: object) -> Source:
    """Take data that was parsed elsewhere, held to the same rules as text."""
    return Source(document=_Copy().copied(document))


class _NotJsonError(Exception):
    """The text is not JSON, so it is for the YAML reader to say what it is."""


class _Nodes:
    """Counts and places what a document is made of, however it is written."""

    def __init__(self) -> None:
        self.positions: dict[str, Position] = {}
        self.key_positions: dict[str, Position] = {}
        self.written: dict[str, str] = {}

    def place(self, where: str, position: Position) -> None:
        if len(self.positions) >= MAX_NODES:
            raise _error(
                "", f"the document has more than {MAX_NODES} values", position, code="too_big"
            )
        self.positions[where] = position

    def source(self, document: object) -> Source:
        return Source(
            document=document,
            positions=self.positions,
            key_positions=self.key_positions,
            written=self.written,
        )


class _Container:
    """A mapping or list that is being filled."""

    def __init__(self, where: str, values: dict[str, Any] | list[Any]) -> None:
        self.where = where
        self.values = values
        self.key: str | None = None

    def next_place(self) -> str:
        if isinstance(self.values, list):
            return pointer(self.where, len(self.values))
        return pointer(self.where, self.key or "")

    def put(self, value: object) -> None:
        if isinstance(self.values, list):
            self.values.append(value)
        elif self.key is not None:
            self.values[self.key] = value
            self.key = None


class _YamlText(_Nodes):
    """Builds plain data from YAML events without recursion, so depth is a limit, not a crash."""

    def read(self, text: str) -> Source:
        if not text.strip("\ufeff \t\r\n"):
            raise _error("", "the document is empty; a scenario is a mapping", (1, 1))
        try:
            return self.source(self._document(text))
        except yaml.reader.ReaderError as problem:
            at = _position_in(text, problem.position)
            raise _error(
                "", "the document holds a control character", at, code="control_char"
            ) from None
        except yaml.MarkedYAMLError as problem:
            mark = problem.problem_mark or problem.context_mark
            said = ", ".join(part for part in (problem.context, problem.problem) if part)
            at = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
            raise _error("", f"this is not YAML: {shown_syntax(said)}", at) from None
        except (yaml.YAMLError, ValueError, OverflowError):
            # PyYAML lets the last two through for an escape that is no character.
            raise _error("", "this is not YAML", (1, 1)) from None

    def _document(self, text: str) -> object:
        stack: list[_Container] = []
        root: list[Any] = []
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            mark = event.start_mark
            assert mark is not None
            at = (mark.line + 1, mark.column + 1)
            if isinstance(event, yaml.DocumentStartEvent):
                if root:
                    raise _error("", "a file holds one document; this is a second one", at)
                continue
            if isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
                closed = stack.pop()
                (stack[-1].put if stack else root.append)(closed.values)
                continue
            if not isinstance(event, yaml.NodeEvent):
                continue
            where = stack[-1].next_place() if stack else ""
            self._refuse_references_and_tags(event, where, at)
            if stack and isinstance(stack[-1].values, dict) and stack[-1].key is None:
                self._open_key(stack[-1], event, at)
                continue
            self.place(where, at)
            if isinstance(event, yaml.ScalarEvent):
                (stack[-1].put if stack else root.append)(self._scalar(event, where, at))
                continue
            if len(stack) >= MAX_DEPTH:
                raise _error(
                    "", f"the document is nested deeper than {MAX_DEPTH}", at, code="too_deep"
                )
            opened: dict[str, Any] | list[Any] = (
                {} if isinstance(event, yaml.MappingStartEvent) else []
            )
            stack.append(_Container(where, opened))
        if not root:
            raise _error("", "the document is empty; a scenario is a mapping", (1, 1))
        return root[0]

    def _refuse_references_and_tags(self, event: yaml.NodeEvent, where: str, at: Position) -> None:
        if isinstance(event, yaml.AliasEvent):
            raise _error(where, "aliases (*name) are not read; write the value out", at)
        if event.anchor is not None:
            raise _error(where, "anchors (&name) are not read; write the value out", at)
        if getattr(event, "tag", None) is not None:
            raise _error(where, "tags (!name) are not read; write the plain value", at)

    def _open_key(self, container: _Container, event: yaml.NodeEvent, at: Position) -> None:
        if not isinstance(event, yaml.ScalarEvent):
            raise _error(container.where, "a key is a word or a number", at)
        key = event.value
        if not event.style and key == "<<":
            raise _error(container.where, "merge keys (<<) are not read; write the keys out", at)
        _check_key(key, container.where, at)
        where = pointer(container.where, key)
        if key in container.values:
            raise _error(where, "this key is here twice", at, code="duplicate_key")
        self.key_positions[where] = at
        container.key = key

    def _scalar(self, event: yaml.ScalarEvent, where: str, at: Position) -> object:
        text: str = event.value
        _check_text(text, where, at)
        if event.style:
            return text
        value = _resolved(text, where, at)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            self.written[where] = text
        return value


class _JsonText(_Nodes):
    """Reads strict JSON with the place of every value, which the standard library does not give."""

    _space = re.compile(r"[ \t\r\n]*")
    _number = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
    _decoder = json.JSONDecoder()
    _words: Mapping[str, bool | None] = {"true": True, "false": False, "null": None}

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text
        self._at = 0
        self._line_starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._line = 0

    def read(self) -> Source | None:
        """Give the source, or `None` where the text is not JSON."""
        try:
            self._skip()
            document = self._value("", 0)
            self._skip()
            return self.source(document) if self._at == len(self._text) else None
        except _NotJsonError:
            return None

    def _skip(self) -> None:
        match = self._space.match(self._text, self._at)
        assert match is not None
        self._at = match.end()

    def _here(self) -> Position:
        while (
            self._line + 1 < len(self._line_starts)
            and self._line_starts[self._line + 1] <= self._at
        ):
            self._line += 1
        return self._line + 1, self._at - self._line_starts[self._line] + 1

    def _take(self, character: str) -> bool:
        self._skip()
        if not self._text.startswith(character, self._at):
            return False
        self._at += 1
        return True

    def _need(self, character: str) -> None:
        if not self._take(character):
            raise _NotJsonError

    def _value(self, where: str, depth: int) -> object:
        self._skip()
        at = self._here()
        self.place(where, at)
        if depth > MAX_DEPTH:
            raise _error("", f"the document is nested deeper than {MAX_DEPTH}", at, code="too_deep")
        if self._take("{"):
            return self._mapping(where, depth)
        if self._take("["):
            return self._list(where, depth)
        if self._text.startswith('"', self._at):
            return self._string(where, at)
        return self._word_or_number(where, at)

    def _mapping(self, where: str, depth: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        if self._take("}"):
            return values
        while True:
            self._skip()
            at = self._here()
            if not self._text.startswith('"', self._at):
                raise _NotJsonError
            key = self._string(where, at)
            _check_key(key, where, at)
            inner = pointer(where, key)
            if key in values:
                raise _error(inner, "this key is here twice", at, code="duplicate_key")
            self.key_positions[inner] = at
            self._need(":")
            values[key] = self._value(inner, depth + 1)
            if self._take("}"):
                return values
            self._need(",")

    def _list(self, where: str, depth: int) -> list[Any]:
        values: list[Any] = []
        if self._take("]"):
            return values
        while True:
            values.append(self._value(pointer(where, len(values)), depth + 1))
            if self._take("]"):
                return values
            self._need(",")

    def _string(self, where: str, at: Position) -> str:
        try:
            decoded, self._at = self._decoder.raw_decode(self._text, self._at)
        except ValueError:
            raise _NotJsonError from None
        text = str(decoded)
        _check_text(text, where, at)
        return text

    def _word_or_number(self, where: str, at: Position) -> object:
        for word, meaning in self._words.items():
            if self._text.startswith(word, self._at):
                self._at += len(word)
                return meaning
        match = self._number.match(self._text, self._at)
        if match is None:
            raise _NotJsonError
        self._at = match.end()
        self.written[where] = match.group()
        return _resolved(match.group(), where, at)


class _Copy:
    """Copies parsed data, keys as strings, and refuses what no scenario can hold."""

    def __init__(self) -> None:
        self._nodes = 0

    def copied(self, value: object, where: str = "", depth: int = 0) -> object:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise _error("", f"the document has more than {MAX_NODES} values", None, code="too_big")
        if isinstance(value, (Mapping, list, tuple)) and depth > MAX_DEPTH:
            raise _error(
                "", f"the document is nested deeper than {MAX_DEPTH}", None, code="too_deep"
            )
        if isinstance(value, Mapping):
            return self._mapping(value, where, depth)
        if isinstance(value, (list, tuple)):
            return [
                self.copied(item, pointer(where, index), depth + 1)
                for index, item in enumerate(value)
            ]
        if isinstance(value, str):
            _check_text(value, where, None)
            return value
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            if not -(10**MAX_DIGITS) < value < 10**MAX_DIGITS:
                raise _too_many_digits(where, None)
            return value
        if isinstance(value, float) and math.isfinite(value):
            return value
        raise _error(where, "this is no value that a scenario can hold", None)

    def _mapping(self, value: Mapping[Any, Any], where: str, depth: int) -> dict[str, Any]:
        copied: dict[str, Any] = {}
        for key, item in value.items():
            if isinstance(key, bool) or not isinstance(key, (str, int)):
                raise _error(where, "a key is a word or a number", None)
            name = str(key)
            _check_key(name, where, None)
            inner = pointer(where, name)
            if name in copied:
                raise _error(inner, "this key is here twice", None, code="duplicate_key")
            copied[name] = self.copied(item, inner, depth + 1)
        return copied


def shown_syntax(said: str) -> str:
    """What the YAML parser said, cut short and without control characters."""
    return "".join(character for character in said[:160] if character.isprintable())


def _resolved(text: str, where: str, at: Position | None) -> object:
    """What a plain scalar means in the core schema."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if _NOT_FINITE.fullmatch(text):
        raise _error(where, "infinity and not-a-number are no values here", at)
    if _INTEGER.fullmatch(text) or _OCTAL.fullmatch(text) or _HEXADECIMAL.fullmatch(text):
        if len(text) > MAX_DIGITS:
            raise _too_many_digits(where, at)
        return int(text) if _INTEGER.fullmatch(text) else int(text, 0)
    if _FLOAT.fullmatch(text):
        number = float(text)
        if not math.isfinite(number):
            raise _error(where, "this number is too large", at, code="out_of_range")
        return number
    return text


def _check_text(text: str, where: str, at: Position | None) -> None:
    if _FORBIDDEN_CHARACTER.search(text):
        raise _error(
            where, "text holds a control character or half a character", at, code="control_char"
        )


def _check_key(key: str, where: str, at: Position | None) -> None:
    _check_text(key, where, at)
    if len(key) > MAX_KEY_CHARACTERS:
        raise _error(where, f"a key has at most {MAX_KEY_CHARACTERS} characters", at)


def _too_many_digits(where: str, at: Position | None) -> ScenarioError:
    return _error(
        where, f"this number has more than {MAX_DIGITS - 1} digits", at, code="out_of_range"
    )


def _position_in(text: str, index: int) -> Position:
    before = text[:index]
    return before.count("\n") + 1, index - (before.rfind("\n") + 1) + 1


def _error(
    where: str, message: str, at: Position | None, *, code: str = "wrong_document"
) -> ScenarioError:
    line, column = at if at is not None else (None, None)
    return ScenarioError(
        (Problem(where=where, message=message, line=line, column=column, code=code),)
    )
