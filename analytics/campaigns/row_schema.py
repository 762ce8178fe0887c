"""The columns of rows: the axes of the grid, then the fields of the engine's `RunRow` or
`SearchRow`."""

from collections.abc import Sequence

import pyarrow as pa
from msgspec import Struct, to_builtins

from analytics.columns import arrow_fields
from sim_engine.campaign.grid import Cell, Grid
from sim_engine.campaign.row import ROW_VERSION, RunRow
from sim_engine.campaign.run import SEARCH_ROW_VERSION, SearchRow
from sim_engine.documents.schemas import columns_of

PARTITIONED_BY = ("campaign", "cell")
"""Columns that are in the path of a file and not in its contents."""

_COUNTS = pa.map_(pa.string(), pa.int64())


def rows_table(grid: Grid, cell: Cell, rows: Sequence[RunRow]) -> pa.Table:
    """The rows of one cell as in a campaign's files: a column for each axis, then the fields.

    Each field of the schema has a description, and the schema's metadata has the version of the
    format.
    """
    return _table(_schema(grid, RunRow, ROW_VERSION), cell, rows)


def search_table(grid: Grid, cell: Cell, row: SearchRow) -> pa.Table:
    """The row of one searched cell, with columns like those of `rows_table`."""
    return _table(_schema(grid, SearchRow, SEARCH_ROW_VERSION), cell, [row])


def _schema(grid: Grid, row: type[Struct], version: int) -> pa.Schema:
    axes = [
        pa.field(name, _axis_type(values), nullable=False, metadata={"description": "An axis."})
        for name, values in grid.axes
    ]
    columns = [column for column in columns_of(row) if column.name not in PARTITIONED_BY]
    return pa.schema([*axes, *arrow_fields(columns)], metadata={"row_version": str(version)})


def _table(schema: pa.Schema, cell: Cell, rows: Sequence[Struct]) -> pa.Table:
    settings = {
        name: str(value) if schema.field(name).type == pa.string() else value
        for name, value in cell.settings
    }
    records = []
    for row in rows:
        record = {**settings, **to_builtins(row)}
        for field in schema:
            if field.type == _COUNTS:
                record[field.name] = sorted(record[field.name].items())
        records.append(record)
    return pa.Table.from_pylist(records, schema=schema)


def _axis_type(values: tuple[object, ...]) -> pa.DataType:
    if all(isinstance(value, bool) for value in values):
        return pa.bool_()
    if any(isinstance(value, str | bool) for value in values):
        return pa.string()
    if all(isinstance(value, int) for value in values):
        return pa.int64()
    return pa.float64()
