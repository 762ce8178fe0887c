"""From shares in a database to summary tables in the same one, on each kind of database."""

import io
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from analytics import share_facts
from analytics.connecting import Connector
from analytics.errors import DatabaseFailedError, SummaryContradictoryError
from analytics.jobs.summarize_runs import (
    FEWEST_SHOWN,
    Summarized,
    cause_table,
    fault_table,
    lesson_table,
    loss_table,
    summarize_runs,
)
from analytics.progress import Progress
from analytics.storage import KEPT_SUMMARIES, Summary, write_summary
from sim_engine.invariants.fates import LOSS_CAUSES
from tests.analytics import reference_summary
from tests.analytics.shares import (
    BEGINNING,
    Share,
    delete_shares,
    facts,
    generated_shares,
    insert_shares,
)
from tests.analytics.summaries import StoredSummary, count_rows_without_summary, stored_summaries


def summarize(
    spark: SparkSession, url: str, progress: io.StringIO | None = None, keep: Path | None = None
) -> Summarized:
    return summarize_runs(
        Connector(url),
        lambda: nullcontext(spark),
        Progress(progress or io.StringIO()),
        keep_parquet=None if keep is None else keep.as_uri(),
    )


SHIPPED = [[0, {"crash": 1}, 0]]
"""The record of a lesson that nobody changed: each act is an entry of its steps."""


def copies(of: Share, count: int = FEWEST_SHOWN) -> list[Share]:
    """Shares like this one; each is a separate run unless a digest is given."""
    return [replace(of, sid=f"{of.sid}{number:02}") for number in range(count)]


def test_a_summary_counts_the_shared_runs(spark: SparkSession, database_url: str) -> None:
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

    done = summarize(spark, database_url)

    (stored,) = stored_summaries(database_url)
    assert stored.id == done.summary
    assert done.is_new
    assert before <= stored.head["generated_at"] <= datetime.now(UTC)
    assert stored.head["shares_read"] == 2 * FEWEST_SHOWN + 2
    assert stored.head["first_share_at"] == BEGINNING
    assert stored.head["last_share_at"] == BEGINNING + timedelta(days=2, microseconds=1)
    # The run of 3.9 is a lesson, so it is not an own run.
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


def test_losses_are_counted_by_cause_and_a_run_without_a_loss_has_none(
    spark: SparkSession, database_url: str
) -> None:
    power_loss = Share("a", facts(lost_all=1, loss_cause="power_loss"))
    leader_only = Share("b", facts(acked_1=1, lost_1=1, loss_cause="leader_only"))
    rare = copies(replace(power_loss, sid="c", facts=facts(lost_all=1)), FEWEST_SHOWN - 1)
    kept = copies(Share("d", facts()))
    insert_shares(database_url, [*copies(power_loss, 12), *copies(leader_only), *kept, *rare])

    summarize(spark, database_url)

    (stored,) = stored_summaries(database_url)
    assert stored.causes == [
        {"cause": "power_loss", "runs": 12, "lost_acks_all": 12},
        {"cause": "leader_only", "runs": FEWEST_SHOWN, "lost_acks_all": 0},
    ]


def test_sixty_shares_of_one_run_are_one_run(spark: SparkSession, sqlite_url: str) -> None:
    one = Share("a", facts(kafka="1.1", lost_all=1), digest="one run")
    insert_shares(sqlite_url, [*copies(one, 60), *copies(Share("b", facts(kafka="3.9")))])

    summarize(spark, sqlite_url)

    (stored,) = stored_summaries(sqlite_url)
    assert {row["kafka"] for row in stored.loss} == {"3.9", None}
    assert stored.loss_by_cell()["acks", None, "all", None, None]["runs"] == FEWEST_SHOWN + 1


def test_what_few_shared_is_not_written(spark: SparkSession, sqlite_url: str) -> None:
    shares = [
        *copies(Share("a", facts(kafka="3.9")), FEWEST_SHOWN - 1),
        *copies(Share("b", facts(scenario_id="zombie-leader"), record=SHIPPED), FEWEST_SHOWN - 1),
    ]
    insert_shares(sqlite_url, shares)

    summarize(spark, sqlite_url)

    (stored,) = stored_summaries(sqlite_url)
    assert stored.head["shares_read"] == len(shares)
    assert stored.rows == [[], [], [], []]


