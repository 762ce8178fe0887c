"""Which faults people inject, and which of them a loss follows."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F


def fault_counts(runs: DataFrame) -> DataFrame:
    """One row per kind of fault that happened in some run, keyed by `fault`.

    `runs` had the fault at least once; `lossy_runs` of them lost a record acknowledged with
    acks=all; in `last_before_loss` of those it was the last fault up to the run's first loss.
    `example_sid` is the smallest sid of a lossy run with the fault; null without one.
    """
    happened = F.map_keys(F.map_filter("faults", lambda _, times: times > 0))
    last_fault = F.when(F.col("lossy"), F.col("last_fault_before_loss"))
    # The last fault is named apart from the counts; a run counts under it in any case.
    of_run = F.array_distinct(F.array_compact(F.concat(happened, F.array(last_fault))))
    return (
        runs.select(
            "sid", "lossy", last_fault.alias("last_fault"), F.explode(of_run).alias("fault")
        )
        .groupBy("fault")
        .agg(
            F.count("*").alias("runs"),
            F.count_if("lossy").alias("lossy_runs"),
            F.count_if(F.col("last_fault") == F.col("fault")).alias("last_before_loss"),
            F.min(F.when(F.col("lossy"), F.col("sid"))).alias("example_sid"),
        )
    )
