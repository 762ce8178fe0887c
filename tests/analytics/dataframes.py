"""DataFrames of runs for the transforms' tests: a test states only the columns it is about."""

from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import types as t

from analytics.schemas import FACTS
from tests.analytics.shares import BEGINNING, facts

RUNS = t.StructType(
    [
        t.StructField("sid", t.StringType()),
        t.StructField("created_at", t.TimestampType()),
        t.StructField("digest", t.StringType()),
        t.StructField("as_shipped", t.BooleanType()),
        *FACTS.fields,
        t.StructField("lossy", t.BooleanType()),
    ]
)


def runs_frame(spark: SparkSession, *runs: dict[str, Any]) -> DataFrame:
    """The result of `shared_runs` for runs with these facts; each can also set other columns."""
    rows = [
        {
            "sid": f"sid{number}",
            "created_at": BEGINNING,
            "digest": f"run{number}",
            "as_shipped": False,
            **facts(**run),
            "lossy": run.get("lost_all", 0) > 0,
        }
        for number, run in enumerate(runs)
    ]
    return spark.createDataFrame(
        [tuple(row[name] for name in RUNS.fieldNames()) for row in rows], RUNS
    )


def rows_of(data: DataFrame, *names: str) -> list[tuple[Any, ...]]:
    """The named columns of every row, sorted, because a DataFrame has no order."""
    rows = [tuple(row) for row in data.select(*names).collect()]
    return sorted(rows, key=lambda row: tuple((value is not None, value) for value in row))
