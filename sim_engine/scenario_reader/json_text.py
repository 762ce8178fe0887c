"""Reads strict JSON with the position of every value, which the standard library does
not provide.
"""

import json
import re
from collections.abc import Mapping

from sim_engine.error_texts import error
from sim_engine.scenario_reader.scalars import (
    check_key,
    check_text,
    resolve_scalar,
)
from sim_engine.scenario_reader.source import (
    MAX_DEPTH,
    PlacedNodes,
    Position,
    Source,
    pointer,
    wrong_source,
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
            raise wrong_source(
                "",
                error("document_too_deep", most=MAX_DEPTH),
                at,
                code="too_deep",
                limit="scenario_depth",
            )
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
