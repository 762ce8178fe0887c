"""Keeps what summaries count of each share from one job to the next, in the table `share_facts`.

A job updates the table and counts its rows. A share that has not changed is not read again. Changes
are detected by comparing ids and seals, not times: creation times are rounded to the minute, and a
share can arrive late, be deleted, be taken down and be put back. The *watermark* increases with
each change of the table, so equal watermarks mean equal rows.
"""

# ruff: noqa: S608  (only our own constants are formatted into statements)

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
from adbc_driver_manager import dbapi

from analytics.connecting import Connector, Dialect
from analytics.errors import SharesChangedError
from analytics.schemas import SHARES

FACTS_VERSION = 1
"""Increment this when the contents of a row change. Rows of different versions are separate."""

SHARES_AT_ONCE = 1_000
"""Shares read in one transaction, during which the service cannot write to SQLite."""

RANGE_SHARES = 25_000
"""Shares that one task reads. Ranges have equal numbers of shares, whatever their ids."""

_TABLES = ("share_facts_watermarks", "share_facts", "shares")
_IS_SHOWN = "s.deleted_at IS NULL AND s.taken_down_at IS NULL"


@dataclass(frozen=True, slots=True)
class Refreshed:
    """The numbers of rows added (for new or changed shares) and removed (of changed, deleted or
    hidden shares).
    """

    added: int
    removed: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The number of shares in the table, and its watermark, at one moment."""

    shares: int
    watermark: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SharesToRead:
    """One snapshot of the table, in ranges of its key that workers read side by side."""

    connector: Connector
    counted: Snapshot
    ranges: tuple[tuple[str, str], ...]
    """Each without its first sid and with its last."""
    exported: str | None
    """The database's name of the snapshot; None if it cannot give it to other transactions."""

    def read(self, number: int) -> Iterator[pa.RecordBatch]:
        """The shares of a range, with the schema SHARES.

        Raises SharesChangedError if the database no longer has this snapshot.
        """
        with self.connector.reading(_TABLES, snapshot=self.exported) as cursor:
            if _watermark(cursor) != self.counted.watermark:
                raise SharesChangedError("the shares changed while they were read")
            cursor.execute(
                f"SELECT sid, {self.connector.dialect.created_at} AS created_at, facts, digest,"
                " CASE WHEN as_shipped THEN 1 ELSE 0 END AS as_shipped FROM share_facts"
                f" WHERE version = {FACTS_VERSION} AND sid > $1 AND sid <= $2",
                self.ranges[number],
            )
            for batch in cursor.fetch_record_batch():
                yield from _as_shares(batch).to_batches()


def refresh(connector: Connector) -> Refreshed:
    """Update the table from `shares`, and return the numbers of rows. If it is interrupted, the
    next call continues.

    Two concurrent jobs take turns, 1,000 shares at a time. Each share is read once.
    """
    added, after = 0, ""
    with connector.writing(_TABLES) as cursor:
        removed = _remove_stale(cursor, connector.dialect)
    while True:
        with connector.writing(_TABLES) as cursor:
            count, last = _add_some(cursor, connector.dialect, after)
        added += count
        if last is None:
            break
        after = last
    return Refreshed(added, removed)


def snapshot(connector: Connector) -> Snapshot:
    """The state of the table, without reading its rows: SQL counts them in an index."""
    with connector.reading(_TABLES) as cursor:
        cursor.execute(f"SELECT count(*) FROM share_facts WHERE version = {FACTS_VERSION}")
        ((shares,),) = cursor.fetchall()
        return Snapshot(int(shares), _watermark(cursor))


@contextmanager
def shares_to_read(connector: Connector) -> Iterator[SharesToRead]:
    """One snapshot of the table, for readers inside the block.

    PostgreSQL keeps the snapshot until the block ends. SQLite does not; there, a reader fails if
    the table has changed.
    """
    with ExitStack() as transaction:
        cursor = transaction.enter_context(connector.reading(_TABLES))
        exported = None
        if connector.dialect.export_snapshot is not None:
            cursor.execute(connector.dialect.export_snapshot)
            ((exported,),) = cursor.fetchall()
        counts, ranges = [], []
        after = ""
        while some := _range_after(cursor, after):
            count, last = some
            counts.append(count)
            ranges.append((after, last))
            after = last
        shares = SharesToRead(
            connector=connector,
            counted=Snapshot(sum(counts), _watermark(cursor)),
            ranges=tuple(ranges),
            exported=exported,
        )
        if exported is None:
            transaction.close()  # in SQLite, an open transaction hinders the service
        yield shares


