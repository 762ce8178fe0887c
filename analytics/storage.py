"""The only reads and writes: the service's database, by ADBC, and Parquet files.

Both databases get the same SQL, except for what is in `_Dialect`. The read is one statement's
snapshot; the write is one transaction.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote

import adbc_driver_postgresql.dbapi as postgresql
import adbc_driver_sqlite.dbapi as sqlite
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from adbc_driver_manager import dbapi
from pyspark.sql import DataFrame, SparkSession

from analytics.errors import DatabaseFailedError, DatabaseUrlError, SchemaMissingError
from analytics.schemas import SHARES, SUMMARY_FAULTS, SUMMARY_LESSONS, SUMMARY_LOSS

# Older summaries are deleted when a new one is written.
KEPT_SUMMARIES = 10

_TABLES = ("shares", "summaries", "summary_loss", "summary_faults", "summary_lessons")
_BUSY_TIMEOUT_MS = 10_000
_CONNECT_TIMEOUT_SECONDS = "10"
# One process writes the file; Spark reads its row groups in parallel.
_ROW_GROUP_ROWS = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The result of one run of the job; the tables have the schemas of `analytics.schemas`."""

    generated_at: datetime
    engine: str
    shares_read: int
    first_share_at: datetime | None
    last_share_at: datetime | None
    loss: pa.Table
    faults: pa.Table
    lessons: pa.Table


@dataclass(frozen=True, slots=True)
class _Dialect:
    # The time as text with microseconds, in UTC, in the same format for both databases.
    created_at: str
    # Whether each act of `record`, [[after, step, item], ...], is an entry of the scenario's steps.
    is_as_written: str
    existing_tables: str


_SQLITE = _Dialect(
    created_at="created_at",
    is_as_written="NOT EXISTS (SELECT 1 FROM json_each(record)"
    " WHERE json_extract(json_each.value, '$[2]') IS NULL)",
    existing_tables="SELECT name FROM sqlite_master WHERE type = 'table'",
)
_POSTGRESQL = _Dialect(
    created_at="to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')",
    is_as_written="NOT EXISTS (SELECT 1 FROM json_array_elements(record) AS act"
    " WHERE act ->> 2 IS NULL)",
    # Tables in the schemas of the search path, which the other statements use too.
    existing_tables="SELECT relname::text FROM pg_class WHERE pg_table_is_visible(oid)",
)


