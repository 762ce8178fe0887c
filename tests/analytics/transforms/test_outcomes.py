"""One count of runs by outcome for shared runs and for campaigns."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from analytics.transforms import outcome_counts, with_outcome
from tests.analytics.dataframes import rows_of


def test_a_run_that_was_stopped_counts_only_if_it_had_lost_a_record(spark: SparkSession) -> None:
    runs = spark.createDataFrame(
        [
            ("a", True, True, False),
            ("a", True, True, True),
            ("a", False, True, False),
            ("a", False, True, True),
            ("a", True, False, False),
            ("b", True, False, False),
        ],
        "cell string, ended boolean, exercised boolean, lost boolean",
    )

    counts = outcome_counts(
        with_outcome(
            runs, exercised=F.col("exercised"), lost=F.col("lost"), complete=F.col("ended")
        ),
        "cell",
        others=(F.count_if(~F.col("ended")).alias("stopped"),),
    )

    names = ("cell", "runs", "exercised", "not_exercised", "lost", "stopped")
    assert rows_of(counts, *names) == [("a", 5, 3, 1, 2, 2), ("b", 1, 0, 1, 0, 0)]
