"""The lessons that users shared, with counts."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from analytics.schemas import TITLES


def lesson_counts(runs: DataFrame) -> DataFrame:
    """One row per lesson that was shared as shipped, keyed by `scenario_id`.

    `shares` counts its shares, also of the same run. Shares with steps that are not the lesson's
    are excluded. `TITLES` are from the latest share, because a lesson's title may change; if
    several have the same time, from the one with the greatest sid.
    """
    title = F.max_by(F.struct(*TITLES), F.struct("created_at", "sid"))
    return (
        runs.where("as_shipped")
        .groupBy("scenario_id")
        .agg(
            title.alias("title"),
            F.count("*").alias("shares"),
        )
        .select("scenario_id", *(f"title.{name}" for name in TITLES), "shares")
    )
