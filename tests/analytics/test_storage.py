"""Addresses, and missing databases: a one-line error states what to do."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from chispa import assert_df_equality
from pyspark.sql import SparkSession

from analytics import share_facts
from analytics.connecting import Connector
from analytics.errors import DatabaseFailedError, DatabaseUrlError, SchemaMissingError
from analytics.jobs.summarize_runs import cause_table, fault_table, lesson_table, loss_table
from analytics.share_facts import Refreshed
from analytics.storage import Summary, read_shares, write_summary
from tests.analytics.shares import BEGINNING, Share, facts, insert_shares, migrate


@pytest.mark.parametrize(
    "url", ["", "highwater.db", "mysql://host/name", "sqlite://", "sqlite:///:memory:",
            "sqlite://host/file", "sqlite:highwater.db"]
)  # fmt: skip
def test_an_address_that_cannot_be_the_services_is_refused(url: str) -> None:
    with pytest.raises(DatabaseUrlError):
        Connector(url)


def test_a_missing_file_is_reported_and_not_created(tmp_path: Path) -> None:
    file = tmp_path / "none.db"

    with pytest.raises(DatabaseFailedError, match="there is no such file"):
        share_facts.refresh(Connector(f"sqlite:///{file}"))

    assert not file.exists()


def test_a_file_that_is_not_a_database_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "text.db"
    file.write_text("this is a letter, not a database\n" * 100)

    with pytest.raises(DatabaseFailedError, match="not a database"):
        share_facts.refresh(Connector(f"sqlite:///{file}"))


def test_an_unreachable_server_is_reported_without_the_password() -> None:
    database = Connector("postgresql://me:secret@127.0.0.1:1/highwater")

    with pytest.raises(DatabaseFailedError) as refused:
        share_facts.refresh(database)

    assert "127.0.0.1" in str(refused.value)
    assert "secret" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_database_without_the_schema_is_reported_with_the_command_to_run(tmp_path: Path) -> None:
    file = tmp_path / "empty.db"
    file.touch()

    with pytest.raises(SchemaMissingError, match="highwater migrate"):
        share_facts.refresh(Connector(f"sqlite:///{file}"))


@pytest.mark.postgres
def test_a_postgresql_database_without_the_schema_is_reported(postgres_url: str) -> None:
    with pytest.raises(SchemaMissingError, match="highwater migrate"):
        share_facts.refresh(Connector(postgres_url))


def test_a_file_is_the_one_that_the_service_means(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/two%20words %3F#1.db"
    migrate(url)

    assert share_facts.refresh(Connector(url)) == Refreshed(added=0, removed=0)


def test_a_writer_waits_for_the_one_before(sqlite_url: str) -> None:
    file = sqlite_url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(file, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        release = threading.Timer(0.5, other.commit)
        release.start()

        summary_id = write_summary(Connector(sqlite_url), empty_summary())

        release.join()
    assert summary_id == 1


def test_a_failed_export_leaves_no_file(sqlite_url: str, tmp_path: Path) -> None:
    insert_shares(sqlite_url, [Share("a", facts())])
    share_facts.refresh(Connector(sqlite_url))
    folder = tmp_path / "parquet"
    folder.mkdir()
    (folder / "shares.parquet").mkdir()

    with pytest.raises(OSError, match=r"shares\.parquet"):
        share_facts.export(Connector(sqlite_url), folder)

    assert [path.name for path in folder.iterdir()] == ["shares.parquet"]


def test_workers_that_do_not_see_the_folder_get_the_same_shares(
    spark: SparkSession, sqlite_url: str, tmp_path: Path
) -> None:
    insert_shares(sqlite_url, [Share("a", facts()), Share("b", facts(title_zh="副本"))])
    share_facts.refresh(Connector(sqlite_url))
    share_facts.export(Connector(sqlite_url), tmp_path)

    seen = read_shares(spark, tmp_path, workers_see_folder=True)
    handed_over = read_shares(spark, tmp_path, workers_see_folder=False)

    assert handed_over.count() == 2
    assert_df_equality(handed_over, seen, ignore_row_order=True, ignore_nullable=True)


def empty_summary() -> Summary:
    return Summary(
        generated_at=BEGINNING,
        engine="0.1.0",
        watermark=0,
        shares_read=0,
        first_share_at=None,
        last_share_at=None,
        loss=loss_table([]),
        faults=fault_table([]),
        causes=cause_table([]),
        lessons=lesson_table([]),
    )
