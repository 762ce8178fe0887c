"""A document as plain data, with the position of every value: from YAML, from JSON, or from parsed
data.

The YAML is a subset with the core schema of YAML 1.2: no tags, anchors, aliases, merge keys, second
documents or duplicate keys. PyYAML supplies the events. It follows YAML 1.1, where `no` is false
and `1:30` is ninety; scalars are therefore resolved here. Strict JSON has a reader of its own,
because the standard library's does not tell positions.
"""

import json
import math
import re
from collections.abc import Mapping

import yaml
from msgspec import Struct, field

from sim_engine.error_texts import Wording, error, foreign_error
from sim_engine.scenario_reader.document import Problem, ScenarioError

MAX_BYTES = 256 * 1024
MAX_DEPTH = 32
MAX_NODES = 200_000
_MOST_SHOWN = 40

Position = tuple[int, int]
"""Line and column, both counted from 1."""


class Source(Struct, frozen=True, kw_only=True):
    """A document as plain data: mappings with string keys, lists, strings, numbers, switches.

    The tables map JSON Pointers to the start of a value and of its key, and to numbers with a
    fraction as they were written. They are empty for a document that was not read from text.
    """

    document: object
    positions: dict[str, Position] = field(default_factory=dict)
    key_positions: dict[str, Position] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)

    def place(self, where: str, *, at_key: bool = False) -> Position | None:
        """The position of a place; if it does not exist, the position of its container."""
        if at_key and where in self.key_positions:
            return self.key_positions[where]
        while where not in self.positions and where:
            where = where.rpartition("/")[0]
        return self.positions.get(where)


def pointer(parent: str, key: str | int) -> str:
    """The JSON Pointer (RFC 6901) of a member of `parent`."""
    return f"{parent}/{str(key).replace('~', '~0').replace('/', '~1')}"


def step_pointer(item: int | None) -> str:
    """The place of an entry of a scenario's steps; of all of them if it is None."""
    return "/steps" if item is None else pointer("/steps", item)


def shown(value: object) -> str:
    """Format a value for messages: a short word or a number as it is, and "…" for any other text,
    because no message may repeat what could be more than a word, such as markup.
    """
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return text if is_word(text) else "…"


def is_word(text: str) -> bool:
    """Whether a text is a word that a message may repeat: letters, digits and `._-+/*`."""
    return 1 <= len(text) <= _MOST_SHOWN and all(c.isalnum() or c in "._-+/*" for c in text)


class PlacedNodes:
    """Counts the values of a document and records their positions, for every syntax."""

    def __init__(self) -> None:
        self.positions: dict[str, Position] = {}
        self.key_positions: dict[str, Position] = {}
        self.written: dict[str, str] = {}

    def place(self, where: str, position: Position) -> None:
        """Record the start of a value. Raises `ScenarioError` for more than `MAX_NODES` values."""
        if len(self.positions) >= MAX_NODES:
            raise _too_long(position)
        self.positions[where] = position

    def source(self, document: object) -> Source:
        """The document with every position recorded so far."""
        return Source(
            document=document,
            positions=self.positions,
            key_positions=self.key_positions,
            written=self.written,
        )


def _too_deep(at: Position | None) -> ScenarioError:
    reason = error("document_too_deep", most=MAX_DEPTH)
    return wrong_source("", reason, at, code="too_deep", limit="scenario_depth")


def _too_long(at: Position | None) -> ScenarioError:
    reason = error("document_too_long", most=MAX_NODES)
    return wrong_source("", reason, at, code="too_big", limit="scenario_values")


def wrong_source(
    where: str,
    reason: Wording,
    at: Position | None,
    *,
    code: str = "wrong_document",
    limit: str | None = None,
) -> ScenarioError:
    """A `ScenarioError` with one problem. `where` is a JSON Pointer; `at` is None if there is no
    text.
    """
    line, column = at if at is not None else (None, None)
    return ScenarioError(
        (Problem(where=where, reason=reason, line=line, column=column, code=code, limit=limit),)
    )


MAX_DIGITS = 20
MAX_KEY_CHARACTERS = 256

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


