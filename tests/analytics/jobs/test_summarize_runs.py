"""From shares in a database to summary tables in the same one, on each kind of database."""

import io
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from analytics.errors import DatabaseFailedError, SummaryContradictoryError
from analytics.jobs.summarize_runs import fault_table, lesson_table, loss_table, summarize_runs
from analytics.progress import Progress
from analytics.statistics import estimate_rate
from analytics.storage import KEPT_SUMMARIES, Database, Summary
from tests.analytics import counting
from tests.analytics.shares import BEGINNING, Share, facts, generated_shares, insert_shares
from tests.analytics.summaries import (
    StoredSummary,
    count_rows_without_summary,
    stored_summaries,
)


def summarize(
    spark: SparkSession, url: str, folder: Path, progress: io.StringIO | None = None
) -> int:
    return summarize_runs(
        Database(url), folder, lambda: nullcontext(spark), Progress(progress or io.StringIO())
    )


def test_a_summary_says_what_was_shared(
    spark: SparkSession, database_url: str, tmp_path: Path
) -> None:
    insert_shares(
        database_url,
        [
            Share("a", facts(kafka="3.9", scenario_id="zombie-leader", title_zh="被取代的领导者")),
            Share(
                "b",
                facts(kafka="0.10.2", lost_all=1, last_fault_before_loss="crash"),
                BEGINNING + timedelta(days=2, microseconds=1),
            ),
            Share("c", facts(kafka="0.10.2", exercised=False, faults={})),
        ],
    )
    before = datetime.now(UTC)

    summary_id = summarize(spark, database_url, tmp_path)

    (stored,) = stored_summaries(database_url)
    assert stored.id == summary_id
    assert before <= stored.head["generated_at"] <= datetime.now(UTC)
    assert stored.head["shares_read"] == 3
    assert stored.head["first_share_at"] == BEGINNING
    assert stored.head["last_share_at"] == BEGINNING + timedelta(days=2, microseconds=1)
    loss = stored.loss_by_cell()
    assert loss["version", "0.10.2", None, None, None] | {"low": 0, "high": 0} == {
        "dimension": "version", "kafka": "0.10.2", "acks": None, "min_insync_replicas": None,
        "replication_factor": None, "runs": 2, "exercised": 1, "not_exercised": 1, "lost": 1,
        "rate": 1.0, "low": 0, "high": 0, "example_sid": "b",
    }  # fmt: skip
    assert loss["version", "0.10.2", None, None, None]["low"] == pytest.approx(0.025)
    assert loss["version", "3.9", None, None, None]["high"] == pytest.approx(0.975)
    assert stored.faults == [
        {"fault": "crash", "runs": 2, "lossy_runs": 1, "last_before_loss": 1, "example_sid": "b"}
    ]
    assert stored.lessons == [
        {
            "scenario_id": "zombie-leader",
            "title": {"en": "A run", "zh": "被取代的领导者"},
            "shares": 1,
            "lossy": 0,
            "example_sid": None,
        }
    ]


def test_what_was_not_exercised_has_no_rate(
    spark: SparkSession, database_url: str, tmp_path: Path
) -> None:
    insert_shares(database_url, [Share("a", facts(kafka="3.9", exercised=False))])

    summarize(spark, database_url, tmp_path)

    (stored,) = stored_summaries(database_url)
    row = stored.loss_by_cell()["version", "3.9", None, None, None]
    assert (row["runs"], row["exercised"], row["not_exercised"], row["lost"]) == (1, 0, 1, 0)
    assert (row["rate"], row["low"], row["high"]) == (None, None, None)


def test_deleted_shares_are_not_counted(
    spark: SparkSession, database_url: str, tmp_path: Path
) -> None:
    insert_shares(
        database_url,
        [Share("a", facts()), Share("b", facts(lost_all=1), deleted_at=BEGINNING)],
    )

    summarize(spark, database_url, tmp_path)

    (stored,) = stored_summaries(database_url)
    assert stored.head["shares_read"] == 1
    assert {row["lost"] for row in stored.loss} == {0}


def test_nothing_shared_gives_a_summary_of_nothing(
    spark: SparkSession, database_url: str, tmp_path: Path
) -> None:
    summarize(spark, database_url, tmp_path)

    (stored,) = stored_summaries(database_url)
    assert stored.head["shares_read"] == 0
    assert stored.head["first_share_at"] is stored.head["last_share_at"] is None
    assert stored.rows == [[], [], []]


def test_the_same_shares_give_the_same_rows_again(
    spark: SparkSession, database_url: str, tmp_path: Path
) -> None:
    insert_shares(database_url, generated_shares(200))

    first_id = summarize(spark, database_url, tmp_path / "first")
    second_id = summarize(spark, database_url, tmp_path / "second")

    first, second = stored_summaries(database_url)
    assert (first.id, second.id) == (first_id, second_id)
    assert first_id < second_id
    assert second.rows == first.rows
    assert second.head | {"generated_at": None} == first.head | {"generated_at": None}


def test_facts_that_cannot_be_read_are_left_out_and_said_so(
    spark: SparkSession, sqlite_url: str, tmp_path: Path
) -> None:
    insert_shares(
        sqlite_url, [Share("a", facts()), Share("b", facts(kafka=None)), Share("c", ["facts"])]
    )
    progress = io.StringIO()

    summarize(spark, sqlite_url, tmp_path, progress)

    (stored,) = stored_summaries(sqlite_url)
    assert stored.head["shares_read"] == 1
    assert "read 3 shares" in progress.getvalue()
    assert "counted 1 run, excluded 2 with invalid facts" in progress.getvalue()


