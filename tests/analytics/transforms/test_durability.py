"""Which runs count as losses, and which as exercised."""

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from analytics.transforms import loss_counts
from tests.analytics.dataframes import rows_of, runs_frame

COUNTS = ("runs", "exercised", "not_exercised", "lost")


def test_runs_are_counted_by_version_over_those_that_were_exercised(spark: SparkSession) -> None:
    runs = runs_frame(
        spark,
        {"kafka": "0.10.2", "lost_all": 1},
        {"kafka": "0.10.2"},
        {"kafka": "0.10.2", "exercised": False},
        {"kafka": "3.9"},
    )

    by_version = loss_counts(runs).where("dimension = 'version'")

    assert rows_of(by_version, "kafka", *COUNTS) == [("0.10.2", 3, 2, 1, 1), ("3.9", 1, 1, 0, 0)]


def test_each_dimension_sets_its_own_columns_only(spark: SparkSession) -> None:
    runs = runs_frame(spark, {"kafka": "2.0.1", "min_insync_replicas": 2, "replication_factor": 5})

    counts = loss_counts(runs)

    assert rows_of(
        counts, "dimension", "kafka", "acks", "min_insync_replicas", "replication_factor"
    ) == [
        ("acks", None, "1", None, None),
        ("acks", None, "all", None, None),
        ("min_insync_replicas", None, None, 2, None),
        ("replication_factor", None, None, None, 5),
        ("version", "2.0.1", None, None, None),
        ("version_acks", "2.0.1", "1", None, None),
        ("version_acks", "2.0.1", "all", None, None),
    ]


@pytest.mark.parametrize("dimension", ["acks", "version_acks"])
def test_a_run_with_both_acks_is_exercised_for_both_and_lost_where_it_lost(
    spark: SparkSession, dimension: str
) -> None:
    runs = runs_frame(
        spark,
        {"acked_all": 2, "acked_1": 1, "lost_1": 1},
        {"acked_all": 1, "acked_1": 0},
        {"acked_all": 0, "acked_1": 3},
    )

    by_acks = loss_counts(runs).where(F.col("dimension") == dimension)

    assert rows_of(by_acks, "acks", *COUNTS) == [("1", 3, 2, 1, 1), ("all", 3, 2, 1, 0)]


def test_a_loss_of_acks_1_is_no_loss_of_a_version(spark: SparkSession) -> None:
    runs = runs_frame(spark, {"acked_all": 1, "acked_1": 1, "lost_1": 1})

    by_version = loss_counts(runs).where("dimension = 'version'")

    assert rows_of(by_version, *COUNTS) == [(1, 1, 0, 0)]


def test_a_run_that_lost_a_record_without_a_fault_was_exercised(spark: SparkSession) -> None:
    runs = runs_frame(spark, {"faults": {}, "exercised": False, "lost_all": 1})

    by_version = loss_counts(runs).where("dimension = 'version'")

    assert rows_of(by_version, *COUNTS) == [(1, 1, 0, 1)]


def test_every_run_is_in_one_row_of_each_dimension_and_acks(spark: SparkSession) -> None:
    runs = runs_frame(
        spark,
        {"kafka": "1.1", "min_insync_replicas": 1},
        {"kafka": "1.1", "min_insync_replicas": 2},
        {"kafka": "0.11", "min_insync_replicas": 2, "exercised": False},
    )

    totals = loss_counts(runs).groupBy("dimension", "acks").agg(F.sum("runs").alias("runs"))

    assert {row["runs"] for row in totals.collect()} == {3}


def test_no_runs_give_no_rows(spark: SparkSession) -> None:
    assert loss_counts(runs_frame(spark)).collect() == []
