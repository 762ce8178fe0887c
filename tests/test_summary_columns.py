"""A column is declared once, in a struct of the engine: the tables and the tests' facts have the
same ones, and what is derived from the structs says all that they do."""

from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pytest
from msgspec import Struct
from sqlalchemy import Table, create_engine, inspect
from sqlalchemy import types as sql

from analytics import schemas as analytics
from backend.insights import tables
from backend.operations.migrations import upgrade
from sim_engine.campaign.row import RunRow
from sim_engine.campaign.run import SearchRow
from sim_engine.documents.schemas import ColumnType, columns_of
from sim_engine.documents.shares import (
    FactsDocument,
    SharedCause,
    SharedFault,
    SharedLesson,
    SharedLoss,
)
from tests.analytics.shares import facts

FILLED_IN = {"id", "summary_id"}
"""What the database numbers by itself."""

SQL_TYPES: dict[ColumnType, type[sql.TypeEngine[Any]]] = {
    "string": sql.String,
    "int32": sql.Integer,
    "map<string>": sql.JSON,
}


@pytest.mark.parametrize(
    ("row", "table"),
    [
        (SharedLoss, tables.SummaryLossRow),
        (SharedFault, tables.SummaryFaultRow),
        (SharedCause, tables.SummaryCauseRow),
        (SharedLesson, tables.SummaryLessonRow),
    ],
)
def test_the_tables_have_the_declared_columns(row: type[Struct], table: Any, tmp_path: Path):
    described: Table = table.__table__
    url = f"sqlite:///{tmp_path / 'x.db'}"
    upgrade(url)

    migrated = inspect(create_engine(url)).get_columns(described.name)

    may_be_null = {column.name: column.nullable for column in described.columns}
    assert {column["name"]: column["nullable"] for column in migrated} == may_be_null
    columns = columns_of(row)
    assert {column.name: column.is_nullable for column in columns} == {
        name: may for name, may in may_be_null.items() if name not in FILLED_IN
    }
    for column in columns:
        assert type(described.columns[column.name].type) is SQL_TYPES[column.type], column.name


@pytest.mark.parametrize(
    "row", [RunRow, SearchRow, FactsDocument, SharedLoss, SharedFault, SharedCause, SharedLesson]
)
def test_every_column_is_described_with_its_unit_and_what_null_means(row: type[Struct]):
    for column in columns_of(row):
        assert column.description, column.name
        assert "_ms" not in column.name or "in ms" in column.description, column.name
        assert not column.is_nullable or "null" in column.description, column.name


def test_the_facts_of_the_tests_are_facts():
    assert msgspec.to_builtins(msgspec.convert(facts(), FactsDocument)) == facts()


def test_descriptions_are_in_the_files_and_in_spark():
    described = {column.name: column.description for column in columns_of(SharedLoss)}
    read = {column.name: column.description for column in columns_of(FactsDocument)}

    assert {
        field.name: (field.metadata or {})[b"description"].decode()
        for field in analytics.SUMMARY_LOSS
    } == described
    assert {field.name: field.metadata["comment"] for field in analytics.FACTS} == read
    assert analytics.SUMMARY_LOSS.field("runs").type == pa.int32()
