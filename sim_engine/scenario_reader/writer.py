"""Converts a scenario back to plain JSON, in the documented form, and to YAML.

The fields are written as `document` declares them. The YAML has each step and each log on one line,
like the shipped files. Reading the text gives the same scenario. Strings that YAML could interpret
differently are quoted as JSON, which is valid YAML.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct

from sim_engine.actions.base import FieldSpec, specs_of
from sim_engine.budget import go_on
from sim_engine.json_types import JsonObject, as_items, as_mapping
from sim_engine.scenario_reader.document import (
    FORMAT_VERSION,
    SCHEMA_ADDRESS,
    BrokerSpec,
    Scenario,
    ScenarioJson,
    ScenarioStep,
    StepJson,
)
from sim_engine.scenario_reader.log_notation import log_line

_PLAIN = re.compile("[A-Za-z_][A-Za-z0-9_.-]*")
_TAKEN = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def scenario_document(scenario: Scenario) -> ScenarioJson:
    """The document that reads back as an equal scenario."""
    return cast("ScenarioJson", {"scenario": FORMAT_VERSION, **_fields(scenario)})


def scenario_text(scenario: Scenario, comments: Sequence[str] = ()) -> str:
    """The scenario as YAML. Values equal to their defaults are omitted. It begins with a comment
    that tells editors the schema, then these comments, one on each line.
    """
    document = scenario_document(scenario)
    first = f"yaml-language-server: $schema={SCHEMA_ADDRESS}"
    lines = [f"# {comment}".rstrip() for comment in (first, *comments)]
    lines += [f"{key}: {_flow(value)}" for key, value in _head(document)]
    lines.append("topics:")
    for topic in scenario.topics:
        lines += _topic_lines(_fields(topic, _is_default))
    steps = document["steps"]
    lines.append("steps:" if steps else "steps: []")
    lines += [f"  - {kind}: {_flow(step)}" for one in steps for kind, step in one.items()]
    return "\n".join(lines) + "\n"


# --- fields ----------------------------------------------------------------------------------


def _is_empty(spec: FieldSpec, value: object) -> bool:
    return value is None or (spec.sparse and value == spec.default)


def _is_default(spec: FieldSpec, value: object) -> bool:
    # The log itself is written even if it has no records.
    return value == spec.default and spec.part != "records"


def _fields(
    struct: Struct, is_omitted: Callable[[FieldSpec, object], bool] = _is_empty
) -> JsonObject:
    """The fields of a part of the scenario, except those that are omitted."""
    go_on()
    values = ((spec, getattr(struct, spec.name)) for spec in specs_of(type(struct)))
    return {
        spec.written: _SYNTAX[spec.part](value)
        if spec.part in _SYNTAX
        else _plain(value, is_omitted)
        for spec, value in values
        if not is_omitted(spec, value)
    }


def _plain(value: object, is_omitted: Callable[[FieldSpec, object], bool]) -> object:
    match value:
        case Struct():
            return _fields(value, is_omitted)
        case tuple():
            return [_plain(item, is_omitted) for item in value]
        case Mapping():
            return {str(key): _plain(item, is_omitted) for key, item in value.items()}
    return value


def _brokers(brokers: Sequence[BrokerSpec]) -> object:
    properties = {str(broker.id): _fields(broker, _is_default) for broker in brokers}
    for written in properties.values():
        del written["id"]
    return properties if any(properties.values()) else [broker.id for broker in brokers]


def step_document(step: ScenarioStep) -> StepJson:
    """One step in the syntax of the file."""
    arguments = step.step.arguments()
    if step.refused is not False:
        arguments["refused"] = step.refused if step.refused is True else list(step.refused)
    return {step.kind: arguments}


# The value of each is the field's own type.
_SYNTAX: Mapping[str | None, Callable[..., object]] = {
    "brokers": _brokers,
    "records": log_line,
    "steps": lambda steps: [step_document(step) for step in steps],
}
"""Part of the format → how it is written, where that is not as the values of its type."""


# --- YAML ------------------------------------------------------------------------------------


def _head(document: ScenarioJson) -> Iterator[tuple[str, object]]:
    """Everything before the topics. A title that is the same in every language is a single text."""
    for key, value in document.items():
        if key == "title" and len(set(document["title"].values())) == 1:
            yield key, next(iter(document["title"].values()))
        elif key == "summary" and not any(document["summary"].values()):
            continue
        elif key not in ("topics", "steps") and value not in ({}, []):
            yield key, value


def _topic_lines(topic: JsonObject) -> Iterator[str]:
    """A topic on one line; with initial logs, one line for each log."""
    partitions = [as_mapping(partition) for partition in as_items(topic["partitions"])]
    if not any("logs" in partition for partition in partitions):
        yield f"  - {_flow(topic)}"
        return
    start = "  - "
    for key, value in topic.items():
        if key != "partitions":
            yield f"{start}{key}: {_flow(value)}"
            start = "    "
    yield "    partitions:"
    for partition in partitions:
        start = "      - "
        for key, value in partition.items():
            if key != "logs":
                yield f"{start}{key}: {_flow(value)}"
                start = "        "
        if "logs" in partition:
            yield "        logs:"
            logs = as_mapping(partition["logs"])
            yield from (f"          {broker}: {_flow(log)}" for broker, log in logs.items())


def _key(key: str) -> str:
    """A key; a broker's id is written as a number, as in the shipped files."""
    return key if key.isdigit() and key.isascii() else _flow(key)


def _flow(value: object) -> str:
    """A value on one line."""
    if isinstance(value, Mapping):
        pairs = (f"{_key(key)}: {_flow(item)}" for key, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _TAKEN:
        return value
    return json.dumps(value, ensure_ascii=False)
