"""Reads a subset of YAML with the core schema of YAML 1.2: no tags, anchors, aliases, merge keys,
second documents or duplicate keys. PyYAML supplies the events.
"""

import yaml

from sim_engine.error_texts import Wording, error, foreign_error
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
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
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
                raise wrong_source(
                    "",
                    error("document_too_deep", most=MAX_DEPTH),
                    at,
                    code="too_deep",
                    limit="scenario_depth",
                )
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
    found = _printable(problem.problem or "")
    reason = foreign_error(found, "yaml_because_") or error("yaml_other", problem=found)
    if not problem.context:
        return reason
    context = foreign_error(_printable(problem.context), "yaml_while_")
    if context is None:
        return error("yaml_other", problem=_printable(f"{problem.context}, {found}"))
    return error("yaml_within", context=context, reason=reason)


def _printable(said: str) -> str:
    return "".join(character for character in said[:160] if character.isprintable())


def _position_in(text: str, index: int) -> Position:
    before = text[:index]
    return before.count("\n") + 1, index - (before.rfind("\n") + 1) + 1
