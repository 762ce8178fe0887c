"""What each database is asked for, and what two writers at once come to."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text

from backend.database import Database


@pytest.fixture
async def two(tmp_path: Path) -> AsyncIterator[tuple[Database, Database]]:
    """One SQLite file, as two processes have it."""
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
    """Nobody else can write between its first read and its first write."""
    other = sqlite3.connect(tmp_path / "x.db", timeout=0, isolation_level=None)

    async with two[0].writing() as session:
        n = await session.scalar(text("SELECT n FROM counted"))
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("UPDATE counted SET n = 7")
        await session.execute(text("UPDATE counted SET n = :n"), {"n": n + 1})

    other.execute("UPDATE counted SET n = n + 1")
    assert other.execute("SELECT n FROM counted").fetchone() == (2,)
    other.close()


async def test_a_writer_that_fails_leaves_nothing(two: tuple[Database, Database]):
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
async def test_a_server_is_asked_for_no_more_than_a_request_may_take(postgres_url: str):
    database = Database(postgres_url)
    async with database.reading() as session:
        limits = [
            await session.scalar(text(f"SHOW {name}"))
            for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
        ]
    await database.close()

    assert limits == ["5s", "4s", "10s"]


async def test_a_database_that_does_not_answer_is_not_ready():
    database = Database("postgresql://nobody@127.0.0.1:1/nothing")

    assert not await database.answers()

    await database.close()
