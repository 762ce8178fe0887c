"""Reading facts, and leaving out what cannot be read."""

import json
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from analytics.transforms.shared_runs import shared_runs
from tests.analytics.frames import rows_of
from tests.analytics.shares import BEGINNING, facts


def shares_frame(spark: SparkSession, *texts: str) -> DataFrame:
    return spark.createDataFrame(
        [(f"sid{number}", BEGINNING, text) for number, text in enumerate(texts)],
        "sid string, created_at timestamp, facts string",
    )


def test_facts_become_columns(spark: SparkSession) -> None:
    text = json.dumps(facts(kafka="0.11", acked_all=3, lost_all=1, faults={"crash": 2}))

    runs = shared_runs(shares_frame(spark, text))

    (run,) = runs.collect()
    assert (run["sid"], run["kafka"], run["acked_all"], run["lossy"]) == ("sid0", "0.11", 3, True)
    assert run["faults"] == {"crash": 2}


def test_a_key_that_nobody_reads_changes_nothing(spark: SparkSession) -> None:
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
def test_facts_that_cannot_be_evidence_are_left_out(spark: SparkSession, unreadable: str) -> None:
    runs = shared_runs(shares_frame(spark, unreadable, json.dumps(facts())))

    assert rows_of(runs, "sid") == [("sid1",)]


def test_a_run_without_a_loss_is_not_lossy(spark: SparkSession) -> None:
    without: dict[str, Any] = facts(acked_1=1, lost_1=1)

    runs = shared_runs(shares_frame(spark, json.dumps(without)))

    assert rows_of(runs, "lossy") == [(False,)]
