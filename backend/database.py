"""The database: one engine, and transactions that are committed before their answer is sent.

SQLite is one file with a write-ahead log, fsynced at each commit; PostgreSQL is the same
tables by another address. What is answered was committed before.

Writing sessions of SQLite begin with BEGIN IMMEDIATE. A deferred transaction that read first
dies at its first write when somebody else wrote meanwhile (SQLITE_BUSY_SNAPSHOT), and no busy
timeout helps it.
"""

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

import msgspec
from sqlalchemy import DateTime, Dialect, MetaData, event, text
from sqlalchemy.engine import Connection
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

from backend.database_trouble import trouble_of, unavailable
from backend.settings import database_file, driver_url

_log = logging.getLogger("highwater.database")
_log.addHandler(logging.NullHandler())  # a command says itself what is wrong
_BUSY_TIMEOUT_MS = 5000
# A writer that waits longer for those before it is told so, however many they are.
_WRITER_WAITS_S = 5.0
# Longer than the server's own limit, which tells more: for a server that says nothing at all.
_COMMAND_TIMEOUT_S = 6.0
_CONNECT_TIMEOUT_S = 5.0
_BEGIN_OPTION = "sqlite_begin"
OPERATIONS = ("select", "insert", "update", "delete", "commit", "other")
_POSTGRES_LIMITS = {
    "statement_timeout": "5000",
    "lock_timeout": "4000",
    "idle_in_transaction_session_timeout": "10000",
    "application_name": "highwater",
}


class Base(DeclarativeBase):
    """All tables of the service."""

    # Constraints have names, so that a migration can speak of them on both databases.
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
    """A moment, in UTC on the way in and out; SQLite alone would forget the zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """In UTC; SQLite's without the zone, which it cannot store."""
        if value is None:
            return None
        assert value.tzinfo is not None, "a moment without a zone"
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """In UTC, with its zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Load(NamedTuple):
    """How busy a database's connections are in this process."""

    in_use: int
    size: int
    waiting: int


