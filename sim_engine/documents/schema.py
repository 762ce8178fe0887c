"""JSON Schemas of the documents, made from their structs."""

from collections.abc import Iterator, Sequence
from inspect import cleandoc

import msgspec

from sim_engine.documents.runs import RunDocument
from sim_engine.json_types import JsonObject

Schema = JsonObject

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def describe_documents(
    types: Sequence[object], *, ref_template: str
) -> tuple[list[Schema], dict[str, Schema]]:
    """The schema of each type, and by name those of all structs that they are made of.

    `ref_template` says where the latter will stand: "#/components/schemas/{name}". The documents
    have all the fields that the schemas require, and none that they do not name.
    """
    schemas, components = msgspec.json.schema_components(types, ref_template=ref_template)
    for schema in _subschemas([*schemas, *components.values()]):
        if "description" in schema:
            schema["description"] = cleandoc(schema["description"])
        if schema.get("type") == "object":
            schema.setdefault("additionalProperties", "properties" not in schema)
    return list(schemas), dict(sorted(components.items()))


def run_schema() -> Schema:
    """The schema of what `run --json` prints."""
    _, components = describe_documents([RunDocument], ref_template="#/$defs/{name}")
    run = components.pop(RunDocument.__name__)
    return {"$schema": _DRAFT, **run, "title": "Highwater run", "$defs": components}


def _subschemas(schema: object) -> Iterator[Schema]:
    """Every schema in a schema or a list of schemas, itself among them."""
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
