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
from functools import partial
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
_THE_ROW = 1
_T = TypeVar("_T")
_log = logging.getLogger("highwater.housekeeping")


@dataclass(frozen=True, slots=True)
class Expiring:
    """A kind of rows that expire: its label in the metrics, and how long its rows are kept."""

    label: str
    kept_for: timedelta
    count: Callable[[AsyncSession, datetime], Awaitable[int]]
    """The number of rows older than a time."""
    delete_some: Callable[[AsyncSession, datetime], Awaitable[int]]
    """Deletes a batch of the rows older than a time, and returns its size."""


KINDS = {
    "sessions": Expiring(
        "session", UNUSED_FOR, sessions.count_unused_since, sessions.delete_some_unused_since
    ),
    "idempotency_keys": Expiring(
        "idempotency_key", KEYS_KEPT_FOR, shares.count_keys_before, shares.delete_some_keys_before
    ),
    "presentations": Expiring(
        "presentation", PRESENTATIONS_KEPT_FOR, presented.count_before, presented.delete_some_before
    ),
}


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
    steady = await _tried(partial(note_run, database, moment))
    metrics.clock_is_steady.set(bool(steady))
    if not steady:
        return
    numbers = []
    for kind in KINDS.values():
        number = await _tried(partial(forget, database, kind, moment, is_stopping))
        metrics.deleted.labels(what=kind.label).inc(number or 0)
        numbers.append(number)
    future = await _tried(partial(_mend_future_uses, database, moment))
    if None not in (*numbers, future):
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


async def forget(
    database: Database,
    kind: Expiring,
    moment: datetime,
    is_stopping: Callable[[], bool] = lambda: False,
) -> int:
    """Delete the rows of a kind that have expired, one batch in each transaction, until none is
    left or the service stops. Returns their number.
    """
    gone = 0
    while not is_stopping():
        async with database.writing() as db:
            found = await kind.delete_some(db, moment - kind.kept_for)
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


async def count_expired(database: Database, moment: datetime) -> dict[str, int]:
    """What `forget_expired` would delete at this moment."""
    async with database.reading() as db:
        return {name: await kind.count(db, moment - kind.kept_for) for name, kind in KINDS.items()}


async def forget_expired(database: Database, moment: datetime) -> dict[str, int]:
    """Delete everything that has expired at this moment, without asking whether the clock can be
    trusted. Returns the number of rows of each of `KINDS`.
    """
    return {name: await forget(database, kind, moment) for name, kind in KINDS.items()}