class Database:
    """One database: sessions that read, sessions that write, and whether it answers."""

    def __init__(
        self,
        url: str,
        *,
        observe: Callable[[str, float], None] | None = None,
        enforce_foreign_keys: bool = True,
    ) -> None:
        """`observe` is told each statement's kind (`OPERATIONS`) and the seconds that it took.

        A migration of SQLite does not enforce foreign keys: it makes tables anew, and to drop the
        old one would delete all rows that refer to it.
        """
        self.url = url
        self.file = database_file(url)
        self.is_sqlite = self.file is not None
        self._file_id: tuple[int, int] | None = None
        self._waiting = 0
        self.engine = _create_engine(
            url, is_sqlite=self.is_sqlite, enforce_foreign_keys=enforce_foreign_keys
        )
        self._observe = observe
        if observe is not None:
            _time_statements(self.engine, observe)
        self._reading = async_sessionmaker(self.engine, expire_on_commit=False)
        self._writing = async_sessionmaker(
            self.engine.execution_options(**{_BEGIN_OPTION: "BEGIN IMMEDIATE"}),
            expire_on_commit=False,
        )
        # SQLite lets one writer in and lets the others poll with growing sleeps; a queue in
        # the process is fair and wakes the next one at once.
        self._writers = asyncio.Lock() if self.is_sqlite else None

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """A transaction that sees one moment of the database."""
        async with self._transaction(self._reading) as session:
            yield session

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncSession]:
        """A transaction that is committed, durably, when the block ends without an exception."""
        if self._writers is None:
            async with self._transaction(self._writing) as session:
                yield session
        else:
            await self._wait_for_turn(self._writers)
            try:
                async with self._transaction(self._writing) as session:
                    yield session
            finally:
                self._writers.release()

    async def _wait_for_turn(self, writers: asyncio.Lock) -> None:
        self._waiting += 1
        try:
            async with asyncio.timeout(_WRITER_WAITS_S):
                await writers.acquire()
        except TimeoutError:
            _log.warning("database_unavailable", extra={"fields": {"error": "WritersWait"}})
            raise unavailable() from None
        finally:
            self._waiting -= 1

    @asynccontextmanager
    async def _transaction(
        self, sessions: async_sessionmaker[AsyncSession]
    ) -> AsyncIterator[AsyncSession]:
        if not self.has_its_file():
            # What is written to a deleted file is gone when the process ends.
            _log.error("database_unavailable", extra={"fields": {"error": "FileReplaced"}})
            raise unavailable()
        try:
            async with sessions() as session, session.begin() as transaction:
                self._waiting += 1
                try:
                    await _connected(session)
                finally:
                    self._waiting -= 1
                yield session
                started = time.perf_counter()
                await transaction.commit()
                if self._observe is not None:
                    self._observe("commit", time.perf_counter() - started)
        except DBAPIError as error:
            trouble = trouble_of(error)
            if trouble is None:
                raise
            _log.warning(trouble.code, extra={"fields": {"error": type(error.orig).__name__}})
            raise trouble from error
        except (TimeoutError, ConnectionError) as error:  # asyncpg's, in its own words
            _log.warning("database_unavailable", extra={"fields": {"error": type(error).__name__}})
            raise unavailable() from error

    async def answers(self) -> bool:
        """Whether a query is answered. Never raises, and waits as long as a statement may take."""
        try:
            async with self.reading() as session:
                await session.execute(text("SELECT 1"))
        except Exception:  # whatever it was: it does not answer
            return False
        return True

    def load(self) -> Load:
        """How busy it is now."""
        pool = self.engine.pool
        assert isinstance(pool, AsyncAdaptedQueuePool)
        return Load(pool.checkedout(), pool.checkedin() + pool.checkedout(), self._waiting)

    def remember_file(self) -> None:
        """Take the SQLite file that is there now for the right one, from now on."""
        self._file_id = self._identified()

    def has_its_file(self) -> bool:
        """Whether the SQLite file is the one that was remembered: not deleted, not replaced."""
        return self._file_id is None or self._identified() == self._file_id

    def _identified(self) -> tuple[int, int] | None:
        if self.file is None:
            return None
        try:
            found = os.stat(self.file)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    async def close(self) -> None:
        """Closes all connections."""
        await self.engine.dispose()
        # A closed connection's socket goes in the event loop's next turn; give it that turn.
        await asyncio.sleep(0)


async def _connected(session: AsyncSession) -> None:
    """Begin the transaction. Whatever goes wrong before there is one, is the database's."""
    try:
        await session.connection()
    except DBAPIError:
        raise
    except Exception as error:  # drivers raise their own kinds here, and the system's
        _log.warning("database_unavailable", extra={"fields": {"error": type(error).__name__}})
        raise unavailable() from error


def _create_engine(url: str, *, is_sqlite: bool, enforce_foreign_keys: bool) -> AsyncEngine:
    options: dict[str, object] = {
        "json_serializer": lambda value: msgspec.json.encode(value).decode(),
        "json_deserializer": msgspec.json.decode,
    }
    if not is_sqlite:
        return create_async_engine(
            driver_url(url),
            pool_pre_ping=True,
            pool_size=10,
            max_overflow=10,
            pool_timeout=5,
            connect_args={
                "server_settings": _POSTGRES_LIMITS,
                "timeout": _CONNECT_TIMEOUT_S,
                "command_timeout": _COMMAND_TIMEOUT_S,
            },
            **options,
        )
    engine = create_async_engine(driver_url(url), **options)
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
    # The driver's own idea of when to begin is turned off: see _begin_sqlite_transaction.
    connection.isolation_level = None
    try:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute(f"PRAGMA foreign_keys = {'ON' if enforce_foreign_keys else 'OFF'}")
        cursor.close()
    except Exception:
        connection.close()  # a locked or damaged file: the pool does not know it yet
        raise


def _begin_sqlite_transaction(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN_OPTION, "BEGIN"))


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC)
