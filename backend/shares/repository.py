"""Every query about shares."""

from datetime import datetime
from typing import Any

from sqlalchemy import CursorResult, delete, func, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from backend.shares.tables import IdempotencyKeyRow, ShareRow


async def get(session: AsyncSession, sid: str) -> ShareRow | None:
    """A share's row, a deleted one's too; None where there is none."""
    return await session.get(ShareRow, sid)


async def exists(session: AsyncSession, sid: str) -> bool:
    """Whether there is such a share, and it was not deleted."""
    found = await session.scalar(
        select(ShareRow.sid).where(ShareRow.sid == sid, ShareRow.deleted_at.is_(None))
    )
    return found is not None


async def get_key(session: AsyncSession, key: str) -> IdempotencyKeyRow | None:
    """What an idempotency key was used for; None where it was not."""
    return await session.get(IdempotencyKeyRow, key)


async def claim_key(session: AsyncSession, row: IdempotencyKeyRow) -> bool:
    """Take a key for a share, or False when somebody has it.

    Waits for a transaction that is about to take it, so that after False it can be read.
    """
    dialect = session.get_bind().dialect.name
    # Any: `on_conflict_do_nothing` is of each dialect's own class, and not of what they share.
    statement: Any = (postgresql if dialect == "postgresql" else sqlite).insert(IdempotencyKeyRow)
    statement = statement.values(
        key=row.key,
        body_hash=row.body_hash,
        sid=row.sid,
        salt=row.salt,
        created_at=row.created_at,
    ).on_conflict_do_nothing()
    result = await session.execute(statement)
    assert isinstance(result, CursorResult)
    return result.rowcount == 1


async def mark_deleted(session: AsyncSession, sid: str, moment: datetime) -> bool:
    """Empty a share and leave its row, so that its link can say that it is gone."""
    result = await session.execute(
        update(ShareRow)
        .where(ShareRow.sid == sid, ShareRow.deleted_at.is_(None))
        .values(
            deleted_at=moment,
            session_id=None,
            scenario={},
            scenario_id=None,
            record=[],
            timeline=b"",
            facts={},
            title={},
        )
    )
    assert isinstance(result, CursorResult)
    return result.rowcount == 1


async def delete_keys_before(session: AsyncSession, moment: datetime) -> None:
    """Delete the idempotency keys older than a moment."""
    await session.execute(delete(IdempotencyKeyRow).where(IdempotencyKeyRow.created_at < moment))


async def count(session: AsyncSession) -> int:
    """How many shares are not deleted."""
    found = await session.scalar(
        select(func.count()).select_from(ShareRow).where(ShareRow.deleted_at.is_(None))
    )
    return found or 0
