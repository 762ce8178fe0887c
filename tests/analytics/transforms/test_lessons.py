"""Which lessons were shared."""

from datetime import timedelta

from pyspark.sql import SparkSession

from analytics.transforms import lesson_counts
from tests.analytics.dataframes import rows_of, runs_frame
from tests.analytics.shares import BEGINNING


def test_shares_as_shipped_are_counted_by_lesson_and_own_runs_are_left_out(
    spark: SparkSession,
) -> None:
    runs = runs_frame(
        spark,
        {"scenario_id": "zombie-leader", "as_shipped": True, "digest": "same"},
        {"scenario_id": "zombie-leader", "as_shipped": True, "digest": "same"},
        {"scenario_id": "zombie-leader"},
        {"scenario_id": "isr-join-guard", "as_shipped": True},
        {"scenario_id": None, "lost_all": 1},
    )

    counts = lesson_counts(runs)

    assert rows_of(counts, "scenario_id", "shares") == [("isr-join-guard", 1), ("zombie-leader", 2)]


def test_the_title_is_the_newest_shares(spark: SparkSession) -> None:
    newer = BEGINNING + timedelta(days=1)
    runs = runs_frame(
        spark,
        {"scenario_id": "s", "title_en": "New", "title_zh": "新", "created_at": newer, "sid": "a",
         "as_shipped": True},
        {"scenario_id": "s", "title_en": "Old", "title_zh": "旧", "sid": "b",
         "as_shipped": True},
    )  # fmt: skip

    counts = lesson_counts(runs)

    assert rows_of(counts, "title_en", "title_zh") == [("New", "新")]
