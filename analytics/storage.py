"""Gives Spark the shares in the service's database, and writes summaries.

A summary covers one snapshot of the shares. It is written in one transaction.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import pyarrow as pa
from adbc_driver_manager import dbapi
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from analytics.connecting import POSTGRESQL, Connector, Dialect
from analytics.schemas import SHARES, SUMMARY_CAUSES, SUMMARY_FAULTS, SUMMARY_LESSONS, SUMMARY_LOSS
from analytics.share_facts import FACTS_VERSION, SharesToRead

# Older summaries are deleted when a new one is written.
KEPT_SUMMARIES = 10

_PARTS = ("summary_loss", "summary_faults", "summary_causes", "summary_lessons")
_TABLES = ("summaries", *_PARTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The result of one run of the job; the tables have the schemas of `analytics.schemas`."""

    generated_at: datetime
    engine: str
    watermark: int
    """The watermark of the counted snapshot. A greater watermark means newer shares."""
    shares_read: int
    first_share_at: datetime | None
    last_share_at: datetime | None
    loss: pa.Table
    faults: pa.Table
    causes: pa.Table
    lessons: pa.Table


def confirm_summary(connector: Connector, watermark: int, engine: str, now: datetime) -> int | None:
    """The id of the latest summary if it covers these shares or newer ones; otherwise None.

    If it covers exactly these shares, its `generated_at` becomes `now`.
    """
    with connector.writing(_TABLES) as cursor:
        return _confirm(cursor, connector.dialect, watermark, engine, now)


def write_summary(connector: Connector, summary: Summary) -> int:
    """Add a summary, delete all but the latest KEPT_SUMMARIES, and return its id.

    If another job has already written a summary of these or newer shares, nothing is added and that
    summary's id is returned. In one transaction: a reader sees all of a summary or none.
    """
    dialect = connector.dialect
    with connector.writing(_TABLES) as cursor:
        known = _confirm(cursor, dialect, summary.watermark, summary.engine, summary.generated_at)
        if known is not None:
            return known
        summary_id = _insert_summary(cursor, dialect, summary)
        _insert_rows(cursor, "summary_loss", SUMMARY_LOSS, summary.loss, summary_id)
        _insert_rows(cursor, "summary_faults", SUMMARY_FAULTS, summary.faults, summary_id)
        _insert_rows(cursor, "summary_causes", SUMMARY_CAUSES, summary.causes, summary_id)
        _insert_rows(cursor, "summary_lessons", SUMMARY_LESSONS, summary.lessons, summary_id)
        _delete_old_summaries(cursor)
    return summary_id


def _confirm(
    cursor: dbapi.Cursor, dialect: Dialect, watermark: int, engine: str, now: datetime
) -> int | None:
    cursor.execute(
        "SELECT id, facts_version, watermark, engine FROM summaries ORDER BY id DESC LIMIT 1"
    )
    for summary_id, version, reached, made_by in cursor.fetchall():
        if version != FACTS_VERSION or reached < watermark:
            return None
        if reached == watermark and made_by != engine:
            return None
        if reached == watermark:
            cursor.execute(
                "UPDATE summaries SET generated_at = $1 WHERE id = $2",
                (_moment(dialect, now), summary_id),
            )
        return int(summary_id)
    return None


def _insert_summary(cursor: dbapi.Cursor, dialect: Dialect, summary: Summary) -> int:
    cursor.execute(
        "INSERT INTO summaries (generated_at, engine, facts_version, watermark, shares_read,"
        " first_share_at, last_share_at) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id",
        (
            _moment(dialect, summary.generated_at),
            summary.engine,
            FACTS_VERSION,
            summary.watermark,
            summary.shares_read,
            _moment(dialect, summary.first_share_at),
            _moment(dialect, summary.last_share_at),
        ),
    )
    ((summary_id,),) = cursor.fetchall()
    return int(summary_id)


def _moment(dialect: Dialect, moment: datetime | None) -> datetime | str | None:
    if moment is None or dialect == POSTGRESQL:
        return moment
    # The format that SQLAlchemy writes and reads.
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")


def read_shares(spark: SparkSession, shares: SharesToRead) -> DataFrame:
    """The shares, read by Spark's workers from the database, one task for each range."""

    def read(numbers: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in numbers:
            for number in batch["id"].to_pylist():
                yield from shares.read(number)

    count = len(shares.ranges)
    ranges = spark.range(0, count, 1, max(1, count))
    return ranges.mapInArrow(read, from_arrow_schema(SHARES))


def keep_shares(shares: DataFrame, folder: str) -> str:
    """Write the shares as Parquet to a folder of any file system that Spark knows, and return its
    address. Replaces an older copy.
    """
    target = f"{folder.rstrip('/')}/shares.parquet"
    # Times with a zone. Spark's default is a type of Parquet that is obsolete and has none.
    shares.sparkSession.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
    shares.write.mode("overwrite").parquet(target)
    return target


def _insert_rows(
    cursor: dbapi.Cursor, table: str, schema: pa.Schema, rows: pa.Table, summary_id: int
) -> None:
    assert rows.schema == schema, f"{table}: {rows.schema}"
    if rows.num_rows:
        owner = pa.array([summary_id] * rows.num_rows, pa.int64())
        cursor.adbc_ingest(table, rows.add_column(0, "summary_id", owner), mode="append")


def _delete_old_summaries(cursor: dbapi.Cursor) -> None:
    kept = f"(SELECT id FROM summaries ORDER BY id DESC LIMIT {KEPT_SUMMARIES})"  # noqa: S608
    for table in _PARTS:
        cursor.execute(f"DELETE FROM {table} WHERE summary_id NOT IN {kept}")  # noqa: S608
    cursor.execute(f"DELETE FROM summaries WHERE id NOT IN {kept}")  # noqa: S608
