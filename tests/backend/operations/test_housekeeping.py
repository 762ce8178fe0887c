"""Expired data is deleted in batches; with a wrong clock, data in use is kept."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from backend.database.database import Database, now
from backend.operations.housekeeping import KINDS, clean, forget
from backend.operations.metrics import Metrics
from backend.sessions import repository
from backend.sessions.tables import SessionRow, SessionStepRow
from backend.shares.tables import IdempotencyKeyRow
from tests.backend.conftest import API, LOSS, Service

DAY = timedelta(days=1)
SESSIONS, KEYS = KINDS["sessions"], KINDS["idempotency_keys"]


async def used_at(database: Database, session_id: str, moment: datetime) -> None:
    async with database.writing() as session:
        await session.execute(
            update(SessionRow).where(SessionRow.id == session_id).values(last_used_at=moment)
        )


async def last_use(database: Database, session_id: str) -> datetime:
    async with database.reading() as session:
        row = await repository.get(session, session_id)
        assert row is not None
        return row.last_used_at


async def counted(database: Database, table: Any) -> int:
    async with database.reading() as session:
        return await session.scalar(select(func.count()).select_from(table)) or 0


async def test_a_session_unused_for_thirty_days_expires_and_its_shares_stay(fresh_service: Service):
    old = await fresh_service.new_session(scenario=LOSS)
    share = await fresh_service.share(old["id"], 2)
    young = await fresh_service.new_session()
    database = fresh_service.services.database
    await used_at(database, old["id"], now() - 31 * DAY)

    assert await forget(database, SESSIONS, now()) == 1
    assert await forget(database, SESSIONS, now()) == 0

    assert (await fresh_service.client.get(f"{API}/sessions/{old['id']}")).status_code == 404
    assert (await fresh_service.client.get(f"{API}/sessions/{young['id']}")).status_code == 200
    assert (await fresh_service.client.get(f"{API}/shares/{share['sid']}")).status_code == 200
    async with database.reading() as session:
        left = await session.scalars(
            select(SessionStepRow).where(SessionStepRow.session_id == old["id"])
        )
        assert left.all() == []


async def test_a_key_is_kept_for_a_day(fresh_service: Service):
    session = (await fresh_service.new_session())["id"]
    database = fresh_service.services.database
    body, key = {"session": session, "at": 0}, {"Idempotency-Key": "of-a-day"}

    async def share() -> httpx.Response:
        return await fresh_service.client.post(f"{API}/shares", json=body, headers=key)

    first = await share()
    assert await forget(database, KEYS, now() + 0.9 * DAY) == 0
    repeated = await share()
    assert await forget(database, KEYS, now() + 1.1 * DAY) == 1
    another = await share()

    assert [answer.status_code for answer in (first, repeated, another)] == [201, 200, 201]
    assert repeated.json() == first.json()
    assert another.json()["sid"] != first.json()["sid"]


async def test_no_transaction_deletes_more_than_a_batch(
    fresh_service: Service, monkeypatch: pytest.MonkeyPatch
):
    """Each batch is short, and others can write between two batches."""
    monkeypatch.setattr("backend.sessions.repository._STEPS_A_BATCH", 20)
    monkeypatch.setattr("backend.shares.repository._KEYS_A_BATCH", 2)
    database = fresh_service.services.database
    for _ in range(3):
        session = await fresh_service.new_session(scenario=LOSS)  # with more than 10 steps each
        await fresh_service.share(session["id"], 2)
    transactions = 0
    writing = database.writing

    def count_transactions() -> Any:
        nonlocal transactions
        transactions += 1
        return writing()

    monkeypatch.setattr(database, "writing", count_transactions)
    moment = now() + 40 * DAY

    assert await forget(database, SESSIONS, moment) == 3
    assert transactions == 3 + 1  # the last batch finds nothing
    transactions = 0
    assert await forget(database, KEYS, moment) == 3
    assert transactions == 2 + 1


async def test_a_session_with_more_steps_than_a_batch_is_deleted(
    fresh_service: Service, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("backend.sessions.repository._STEPS_A_BATCH", 1)
    await fresh_service.new_session(scenario=LOSS)

    assert await forget(fresh_service.services.database, SESSIONS, now() + 40 * DAY) == 1


async def test_a_stopping_service_leaves_the_remaining_rows_for_the_next_run(
    fresh_service: Service,
):
    await fresh_service.new_session()
    database = fresh_service.services.database

    assert await forget(database, SESSIONS, now() + 40 * DAY, lambda: True) == 0
    assert await counted(database, SessionRow) == 1


@pytest.mark.parametrize(
    ("days", "left"),
    [
        # A correct clock, with a run every half day: data unused for 30 days expires.
        ([0, 0.5, 1, 1.5, *range(2, 34)], 0),
        # 31 days ahead at the start, then correct again.
        ([0, 0.5, 1, 1.5, 2, 33, 2.1, 2.6, 3.2], 1),
        # Ahead for less than a day.
        ([0, 0.5, 1, 1.5, 2, 33, 33.4, 33.8], 1),
        # Behind, then correct again.
        ([0, 0.5, 1, 1.5, 2, -15_000, 2.1], 1),
        # No run for two months: the clock is trusted a day later.
        ([0, 0.5, 1, 60, 60.5], 1),
        ([0, 0.5, 1, 60, 60.5, 61], 0),
        # Never before.
        ([60], 1),
    ],
)
async def test_a_clock_that_jumps_deletes_nothing(
    fresh_service: Service, days: list[float], left: int
):
    database = fresh_service.services.database
    metrics = Metrics()
    await fresh_service.new_session()
    begin = now()
    async with database.writing() as session:  # the service itself ran once when it started
        await session.execute(update(table_of_runs()).values(last_run_at=begin, steady_since=begin))
        if days == [60]:
            await session.execute(table_of_runs().delete())

    for day in days:
        await clean(database, metrics, begin + day * DAY)

    assert await counted(database, SessionRow) == left


def table_of_runs() -> Any:
    from backend.operations.tables import HousekeepingRow

    return HousekeepingRow.__table__


async def clean_for_two_days(database: Database) -> None:
    begin = now()
    for hours in range(0, 50, 10):
        await clean(database, Metrics(), begin + timedelta(hours=hours))


async def test_a_session_made_while_the_clock_was_behind_stays_when_it_is_used(
    fresh_service: Service,
):
    """The clock was a year behind, and is right now."""
    database = fresh_service.services.database
    used, unused = [(await fresh_service.new_session())["id"] for _ in range(2)]
    for session_id in (used, unused):
        await used_at(database, session_id, now() - 365 * DAY)

    first = await fresh_service.client.get(f"{API}/sessions/{used}")
    await clean_for_two_days(database)
    later = [await fresh_service.client.get(f"{API}/sessions/{one}") for one in (used, unused)]

    assert first.status_code == 200
    assert [answer.status_code for answer in later] == [200, 404]


async def test_a_clock_that_is_ahead_locks_no_session(
    fresh_service: Service, monkeypatch: pytest.MonkeyPatch
):
    session_id = (await fresh_service.new_session())["id"]
    with monkeypatch.context() as wrong:
        wrong.setattr("backend.sessions.timelines.now", lambda: now() + 365 * DAY)
        ahead = await fresh_service.client.get(f"{API}/sessions/{session_id}")

    await clean_for_two_days(fresh_service.services.database)
    right = await fresh_service.client.get(f"{API}/sessions/{session_id}")

    assert (ahead.status_code, right.status_code) == (200, 200)


async def test_the_time_of_the_last_use_never_decreases(service: Service):
    database = service.services.database
    session_id = (await service.new_session())["id"]
    ahead = now() + 10 * DAY
    await used_at(database, session_id, ahead)

    await service.act(session_id, 0, {"crash": {"broker": 2}})
    async with database.writing() as session:
        await repository.touch(session, session_id, now())

    assert await last_use(database, session_id) == ahead


async def test_a_use_in_the_future_counts_as_one_of_today(fresh_service: Service):
    """A session used while the clock was years ahead does not stay for years."""
    database = fresh_service.services.database
    session_id = (await fresh_service.new_session())["id"]
    await used_at(database, session_id, now() + 3650 * DAY)
    begin = now()

    await clean_for_two_days(database)

    assert await last_use(database, session_id) <= begin + 2 * DAY


async def test_a_failure_does_not_prevent_the_other_deletions(
    fresh_service: Service, monkeypatch: pytest.MonkeyPatch
):
    database = fresh_service.services.database
    session = await fresh_service.new_session()
    await fresh_service.share(session["id"], 0)
    await used_at(database, session["id"], now() - 31 * DAY)
    begin = now()
    metrics = Metrics()

    async def fail(session: AsyncSession, _moment: datetime) -> int:
        await session.execute(select(func.no_such_function()))
        return 0

    monkeypatch.setitem(KINDS, "sessions", replace(SESSIONS, delete_some=fail))
    for hours in (0, 24, 48):
        await clean(database, metrics, begin + timedelta(hours=hours))

    assert await counted(database, SessionRow) == 1
    assert await counted(database, IdempotencyKeyRow) == 0
    text = metrics.exposition().decode()
    assert 'highwater_job_last_success_timestamp_seconds{job="housekeeping"}' not in text
