"""Converts the stored facts of each share to one typed row, and selects the runs that
users made.
"""

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from analytics.schemas import FACTS, TITLES


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
    """The runs that users made, each once, however often it was shared. Keyed by `digest`.

    Unchanged lessons are excluded: their steps were written by their authors and are the same for
    everyone.
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
    for field in FACTS:
        # Titles are stored only for lessons.
        if not field.nullable and field.name not in TITLES:
            is_complete = is_complete & F.col(field.name).isNotNull()
    counts_agree = F.col("lost_all").between(0, F.col("acked_all")) & F.col("lost_1").between(
        0, F.col("acked_1")
    )
    return is_complete & counts_agree