def test_deleted_shares_are_not_counted(spark: SparkSession, database_url: str) -> None:
    insert_shares(
        database_url,
        [*copies(Share("a", facts())), Share("b", facts(lost_all=1), deleted_at=BEGINNING)],
    )

    summarize(spark, database_url)

    (stored,) = stored_summaries(database_url)
    assert stored.head["shares_read"] == FEWEST_SHOWN
    assert {row["lost"] for row in stored.loss} == {0}


def test_nothing_shared_gives_a_summary_of_nothing(spark: SparkSession, database_url: str) -> None:
    summarize(spark, database_url)

    (stored,) = stored_summaries(database_url)
    assert stored.head["shares_read"] == 0
    assert stored.head["first_share_at"] is stored.head["last_share_at"] is None
    assert stored.rows == [[], [], [], []]


def test_the_same_shares_are_counted_once_and_their_summary_is_as_of_now(
    spark: SparkSession, database_url: str
) -> None:
    insert_shares(database_url, generated_shares(200))
    first = summarize(spark, database_url)
    (before,) = stored_summaries(database_url)

    second = summarize_runs(Connector(database_url), no_spark, Progress(io.StringIO()))

    (after,) = stored_summaries(database_url)
    assert after.rows == before.rows
    assert after.head["generated_at"] > before.head["generated_at"]
    assert second == replace(first, added=0, is_new=False)


def test_a_summary_in_parts_is_the_one_of_the_whole(spark: SparkSession, database_url: str) -> None:
    shares = generated_shares(300)
    insert_shares(database_url, shares[200:])
    summarize(spark, database_url)
    insert_shares(database_url, shares[:200])  # with earlier times, because they arrive late
    gone = [share.sid for share in reference_summary.living(shares)[::7]]
    delete_shares(database_url, gone)

    done = summarize(spark, database_url)

    assert done.added < len(reference_summary.living(shares[:200])) + 1
    *_, in_parts = stored_summaries(database_url)
    kept = [share for share in reference_summary.living(shares) if share.sid not in gone]
    assert in_parts.head["shares_read"] == len(kept)
    assert {
        cell: (row["runs"], row["exercised"], row["lost"])
        for cell, row in in_parts.loss_by_cell().items()
    } == reference_summary.losses(kept)
    assert {row["scenario_id"]: row["shares"] for row in in_parts.lessons} == {
        lesson: shares for lesson, (_, shares) in reference_summary.lessons(kept).items()
    }


def no_spark() -> AbstractContextManager[SparkSession]:
    raise AssertionError("there is nothing to count")


def test_invalid_facts_are_excluded_and_reported(spark: SparkSession, sqlite_url: str) -> None:
    insert_shares(
        sqlite_url, [Share("a", facts()), Share("b", facts(kafka=None)), Share("c", ["facts"])]
    )
    progress = io.StringIO()

    summarize(spark, sqlite_url, progress)

    (stored,) = stored_summaries(sqlite_url)
    assert stored.head["shares_read"] == 1
    assert "found 3 shares: 3 new or changed, 0 removed or changed" in progress.getvalue()
    assert (
        "counted 1 run by users, in 1 share, excluded 2 with invalid facts" in progress.getvalue()
    )


def test_the_shares_are_kept_as_parquet_and_replace_an_older_copy(
    spark: SparkSession, database_url: str, tmp_path: Path
) -> None:
    lesson = Share("a", facts(scenario_id="replicas", title_zh="副本"), record=SHIPPED)
    insert_shares(database_url, [Share("b", facts()), lesson])
    folder = tmp_path / "new" / "folder"
    first = summarize(spark, database_url, keep=folder)
    insert_shares(database_url, [Share("c", facts())])
    second = summarize(spark, database_url, keep=folder)

    third = summarize(spark, database_url, keep=folder)

    assert (first.shares, second.shares, third) == (2, 3, replace(second, added=0, is_new=False))
    assert [path.name for path in folder.iterdir()] == ["shares.parquet"]
    table = pq.read_table(folder / "shares.parquet").sort_by("sid")
    assert table["sid"].to_pylist() == ["a", "b", "c"]
    assert table["created_at"].to_pylist() == [BEGINNING] * 3
    assert "副本" in table["facts"].to_pylist()[0]


