from datetime import timedelta

from sqlalchemy import select, update

from backend.database import now
from backend.operations.housekeeping import forget_unused_sessions
from backend.sessions.tables import SessionRow, SessionStepRow
from tests.backend.conftest import API, LOSS, Service


async def test_a_session_unused_for_thirty_days_expires_and_its_shares_stay(fresh_service: Service):
    old = await fresh_service.new_session(scenario=LOSS)
    share = await fresh_service.share(old["id"], 2)
    young = await fresh_service.new_session()
    database = fresh_service.app.state.services.database
    async with database.writing() as session:
        await session.execute(
            update(SessionRow)
            .where(SessionRow.id == old["id"])
            .values(last_used_at=now() - timedelta(days=31))
        )

    expired = await fresh_service.client.get(f"{API}/sessions/{old['id']}")
    assert expired.status_code == 410
    assert await forget_unused_sessions(database, now()) == 1
    assert await forget_unused_sessions(database, now()) == 0

    assert (await fresh_service.client.get(f"{API}/sessions/{old['id']}")).status_code == 404
    assert (await fresh_service.client.get(f"{API}/sessions/{young['id']}")).status_code == 200
    assert (await fresh_service.client.get(f"{API}/shares/{share['sid']}")).status_code == 200
    async with database.reading() as session:
        left = await session.scalars(
            select(SessionStepRow).where(SessionStepRow.session_id == old["id"])
        )
        assert left.all() == []
