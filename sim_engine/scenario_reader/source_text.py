"""Converts the text of a scenario file (YAML or JSON), or parsed data, to a `Source`."""

import math
from collections.abc import Mapping

from sim_engine.error_texts import error
from sim_engine.scenario_reader.json_text import JsonText
from sim_engine.scenario_reader.scalars import MAX_DIGITS, check_key, check_text, too_many_digits
from sim_engine.scenario_reader.source import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_NODES,
    Position,
    Source,
    pointer,
    wrong_source,
)
from sim_engine.scenario_reader.yaml_text import YamlText


def read_source(text: str) -> Source:
    """Read YAML or JSON. Raises `ScenarioError` with the first error in the text."""
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise wrong_source(
            "",
            error("document_too_large", most=MAX_BYTES),
            None,
            code="too_big",
            limit="scenario_bytes",
        )
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        source = JsonText(text).read()
        if source is not None:
            return source
    return YamlText().read(text)


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
            raise wrong_source(
                "",
                error("document_too_long", most=MAX_NODES),
                None,
                code="too_big",
                limit="scenario_values",
            )
        if isinstance(value, (Mapping, list, tuple)) and depth > MAX_DEPTH:
            raise wrong_source(
                "",
                error("document_too_deep", most=MAX_DEPTH),
                None,
                code="too_deep",
                limit="scenario_depth",
            )
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
