"""Columns as Arrow and Spark write them. Names, types and descriptions are those of the engine's
structs, which are the only declaration of a column.
"""

from collections.abc import Iterable

import pyarrow as pa
from pyspark.sql import types as t

from sim_engine.documents.schemas import Column, ColumnType

_ARROW: dict[ColumnType, pa.DataType] = {
    "string": pa.string(),
    "bool": pa.bool_(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "list<string>": pa.list_(pa.string()),
    "list<int64>": pa.list_(pa.int64()),
    "map<int64>": pa.map_(pa.string(), pa.int64()),
    # SQL has no maps: the tables store one as JSON text.
    "map<string>": pa.string(),
}
_SPARK: dict[ColumnType, t.DataType] = {
    "string": t.StringType(),
    "bool": t.BooleanType(),
    "int32": t.IntegerType(),
    "int64": t.LongType(),
    "list<string>": t.ArrayType(t.StringType()),
    "list<int64>": t.ArrayType(t.LongType()),
    "map<int64>": t.MapType(t.StringType(), t.LongType()),
    "map<string>": t.MapType(t.StringType(), t.StringType()),
}


def arrow_fields(columns: Iterable[Column]) -> list[pa.Field]:
    """The columns as fields of an Arrow schema, each with its description."""
    return [
        pa.field(
            column.name,
            _ARROW[column.type],
            nullable=column.is_nullable,
            metadata={"description": column.description},
        )
        for column in columns
    ]


def spark_schema(columns: Iterable[Column]) -> t.StructType:
    """The columns as a Spark schema, each with its description as comment."""
    return t.StructType(
        [
            t.StructField(
                column.name,
                _SPARK[column.type],
                column.is_nullable,
                {"comment": column.description},
            )
            for column in columns
        ]
    )