def resolve_scalar(text: str, where: str, at: Position | None) -> object:
    """The value of a plain scalar in the core schema. Raises `ScenarioError` for
    invalid numbers.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if _NOT_FINITE.fullmatch(text):
        raise wrong_source(where, error("not_finite"), at)
    if _INTEGER.fullmatch(text) or _OCTAL.fullmatch(text) or _HEXADECIMAL.fullmatch(text):
        if len(text) > MAX_DIGITS:
            raise too_many_digits(where, at)
        return int(text) if _INTEGER.fullmatch(text) else int(text, 0)
    if _FLOAT.fullmatch(text):
        number = float(text)
        if not math.isfinite(number):
            raise wrong_source(where, error("number_too_large"), at, code="out_of_range")
        return number
    return text


def check_text(text: str, where: str, at: Position | None) -> None:
    """Raise `ScenarioError` for control characters and unpaired surrogates."""
    if _FORBIDDEN_CHARACTER.search(text):
        raise wrong_source(where, error("control_character"), at, code="control_char")


def check_key(key: str, where: str, at: Position | None) -> None:
    """Raise `ScenarioError` for a key that is too long or has forbidden characters."""
    check_text(key, where, at)
    if len(key) > MAX_KEY_CHARACTERS:
        raise wrong_source(where, error("key_too_long", most=MAX_KEY_CHARACTERS), at)


def too_many_digits(where: str, at: Position | None) -> ScenarioError:
    """The error for a whole number that is longer than `MAX_DIGITS`."""
    return wrong_source(
        where, error("number_too_long", most=MAX_DIGITS - 1), at, code="out_of_range"
    )


class _NotJsonError(Exception):
    """The text is not JSON; the YAML reader will read it or report the error."""


class JsonText(PlacedNodes):
    """A reader of strict JSON that records the position of every value."""

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
        """Read the text. Returns `None` if it is not JSON."""
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
            raise _too_deep(at)
        if self._take("{"):
            return self._mapping(where, depth)
        if self._take("["):
            return self._list(where, depth)
        if self._text.startswith('"', self._at):
            return self._string(where, at)
        return self._word_or_number(where, at)

    def _mapping(self, where: str, depth: int) -> dict[str, object]:
        values: dict[str, object] = {}
        if self._take("}"):
            return values
        while True:
            self._skip()
            at = self._here()
            if not self._text.startswith('"', self._at):
                raise _NotJsonError
            key = self._string(where, at)
            check_key(key, where, at)
            inner = pointer(where, key)
            if key in values:
                raise wrong_source(inner, error("duplicate_key"), at, code="duplicate_key")
            self.key_positions[inner] = at
            self._need(":")
            values[key] = self._value(inner, depth + 1)
            if self._take("}"):
                return values
            self._need(",")

    def _list(self, where: str, depth: int) -> list[object]:
        values: list[object] = []
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
        check_text(text, where, at)
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
        return resolve_scalar(match.group(), where, at)


_TAGGED = (yaml.ScalarEvent, yaml.CollectionStartEvent)
"""The events that may have a tag."""


class _Container:
    """A mapping or list under construction."""

    def __init__(self, where: str, values: dict[str, object] | list[object]) -> None:
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


class YamlText(PlacedNodes):
    """Builds plain data from YAML events without recursion, so that deep nesting is a limit error
    and not a crash.
    """

    def __init__(self, loader: type[yaml.SafeLoader] = yaml.SafeLoader) -> None:
        super().__init__()
        self._loader = loader

    def read(self, text: str) -> Source:
        """Read one document. Raises `ScenarioError` with the first error."""
        if not text.strip("\ufeff \t\r\n"):
            raise wrong_source("", error("document_empty"), (1, 1))
        try:
            return self.source(self._document(text))
        except yaml.reader.ReaderError as problem:
            at = _position_in(text, problem.position)
            raise wrong_source(
                "", error("control_character_in_document"), at, code="control_char"
            ) from None
        except yaml.MarkedYAMLError as problem:
            mark = problem.problem_mark or problem.context_mark
            at = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
            reason = error("not_yaml_because", reason=_syntax_error(problem))
            raise wrong_source("", reason, at) from None
        except (yaml.YAMLError, ValueError, OverflowError):
            # PyYAML raises the last two for an escape sequence that does not represent a character.
            raise wrong_source("", error("not_yaml"), (1, 1)) from None

    def _document(self, text: str) -> object:
        stack: list[_Container] = []
        root: list[object] = []
        for event in yaml.parse(text, Loader=self._loader):
            mark = event.start_mark
            assert mark is not None
            at = (mark.line + 1, mark.column + 1)
            if isinstance(event, yaml.DocumentStartEvent):
                if root:
                    raise wrong_source("", error("second_document"), at)
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
                raise _too_deep(at)
            opened: dict[str, object] | list[object] = (
                {} if isinstance(event, yaml.MappingStartEvent) else []
            )
            stack.append(_Container(where, opened))
        if not root:
            raise wrong_source("", error("document_empty"), (1, 1))
        return root[0]

    def _refuse_references_and_tags(self, event: yaml.NodeEvent, where: str, at: Position) -> None:
        if isinstance(event, yaml.AliasEvent):
            raise wrong_source(where, error("alias_not_supported"), at)
        if event.anchor is not None:
            raise wrong_source(where, error("anchor_not_supported"), at)
        if isinstance(event, _TAGGED) and event.tag is not None:
            raise wrong_source(where, error("tag_not_supported"), at)

    def _open_key(self, container: _Container, event: yaml.NodeEvent, at: Position) -> None:
        if not isinstance(event, yaml.ScalarEvent):
            raise wrong_source(container.where, error("key_form"), at)
        key = event.value
        if not event.style and key == "<<":
            raise wrong_source(container.where, error("merge_key_not_supported"), at)
        check_key(key, container.where, at)
        where = pointer(container.where, key)
        if key in container.values:
            raise wrong_source(where, error("duplicate_key"), at, code="duplicate_key")
        self.key_positions[where] = at
        container.key = key

    def _scalar(self, event: yaml.ScalarEvent, where: str, at: Position) -> object:
        text: str = event.value
        check_text(text, where, at)
        if event.style:
            return text
        value = resolve_scalar(text, where, at)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            self.written[where] = text
        return value


def _syntax_error(problem: yaml.MarkedYAMLError) -> Wording:
    """The YAML parser's message. A message that has no translation is quoted."""
    message = _printable(problem.problem or "")
    reason = foreign_error(message, "yaml_because_") or error("yaml_other", problem=message)
    if not problem.context:
        return reason
    context = foreign_error(_printable(problem.context), "yaml_while_")
    if context is None:
        return error("yaml_other", problem=_printable(f"{problem.context}, {message}"))
    return error("yaml_within", context=context, reason=reason)


