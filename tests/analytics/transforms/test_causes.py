"""Why shared runs lost acknowledged records."""

from pyspark.sql import SparkSession

from analytics.transforms import cause_counts
from tests.analytics.dataframes import rows_of, runs_frame

COLUMNS = ("cause", "runs", "lost_acks_all")


def test_a_run_that_lost_a_record_counts_for_its_cause_with_any_acks(spark: SparkSession) -> None:
    runs = runs_frame(
        spark,
        {"lost_all": 2, "loss_cause": "power_loss"},
        {"acked_1": 1, "lost_1": 1, "loss_cause": "power_loss"},
        {"acked_1": 1, "lost_1": 1, "loss_cause": "leader_only"},
        {},
    )

    counts = cause_counts(runs)

    assert rows_of(counts, *COLUMNS) == [("leader_only", 1, 0), ("power_loss", 2, 1)]


def test_a_loss_without_a_cause_or_with_a_newer_one_is_of_unknown_cause(
    spark: SparkSession,
) -> None:
    runs = runs_frame(spark, {"lost_all": 1}, {"lost_all": 1, "loss_cause": "solar flare"})

    counts = cause_counts(runs)

    assert rows_of(counts, *COLUMNS) == [("unknown", 2, 2)]
