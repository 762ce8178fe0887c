"""A connection to SQLite that crosses to its thread once for each statement.

aiosqlite runs each call of a connection in a thread, and SQLAlchemy makes four for a query: create
the cursor, execute, fetch, close. On a busy service each crossing waits twice for the interpreter,
once in the thread and once in the event loop, so a transaction that reads one row spent most of its
time on that. Here the rows come with the statement, and the calls that touch no file run directly
in the event loop. A transaction begins with its first statement, so it crosses once for each
statement and once for its end; nobody waits for the end of one that only reads.
"""

import asyncio
import os
import sqlite3
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite
from aiosqlite.context import contextmanager

_Rows = list[Any]
_T = TypeVar("_T")
_SERIALIZED = 3
_BEGIN = "BEGIN"
_BEGINNINGS = (_BEGIN, "BEGIN IMMEDIATE")


class SqliteConnection(aiosqlite.Connection):
    """A connection for SQLAlchemy, which uses `cursor`, `commit`, `rollback` and `close`."""

    def __init__(self, file: str) -> None:
        super().__init__(partial(_connect, file), iter_chunk_size=64)
        self._thread.daemon = True
        # Whether the transaction has executed only queries, the statement with which it still has
        # to begin, and whether it still has to end.
        self._only_reads = False
        self._begins_with: str | None = None
        self._is_reading = False
        # Whether every call runs in the thread: SQLite is compiled without locks, as some systems
        # have it, or the thread may still be executing a call that nobody waits for.
        self._only_in_thread = sqlite3.threadsafety != _SERIALIZED

    @contextmanager
    async def cursor(self) -> aiosqlite.Cursor:
        """A cursor that fetches all rows with the statement."""
        return _Cursor(self, await self.direct(self._conn.cursor))

    async def commit(self) -> None:
        """Commit the transaction. Only a transaction that has written waits for the disk."""
        await self._end(self._conn.commit)

    async def rollback(self) -> None:
        """Roll the transaction back, if there is one."""
        await self._end(self._conn.rollback)

    async def run(self, sql: str, work: Callable[[], _Rows]) -> _Rows:
        """The rows of a statement; `work` executes it."""
        if sql in _BEGINNINGS:
            self._only_reads = sql == _BEGIN
            self._begins_with = sql
            return []
        self._only_reads = self._only_reads and sql.lstrip()[:6].upper() == "SELECT"
        if self._begins_with is not None:
            work = partial(_after, self._conn, self._begins_with, work)
            self._begins_with, self._is_reading = None, True
        return await self._in_thread(work)

    async def direct(self, work: Callable[[], _T]) -> _T:
        """The result of a call that touches no file."""
        return await self._in_thread(work) if self._only_in_thread else work()

    async def _end(self, work: Callable[[], None]) -> None:
        self._begins_with = None
        if self._only_reads:
            if self._is_reading:
                # The thread executes the calls in their order, so the next one finds it ended.
                self._tx.put_nowait((None, work))
            self._is_reading = False
        elif self._conn.in_transaction:
            await self._in_thread(work)
        else:
            await self.direct(work)

    async def _in_thread(self, work: Callable[[], _T]) -> _T:
        execute: Callable[[Callable[[], _T]], Awaitable[_T]] = self._execute
        try:
            return await execute(work)
        except asyncio.CancelledError:
            self._only_in_thread = True
            raise


class _Cursor(aiosqlite.Cursor):
    """A cursor whose rows are fetched with the statement, in one call of the thread."""

    _conn: SqliteConnection

    def __init__(self, connection: SqliteConnection, cursor: sqlite3.Cursor) -> None:
        super().__init__(connection, cursor)
        self._rows: _Rows = []

    async def execute(
        self, sql: str, parameters: Iterable[object] | None = None
    ) -> aiosqlite.Cursor:
        """Execute a statement and fetch its rows."""
        values = tuple(parameters or ())
        self._rows = await self._conn.run(sql, partial(_rows_of, self._cursor, sql, values))
        return self

    async def executemany(
        self, sql: str, parameters: Iterable[Iterable[object]]
    ) -> aiosqlite.Cursor:
        """Execute a statement with each of these parameters."""
        await self._conn.run(sql, partial(_rows_of_many, self._cursor, sql, list(parameters)))
        return self

    async def fetchall(self) -> Iterable[sqlite3.Row]:
        """The rows of the last statement."""
        rows, self._rows = self._rows, []
        return rows

    async def close(self) -> None:
        """Close the cursor."""
        await self._conn.direct(self._cursor.close)


def _after(connection: sqlite3.Connection, beginning: str, work: Callable[[], _Rows]) -> _Rows:
    connection.execute(beginning)
    return work()


def create_private(file: Path) -> None:
    """Create an empty database file that only its owner can read, if there is none: sessions' ids
    grant the right to act. SQLite gives the write-ahead log and its index the same permissions.
    """
    with suppress(OSError):  # it exists, or its folder does not: SQLite's own error says so
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _connect(file: str) -> sqlite3.Connection:
    create_private(Path(file))
    # If it is serialized, SQLite lets one thread at a time use a connection. Else only one does.
    return sqlite3.connect(file, check_same_thread=False)


def _rows_of(cursor: sqlite3.Cursor, sql: str, parameters: tuple[object, ...]) -> _Rows:
    return cursor.execute(sql, parameters).fetchall()


def _rows_of_many(cursor: sqlite3.Cursor, sql: str, parameters: list[Any]) -> _Rows:
    cursor.executemany(sql, parameters)
    return []
