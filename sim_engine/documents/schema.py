"""JSON Schemas of the documents, generated from their structs."""

from collections.abc import Iterable, Iterator, Sequence
from inspect import cleandoc

import msgspec

from sim_engine.documents.descriptions import field_descriptions
from sim_engine.documents.runs import RunDocument
from sim_engine.scenario_reader.schema import Schema

_Class = msgspec.inspect.StructType | msgspec.inspect.TypedDictType
_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def describe_documents(
    types: Sequence[object], *, ref_template: str
) -> tuple[list[Schema], dict[str, Schema]]:
    """The schema of each type, and a mapping from name to schema for all classes that they refer
    to.

    `ref_template` is the address of a struct's schema: "#/components/schemas/{name}". Every field
    without a default is required, and additional properties are not allowed.
    """
    schemas, components = msgspec.json.schema_components(types, ref_template=ref_template)
    for declared in _classes_in(msgspec.inspect.multi_type_info(types)):
        _describe(components[declared.cls.__name__]["properties"], declared)
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


def _describe(properties: dict[str, Schema], declared: _Class) -> None:
    """Put the descriptions of a class's fields into the schemas of its properties."""
    descriptions = field_descriptions(declared.cls)
    for field in declared.fields:
        if field.name in descriptions:
            schema = properties[field.encode_name]
            properties[field.encode_name] = {"description": descriptions[field.name], **schema}


def _classes_in(types: Sequence[object]) -> Iterable[_Class]:
    """Every class with fields that types refer to, once."""
    classes: dict[type, _Class] = {}
    waiting = list(types)
    while waiting:
        part = waiting.pop()
        if isinstance(part, list | tuple):
            waiting.extend(part)
        elif isinstance(part, msgspec.inspect.Type | msgspec.inspect.Field):
            if isinstance(part, _Class):
                if part.cls in classes:
                    continue
                classes[part.cls] = part
            waiting.extend(getattr(part, name) for name in part.__struct_fields__)
    return classes.values()


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
