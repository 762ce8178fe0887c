"""What events declare: their variants, their numbers, and the JSON Schema of their documents."""

from collections.abc import Iterator
from enum import Enum
from functools import cache
from inspect import cleandoc
from types import NoneType
from typing import Literal, get_args, get_origin, get_type_hints

import msgspec

from sim_engine.events.base import COMMON_FIELDS, Event, Evidence, Json
from sim_engine.events.registry import EVENTS
from sim_engine.events.run import ActionRefused, RefusalNumbers

Schema = dict[str, Json]

REFUSAL_NUMBERS = frozenset({"reason", "reason_code", "rule"})
"""What a refusal always has for numbers; the others are those given."""


def variants(kind: type[Event]) -> frozenset[str | None]:
    """The variants that a class declares, null for none; nothing where any string may be one."""
    owner = next(base for base in kind.__mro__ if "variant" in base.__annotations__)
    if owner is Event:
        return frozenset({None})
    return frozenset(_values(get_type_hints(owner)["variant"]))


def _values(hint: object) -> Iterator[str | None]:
    if hint is NoneType:
        yield None
    elif isinstance(hint, type) and issubclass(hint, Enum):
        yield from (str(member.value) for member in hint)
    elif get_origin(hint) is Literal:
        yield from get_args(hint)
    else:
        for part in get_args(hint):
            yield from _values(part)


@cache
def number_names(kind: type[Event]) -> frozenset[str]:
    """The numbers that an event of a class can carry, by their names in texts."""
    if kind is ActionRefused:
        return REFUSAL_NUMBERS | RefusalNumbers.__annotations__.keys()
    return frozenset(field.encode_name for field in msgspec.structs.fields(kind)) - COMMON_FIELDS


def event_schemas(ref_template: str = "#/components/schemas/{name}") -> dict[str, Schema]:
    """JSON Schemas by name: of the document of each kind of event, and of what these refer to.

    `ref_template` is where a schema is found by its name.
    """
    _, components = msgspec.json.schema_components(EVENTS.values(), ref_template=ref_template)
    given: Schema = components.pop(RefusalNumbers.__name__)["properties"]
    return {
        name: _document(EVENTS[name], schema, given, ref_template) if name in EVENTS else schema
        for name, schema in components.items()
    }


def _document(kind: type[Event], struct: Schema, given: Schema, ref_template: str) -> Schema:
    """The schema of an event's document: what only its class declares stands below `numbers`."""
    fields, required = struct["properties"], struct.get("required", [])
    assert isinstance(fields, dict), "a struct's schema has properties"
    assert isinstance(required, list), "some of them are required"
    names = number_names(kind)
    text: Schema = {"type": "string"}
    numbers: Schema = {name: fields.get(name, given.get(name, text)) for name in sorted(names)}
    always = REFUSAL_NUMBERS if kind is ActionRefused else names.intersection(map(str, required))
    properties: Schema = {
        "kind": {"const": kind.__name__},
        "numbers": {
            "type": "object",
            "properties": numbers,
            "required": [*sorted(always)],
            "additionalProperties": False,
        },
        "rule": {"anyOf": [text, {"type": "null"}]},
        "sources": {"type": "array", "items": text},
        "evidence": {"$ref": ref_template.format(name=Evidence.__name__)},
    }
    cases = variants(kind)
    if cases != {None}:
        properties["variant"] = {"enum": [*sorted(filter(None, cases))]} if cases else text
    is_always_given = None not in cases
    return {
        "title": kind.__name__,
        "description": cleandoc(kind.__doc__ or ""),
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name != "variant" or is_always_given],
        "additionalProperties": False,
    }
