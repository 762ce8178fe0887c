"""Turns the stored facts of each share into one typed row, and the shares into people's runs."""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from analytics.schemas import FACTS


def shared_runs(shares: DataFrame) -> DataFrame:
    """One row per share with valid facts: `digest`, `as_shipped`, and its facts as columns.

    Keyed by `sid`. `lossy` is true if a record acknowledged with acks=all was lost. Shares are
    excluded if their facts are not an object, lack a count, or have more losses than
    acknowledgements.
    """
    facts = F.from_json("facts", FACTS)
    return (
        shares.select("sid", "created_at", "digest", "as_shipped", facts.alias("facts"))
        .select("sid", "created_at", "digest", "as_shipped", "facts.*")
        .where(_can_be_read())
        .withColumn("lossy", F.col("lost_all") > 0)
    )


def own_runs(runs: DataFrame) -> DataFrame:
    """The runs that people made, each once however often it was shared. Keyed by `digest`.

    A lesson as shipped is left out: what happens in it was written, and is the same for everybody.
    """
    others = [name for name in runs.columns if name != "digest"]
    return (
        runs.where(~F.col("as_shipped"))
        .groupBy("digest")
        .agg(F.min_by(F.struct(*others), "sid").alias("run"))
        .select("digest", "run.*")
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