def test_shares_that_change_while_they_are_read_are_read_again(
    spark: SparkSession, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert_shares(database_url, copies(Share("a", facts()), 12))
    given = share_facts.shares_to_read
    readings: list[int] = []

    @contextmanager
    def changing(connector: Connector) -> Iterator[share_facts.SharesToRead]:
        with given(connector) as shares:
            readings.append(shares.counted.shares)
            if len(readings) == 1:
                delete_shares(database_url, ["a00"])
            yield shares

    monkeypatch.setattr(share_facts, "shares_to_read", changing)

    done = summarize(spark, database_url)

    # PostgreSQL keeps the snapshot for the workers; the next job counts the shares without it.
    is_kept = database_url.startswith("postgresql")
    assert readings == ([12] if is_kept else [12, 11])
    (stored,) = stored_summaries(database_url)
    assert stored.head["shares_read"] == done.shares == readings[-1]


@pytest.fixture(scope="module")
def ten_thousand() -> list[Share]:
    return generated_shares(10_000)


@pytest.fixture
def summary_of_ten_thousand(
    spark: SparkSession, ten_thousand: list[Share], database_url: str
) -> StoredSummary:
    insert_shares(database_url, ten_thousand)
    summarize(spark, database_url)
    (stored,) = stored_summaries(database_url)
    return stored


def test_a_plain_count_of_ten_thousand_shares_agrees(
    summary_of_ten_thousand: StoredSummary, ten_thousand: list[Share]
) -> None:
    stored = summary_of_ten_thousand

    assert stored.head["shares_read"] == len(reference_summary.living(ten_thousand))
    assert {
        cell: (row["runs"], row["exercised"], row["lost"])
        for cell, row in stored.loss_by_cell().items()
    } == reference_summary.losses(ten_thousand)
    assert {
        row["fault"]: (row["runs"], row["lossy_runs"], row["last_before_loss"])
        for row in stored.faults
    } == reference_summary.faults(ten_thousand)
    assert {
        row["cause"]: (row["runs"], row["lost_acks_all"]) for row in stored.causes
    } == reference_summary.causes(ten_thousand)
    assert {row["cause"] for row in stored.causes} == {*LOSS_CAUSES[:3], "unknown"}
    assert {
        row["scenario_id"]: (row["title"], row["shares"]) for row in stored.lessons
    } == reference_summary.lessons(ten_thousand)


def test_of_two_jobs_the_one_with_newer_shares_stays_the_latest(database_url: str) -> None:
    connector = Connector(database_url)
    newer = write_summary(connector, small_summary(2))

    late = write_summary(connector, small_summary(1))
    again = write_summary(connector, small_summary(2))

    assert late == again == newer
    (stored,) = stored_summaries(database_url)
    assert stored.head["watermark"] == 2


def test_another_engine_makes_another_summary_of_the_same_shares(database_url: str) -> None:
    connector = Connector(database_url)
    first = write_summary(connector, small_summary(1))

    second = write_summary(connector, replace(small_summary(1), engine="0.2.0"))

    assert second > first


def test_only_the_newest_summaries_are_kept(database_url: str) -> None:
    connector = Connector(database_url)

    ids = [write_summary(connector, small_summary(number)) for number in range(KEPT_SUMMARIES + 3)]

    stored = stored_summaries(database_url)
    assert [summary.id for summary in stored] == ids[-KEPT_SUMMARIES:]
    assert [len(summary.faults) for summary in stored] == [1] * KEPT_SUMMARIES
    assert count_rows_without_summary(database_url) == 0


def test_a_summary_that_cannot_be_written_whole_is_not_written_at_all(database_url: str) -> None:
    connector = Connector(database_url)
    kept = write_summary(connector, small_summary(1))
    broken = small_summary(2, loss=loss_table([counted("no such dimension")]))

    with pytest.raises(DatabaseFailedError, match=r"(?i)constraint"):
        write_summary(connector, broken)

    assert [summary.id for summary in stored_summaries(database_url)] == [kept]
    assert write_summary(connector, small_summary(3)) > kept


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
    with pytest.raises(SummaryContradictoryError, match="do not add up"):
        cause_table([{"cause": "power_loss", "runs": 1, "lost_acks_all": 2}])


def small_summary(shares_read: int, *, loss: pa.Table | None = None) -> Summary:
    return Summary(
        generated_at=BEGINNING,
        engine="0.1.0",
        watermark=shares_read,
        shares_read=shares_read,
        first_share_at=None,
        last_share_at=None,
        loss=loss_table([counted("version", kafka="3.9")]) if loss is None else loss,
        faults=fault_table(
            [{"fault": "crash", "runs": 1, "lossy_runs": 0, "last_before_loss": 0}]
        ),
        causes=cause_table([{"cause": "power_loss", "runs": 1, "lost_acks_all": 1}]),
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
