"""Which lessons people share moments of."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F


def lesson_counts(runs: DataFrame) -> DataFrame:
    """One row per lesson that was shared, keyed by `scenario_id`; people's own runs are not in it.

    `title_en` and `title_zh` are the newest share's (of several at one moment, the greatest
    sid's), because a lesson's title may be reworded. `lossy` shares lost a record acknowledged
    with acks=all; `example_sid` is the smallest sid among them, null without one.
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
