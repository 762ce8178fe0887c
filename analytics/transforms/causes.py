"""Why runs lost acknowledged records."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from sim_engine import LOSS_CAUSES, UNKNOWN_CAUSE


def cause_counts(runs: DataFrame) -> DataFrame:
    """One row per cause of a loss of acknowledged records in shared runs, keyed by `cause`.

    `runs` counts the runs that lost a record acknowledged with any acks, by the cause of their
    first loss; `lost_acks_all` those of them that lost one acknowledged with acks=all. Runs without
    a cause, or with one that this version does not have, count as UNKNOWN_CAUSE.
    """
    cause = F.when(F.col("loss_cause").isin(*LOSS_CAUSES), F.col("loss_cause"))
    return (
        runs.where((F.col("lost_all") > 0) | (F.col("lost_1") > 0))
        .groupBy(F.coalesce(cause, F.lit(UNKNOWN_CAUSE)).alias("cause"))
        .agg(F.count("*").alias("runs"), F.count_if("lossy").alias("lost_acks_all"))
    )
