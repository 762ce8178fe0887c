"""The analytics and the service share no code, but a database: both mean the same columns."""

from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pytest
from pydantic import BaseModel
from pyspark.sql import types as t
from sqlalchemy import Table, create_engine, inspect
from sqlalchemy import types as sql

from analytics import schemas as analytics
from backend.insights import schemas as answers
from backend.insights import tables
from backend.operations.migrations import upgrade
from sim_engine import FactsDocument
from tests.analytics.shares import facts

FILLED_IN = {"id", "summary_id"}
"""What the database numbers by itself."""

SPARK_TYPES: dict[Any, type[t.DataType]] = {
    msgspec.inspect.StrType: t.StringType,
    msgspec.inspect.IntType: t.IntegralType,
    msgspec.inspect.BoolType: t.BooleanType,
    msgspec.inspect.DictType: t.MapType,
}
SQL_TYPES: dict[pa.DataType, tuple[type[sql.TypeEngine[Any]], ...]] = {
    pa.string(): (sql.String, sql.JSON),
    pa.int32(): (sql.Integer,),
}


@pytest.mark.parametrize(
    ("row", "answer", "written"),
    [
        (tables.SummaryLossRow, answers.LossRead, analytics.SUMMARY_LOSS),
        (tables.SummaryFaultRow, answers.FaultRead, analytics.SUMMARY_FAULTS),
        (tables.SummaryLessonRow, answers.LessonRead, analytics.SUMMARY_LESSONS),
    ],
)
def test_a_summary_has_the_same_columns_wherever_it_is_described(
    row: Any, answer: type[BaseModel], written: pa.Schema, tmp_path: Path
):
    table: Table = row.__table__
    url = f"sqlite:///{tmp_path / 'x.db'}"
    upgrade(url)

    migrated = inspect(create_engine(url)).get_columns(table.name)

    described = {column.name: column.nullable for column in table.columns}
    assert {column["name"]: column["nullable"] for column in migrated} == described
    nullable = {name: may for name, may in described.items() if name not in FILLED_IN}
    assert {field.name: field.nullable for field in written} == nullable
    assert {name: _takes_none(answer, name) for name in answer.model_fields} == nullable
    for field in written:
        assert isinstance(table.columns[field.name].type, SQL_TYPES[field.type]), field.name


def test_the_analytics_read_every_fact_of_a_share():
    read = {field.name: type(field.dataType) for field in analytics.FACTS}

    described = {
        field.encode_name: _spark_type(field.type)
        for field in msgspec.inspect.type_info(FactsDocument).fields  # type: ignore[attr-defined]
    }

    assert read.keys() == described.keys() == facts().keys()
    assert [name for name in read if not issubclass(read[name], described[name])] == []
    msgspec.convert(facts(), FactsDocument)


def _takes_none(answer: type[BaseModel], name: str) -> bool:
    return type(None) in getattr(answer.model_fields[name].annotation, "__args__", ())


def _spark_type(described: Any) -> type[t.DataType]:
    if isinstance(described, msgspec.inspect.Metadata):
        return _spark_type(described.type)
    if isinstance(described, msgspec.inspect.UnionType):
        return _spark_type(described.types[0])
    return SPARK_TYPES[type(described)]
