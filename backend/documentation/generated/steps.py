"""Every step of a scenario file, from the JSON Schema that the steps' structs define."""

import json
from collections.abc import Iterator, Mapping
from typing import cast

import yaml

from backend.documentation.contents import WORDS
from backend.documentation.generated.subject import Subject, code, table
from sim_engine.documents.choices import step_forms
from sim_engine.languages import say as say_message
from sim_engine.scenario_reader.reader import list_shipped
from sim_engine.scenario_reader.schema import Schema, scenario_schema
from sim_engine.scenario_reader.writer import scenario_document

_REFUSED = "refused"
_MOST_SHOWN = 20


def steps_reference(_subject: Subject, lang: str) -> str:
    """A Markdown section for each step: what it does, its arguments, and an example from a shipped
    scenario.
    """
    kinds = {
        form.name: {argument.name: argument.kind for argument in form.arguments}
        for form in step_forms()
    }
    examples = _shortest_examples()
    return "\n".join(
        line
        for step in step_schemas()
        for line in _section(step, kinds.get(_name(step), {}), examples, lang)
    )


def step_schemas() -> list[Schema]:
    """The schema of each step, in the order of the format."""
    steps: list[Schema] = scenario_schema()["properties"]["steps"]["items"]["anyOf"]
    return steps


def _name(step: Schema) -> str:
    return next(iter(_properties(step)))


def _properties(schema: Schema) -> Mapping[str, Schema]:
    return cast("Mapping[str, Schema]", schema.get("properties", {}))


def _section(
    step: Schema, kinds: Mapping[str, str], examples: Mapping[str, str], lang: str
) -> Iterator[str]:
    name = _name(step)
    yield f"### {name}\n"
    yield f"{step['description']}\n"
    for arguments in _alternatives(_properties(step)[name]):
        rows = [
            (code(argument), _said(lang, "required" if needed else "optional"), what)
            for argument, needed, what in _arguments(arguments, kinds, lang)
        ]
        if rows:
            yield table(lang, ("argument", "presence", "value"), rows)
    if name in examples:
        yield f"```yaml\n{examples[name]}```\n"


def _alternatives(schema: Schema) -> list[Schema]:
    """The alternative forms of the arguments as a mapping, at least one."""
    if "properties" in schema:
        return [schema]
    choices = cast("list[Schema]", schema.get("anyOf", []))
    return [choice for choice in choices if "properties" in choice]


def _arguments(
    schema: Schema, kinds: Mapping[str, str], lang: str
) -> Iterator[tuple[str, bool, str]]:
    required = cast("list[str]", schema.get("required", []))
    for name, value in _properties(schema).items():
        if name != _REFUSED:
            yield name, name in required, _value(value, kinds.get(name), lang)


def _value(schema: Schema, kind: str | None, lang: str) -> str:
    """The allowed values of a schema, in words."""
    if "description" in schema:
        return str(schema["description"])
    if "enum" in schema:
        return _choices(cast("list[object]", schema["enum"]))
    if kind in ("partition", "broker", "client", "endpoint", "rack", "kept", "replicas", "values"):
        return _said(lang, f"kind-{kind}")
    match schema.get("type"):
        case "boolean":
            return "`true`, `false`"
        case "integer":
            return f"{schema['minimum']:,} – {schema['maximum']:,}"
        case "array":
            items = cast("Schema", schema.get("items", {}))
            return _said(lang, "list-of", value=_value(items, None, lang))
        case "string":
            return _said(lang, "text")
        case "object":
            return _said(lang, "mapping")
    if "$ref" in schema:
        return _said(lang, "text-in-languages")
    alternatives = cast("list[Schema]", schema.get("anyOf", []))
    found = [_value(choice, None, lang) for choice in alternatives]
    return _said(lang, "or").join(dict.fromkeys(filter(None, found)))


def _choices(values: list[object]) -> str:
    shown = ", ".join(code(value) for value in values[:_MOST_SHOWN] if value is not None)
    return f"{shown}, …" if len(values) > _MOST_SHOWN else shown


def _said(lang: str, name: str, **values: str) -> str:
    return say_message(lang, WORDS, name, **values)


def _shortest_examples() -> dict[str, str]:
    """The shortest use of each step in the shipped scenarios, as YAML."""
    found: dict[str, Schema] = {}
    for scenario in list_shipped():
        for step in cast("list[Schema]", scenario_document(scenario)["steps"]):
            name = next(key for key in step if key != _REFUSED)
            if name not in found or _length(step) < _length(found[name]):
                found[name] = step
    return {name: _as_yaml(name, step[name]) for name, step in found.items()}


def _length(step: Schema) -> int:
    return len(json.dumps(step, ensure_ascii=False))


def _as_yaml(name: str, arguments: object) -> str:
    flow = yaml.safe_dump(
        arguments, allow_unicode=True, default_flow_style=True, sort_keys=False, width=10_000
    )
    return f"- {name}: {flow.removesuffix('...' + chr(10))}"
