"""Transactions on each database, and two concurrent writers."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from backend.database.database import Database
from backend.http.errors import StorageFullError, UnavailableError


@pytest.fixture
async def two(tmp_path: Path) -> AsyncIterator[tuple[Database, Database]]:
    """One SQLite file, opened as by two processes."""
    url = f"sqlite:///{tmp_path / 'x.db'}"
    one, other = Database(url), Database(url)
    async with one.writing() as session:
        await session.execute(text("CREATE TABLE counted (n INTEGER)"))
        await session.execute(text("INSERT INTO counted VALUES (0)"))
    yield one, other
    await one.close()
    await other.close()


async def test_writers_take_turns(two: tuple[Database, Database]):
    async def count_up(database: Database) -> None:
        async with database.writing() as session:
            n = await session.scalar(text("SELECT n FROM counted"))
            await session.execute(text("UPDATE counted SET n = :n"), {"n": n + 1})

    await asyncio.gather(*(count_up(database) for database in two for _ in range(3)))

    async with two[0].reading() as session:
        assert await session.scalar(text("SELECT n FROM counted")) == 6


async def test_a_writer_that_reads_first_is_not_turned_away(
    two: tuple[Database, Database], tmp_path: Path
):
    """No other connection can write between its first read and its first write."""
    other = sqlite3.connect(tmp_path / "x.db", timeout=0, isolation_level=None)

    async with two[0].writing() as session:
        n = await session.scalar(text("SELECT n FROM counted"))
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("UPDATE counted SET n = 7")
        await session.execute(text("UPDATE counted SET n = :n"), {"n": n + 1})

    other.execute("UPDATE counted SET n = n + 1")
    assert other.execute("SELECT n FROM counted").fetchone() == (2,)
    other.close()


async def test_a_failed_write_transaction_stores_nothing(two: tuple[Database, Database]):
    async def fail_after_writing() -> None:
        async with two[0].writing() as session:
            await session.execute(text("UPDATE counted SET n = 7"))
            raise NotImplementedError

    with pytest.raises(NotImplementedError):
        await fail_after_writing()

    async with two[1].reading() as session:
        assert await session.scalar(text("SELECT n FROM counted")) == 0


async def test_every_connection_is_durable_and_patient(two: tuple[Database, Database]):
    async with two[0].reading() as session:
        found = {
            name: await session.scalar(text(f"PRAGMA {name}"))
            for name in ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
        }

    full = 2
    assert found == {
        "journal_mode": "wal",
        "synchronous": full,
        "busy_timeout": 5000,
        "foreign_keys": 1,
    }


@pytest.mark.postgres
async def test_postgresql_connections_have_timeouts(postgres_url: str):
    database = Database(postgres_url)
    async with database.reading() as session:
        limits = [
            await session.scalar(text(f"SHOW {name}"))
            for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
        ]
    await database.close()

    assert limits == ["5s", "4s", "10s"]


async def test_a_database_that_does_not_respond_is_reported_as_unavailable(tmp_path: Path):
    closed = Database("postgresql://nobody@127.0.0.1:1/nothing")

    with pytest.raises(UnavailableError) as refused:
        async with closed.reading() as session:
            await session.execute(text("SELECT 1"))

    assert (refused.value.code, refused.value.headers) == (
        "database_unavailable",
        {"Retry-After": "5"},
    )
    await closed.close()


async def test_closing_waits_for_open_transactions_and_refuses_new_ones(
    two: tuple[Database, Database],
):
    database = two[0]
    is_open, may_end = asyncio.Event(), asyncio.Event()

    async def write() -> None:
        async with database.writing() as session:
            await session.execute(text("UPDATE counted SET n = 5"))
            is_open.set()
            await may_end.wait()

    writing = asyncio.create_task(write())
    await is_open.wait()
    closing = asyncio.create_task(database.close())
    await asyncio.sleep(0)
    with pytest.raises(UnavailableError):
        async with database.reading():
            pass
    assert not closing.done()

    may_end.set()
    await writing
    await closing

    assert database.load().size == 0
    async with two[1].reading() as session:
        assert await session.scalar(text("SELECT n FROM counted")) == 5


async def test_a_locked_database_is_unavailable_and_works_again(
    two: tuple[Database, Database], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("backend.database.database._BUSY_TIMEOUT_MS", 50)
    locked = Database(two[0].url)
    other = sqlite3.connect(tmp_path / "x.db", timeout=0, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(UnavailableError):
        async with locked.writing() as session:
            await session.execute(text("UPDATE counted SET n = 1"))
    other.execute("ROLLBACK")
    other.close()

    async with locked.writing() as session:
        await session.execute(text("UPDATE counted SET n = 1"))
    await locked.close()


async def test_a_full_database_is_reported_as_full_and_can_be_read(two: tuple[Database, Database]):
    database = two[0]

    async def fill() -> None:
        async with database.writing() as session:
            pages = await session.scalar(text("PRAGMA page_count"))
            await session.execute(text(f"PRAGMA max_page_count = {pages}"))
            await session.execute(text("CREATE TABLE large AS SELECT zeroblob(1000000) AS b"))

    with pytest.raises(StorageFullError) as refused:
        await fill()

    assert refused.value.status == 507
    async with database.reading() as session:
        assert await session.scalar(text("SELECT n FROM counted")) == 0


async def test_a_mistake_of_ours_is_no_trouble_of_the_database(two: tuple[Database, Database]):
    async def write_twice() -> None:
        async with two[0].writing() as session:
            await session.execute(text("CREATE TABLE once (n INTEGER UNIQUE)"))
            for _ in range(2):
                await session.execute(text("INSERT INTO once VALUES (1)"))

    with pytest.raises(IntegrityError):
        await write_twice()
