"""Turns the stored facts of each share into one typed row per run."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from analytics.schemas import FACTS


def shared_runs(shares: DataFrame) -> DataFrame:
    """One row per share with valid facts: its sid, and its facts as columns.

    Keyed by `sid`. `lossy` is true if a record acknowledged with acks=all was lost. Shares are
    excluded if their facts are not an object, lack a count, or have more losses than
    acknowledgements.
    """
    facts = F.from_json("facts", FACTS)
    return (
        shares.select("sid", "created_at", facts.alias("facts"))
        .select("sid", "created_at", "facts.*")
        .where(_can_be_read())
        .withColumn("lossy", F.col("lost_all") > 0)
    )


def _can_be_read() -> Column:
    is_complete = F.lit(True)
    for name in (
        "kafka",
        "replication_factor",
        "min_insync_replicas",
        "acked_all",
        "acked_1",
        "lost_all",
        "lost_1",
        "faults",
        "exercised",
    ):
        is_complete = is_complete & F.col(name).isNotNull()
    counts_agree = F.col("lost_all").between(0, F.col("acked_all")) & F.col("lost_1").between(
        0, F.col("acked_1")
    )
    return is_complete & counts_agree
