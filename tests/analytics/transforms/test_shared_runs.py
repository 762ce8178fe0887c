"""Reads facts, and excludes invalid ones."""

import json
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from analytics.transforms import cause_counts, lesson_counts, loss_counts, own_runs, shared_runs
from tests.analytics.dataframes import rows_of, runs_frame
from tests.analytics.shares import BEGINNING, facts


def shares_frame(spark: SparkSession, *texts: str) -> DataFrame:
    return spark.createDataFrame(
        [(f"sid{n}", BEGINNING, text, f"run{n}", False) for n, text in enumerate(texts)],
        "sid string, created_at timestamp, facts string, digest string, as_shipped boolean",
    )


def test_facts_become_columns(spark: SparkSession) -> None:
    text = json.dumps(facts(kafka="0.11", acked_all=3, lost_all=1, faults={"crash": 2}))

    runs = shared_runs(shares_frame(spark, text))

    (run,) = runs.collect()
    assert (run["sid"], run["kafka"], run["acked_all"], run["lossy"]) == ("sid0", "0.11", 3, True)
    assert run["faults"] == {"crash": 2}


def test_the_facts_of_a_share_are_parsed_once(spark: SparkSession) -> None:
    runs = shared_runs(shares_frame(spark, json.dumps(facts())))
    own = own_runs(runs)

    for counts in (runs, own, loss_counts(own), cause_counts(own), lesson_counts(runs)):
        assert executed_plan(counts).count("from_json(") == 1


def executed_plan(data: DataFrame) -> str:
    return str(data._jdf.queryExecution().executedPlan().toString())


def test_an_unknown_key_is_ignored(spark: SparkSession) -> None:
    runs = shared_runs(shares_frame(spark, json.dumps(facts(added_later={"deep": [1]}))))

    assert rows_of(runs, "sid") == [("sid0",)]


@pytest.mark.parametrize(
    "unreadable",
    [
        "null",
        "[]",
        "not JSON",
        "{}",
        json.dumps(facts(kafka=None)),
        json.dumps(facts(faults=None)),
        json.dumps(facts(acked_all="many")),
        json.dumps(facts(acked_all=1, lost_all=2)),
        json.dumps(facts(acked_1=1, lost_1=-1)),
    ],
)
def test_facts_that_cannot_be_read_are_left_out(spark: SparkSession, unreadable: str) -> None:
    runs = shared_runs(shares_frame(spark, unreadable, json.dumps(facts())))

    assert rows_of(runs, "sid") == [("sid1",)]


def test_a_run_without_a_loss_is_not_lossy(spark: SparkSession) -> None:
    without: dict[str, Any] = facts(acked_1=1, lost_1=1)

    runs = shared_runs(shares_frame(spark, json.dumps(without)))

    assert rows_of(runs, "lossy") == [(False,)]


def test_a_run_is_counted_once_and_an_unchanged_lesson_is_not_a_users_run(
    spark: SparkSession,
) -> None:
    runs = runs_frame(
        spark,
        {"digest": "twice", "sid": "b", "kafka": "4.0"},
        {"digest": "twice", "sid": "a", "kafka": "3.9"},
        {"digest": "once", "sid": "c"},
        {"digest": "lesson", "as_shipped": True},
    )

    own = own_runs(runs.repartition(3))

    assert rows_of(own, "digest", "sid", "kafka") == [("once", "c", "3.9"), ("twice", "a", "3.9")]
    assert set(own.columns) == set(runs.columns)