class Database:
    """The service's database, with the same URL as in the service."""

    def __init__(self, url: str) -> None:
        """Raises DatabaseUrlError. A missing database is reported at its first use."""
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
            self._file = Path(file)
            self._dialect = _SQLITE
        elif backend == "postgresql":
            self.name = f"postgresql://{_without_secrets(rest)}"
            self._dialect = _POSTGRESQL
        else:
            raise DatabaseUrlError(
                "the database's address must be sqlite:///FILE or postgresql://USER@HOST/NAME"
            )

    def export_shares(self, folder: Path) -> int:
        """Write every share that was not deleted to `shares.parquet`; returns how many.

        Replaces an existing file. The file is either complete or absent.
        """
        target = folder / "shares.parquet"
        unfinished = folder / "shares.parquet.part"
        folder.mkdir(parents=True, exist_ok=True)
        count = 0
        with self._connected() as connection, connection.cursor() as cursor:
            self._require_tables(cursor)
            cursor.execute(
                f"SELECT sid, {self._dialect.created_at} AS created_at,"  # noqa: S608 (our words)
                " CAST(facts AS TEXT) AS facts, digest,"
                f" CASE WHEN scenario_id IS NOT NULL AND {self._dialect.is_as_written}"
                " THEN 1 ELSE 0 END AS as_shipped FROM shares"
                " WHERE deleted_at IS NULL AND taken_down_at IS NULL ORDER BY sid"
            )
            try:
                with pq.ParquetWriter(unfinished, SHARES, compression="zstd") as writer:
                    for batch in cursor.fetch_record_batch():
                        writer.write_table(_as_shares(batch), row_group_size=_ROW_GROUP_ROWS)
                        count += batch.num_rows
                unfinished.replace(target)
            finally:
                unfinished.unlink(missing_ok=True)
        return count

    def write_summary(self, summary: Summary) -> int:
        """Add a summary, delete all but the latest KEPT_SUMMARIES, and return its id.

        One transaction: a reader sees either all of a summary or nothing.
        """
        with self._connected() as connection, connection.cursor() as cursor:
            self._require_tables(cursor)
            with self._transaction(connection, cursor):
                summary_id = self._insert_summary(cursor, summary)
                _insert_rows(cursor, "summary_loss", SUMMARY_LOSS, summary.loss, summary_id)
                _insert_rows(cursor, "summary_faults", SUMMARY_FAULTS, summary.faults, summary_id)
                _insert_rows(
                    cursor, "summary_lessons", SUMMARY_LESSONS, summary.lessons, summary_id
                )
                _delete_old_summaries(cursor)
        return summary_id

    @contextmanager
    def _transaction(self, connection: dbapi.Connection, cursor: dbapi.Cursor) -> Iterator[None]:
        """A transaction that excludes other writers; it commits if the block succeeds."""
        if self._dialect is _SQLITE:
            cursor.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                cursor.execute("ROLLBACK")
                raise
            cursor.execute("COMMIT")
        else:
            cursor.execute("LOCK TABLE summaries IN SHARE ROW EXCLUSIVE MODE")
            yield  # an exception closes the connection, which rolls back
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

    def _require_tables(self, cursor: dbapi.Cursor) -> None:
        cursor.execute(self._dialect.existing_tables)
        existing = {name for (name,) in cursor.fetchall()}
        missing = [table for table in _TABLES if table not in existing]
        if missing:
            raise SchemaMissingError(
                f"{self.name} has no table {missing[0]}; run `highwater migrate` first"
            )

    def _insert_summary(self, cursor: dbapi.Cursor, summary: Summary) -> int:
        cursor.execute(
            "INSERT INTO summaries"
            " (generated_at, engine, shares_read, first_share_at, last_share_at)"
            " VALUES ($1, $2, $3, $4, $5) RETURNING id",
            (
                self._moment(summary.generated_at),
                summary.engine,
                summary.shares_read,
                self._moment(summary.first_share_at),
                self._moment(summary.last_share_at),
            ),
        )
        ((summary_id,),) = cursor.fetchall()
        return int(summary_id)

    def _moment(self, moment: datetime | None) -> datetime | str | None:
        if moment is None or self._dialect is _POSTGRESQL:
            return moment
        # The format that SQLAlchemy writes and reads.
        return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")


def read_shares(spark: SparkSession, folder: Path, *, workers_see_folder: bool) -> DataFrame:
    """The shares that `Database.export_shares` wrote to the folder.

    To workers that cannot read the folder, the driver sends the shares. They must then all fit in
    its memory: about a kilobyte each.
    """
    file = folder / "shares.parquet"
    if workers_see_folder:
        return spark.read.parquet(file.absolute().as_uri())
    return spark.createDataFrame(pq.read_table(file))


def _without_secrets(address: str) -> str:
    """The address without user, password and options, which may include a password."""
    return address.partition("?")[0].rpartition("@")[2]


def _as_shares(batch: pa.RecordBatch) -> pa.Table:
    # SQLite's driver infers a column's type from its rows, which is not possible for an
    # empty table.
    moments = pc.cast(pc.cast(batch["created_at"], pa.string()), pa.timestamp("us"))
    return pa.Table.from_arrays(
        [
            pc.cast(batch["sid"], pa.string()),
            pc.assume_timezone(moments, "UTC"),
            pc.cast(batch["facts"], pa.string()),
            pc.cast(batch["digest"], pa.string()),
            pc.equal(pc.cast(batch["as_shipped"], pa.int64()), 1),
        ],
        schema=SHARES,
    )


def _insert_rows(
    cursor: dbapi.Cursor, table: str, schema: pa.Schema, rows: pa.Table, summary_id: int
) -> None:
    assert rows.schema == schema, f"{table}: {rows.schema}"
    if rows.num_rows:
        owner = pa.array([summary_id] * rows.num_rows, pa.int64())
        cursor.adbc_ingest(table, rows.add_column(0, "summary_id", owner), mode="append")


def _delete_old_summaries(cursor: dbapi.Cursor) -> None:
    kept = f"(SELECT id FROM summaries ORDER BY id DESC LIMIT {KEPT_SUMMARIES})"  # noqa: S608
    for table in ("summary_loss", "summary_faults", "summary_lessons"):
        cursor.execute(f"DELETE FROM {table} WHERE summary_id NOT IN {kept}")  # noqa: S608
    cursor.execute(f"DELETE FROM summaries WHERE id NOT IN {kept}")  # noqa: S608
