"""Which lessons were shared."""

from datetime import timedelta

from pyspark.sql import SparkSession

from analytics.transforms.lessons import lesson_counts
from tests.analytics.frames import rows_of, runs_frame
from tests.analytics.shares import BEGINNING


def test_shares_are_counted_by_lesson_and_own_runs_are_left_out(spark: SparkSession) -> None:
    runs = runs_frame(
        spark,
        {"scenario_id": "zombie-leader"},
        {"scenario_id": "zombie-leader", "lost_all": 1},
        {"scenario_id": "isr-join-guard"},
        {"scenario_id": None, "lost_all": 1},
    )

    counts = lesson_counts(runs)

    assert rows_of(counts, "scenario_id", "shares", "lossy", "example_sid") == [
        ("isr-join-guard", 1, 0, None),
        ("zombie-leader", 2, 1, "sid1"),
    ]


def test_the_title_is_the_newest_shares(spark: SparkSession) -> None:
    newer = BEGINNING + timedelta(days=1)
    runs = runs_frame(
        spark,
        {"scenario_id": "s", "title_en": "New", "title_zh": "新", "created_at": newer, "sid": "a"},
        {"scenario_id": "s", "title_en": "Old", "title_zh": "旧", "sid": "b"},
    )

    counts = lesson_counts(runs)

    assert rows_of(counts, "title_en", "title_zh") == [("New", "新")]
