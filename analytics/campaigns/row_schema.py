"""The columns of rows: the axes of the grid, then the fields of the engine's `RunRow` or
`SearchRow`.
"""

from collections.abc import Sequence

import pyarrow as pa
from msgspec import Struct, to_builtins
from pyspark.sql import types as t
from pyspark.sql.pandas.types import to_arrow_schema

from analytics.columns import spark_schema
from sim_engine.campaign.grid import Cell, Grid
from sim_engine.campaign.row import RunRow
from sim_engine.campaign.run import SearchRow
from sim_engine.documents.schemas import columns_of

PARTITIONED_BY = "cell"
"""The column that is in the path of a file and not in its contents."""


def run_schema(grid: Grid) -> t.StructType:
    """The columns of a campaign's rows: one for each axis, then the fields of `RunRow`.

    Each has its description as comment.
    """
    return _schema(grid, RunRow)


def search_schema(grid: Grid) -> t.StructType:
    """The columns of the rows of searched cells: like `run_schema`, then the scenario."""
    return _schema(grid, SearchRow).add(
        t.StructField(
            "scenario",
            t.StringType(),
            metadata={"comment": "The shortest violation as a scenario file; null if none."},
        )
    )


def rows_table(
    schema: t.StructType, cell: Cell, rows: Sequence[Struct], scenario: str | None = None
) -> pa.Table:
    """The rows of one cell, with the columns of `run_schema`; or of `search_schema`, where
    `scenario` is the last column.
    """
    settings = {
        name: str(value) if schema[name].dataType == t.StringType() else value
        for name, value in cell.settings
    }
    records = []
    for row in rows:
        record = {**settings, **to_builtins(row), "scenario": scenario}
        for field in schema:
            if isinstance(field.dataType, t.MapType):
                record[field.name] = sorted(record[field.name].items())
        records.append(record)
    return pa.Table.from_pylist(records, schema=to_arrow_schema(schema))


def _schema(grid: Grid, row: type[Struct]) -> t.StructType:
    axes = [
        t.StructField(name, _axis_type(values), nullable=False, metadata={"comment": "An axis."})
        for name, values in grid.axes
    ]
    return t.StructType([*axes, *spark_schema(columns_of(row)).fields])


def _axis_type(values: tuple[object, ...]) -> t.DataType:
    if all(isinstance(value, bool) for value in values):
        return t.BooleanType()
    if any(isinstance(value, str | bool) for value in values):
        return t.StringType()
    if all(isinstance(value, int) for value in values):
        return t.LongType()
    return t.DoubleType()
