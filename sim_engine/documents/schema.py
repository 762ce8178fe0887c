"""JSON Schemas of the documents, generated from their structs."""

from collections.abc import Iterator, Sequence
from inspect import cleandoc

import msgspec

from sim_engine.documents.runs import RunDocument
from sim_engine.scenario_reader.schema_parts import Schema

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def describe_documents(
    types: Sequence[object], *, ref_template: str
) -> tuple[list[Schema], dict[str, Schema]]:
    """The schema of each type, and a mapping from name to schema for all structs that they refer
    to.

    `ref_template` is the address of a struct's schema: "#/components/schemas/{name}". Every field
    without a default is required, and additional properties are not allowed.
    """
    schemas, components = msgspec.json.schema_components(types, ref_template=ref_template)
    for schema in _subschemas([*schemas, *components.values()]):
        if "description" in schema:
            schema["description"] = cleandoc(schema["description"])
        if schema.get("type") == "object":
            schema.setdefault("additionalProperties", "properties" not in schema)
    return list(schemas), dict(sorted(components.items()))


def run_schema() -> Schema:
    """The schema of the output of `run --json`."""
    _, components = describe_documents([RunDocument], ref_template="#/$defs/{name}")
    run = components.pop(RunDocument.__name__)
    return {"$schema": _DRAFT, **run, "title": "Highwater run", "$defs": components}


def _subschemas(schema: object) -> Iterator[Schema]:
    """Every schema nested in a schema or in a list of schemas, including itself."""
    if isinstance(schema, list):
        for item in schema:
            yield from _subschemas(item)
    elif isinstance(schema, dict):
        yield schema
        for key, value in schema.items():
            if key == "properties":
                yield from _subschemas(list(value.values()))
            else:
                yield from _subschemas(value)
