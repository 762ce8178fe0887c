"""From shares in a database to summary tables in the same one, on each kind of database."""

import io
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from analytics.errors import DatabaseFailedError, SummaryContradictoryError
from analytics.jobs.summarize_runs import (
    FEWEST_SHOWN,
    fault_table,
    lesson_table,
    loss_table,
    summarize_runs,
)
from analytics.progress import Progress
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


SHIPPED = [[0, {"crash": 1}, 0]]
"""The record of a lesson that nobody changed: each act is an entry of its steps."""


def copies(of: Share, count: int = FEWEST_SHOWN) -> list[Share]:
    """Shares like this one; without a digest of its own, each is another run."""
    return [replace(of, sid=f"{of.sid}{number:02}") for number in range(count)]


def test_a_summary_says_what_was_shared(
    spark: SparkSession, database_url: str, tmp_path: Path
) -> None:
    lesson = facts(scenario_id="zombie-leader", title_zh="被取代的领导者", lost_all=1)
    lossy = facts(kafka="0.10.2", lost_all=1, last_fault_before_loss="crash")
    insert_shares(
        database_url,
        [
            *copies(Share("a", lesson, digest="the lesson", record=SHIPPED)),
            *copies(Share("b", facts(kafka="0.10.2"))),
            Share("c", lossy, BEGINNING + timedelta(days=2, microseconds=1)),
            Share("d", facts(kafka="0.10.2", exercised=False, faults={})),
        ],
    )
    before = datetime.now(UTC)

    summary_id = summarize(spark, database_url, tmp_path)

    (stored,) = stored_summaries(database_url)
    assert stored.id == summary_id
    assert before <= stored.head["generated_at"] <= datetime.now(UTC)
    assert stored.head["shares_read"] == 2 * FEWEST_SHOWN + 2
    assert stored.head["first_share_at"] == BEGINNING
    assert stored.head["last_share_at"] == BEGINNING + timedelta(days=2, microseconds=1)
    # The lesson is of 3.9: it is nobody's own run.
    assert [row for row in stored.loss if row["dimension"] == "version"] == [
        {
            "dimension": "version", "kafka": "0.10.2", "acks": None, "min_insync_replicas": None,
            "replication_factor": None, "runs": FEWEST_SHOWN + 2,
            "exercised": FEWEST_SHOWN + 1, "not_exercised": 1, "lost": 1,
        }
    ]  # fmt: skip
    assert stored.faults == [
        {"fault": "crash", "runs": FEWEST_SHOWN + 1, "lossy_runs": 1, "last_before_loss": 1}
    ]
    assert stored.lessons == [
        {
            "scenario_id": "zombie-leader",
            "title": {"en": "A run", "zh": "被取代的领导者"},
            "shares": FEWEST_SHOWN,
        }
    ]


def test_sixty_shares_of_one_run_are_one_run(
    spark: SparkSession, sqlite_url: str, tmp_path: Path
) -> None:
    one = Share("a", facts(kafka="1.1", lost_all=1), digest="one run")
    insert_shares(sqlite_url, [*copies(one, 60), *copies(Share("b", facts(kafka="3.9")))])

    summarize(spark, sqlite_url, tmp_path)

    (stored,) = stored_summaries(sqlite_url)
    assert {row["kafka"] for row in stored.loss} == {"3.9", None}
    assert stored.loss_by_cell()["acks", None, "all", None, None]["runs"] == FEWEST_SHOWN + 1


def test_what_few_shared_is_not_written(
    spark: SparkSession, sqlite_url: str, tmp_path: Path
) -> None:
    shares = [
        *copies(Share("a", facts(kafka="3.9")), FEWEST_SHOWN - 1),
        *copies(Share("b", facts(scenario_id="zombie-leader"), record=SHIPPED), FEWEST_SHOWN - 1),
    ]
    insert_shares(sqlite_url, shares)

    summarize(spark, sqlite_url, tmp_path)

    (stored,) = stored_summaries(sqlite_url)
    assert stored.head["shares_read"] == len(shares)
    assert stored.rows == [[], [], []]


def test_deleted_shares_are_not_counted(
    spark: SparkSession, database_url: str, tmp_path: Path
) -> None:
    insert_shares(
        database_url,
        [*copies(Share("a", facts())), Share("b", facts(lost_all=1), deleted_at=BEGINNING)],
    )

    summarize(spark, database_url, tmp_path)

    (stored,) = stored_summaries(database_url)
    assert stored.head["shares_read"] == FEWEST_SHOWN
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
    assert (
        "counted 1 run that people made, in 1 share, excluded 2 with invalid facts"
        in progress.getvalue()
    )


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
        cell: (row["runs"], row["exercised"], row["lost"])
        for cell, row in stored.loss_by_cell().items()
    } == counting.losses(ten_thousand)
    assert {
        row["fault"]: (
            row["runs"],
            row["lossy_runs"],
            row["last_before_loss"],
        )
        for row in stored.faults
    } == counting.faults(ten_thousand)
    assert {
        row["scenario_id"]: (row["title"], row["shares"]) for row in stored.lessons
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
            [{"fault": "crash", "runs": 1, "lossy_runs": 2, "last_before_loss": 0}]
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
            [{"fault": "crash", "runs": 1, "lossy_runs": 0, "last_before_loss": 0}]
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
        **named,
    }
