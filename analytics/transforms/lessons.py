"""Which lessons people share."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F


def lesson_counts(runs: DataFrame) -> DataFrame:
    """One row per lesson that was shared as shipped, keyed by `scenario_id`.

    `shares` counts its shares, also of the same run. Shares in which somebody did something of
    their own are excluded. `title_en` and `title_zh` are from the latest share, because a lesson's
    title may change; of several with the same time, from the one with the greatest sid.
    """
    title = F.max_by(F.struct("title_en", "title_zh"), F.struct("created_at", "sid"))
    return (
        runs.where("as_shipped")
        .groupBy("scenario_id")
        .agg(
            title.alias("title"),
            F.count("*").alias("shares"),
        )
        .select("scenario_id", "title.title_en", "title.title_zh", "shares")
    )
