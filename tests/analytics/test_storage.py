"""Addresses, and missing databases: a one-line error states what to do."""

import sqlite3
import threading
from collections import Counter
from contextlib import closing
from datetime import UTC
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.functions import spark_partition_id

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


def test_workers_read_the_shares_in_equal_ranges_whatever_the_ids(
    spark: SparkSession, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(share_facts, "RANGE_SHARES", 3)
    alike = [Share(f"aaaa{number}", facts(title_zh="副本")) for number in range(7)]
    other = Share("z'", facts())
    insert_shares(database_url, [*alike, other])
    share_facts.refresh(Connector(database_url))

    with share_facts.shares_to_read(Connector(database_url)) as shares:
        data = read_shares(spark, shares)
        rows = data.select("sid", "created_at", spark_partition_id().alias("task")).collect()

    assert shares.counted.shares == 8
    assert sorted(row["sid"] for row in rows) == sorted(share.sid for share in [*alike, other])
    assert sorted(Counter(row["task"] for row in rows).values()) == [2, 3, 3]
    assert {row["created_at"].replace(tzinfo=UTC) for row in rows} == {BEGINNING}


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
