"""Reads a subset of YAML with the core schema of YAML 1.2: no tags, anchors, aliases, merge keys,
second documents or duplicate keys. PyYAML supplies the events.
"""

import yaml

from sim_engine.scenario_reader.scalars import check_key, check_text, resolve_scalar
from sim_engine.scenario_reader.source import (
    MAX_DEPTH,
    PlacedNodes,
    Position,
    Source,
    pointer,
    wrong_source,
)

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

    def read(self, text: str) -> Source:
        """Read one document. Raises `ScenarioError` with the first error."""
        if not text.strip("\ufeff \t\r\n"):
            raise wrong_source("", "the document is empty; a scenario is a mapping", (1, 1))
        try:
            return self.source(self._document(text))
        except yaml.reader.ReaderError as problem:
            at = _position_in(text, problem.position)
            raise wrong_source(
                "", "the document contains a control character", at, code="control_char"
            ) from None
        except yaml.MarkedYAMLError as problem:
            mark = problem.problem_mark or problem.context_mark
            said = ", ".join(part for part in (problem.context, problem.problem) if part)
            at = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
            raise wrong_source("", f"this is not valid YAML: {shown_syntax(said)}", at) from None
        except (yaml.YAMLError, ValueError, OverflowError):
            # PyYAML raises the last two for an escape sequence that does not represent a character.
            raise wrong_source("", "this is not valid YAML", (1, 1)) from None

    def _document(self, text: str) -> object:
        stack: list[_Container] = []
        root: list[object] = []
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            mark = event.start_mark
            assert mark is not None
            at = (mark.line + 1, mark.column + 1)
            if isinstance(event, yaml.DocumentStartEvent):
                if root:
                    raise wrong_source(
                        "", "a file may contain only one document; this is a second one", at
                    )
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
                raise wrong_source(
                    "",
                    f"the document is nested deeper than {MAX_DEPTH}",
                    at,
                    code="too_deep",
                    limit="scenario_depth",
                )
            opened: dict[str, object] | list[object] = (
                {} if isinstance(event, yaml.MappingStartEvent) else []
            )
            stack.append(_Container(where, opened))
        if not root:
            raise wrong_source("", "the document is empty; a scenario is a mapping", (1, 1))
        return root[0]

    def _refuse_references_and_tags(self, event: yaml.NodeEvent, where: str, at: Position) -> None:
        if isinstance(event, yaml.AliasEvent):
            raise wrong_source(where, "aliases (*name) are not supported; write the value", at)
        if event.anchor is not None:
            raise wrong_source(where, "anchors (&name) are not supported; write the value", at)
        if isinstance(event, _TAGGED) and event.tag is not None:
            raise wrong_source(where, "tags (!name) are not supported; write the plain value", at)

    def _open_key(self, container: _Container, event: yaml.NodeEvent, at: Position) -> None:
        if not isinstance(event, yaml.ScalarEvent):
            raise wrong_source(container.where, "a key must be a word or a number", at)
        key = event.value
        if not event.style and key == "<<":
            raise wrong_source(
                container.where, "merge keys (<<) are not supported; write the keys", at
            )
        check_key(key, container.where, at)
        where = pointer(container.where, key)
        if key in container.values:
            raise wrong_source(where, "duplicate key", at, code="duplicate_key")
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


def shown_syntax(said: str) -> str:
    """The YAML parser's message, shortened and without control characters."""
    return "".join(character for character in said[:160] if character.isprintable())


def _position_in(text: str, index: int) -> Position:
    before = text[:index]
    return before.count("\n") + 1, index - (before.rfind("\n") + 1) + 1