def _range_after(cursor: dbapi.Cursor, after: str) -> tuple[int, str] | None:
    """The number of the next shares, and the id of the last; None if there are none. Reads only the
    index.
    """
    cursor.execute(
        f"SELECT count(*), max(sid) FROM (SELECT sid FROM share_facts"
        f" WHERE version = {FACTS_VERSION} AND sid > $1 ORDER BY sid LIMIT {RANGE_SHARES}) AS r",
        (after,),
    )
    ((count, last),) = cursor.fetchall()
    return (int(count), str(last)) if count else None


def _watermark(cursor: dbapi.Cursor) -> int:
    cursor.execute(f"SELECT number FROM share_facts_watermarks WHERE version = {FACTS_VERSION}")
    ((number,),) = cursor.fetchall()
    return int(number)


def _remove_stale(cursor: dbapi.Cursor, dialect: Dialect) -> int:
    """Remove the rows of shares that are no longer visible or have changed, and return their
    number.
    """
    cursor.execute(
        f"INSERT INTO share_facts_watermarks (version, number) VALUES ({FACTS_VERSION}, 0)"
        " ON CONFLICT DO NOTHING"
    )
    for table in ("share_facts", "share_facts_watermarks"):
        cursor.execute(f"DELETE FROM {table} WHERE version < {FACTS_VERSION}")
    stale = (
        f" FROM share_facts WHERE version = {FACTS_VERSION} AND NOT EXISTS (SELECT 1 FROM"
        f" {dialect.shares} WHERE s.sid = share_facts.sid AND {_IS_SHOWN}"
        f" AND s.seal = share_facts.seal)"
    )
    cursor.execute("SELECT count(*)" + stale)
    ((count,),) = cursor.fetchall()
    if count:
        cursor.execute("DELETE" + stale)
        _advance(cursor)
    return int(count)


def _add_some(cursor: dbapi.Cursor, dialect: Dialect, after: str) -> tuple[int, str | None]:
    """Add rows for the next shares that have none. Returns the number of rows, and the id of the
    last share; None if there was none.
    """
    lacking = (
        f"SELECT s.sid FROM {dialect.shares} WHERE {_IS_SHOWN} AND s.sid > $1 AND NOT EXISTS"
        f" (SELECT 1 FROM share_facts AS f WHERE f.sid = s.sid AND f.version = {FACTS_VERSION})"
    )
    cursor.execute(
        f"SELECT count(*), max(sid) FROM ({lacking} ORDER BY s.sid LIMIT {SHARES_AT_ONCE}) AS l",
        (after,),
    )
    ((count, last),) = cursor.fetchall()
    if not count:
        return 0, None
    as_shipped = f"(s.scenario_id IS NOT NULL AND {dialect.is_as_written})"
    # Titles are needed only for lessons. The title of a user's run is the user's text.
    facts = f"CASE WHEN {as_shipped} THEN {dialect.facts} ELSE {dialect.facts_without_titles} END"
    cursor.execute(
        "INSERT INTO share_facts (sid, version, seal, digest, created_at, as_shipped, facts)"
        f" SELECT s.sid, {FACTS_VERSION}, s.seal, s.digest, s.created_at, {as_shipped}, {facts}"
        f" FROM shares AS s WHERE s.sid IN ({lacking} AND s.sid <= $2)",
        (after, last),
    )
    _advance(cursor)
    return int(count), str(last)


def _advance(cursor: dbapi.Cursor) -> None:
    cursor.execute(
        f"UPDATE share_facts_watermarks SET number = number + 1 WHERE version = {FACTS_VERSION}"
    )


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
