"""Connects to the service's database by ADBC: address, dialect and transactions.

Both databases get the same SQL, except for what is in `Dialect`.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import adbc_driver_postgresql.dbapi as postgresql
import adbc_driver_sqlite.dbapi as sqlite
from adbc_driver_manager import dbapi

from analytics.errors import DatabaseFailedError, DatabaseUrlError, SchemaMissingError

_BUSY_TIMEOUT_MS = 10_000
_CONNECT_TIMEOUT_SECONDS = "10"


@dataclass(frozen=True, slots=True)
class Dialect:
    """The SQL that differs between the two databases."""

    existing_tables: str
    begin_reading: str
    """Begins a transaction in which all statements read the same snapshot."""
    export_snapshot: str | None
    """Returns a name by which other transactions can read this one's snapshot, until it ends. None
    if the database cannot."""
    shares: str
    """The table `shares` as `s`, read through an index with the columns that detect changes. A row
    also contains all frames."""
    created_at: str
    """The time as text with microseconds, in UTC, in the same format for both databases."""
    is_as_written: str
    """Whether each played step in `record`, [[after, step, item], ...], is an entry of the
    scenario's steps."""
    facts: str
    """The facts as JSON text."""
    facts_without_titles: str


SQLITE = Dialect(
    existing_tables="SELECT name FROM sqlite_master WHERE type = 'table'",
    begin_reading="BEGIN",
    export_snapshot=None,
    shares="shares AS s INDEXED BY ix_shares_sid_seal_deleted_at_taken_down_at",
    created_at="created_at",
    is_as_written="NOT EXISTS (SELECT 1 FROM json_each(record)"
    " WHERE json_extract(json_each.value, '$[2]') IS NULL)",
    facts="facts",
    facts_without_titles="CASE json_type(facts) WHEN 'object'"
    " THEN json_remove(facts, '$.title_en', '$.title_zh') ELSE facts END",
)
POSTGRESQL = Dialect(
    # Tables in the schemas of the search path, which the other statements use too.
    existing_tables="SELECT relname::text FROM pg_class WHERE pg_table_is_visible(oid)",
    begin_reading="SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
    export_snapshot="SELECT pg_export_snapshot()",
    shares="shares AS s",
    created_at="to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')",
    is_as_written="NOT EXISTS (SELECT 1 FROM json_array_elements(record) AS act"
    " WHERE act ->> 2 IS NULL)",
    facts="facts::text",
    facts_without_titles="CASE json_typeof(facts) WHEN 'object'"
    " THEN (facts::jsonb - 'title_en' - 'title_zh')::text ELSE facts::text END",
)


class Connector:
    """Connects to the service's database, with the same URL as the service. Spark's workers get a
    copy.
    """

    def __init__(self, url: str) -> None:
        """Raises DatabaseUrlError for an invalid address. A missing database is reported at its
        first use.
        """
        scheme, _, rest = url.partition("://")
        backend = scheme.partition("+")[0]
        self._address = f"{backend}://{rest}"
        self._file: Path | None = None
        if backend == "sqlite":
            # sqlite:///FILE is relative and sqlite:////FILE is absolute, as in SQLAlchemy.
            slash, file = rest[:1], unquote(rest[1:].partition("?")[0])
            if slash != "/" or file in ("", ":memory:"):
                raise DatabaseUrlError("an SQLite address needs a file: sqlite:///FILE")
            self.name = f"sqlite:///{file}"
            self._file = Path(file).absolute()  # workers have a different current folder
            self.dialect = SQLITE
        elif backend == "postgresql":
            self.name = f"postgresql://{_without_secrets(rest)}"
            self.dialect = POSTGRESQL
        else:
            raise DatabaseUrlError(
                "the database's address must be sqlite:///FILE or postgresql://USER@HOST/NAME"
            )

    @contextmanager
    def reading(
        self, tables: Sequence[str], *, snapshot: str | None = None
    ) -> Iterator[dbapi.Cursor]:
        """A read-only transaction on one snapshot of the database: a new one, or that of the
        transaction that exported this name.

        Raises SchemaMissingError if one of the tables does not exist, and DatabaseFailedError.
        """
        with self._connected() as connection, connection.cursor() as cursor:
            cursor.execute(self.dialect.begin_reading)
            if snapshot is not None:
                cursor.execute(f"SET TRANSACTION SNAPSHOT '{snapshot}'")
            self._require_tables(cursor, tables)
            yield cursor
            # Closing the connection ends the transaction.

    @contextmanager
    def writing(self, tables: Sequence[str]) -> Iterator[dbapi.Cursor]:
        """A transaction that excludes other writing transactions of the first of the tables.

        It commits if the block succeeds. Raises the same errors as `reading`.
        """
        with self._connected() as connection, connection.cursor() as cursor:
            self._require_tables(cursor, tables)
            if self.dialect == SQLITE:
                cursor.execute("BEGIN IMMEDIATE")
                try:
                    yield cursor
                except BaseException:
                    cursor.execute("ROLLBACK")
                    raise
                cursor.execute("COMMIT")
            else:
                connection.rollback()  # the lock must come before the snapshot
                cursor.execute(f"LOCK TABLE {tables[0]} IN SHARE ROW EXCLUSIVE MODE")
                yield cursor  # an exception closes the connection, which rolls back
                connection.commit()

    @contextmanager
    def _connected(self) -> Iterator[dbapi.Connection]:
        try:
            with self._connect() as connection:
                yield connection
        except dbapi.Error as error:
            first_line = str(error).strip().partition("\n")[0]
            raise DatabaseFailedError(f"{self.name}: {first_line}") from error

    def _connect(self) -> dbapi.Connection:
        if self._file is None:
            os.environ.setdefault("PGCONNECT_TIMEOUT", _CONNECT_TIMEOUT_SECONDS)
            # Start in a transaction; otherwise each insert would commit.
            server: dbapi.Connection = postgresql.connect(self._address)
            return server
        # Connecting would create an empty file.
        if not self._file.is_file():
            raise DatabaseFailedError(f"{self.name}: there is no such file")
        # Autocommit: the driver's own transactions cannot wait for a lock.
        file: dbapi.Connection = sqlite.connect(str(self._file), autocommit=True)
        with file.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
        return file

    def _require_tables(self, cursor: dbapi.Cursor, tables: Sequence[str]) -> None:
        cursor.execute(self.dialect.existing_tables)
        existing = {name for (name,) in cursor.fetchall()}
        missing = [table for table in tables if table not in existing]
        if missing:
            raise SchemaMissingError(
                f"{self.name} has no table {missing[0]}; run `highwater migrate` first"
            )


def _without_secrets(address: str) -> str:
    """The address without user, password and options, which may include a password."""
    return address.partition("?")[0].rpartition("@")[2]
