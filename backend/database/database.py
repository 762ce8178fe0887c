"""The database: one engine, and transactions that commit before their response is sent.

SQLite is one file with a write-ahead log, fsynced at each commit. PostgreSQL has the same tables;
only the address differs. A successful response means that the transaction was committed.

Writing sessions of SQLite begin with BEGIN IMMEDIATE. A deferred transaction that has read fails at
its first write if another connection has written since (SQLITE_BUSY_SNAPSHOT), and no busy timeout
prevents this.
"""

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

import msgspec
from sqlalchemy import CursorResult, DateTime, Dialect, MetaData, Table, UpdateBase, event, text
from sqlalchemy.engine import Connection, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import (
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.pool import AsyncAdaptedQueuePool
from sqlalchemy.types import TypeDecorator

from backend.database.errors import database_error_of, unavailable
from backend.database.sqlite import SqliteConnection
from backend.database.stored_bytes import WRITTEN, Written, count_written
from backend.database.writer_turns import WriterTurns
from backend.settings import database_file, driver_url

_log = logging.getLogger("highwater.database")
_log.addHandler(logging.NullHandler())  # a command reports the error itself
_BUSY_TIMEOUT_MS = 5000
# This timeout is longer than the server's own limit, whose error is more precise. It applies to a
# server that does not respond at all.
_COMMAND_TIMEOUT_S = 6.0
_CONNECT_TIMEOUT_S = 5.0
_CLOSING_S = 5.0
_FILE_SEEN_FOR_S = 0.5
_CLOSING_POLL_S = 0.005
_BEGIN_OPTION = "sqlite_begin"
OPERATIONS = ("select", "insert", "update", "delete", "commit", "other")
_POSTGRES_LIMITS = {
    "statement_timeout": "5000",
    "lock_timeout": "4000",
    "idle_in_transaction_session_timeout": "10000",
    "application_name": "highwater",
}


class Base(DeclarativeBase):
    """The base class of all tables of the service."""

    # Constraints have names, so that migrations can refer to them on both databases.
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class UtcDateTime(TypeDecorator[datetime]):
    """A timestamp, in UTC both when stored and when read. SQLite does not store the time zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The value in UTC; for SQLite without a time zone, which it cannot store."""
        if value is None:
            return None
        assert value.tzinfo is not None, "a timestamp has a time zone"
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The value in UTC, with its time zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Load:
    """How many of this process's database connections are in use."""

    in_use: int
    size: int
    waiting: int


class Database:
    """One database: read sessions, write sessions and a health check."""

    def __init__(
        self,
        url: str,
        *,
        observe: Callable[[str, float], None] | None = None,
        on_stored: Callable[[int], None] = lambda number: None,
        enforce_foreign_keys: bool = True,
    ) -> None:
        """`observe` is called with each statement's kind (`OPERATIONS`) and its duration in
        seconds; `on_stored` after each commit with the number of bytes that it stored: those of
        the texts and binary values in its statements.

        An SQLite migration does not enforce foreign keys: it rebuilds tables, and dropping the old
        table would delete all rows that refer to it.
        """
        self.url = url
        self.file = database_file(url)
        self.is_sqlite = self.file is not None
        self._file_id: tuple[int, int] | None = None
        self._file_seen_until = 0.0
        self._waiting = 0
        self._closed = False
        self.engine = _create_engine(
            url, is_sqlite=self.is_sqlite, enforce_foreign_keys=enforce_foreign_keys
        )
        self._on_stored = on_stored
        self._observe = observe
        count_written(self.engine)
        if observe is not None:
            _time_statements(self.engine, observe)
        self._reading = async_sessionmaker(self.engine, expire_on_commit=False)
        self._writing = async_sessionmaker(
            self.engine.execution_options(**{_BEGIN_OPTION: "BEGIN IMMEDIATE"}),
            expire_on_commit=False,
        )
        self._turns = None if self.file is None else WriterTurns(self.file)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """A read transaction on a consistent snapshot of the database. Raises UnavailableError if
        the database does not respond.
        """
        async with self._transaction(self._reading) as db:
            yield db

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncSession]:
        """A write transaction. It commits durably when the block ends without an exception."""
        async with AsyncExitStack() as turn:
            if self._turns is not None:
                with self._counted_as_waiting():
                    await turn.enter_async_context(self._turns.turn())
            async with self._transaction(self._writing) as db:
                written = Written()
                (await db.connection()).info[WRITTEN] = written
                yield db
        self._on_stored(written.number)

    @contextmanager
    def _counted_as_waiting(self) -> Iterator[None]:
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    @asynccontextmanager
    async def _transaction(
        self, sessions: async_sessionmaker[AsyncSession]
    ) -> AsyncIterator[AsyncSession]:
        if self._closed:
            _log.warning("database_unavailable", extra={"fields": {"error": "Closed"}})
            raise unavailable()
        if not self._had_its_file_just_now(writes=sessions is self._writing):
            # Writes to a deleted file are lost when the process ends.
            _log.error("database_unavailable", extra={"fields": {"error": "FileReplaced"}})
            raise unavailable()
        try:
            async with sessions() as db, db.begin() as transaction:
                with self._counted_as_waiting():
                    await _connected(db)
                yield db
                started = time.perf_counter()
                await transaction.commit()
                if self._observe is not None:
                    self._observe("commit", time.perf_counter() - started)
        except DBAPIError as error:
            trouble = database_error_of(error)
            if trouble is None:
                raise
            _log.warning(trouble.code, extra={"fields": {"error": type(error.orig).__name__}})
            raise trouble from error
        except (TimeoutError, ConnectionError) as error:  # asyncpg raises its own exceptions
            _log.warning("database_unavailable", extra={"fields": {"error": type(error).__name__}})
            raise unavailable() from error

    async def accepts_writes(self) -> bool:
        """Whether it is not read-only: a standby, or a file that this process may only read. Raises
        UnavailableError.
        """
        if self.file is not None:
            return all(os.access(path, os.W_OK) for path in (self.file, self.file.resolve().parent))
        async with self.reading() as db:
            read_only: str = await db.scalar(text("SHOW transaction_read_only")) or "on"
            return read_only == "off"

    def load(self) -> Load:
        """The current use of its connections."""
        pool = self.engine.pool
        assert isinstance(pool, AsyncAdaptedQueuePool)
        return Load(pool.checkedout(), pool.checkedin() + pool.checkedout(), self._waiting)

    def remember_file(self) -> None:
        """Remember the current SQLite file, to detect later whether it was deleted or replaced."""
        self._file_id = self._identified()

    def has_its_file(self) -> bool:
        """Whether the SQLite file is still the remembered one, neither deleted nor replaced."""
        return self._file_id is None or self._identified() == self._file_id

    def _had_its_file_just_now(self, *, writes: bool) -> bool:
        """Like `has_its_file`; before a transaction that only reads, looked up at most twice a
        second.
        """
        moment = time.monotonic()
        if writes or moment > self._file_seen_until:
            if not self.has_its_file():
                return False
            self._file_seen_until = moment + _FILE_SEEN_FOR_S
        return True

    def _identified(self) -> tuple[int, int] | None:
        if self.file is None:
            return None
        try:
            status = os.stat(self.file)
        except OSError:
            return None
        return status.st_dev, status.st_ino

    async def close(self) -> None:
        """Close all connections. A transaction that begins afterwards is refused as unavailable.
        Open transactions have 5 s to end, because the pool closes only connections that are not in
        use.
        """
        self._closed = True
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSING_S):
                while self.load().in_use:
                    await asyncio.sleep(_CLOSING_POLL_S)
        await self.engine.dispose()
        if self._turns is not None:
            self._turns.close()
        # A connection's socket is closed in the next iteration of the event loop, so wait for one.
        await asyncio.sleep(0)


