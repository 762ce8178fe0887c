"""The columns of a table whose rows are structs: each field is declared once, in its struct.

Parquet files, Spark's schemas, the service's responses and the documentation are derived from the
same fields, so they have the same names, types and descriptions.
"""

from typing import Literal, TypeAlias

from msgspec import Struct, inspect

from sim_engine.documents.descriptions import field_descriptions

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
