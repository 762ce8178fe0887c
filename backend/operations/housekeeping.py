"""Deletes data that is no longer needed: sessions unused for 30 days, old keys, and presentations
unchanged for a day. Shares are kept.

Rows are deleted in batches, one transaction each: a single statement would exceed the statement
timeout, and visitors would have to wait for it.

A wrong clock must not delete data that is in use. The time of the last run is stored in the
database. If it is in the future, or longer ago than any ordinary pause, the clock has jumped or the
service was stopped for long. Then nothing is deleted until the clock has been steady for a day.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from backend.database.database import Database, now
from backend.http.errors import HighwaterError
from backend.operations.metrics import Metrics
from backend.operations.tables import HousekeepingRow
from backend.presentations import repository as presented
from backend.presentations.service import KEPT_FOR as PRESENTATIONS_KEPT_FOR
from backend.sessions import repository as sessions
from backend.sessions.timelines import UNUSED_FOR
from backend.shares import repository as shares
from backend.shares.service import KEYS_KEPT_FOR

_EVERY = timedelta(hours=1)
_LONGEST_PAUSE = timedelta(days=2)
_STEADY_FOR = timedelta(days=1)
# The tolerated difference between the clocks of two machines.
_SKEW = timedelta(minutes=5)
_STEPS_A_BATCH = 5_000
_KEYS_A_BATCH = 1_000
_THE_ROW = 1
_T = TypeVar("_T")
_log = logging.getLogger("highwater.housekeeping")


async def clean_now_and_then(database: Database, metrics: Metrics, stopping: asyncio.Event) -> None:
    """Clean immediately and then every hour, until `stopping` is set. Never raises."""
    while not stopping.is_set():
        await clean(database, metrics, now(), stopping.is_set)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stopping.wait(), _EVERY.total_seconds())


async def clean(
    database: Database,
    metrics: Metrics,
    moment: datetime,
    is_stopping: Callable[[], bool] = lambda: False,
) -> None:
    """Perform one run, if the clock can be trusted. A failure is logged, and the next run tries
    again.
    """
    steady = await _tried(lambda: note_run(database, moment))
    metrics.clock_is_steady.set(bool(steady))
    if not steady:
        return
    unused = await _tried(lambda: forget_unused_sessions(database, moment, is_stopping))
    keys = await _tried(lambda: forget_old_keys(database, moment, is_stopping))
    presentations = await _tried(lambda: forget_old_presentations(database, moment, is_stopping))
    future = await _tried(lambda: _mend_future_uses(database, moment))
    metrics.deleted.labels(what="session").inc(unused or 0)
    metrics.deleted.labels(what="idempotency_key").inc(keys or 0)
    metrics.deleted.labels(what="presentation").inc(presentations or 0)
    if None not in (unused, keys, presentations, future):
        metrics.last_success.labels(job="housekeeping").set(moment.timestamp())


async def _tried(work: Callable[[], Awaitable[_T]]) -> _T | None:
    try:
        return await work()
    except HighwaterError:
        return None  # the database logged it
    except SQLAlchemyError:
        _log.exception("housekeeping_failed")
        return None


async def note_run(database: Database, moment: datetime) -> bool:
    """Record the start of a run. Returns whether the clock has been steady for long enough to
    delete data.
    """
    async with database.writing() as db:
        row = await db.get(HousekeepingRow, _THE_ROW, with_for_update=True)
        if row is None:
            db.add(HousekeepingRow(id=_THE_ROW, last_run_at=moment, steady_since=moment))
            return False
        pause = moment - row.last_run_at
        if not -_SKEW <= pause <= _LONGEST_PAUSE:
            _log.warning("clock_jumped", extra={"fields": {"by_s": round(pause.total_seconds())}})
            row.steady_since = moment
        row.last_run_at = moment
        return moment - row.steady_since >= _STEADY_FOR


async def forget_unused_sessions(
    database: Database, moment: datetime, is_stopping: Callable[[], bool] = lambda: False
) -> int:
    """Delete unused sessions and return their number. Idempotent."""
    return await _in_batches(
        database,
        lambda db: sessions.delete_some_unused_since(
            db, moment - UNUSED_FOR, most_steps=_STEPS_A_BATCH
        ),
        is_stopping,
    )


async def forget_old_keys(
    database: Database, moment: datetime, is_stopping: Callable[[], bool] = lambda: False
) -> int:
    """Delete idempotency keys older than a day and return their number."""
    return await _in_batches(
        database,
        lambda db: shares.delete_some_keys_before(db, moment - KEYS_KEPT_FOR, most=_KEYS_A_BATCH),
        is_stopping,
    )


async def forget_old_presentations(
    database: Database, moment: datetime, is_stopping: Callable[[], bool] = lambda: False
) -> int:
    """Delete presentations unchanged for a day, with their votes, and return their number."""
    return await _in_batches(
        database,
        lambda db: presented.delete_some_before(
            db, moment - PRESENTATIONS_KEPT_FOR, most=_KEYS_A_BATCH
        ),
        is_stopping,
    )


async def _in_batches(
    database: Database,
    delete_some: Callable[[AsyncSession], Awaitable[int]],
    is_stopping: Callable[[], bool],
) -> int:
    """Delete one batch in each transaction until nothing is left or the service stops. Returns the
    number of deleted rows.
    """
    gone = 0
    while not is_stopping():
        async with database.writing() as db:
            found = await delete_some(db)
        if found < 1:
            break
        gone += found
    return gone


async def _mend_future_uses(database: Database, moment: datetime) -> int:
    """Reset last uses that are in the future.

    Otherwise a session used while the clock was ahead would be kept that much longer.
    """
    async with database.writing() as db:
        return await sessions.bring_back_last_uses(db, moment, after=moment + _STEADY_FOR)


@dataclass(frozen=True, slots=True)
class Expired:
    """The numbers of rows that have expired, by kind."""

    sessions: int
    idempotency_keys: int
    presentations: int


async def count_expired(database: Database, moment: datetime) -> Expired:
    """What `forget_expired` would delete at this moment."""
    async with database.reading() as db:
        return Expired(
            sessions=await sessions.count_unused_since(db, moment - UNUSED_FOR),
            idempotency_keys=await shares.count_keys_before(db, moment - KEYS_KEPT_FOR),
            presentations=await presented.count_before(db, moment - PRESENTATIONS_KEPT_FOR),
        )


async def forget_expired(database: Database, moment: datetime) -> Expired:
    """Delete everything that has expired at this moment, without asking whether the clock can be
    trusted.
    """
    return Expired(
        sessions=await forget_unused_sessions(database, moment),
        idempotency_keys=await forget_old_keys(database, moment),
        presentations=await forget_old_presentations(database, moment),
    )
