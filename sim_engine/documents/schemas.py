"""JSON Schemas of the documents, generated from their structs; the columns of tables whose rows are
structs; and the schemas of the names of steps and of the values of each event. Each field is
declared once, in its class, with its description.

The string literal below a field describes it. Python does not keep these strings. They are read
from the source of the class's module, once, when a schema is requested. A wheel contains the
source, and `python -OO` does not change it. A class that is not in its module's source
(`msgspec.defstruct`) has no descriptions.

Parquet files, Spark's schemas, the service's responses and the documentation are derived from the
same fields, so they have the same names, types and descriptions.

Documents contain steps and events by name. The schemas of these list the names, so that code that
uses one can be checked. A share that an older engine created can contain other names.
"""

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from inspect import cleandoc, getsource
from typing import Literal, TypeAlias, get_type_hints

import msgspec
from msgspec import UNSET, Struct, UnsetType, inspect
from msgspec.structs import fields

from sim_engine.actions import STEP_NAMED
from sim_engine.documents.runs import RunDocument
from sim_engine.events import EVENTS
from sim_engine.events.base import COMMON_FIELDS, Event
from sim_engine.events.run import ActionRefused, RefusalNumbers
from sim_engine.scenario_reader.schema import Schema

_COMPILED = ("builtins", "msgspec")
"""The packages of the bases of all structs and dictionaries, which declare no fields."""


@cache
def field_descriptions(kind: type) -> Mapping[str, str]:
    """The descriptions of a class's fields, by their names in Python, with those of its bases.

    Raises `OSError` if the module's source is not installed.
    """
    described: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if base.__module__.partition(".")[0] not in _COMPILED:
            described |= _in_module(base.__module__).get(base.__qualname__, {})
    return described


@cache
def _in_module(name: str) -> Mapping[str, Mapping[str, str]]:
    """The descriptions of all classes of a module, by class and field."""
    body = ast.parse(getsource(sys.modules[name])).body
    return {part.name: dict(_in_class(part)) for part in body if isinstance(part, ast.ClassDef)}


def _in_class(declared: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, below in zip(declared.body, declared.body[1:], strict=False):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, " ".join(text.split())


_Class = inspect.StructType | inspect.TypedDictType
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
    for declared in _classes_in(inspect.multi_type_info(types)):
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
        elif isinstance(part, inspect.Type | inspect.Field):
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


ColumnType: TypeAlias = Literal[
    "string", "bool", "int32", "int64", "list<string>", "list<int64>", "map<int64>", "map<string>"
]
"""The types of columns. The keys of a map are strings."""

_SCALARS: dict[type[inspect.Type], ColumnType] = {
    inspect.StrType: "string",
    inspect.LiteralType: "string",
    inspect.BoolType: "bool",
    inspect.IntType: "int64",
}
_LISTS: dict[ColumnType, ColumnType] = {"string": "list<string>", "int64": "list<int64>"}
_MAPS: dict[ColumnType, ColumnType] = {"string": "map<string>", "int64": "map<int64>"}
_MOST_INT32 = 2**31 - 1
"""The bound of `Int32`."""


class Column(Struct, frozen=True, kw_only=True):
    """One column: its name, its type, whether it can be null, and its description in English."""

    name: str
    type: ColumnType
    is_nullable: bool
    description: str


def columns_of(row: type[Struct]) -> tuple[Column, ...]:
    """The columns of a struct, in its order. The struct's fields must have types that a column can
    have; an integer is 32 bits wide if its declared maximum allows it.
    """
    described = inspect.type_info(row)
    assert isinstance(described, inspect.StructType), "a row is a struct"
    descriptions = field_descriptions(row)
    return tuple(_column(field, descriptions.get(field.name, "")) for field in described.fields)


def _column(field: inspect.Field, description: str) -> Column:
    described = field.type
    is_nullable = isinstance(described, inspect.UnionType)
    if isinstance(described, inspect.UnionType):
        (described,) = (one for one in described.types if not isinstance(one, inspect.NoneType))
    return Column(
        name=field.encode_name,
        type=_type_of(described),
        is_nullable=is_nullable,
        description=description,
    )


def _type_of(described: inspect.Type) -> ColumnType:
    if isinstance(described, inspect.Metadata):
        return _type_of(described.type)
    if isinstance(described, inspect.VarTupleType | inspect.ListType):
        return _LISTS[_type_of(described.item_type)]
    if isinstance(described, inspect.DictType):
        return _MAPS[_type_of(described.value_type)]
    if isinstance(described, inspect.IntType) and (described.le or _MOST_INT32 + 1) <= _MOST_INT32:
        return "int32"
    return _SCALARS[type(described)]


def alphabet_schemas(ref_template: str) -> dict[str, Schema]:
    """Return `StepName`, `EventNumbers` and the schemas that they refer to, by name.

    `EventNumbers` has one property for each event: the object of its values. `ref_template` is the
    address of a schema: "#/components/schemas/{name}".
    """
    numbers = [_numbers_of(kind) for kind in EVENTS.values()]
    _, described = describe_documents(numbers, ref_template=ref_template)
    by_event = {kind.__name__: described.pop(kind.__name__) for kind in numbers}
    for name, schema in by_event.items():
        schema["description"] = cleandoc(EVENTS[name].__doc__ or "")
    step_name = {
        "type": "string",
        "enum": list(STEP_NAMED),
        "description": "The name of a step of a scenario file.",
    }
    event_numbers = {
        "type": "object",
        "description": "The numbers of each event, by its `kind`.",
        "properties": by_event,
        "required": list(by_event),
        "additionalProperties": False,
    }
    return {**described, "StepName": step_name, "EventNumbers": event_numbers}


def _numbers_of(kind: type[Event]) -> type[msgspec.Struct]:
    """A struct of an event's values, with the event's name."""
    declared = _of_refusals() if kind is ActionRefused else _of_fields(kind)
    return msgspec.defstruct(kind.__name__, declared, kw_only=True, forbid_unknown_fields=True)


def _of_fields(kind: type[Event]) -> list[tuple[str, object] | tuple[str, object, object]]:
    return [
        (field.encode_name, field.type)
        if field.required
        else (field.encode_name, field.type, field.default)
        for field in fields(kind)
        if field.name not in COMMON_FIELDS
    ]


def _of_refusals() -> list[tuple[str, object] | tuple[str, object, object]]:
    """The values of a refusal: those of its reason, the reason itself, and the rule."""
    of_the_reason = get_type_hints(RefusalNumbers)
    return [
        ("reason", str),
        ("reason_code", str),
        ("rule", str | None),
        *((name, hint | UnsetType, UNSET) for name, hint in of_the_reason.items()),
    ]
