"""Which lessons people share."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F


def lesson_counts(runs: DataFrame) -> DataFrame:
    """One row per lesson that was shared, keyed by `scenario_id`; other scenarios are excluded.

    `title_en` and `title_zh` are from the latest share, because a lesson's title may change; of
    several with the same time, from the one with the greatest sid. `lossy` counts the shares that
    lost a record acknowledged with acks=all; `example_sid` is the smallest sid among them, or null.
    """
    title = F.max_by(F.struct("title_en", "title_zh"), F.struct("created_at", "sid"))
    return (
        runs.where(F.col("scenario_id").isNotNull())
        .groupBy("scenario_id")
        .agg(
            title.alias("title"),
            F.count("*").alias("shares"),
            F.count_if("lossy").alias("lossy"),
            F.min(F.when(F.col("lossy"), F.col("sid"))).alias("example_sid"),
        )
        .select("scenario_id", "title.title_en", "title.title_zh", "shares", "lossy", "example_sid")
    )