def test_the_parquet_file_holds_the_shares_and_replaces_an_older_one(
    spark: SparkSession, database_url: str, tmp_path: Path
) -> None:
    insert_shares(database_url, [Share("b", facts()), Share("a", facts(title_zh="副本"))])
    summarize(spark, database_url, tmp_path / "new" / "folder")

    summarize(spark, database_url, tmp_path / "new" / "folder")

    files = [path.name for path in (tmp_path / "new" / "folder").iterdir()]
    assert files == ["shares.parquet"]
    table = pq.read_table(tmp_path / "new" / "folder" / "shares.parquet")
    assert table["sid"].to_pylist() == ["a", "b"]
    assert table["created_at"].to_pylist() == [BEGINNING, BEGINNING]
    assert "副本" in table["facts"].to_pylist()[0]


@pytest.fixture(scope="module")
def ten_thousand() -> list[Share]:
    return generated_shares(10_000)


@pytest.fixture
def summary_of_ten_thousand(
    spark: SparkSession, ten_thousand: list[Share], database_url: str, tmp_path: Path
) -> StoredSummary:
    insert_shares(database_url, ten_thousand)
    summarize(spark, database_url, tmp_path)
    (stored,) = stored_summaries(database_url)
    return stored


def test_a_plain_count_of_ten_thousand_shares_agrees(
    summary_of_ten_thousand: StoredSummary, ten_thousand: list[Share]
) -> None:
    stored = summary_of_ten_thousand

    assert stored.head["shares_read"] == len(counting.living(ten_thousand))
    assert {
        cell: (row["runs"], row["exercised"], row["lost"], row["example_sid"])
        for cell, row in stored.loss_by_cell().items()
    } == counting.losses(ten_thousand)
    for row in stored.loss:
        estimate = estimate_rate(row["lost"], row["exercised"])
        assert estimate is not None
        assert (row["rate"], row["low"], row["high"]) == (
            estimate.rate,
            estimate.low,
            estimate.high,
        )
    assert {
        row["fault"]: (
            row["runs"],
            row["lossy_runs"],
            row["last_before_loss"],
            row["example_sid"],
        )
        for row in stored.faults
    } == counting.faults(ten_thousand)
    assert {
        row["scenario_id"]: (row["title"], row["shares"], row["lossy"], row["example_sid"])
        for row in stored.lessons
    } == counting.lessons(ten_thousand)


def test_only_the_newest_summaries_are_kept(database_url: str) -> None:
    database = Database(database_url)

    ids = [database.write_summary(small_summary(number)) for number in range(KEPT_SUMMARIES + 3)]

    stored = stored_summaries(database_url)
    assert [summary.id for summary in stored] == ids[-KEPT_SUMMARIES:]
    assert [len(summary.faults) for summary in stored] == [1] * KEPT_SUMMARIES
    assert count_rows_without_summary(database_url) == 0


def test_a_summary_that_cannot_be_written_whole_is_not_written_at_all(database_url: str) -> None:
    database = Database(database_url)
    kept = database.write_summary(small_summary(1))
    broken = small_summary(2, loss=loss_table([counted("no such dimension")]))

    with pytest.raises(DatabaseFailedError, match=r"(?i)constraint"):
        database.write_summary(broken)

    assert [summary.id for summary in stored_summaries(database_url)] == [kept]
    assert database.write_summary(small_summary(3)) > kept


def test_releases_are_in_the_order_of_their_numbers() -> None:
    rows = [counted("version", kafka=kafka) for kafka in ("3.10", "0.11", "3.9", "0.10.2", "4.0")]

    table = loss_table(rows)

    assert table["kafka"].to_pylist() == ["0.10.2", "0.11", "3.9", "3.10", "4.0"]


def test_counts_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(SummaryContradictoryError, match="do not add up"):
        loss_table([counted("version", exercised=3, not_exercised=1, runs=3)])
    with pytest.raises(SummaryContradictoryError, match="do not add up"):
        fault_table(
            [{"fault": "crash", "runs": 1, "lossy_runs": 2, "last_before_loss": 0,
              "example_sid": None}]
        )  # fmt: skip


def small_summary(shares_read: int, *, loss: pa.Table | None = None) -> Summary:
    return Summary(
        generated_at=BEGINNING,
        engine="0.1.0",
        shares_read=shares_read,
        first_share_at=None,
        last_share_at=None,
        loss=loss_table([counted("version", kafka="3.9")]) if loss is None else loss,
        faults=fault_table(
            [{"fault": "crash", "runs": 1, "lossy_runs": 0, "last_before_loss": 0,
              "example_sid": None}]
        ),
        lessons=lesson_table([]),
    )  # fmt: skip


def counted(dimension: str, **named: object) -> dict[str, object]:
    return {
        "dimension": dimension,
        "kafka": None,
        "acks": None,
        "min_insync_replicas": None,
        "replication_factor": None,
        "runs": 1,
        "exercised": 1,
        "not_exercised": 0,
        "lost": 0,
        "example_sid": None,
        **named,
    }
