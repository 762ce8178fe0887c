"""Which faults happened, and which were followed by a loss."""

from pyspark.sql import SparkSession

from analytics.transforms import fault_counts
from tests.analytics.dataframes import rows_of, runs_frame

COLUMNS = ("fault", "runs", "lossy_runs", "last_before_loss")


def test_a_run_counts_once_for_each_fault_that_happened_in_it(spark: SparkSession) -> None:
    runs = runs_frame(
        spark,
        {"faults": {"crash": 3, "pause": 1, "power_loss": 0}},
        {"faults": {"crash": 1}, "lost_all": 1, "last_fault_before_loss": "crash"},
        {"faults": {}},
    )

    counts = fault_counts(runs)

    assert rows_of(counts, *COLUMNS) == [("crash", 2, 1, 1), ("pause", 1, 0, 0)]


def test_only_the_last_fault_before_the_loss_is_credited_with_it(spark: SparkSession) -> None:
    runs = runs_frame(
        spark,
        {"faults": {"crash": 2, "cut": 1}, "lost_all": 1, "last_fault_before_loss": "cut"},
        {"faults": {"crash": 1, "cut": 1}, "lost_all": 2, "last_fault_before_loss": "crash"},
        {"faults": {"cut": 1}, "lost_all": 1, "last_fault_before_loss": "cut"},
    )

    counts = fault_counts(runs)

    assert rows_of(counts, *COLUMNS) == [("crash", 2, 2, 1), ("cut", 3, 3, 2)]


def test_a_loss_of_acks_1_alone_makes_no_run_lossy(spark: SparkSession) -> None:
    runs = runs_frame(spark, {"acked_1": 1, "lost_1": 1, "last_fault_before_loss": "crash"})

    counts = fault_counts(runs)

    assert rows_of(counts, *COLUMNS) == [("crash", 1, 0, 0)]


def test_a_last_fault_that_was_not_counted_still_has_its_row(spark: SparkSession) -> None:
    runs = runs_frame(
        spark, {"faults": {"crash": 1}, "lost_all": 1, "last_fault_before_loss": "elect"}
    )

    counts = fault_counts(runs)

    assert rows_of(counts, *COLUMNS) == [("crash", 1, 1, 0), ("elect", 1, 1, 1)]
