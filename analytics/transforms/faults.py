"""Which faults people inject, and which of them are followed by a loss."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F


def fault_counts(runs: DataFrame) -> DataFrame:
    """One row per kind of fault that occurred in at least one run, keyed by `fault`.

    `runs` counts the runs with the fault. `lossy_runs` counts those of them that lost a record
    acknowledged with acks=all, and `last_before_loss` those lossy runs in which it was the last
    fault up to the first loss.
    """
    happened = F.map_keys(F.map_filter("faults", lambda _, times: times > 0))
    last_fault = F.when(F.col("lossy"), F.col("last_fault_before_loss"))
    # The last fault is stored separately from the counts; the run counts for it in any case.
    of_run = F.array_distinct(F.array_compact(F.concat(happened, F.array(last_fault))))
    return (
        runs.select("lossy", last_fault.alias("last_fault"), F.explode(of_run).alias("fault"))
        .groupBy("fault")
        .agg(
            F.count("*").alias("runs"),
            F.count_if("lossy").alias("lossy_runs"),
            F.count_if(F.col("last_fault") == F.col("fault")).alias("last_before_loss"),
        )
    )
