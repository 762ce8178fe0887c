"""How often a transaction waits for the thread of its SQLite connection, counted in calls."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from backend.database.database import Database
from backend.database.sqlite import SqliteConnection
from backend.http.errors import UnavailableError


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = Database(f"sqlite:///{tmp_path}/x.db")
    async with database.writing() as db:
        await db.execute(text("CREATE TABLE fruit (name TEXT)"))
    yield database
    await database.close()


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The calls that the threads of all connections execute from now on."""
    executed: list[object] = []
    execute = SqliteConnection._in_thread

    async def counted(self: SqliteConnection, work: object) -> object:
        executed.append(work)
        return await execute(self, work)  # type: ignore[arg-type]  # passed on as it is

    monkeypatch.setattr(SqliteConnection, "_in_thread", counted)
    return executed


async def names(db: AsyncSession) -> list[str]:
    return list(await db.scalars(text("SELECT name FROM fruit ORDER BY name")))


async def test_a_transaction_that_reads_waits_once_for_each_query(
    database: Database, calls: list[object]
):
    async with database.reading() as db:
        await names(db)
        await names(db)

    assert len(calls) == 2


async def test_a_transaction_without_a_query_does_not_wait(database: Database, calls: list[object]):
    async with database.reading():
        pass

    assert calls == []


async def test_the_queries_of_a_transaction_that_reads_see_the_same_state(database: Database):
    async with database.reading() as db:
        before = await names(db)
        async with database.writing() as other:
            await other.execute(text("INSERT INTO fruit VALUES ('a')"))
        assert await names(db) == before == []

    async with database.reading() as db:
        assert await names(db) == ["a"]


async def test_a_transaction_that_failed_leaves_its_connection_usable(database: Database):
    for _ in range(20):  # each connection of the pool
        with pytest.raises(UnavailableError):
            async with database.reading() as db:
                await db.execute(text("SELECT * FROM vegetables"))
    async with database.reading() as db:
        assert await names(db) == []


async def test_a_transaction_that_writes_waits_for_each_statement_and_its_end(
    database: Database, calls: list[object]
):
    async with database.writing() as db:
        await db.execute(text("INSERT INTO fruit VALUES (:name)"), [{"name": "a"}, {"name": "b"}])
        found = await names(db)

    assert found == ["a", "b"]
    assert len(calls) == 3


async def test_a_transaction_that_writes_takes_its_lock_with_its_first_statement(
    database: Database,
):
    other = sqlite3.connect(database.url.removeprefix("sqlite:///"), timeout=0)
    async with database.writing() as db:
        await names(db)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("INSERT INTO fruit VALUES ('b')")
    other.execute("INSERT INTO fruit VALUES ('b')")
    other.rollback()
    other.close()


async def test_a_reading_transaction_that_writes_after_all_is_committed_in_the_thread(
    database: Database, calls: list[object]
):
    async with database.reading() as db:
        await names(db)
        await db.execute(text("INSERT INTO fruit VALUES ('a')"))

    assert len(calls) == 3
    async with database.reading() as db:
        assert await names(db) == ["a"]


async def test_after_a_call_was_abandoned_everything_waits_for_the_thread(
    database: Database, calls: list[object]
):
    other = Database(database.url)
    async with other.engine.connect() as connection:
        raw = (await connection.get_raw_connection()).driver_connection
        assert isinstance(raw, SqliteConnection)
        calls.clear()
        waiting = asyncio.create_task(raw.run("SELECT 1", list))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await raw.direct(lambda: None)
        assert len(calls) == 2
    await other.close()


async def test_everything_waits_for_the_thread_if_sqlite_is_compiled_without_locks(
    database: Database, calls: list[object], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(sqlite3, "threadsafety", 1)
    unlocked = Database(f"sqlite:///{tmp_path}/x.db")
    async with unlocked.reading() as db:
        assert await names(db) == []
    await unlocked.close()

    assert len(calls) > 1


async def test_a_transaction_abandoned_at_its_first_statement_gives_up_its_lock(
    database: Database, calls: list[object]
):
    async def write(name: str) -> None:
        async with database.writing() as db:
            await db.execute(text("INSERT INTO fruit VALUES (:name)"), {"name": name})

    abandoned = asyncio.create_task(write("a"))
    while not calls:
        await asyncio.sleep(0)
    abandoned.cancel()
    await asyncio.gather(abandoned, return_exceptions=True)
    await write("b")

    assert abandoned.cancelled()
    async with database.reading() as db:
        assert await names(db) == ["b"]
