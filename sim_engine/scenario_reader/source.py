"""A document as plain data, with the position of every value: from YAML, from JSON, or from parsed
data.

The YAML is a subset with the core schema of YAML 1.2: no tags, anchors, aliases, merge keys, second
documents or duplicate keys. PyYAML supplies the events. It follows YAML 1.1, where `no` is false
and `1:30` is ninety; scalars are therefore resolved here. The standard library's reader of JSON
decides what is JSON, but does not tell positions.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping

import yaml
from msgspec import Struct, field, structs

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


class _Builder:
    """Builds plain data from its values in the order of a text, without recursion, so that deep
    nesting is a limit error and not a crash; counts the values, and records their positions.
    """

    def __init__(self) -> None:
        self.source = Source(document=None)
        self.is_complete = False
        self._open: list[tuple[str, dict[str, object] | list[object]]] = []
        """The containers under construction and their places, the innermost last."""
        self._key: str | None = None

    @property
    def where(self) -> str:
        """The place of the next value or, if a key is next, of its mapping."""
        if not self._open:
            return ""
        where, values = self._open[-1]
        key = len(values) if isinstance(values, list) else self._key
        return where if key is None else pointer(where, key)

    @property
    def expects_key(self) -> bool:
        """Whether the next value is a key."""
        return bool(self._open) and isinstance(self._open[-1][1], dict) and self._key is None

    def key(self, key: str, at: Position) -> None:
        """Add a key. Raises `ScenarioError` for one that is forbidden, or there already."""
        container, values = self._open[-1]
        check_key(key, container, at)
        where = pointer(container, key)
        if key in values:
            raise wrong_source(where, error("duplicate_key"), at, code="duplicate_key")
        self.source.key_positions[where] = at
        self._key = key

    def scalar(self, text: str, at: Position, *, is_quoted: bool) -> None:
        """Add a value that is not a container, as it is written."""
        where = self._place(at)
        check_text(text, where, at)
        value = text if is_quoted else resolve_scalar(text, where, at)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            self.source.written[where] = text
        self._put(value)

    def open(self, values: dict[str, object] | list[object], at: Position) -> None:
        """Add a container, to which everything belongs until it is closed."""
        where = self._place(at)
        if len(self._open) >= MAX_DEPTH:
            raise _too_deep(at)
        self._put(values)
        self._open.append((where, values))

    def close(self) -> None:
        """Close the innermost container."""
        self._open.pop()

    def _place(self, at: Position) -> str:
        where = self.where
        if len(self.source.positions) >= MAX_NODES:
            raise _too_long(at)
        self.source.positions[where] = at
        return where

    def _put(self, value: object) -> None:
        if not self._open:
            self.source = structs.replace(self.source, document=value)
            self.is_complete = True
            return
        _, values = self._open[-1]
        if isinstance(values, list):
            values.append(value)
        elif self._key is not None:
            values[self._key] = value
            self._key = None


_JSON_WORD = re.compile(r'\n|[{}\[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s{}\[\],:"]+')


def _read_json(text: str) -> Source | None:
    """Read strict JSON; None if the text is not JSON, so that the YAML reader reads it or reports
    the error.
    """
    try:
        # NaN and Infinity are no numbers of JSON. Python refuses to convert a very long number,
        # but that is JSON: the error about its digits is reported below.
        json.loads(text, parse_int=str, parse_constant=int)
    except RecursionError:
        pass  # it is too deep, which is reported below with its position
    except ValueError:
        return None
    built = _Builder()
    line, line_start = 1, 0
    for match in _JSON_WORD.finditer(text):
        word, at = match.group(), (line, match.start() - line_start + 1)
        if word == "\n":
            line, line_start = line + 1, match.end()
        elif word in "{[":
            built.open({} if word == "{" else [], at)
        elif word in "}]":
            built.close()
        elif built.expects_key and word != ",":
            built.key(json.loads(word), at)
        elif word not in ",:":
            is_quoted = word.startswith('"')
            built.scalar(json.loads(word) if is_quoted else word, at, is_quoted=is_quoted)
    return built.source


_TAGGED = (yaml.ScalarEvent, yaml.CollectionStartEvent)
"""The events that may have a tag."""


def _read_yaml(text: str, loader: type[yaml.SafeLoader] = yaml.SafeLoader) -> Source:
    """Read one document. Raises `ScenarioError` with the first error."""
    if not text.strip("\ufeff \t\r\n"):
        raise wrong_source("", error("document_empty"), (1, 1))
    try:
        return _built_from(yaml.parse(text, Loader=loader))
    except yaml.reader.ReaderError as problem:
        at = _position_in(text, problem.position)
        reason = error("control_character_in_document")
        raise wrong_source("", reason, at, code="control_char") from None
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        at = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
        reason = error("not_yaml_because", reason=_syntax_error(problem))
        raise wrong_source("", reason, at) from None
    except (yaml.YAMLError, ValueError, OverflowError):
        # PyYAML raises the last two for an escape sequence that does not represent a character.
        raise wrong_source("", error("not_yaml"), (1, 1)) from None


def _built_from(events: Iterable[yaml.Event]) -> Source:
    built = _Builder()
    for event in events:
        mark = event.start_mark
        assert mark is not None
        at = (mark.line + 1, mark.column + 1)
        if isinstance(event, yaml.DocumentStartEvent) and built.is_complete:
            raise wrong_source("", error("second_document"), at)
        if isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
            built.close()
        if not isinstance(event, yaml.NodeEvent):
            continue
        _refuse_references_and_tags(event, built.where, at)
        if built.expects_key:
            if not isinstance(event, yaml.ScalarEvent):
                raise wrong_source(built.where, error("key_form"), at)
            if not event.style and event.value == "<<":
                raise wrong_source(built.where, error("merge_key_not_supported"), at)
            built.key(event.value, at)
        elif isinstance(event, yaml.ScalarEvent):
            built.scalar(event.value, at, is_quoted=bool(event.style))
        else:
            built.open({} if isinstance(event, yaml.MappingStartEvent) else [], at)
    if not built.is_complete:
        raise wrong_source("", error("document_empty"), (1, 1))
    return built.source


def _refuse_references_and_tags(event: yaml.NodeEvent, where: str, at: Position) -> None:
    if isinstance(event, yaml.AliasEvent):
        raise wrong_source(where, error("alias_not_supported"), at)
    if event.anchor is not None:
        raise wrong_source(where, error("anchor_not_supported"), at)
    if isinstance(event, _TAGGED) and event.tag is not None:
        raise wrong_source(where, error("tag_not_supported"), at)


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
        source = _read_json(text)
        if source is not None:
            return source
    return _read_yaml(text)


def read_own_source(text: str) -> Source:
    """Read YAML that belongs to this package, by libyaml if PyYAML has it: several times as fast.
    Its sentences about errors are others, so a wrong file is read again by `read_source`.
    """
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _read_yaml(text, loader)
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
        if isinstance(value, (Mapping, list, tuple)) and depth >= MAX_DEPTH:
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
