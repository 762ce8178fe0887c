"""From what the service stored about each share to one typed row a run."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from analytics.schemas import FACTS


def shared_runs(shares: DataFrame) -> DataFrame:
    """One row per share whose facts can be read: who it is, and its facts as columns.

    Keyed by `sid`. `lossy` says whether a record acknowledged with acks=all was lost. Facts that
    are not an object, miss a count, or count more losses than acknowledgements are left out:
    they are no evidence of anything.
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