async def _connected(db: AsyncSession) -> None:
    """Begin the transaction. Every error before that is a database failure."""
    try:
        await db.connection()
    except DBAPIError:
        raise
    except Exception as error:  # drivers also raise their own exceptions and the operating system's
        _log.warning("database_unavailable", extra={"fields": {"error": type(error).__name__}})
        raise unavailable() from error


def _create_engine(url: str, *, is_sqlite: bool, enforce_foreign_keys: bool) -> AsyncEngine:
    options: dict[str, object] = {
        "json_serializer": lambda value: msgspec.json.encode(value).decode(),
        "json_deserializer": msgspec.json.decode,
        "hide_parameters": True,  # an error and the log must not contain what a visitor sent
    }
    if not is_sqlite:
        # None beyond the pool: those are closed after each use, and asyncpg prepares TLS anew for
        # every connection, for 10 ms or more in the event loop.
        return create_async_engine(
            driver_url(url),
            pool_pre_ping=True,
            pool_size=20,
            max_overflow=0,
            pool_timeout=5,
            connect_args={
                "server_settings": _POSTGRES_LIMITS,
                "timeout": _CONNECT_TIMEOUT_S,
                "command_timeout": _COMMAND_TIMEOUT_S,
            },
            **options,
        )
    file = make_url(url).database
    assert file is not None, "an SQLite address names a file"
    # Each connection has a thread, so all of them are kept: opening one for a moment of many
    # requests would take longer than most of those requests.
    engine = create_async_engine(
        driver_url(url),
        async_creator=lambda: SqliteConnection(file),
        pool_size=15,
        max_overflow=0,
        **options,
    )
    prepare = partial(_prepare_sqlite_connection, enforce_foreign_keys)
    event.listen(engine.sync_engine, "connect", prepare)
    event.listen(engine.sync_engine, "begin", _begin_sqlite_transaction)
    return engine


def _time_statements(engine: AsyncEngine, observe: Callable[[str, float], None]) -> None:
    def begin(connection: Connection, *_statement: object) -> None:
        connection.info["highwater_began"] = time.perf_counter()

    def end(
        connection: Connection,
        _cursor: object,
        statement: str,
        _parameters: object,
        _context: object,
        _many: bool,
    ) -> None:
        word = statement.lstrip()[:6].lower()
        seconds = time.perf_counter() - connection.info["highwater_began"]
        observe(word if word in OPERATIONS else "other", seconds)

    event.listen(engine.sync_engine, "before_cursor_execute", begin)
    event.listen(engine.sync_engine, "after_cursor_execute", end)


def _prepare_sqlite_connection(
    enforce_foreign_keys: bool, connection: DBAPIConnection, _record: object
) -> None:
    # The driver must not begin transactions itself: see _begin_sqlite_transaction.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute(f"PRAGMA foreign_keys = {'ON' if enforce_foreign_keys else 'OFF'}")
    cursor.close()


def _begin_sqlite_transaction(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN_OPTION, "BEGIN"))


def table_of(rows: type[Base]) -> Table:
    """The table of these rows."""
    table = rows.__table__
    assert isinstance(table, Table)
    return table


async def rows_changed(
    db: AsyncSession, statement: UpdateBase, parameters: Mapping[str, object] | None = None
) -> int:
    """Execute a statement and return the number of rows that it changed. Rows that the database
    session has loaded before stay as they are.
    """
    result = await db.execute(
        statement, parameters, execution_options={"synchronize_session": False}
    )
    assert isinstance(result, CursorResult)
    return result.rowcount


def now() -> datetime:
    """The current time, in UTC."""
    return datetime.now(UTC)
