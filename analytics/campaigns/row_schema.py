"""The columns of rows: the axes of the grid, then the fields of the engine's `RunRow` or
`SearchRow`."""

from collections.abc import Mapping, Sequence
from typing import get_type_hints

import pyarrow as pa
from msgspec import Meta, Struct, to_builtins

from sim_engine import ROW_VERSION, SEARCH_ROW_VERSION, Cell, Grid, RunRow, SearchRow

PARTITIONED_BY = ("campaign", "cell")
"""Columns that stand in the path of a file and not in it."""

_INTEGER = pa.int64()
_COUNTS = pa.map_(pa.string(), _INTEGER)
_TYPES: dict[str, pa.DataType] = {
    "version": pa.int32(),
    "engine": pa.string(),
    "seed": _INTEGER,
    "status": pa.string(),
    "exercised": pa.bool_(),
    "digest": pa.string(),
    "frames": _INTEGER,
    "steps": _INTEGER,
    "duration_ms": _INTEGER,
    "produced": _INTEGER,
    "acked": _INTEGER,
    "failed": _INTEGER,
    "lost": _INTEGER,
    "at_risk": _INTEGER,
    "recovered": _INTEGER,
    "duplicates": _INTEGER,
    "diverged": pa.bool_(),
    "inconsistent_read": pa.bool_(),
    "unavailable_ms": _INTEGER,
    "unreadable_ms": _INTEGER,
    "isr_changes": _INTEGER,
    "elections": _INTEGER,
    "unclean_elections": _INTEGER,
    "truncated": _INTEGER,
    "truncated_by": _COUNTS,
    "rules": pa.list_(pa.string()),
    "faults": _COUNTS,
    "fault_count": _INTEGER,
    "faults_before_loss": _INTEGER,
    "lost_at_ms": _INTEGER,
    "cause": pa.string(),
    "cause_rule": pa.string(),
    "smallest": pa.list_(pa.string()),
    "lag_histogram": pa.list_(_INTEGER),
    "uncommitted": _INTEGER,
    "max_lag": _INTEGER,
}


_SEARCH_TYPES: dict[str, pa.DataType] = {
    "version": pa.int32(),
    "engine": pa.string(),
    "property": pa.string(),
    "verdict": pa.string(),
    "found": pa.bool_(),
    "steps": _INTEGER,
    "faults": _COUNTS,
    "fault_count": _INTEGER,
    "complete": pa.bool_(),
    "depth": _INTEGER,
    "states": _INTEGER,
    "transitions": _INTEGER,
    "prevented_by": pa.list_(pa.string()),
    "digest": pa.string(),
}


def rows_table(grid: Grid, cell: Cell, rows: Sequence[RunRow]) -> pa.Table:
    """Rows of one cell as a campaign's files have them: a column for each axis, then the fields.

    Each field of the schema has its description, the schema the version of its format.
    """
    schema = _schema(grid, RunRow, _TYPES, ROW_VERSION)
    return _table(schema, cell, rows)


def search_table(grid: Grid, cell: Cell, row: SearchRow) -> pa.Table:
    """The row of one searched cell, in columns as those of `rows_table`."""
    schema = _schema(grid, SearchRow, _SEARCH_TYPES, SEARCH_ROW_VERSION)
    return _table(schema, cell, [row])


def _schema(
    grid: Grid, row: type[Struct], types: Mapping[str, pa.DataType], version: int
) -> pa.Schema:
    said = _descriptions(row)
    axes = [
        pa.field(name, _axis_type(values), nullable=False, metadata={"description": "An axis."})
        for name, values in grid.axes
    ]
    fields = [
        pa.field(name, kind, metadata={"description": said[name]}) for name, kind in types.items()
    ]
    return pa.schema([*axes, *fields], metadata={"row_version": str(version)})


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
        return _INTEGER
    return pa.float64()


def _descriptions(row: type[Struct]) -> dict[str, str]:
    said: dict[str, str] = {}
    for name, hint in get_type_hints(row, include_extras=True).items():
        for meta in hint.__metadata__:
            assert isinstance(meta, Meta), "a row's fields are annotated by msgspec"
            said[name] = meta.description or ""
    return said