def _printable(message: str) -> str:
    return "".join(character for character in message[:160] if character.isprintable())


def _position_in(text: str, index: int) -> Position:
    before = text[:index]
    return before.count("\n") + 1, index - (before.rfind("\n") + 1) + 1


def read_source(text: str) -> Source:
    """Read YAML or JSON. Raises `ScenarioError` with the first error in the text."""
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        reason = error("document_too_large", most=MAX_BYTES)
        raise wrong_source("", reason, None, code="too_big", limit="scenario_bytes")
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        source = JsonText(text).read()
        if source is not None:
            return source
    return YamlText().read(text)


def read_own_source(text: str) -> Source:
    """Read YAML that belongs to this package, by libyaml if PyYAML has it: several times as fast.
    Its sentences about errors are others, so a wrong file is read again by `read_source`.
    """
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return YamlText(loader).read(text)
    except ScenarioError:
        return read_source(text)


def position_in(text: str, where: str) -> Position | None:
    """The line and column of a place, a JSON Pointer, in a scenario's text, or of its container.

    Raises `ScenarioError` if the text cannot be parsed.
    """
    return read_source(text).place(where)


def plain_source(document: object) -> Source:
    """Accept parsed data, with the same checks as for text."""
    return Source(document=PlainCopy().copied(document))


class PlainCopy:
    """Copies parsed data, with keys as strings, and rejects values that no scenario can contain."""

    def __init__(self) -> None:
        self._nodes = 0

    def copied(self, value: object, where: str = "", depth: int = 0) -> object:
        """A copy of `value`, which is at `where`, inside `depth` containers. Raises `ScenarioError`
        for a value that no scenario can contain.
        """
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise _too_long(None)
        if isinstance(value, (Mapping, list, tuple)) and depth > MAX_DEPTH:
            raise _too_deep(None)
        if isinstance(value, Mapping):
            return self._mapping(value, where, depth)
        if isinstance(value, (list, tuple)):
            return [
                self.copied(item, pointer(where, index), depth + 1)
                for index, item in enumerate(value)
            ]
        if isinstance(value, str):
            check_text(value, where, None)
            return value
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            if not -(10**MAX_DIGITS) < value < 10**MAX_DIGITS:
                raise too_many_digits(where, None)
            return value
        if isinstance(value, float) and math.isfinite(value):
            return value
        raise wrong_source(where, error("value_not_possible"), None)

    def _mapping(self, value: Mapping[object, object], where: str, depth: int) -> dict[str, object]:
        copied: dict[str, object] = {}
        for key, item in value.items():
            if isinstance(key, bool) or not isinstance(key, (str, int)):
                raise wrong_source(where, error("key_form"), None)
            name = str(key)
            check_key(name, where, None)
            inner = pointer(where, name)
            if name in copied:
                raise wrong_source(inner, error("duplicate_key"), None, code="duplicate_key")
            copied[name] = self.copied(item, inner, depth + 1)
        return copied
