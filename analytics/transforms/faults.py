"""Counts the faults that happened in runs, and the losses that followed them."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F


def runs_by_fault(
    runs: DataFrame, *, kinds: Column | None = None, others: tuple[Column, ...] = ()
) -> DataFrame:
    """One row per kind of fault that happened in at least one run, keyed by `fault`.

    `runs` is the number of runs with the fault: its count in the column `faults` is above 0, or it
    is in the array `kinds`. `others` are further aggregates over these runs. Shared runs and
    campaigns both use this.
    """
    happened = kinds_that_happened() if kinds is None else kinds
    return (
        runs.withColumn("fault", F.explode(happened))
        .groupBy("fault")
        .agg(F.count("*").alias("runs"), *others)
    )


def kinds_that_happened() -> Column:
    """The kinds in a run's column `faults` whose number is above 0, as an array."""
    return F.map_keys(F.map_filter("faults", lambda _, times: times > 0))


def fault_counts(runs: DataFrame) -> DataFrame:
    """`runs_by_fault` of shared runs, with the losses that followed.

    `lossy_runs` counts the runs with the fault that lost a record acknowledged with acks=all, and
    `last_before_loss` those lossy runs in which it was the last fault up to the first loss.
    """
    last_fault = F.when(F.col("lossy"), F.col("last_fault_before_loss"))
    # The last fault is stored separately from the counts; the run counts for it in any case.
    of_run = F.array_distinct(F.array_compact(F.concat(kinds_that_happened(), F.array(last_fault))))
    return runs_by_fault(
        runs,
        kinds=of_run,
        others=(
            F.count_if("lossy").alias("lossy_runs"),
            F.count_if(last_fault == F.col("fault")).alias("last_before_loss"),
        ),
    )
