"""Every query about shares."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import CursorResult, delete, func, literal, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer

from backend.shares.tables import IdempotencyKeyRow, ShareRow


async def get(session: AsyncSession, sid: str) -> ShareRow | None:
    """A share's row, a deleted one's too; None where there is none."""
    return await session.get(ShareRow, sid)


async def exists(session: AsyncSession, sid: str) -> bool:
    """Whether there is such a share, and its link may show it."""
    found = await session.scalar(
        select(ShareRow.sid).where(
            ShareRow.sid == sid, ShareRow.deleted_at.is_(None), ShareRow.taken_down_at.is_(None)
        )
    )
    return found is not None


async def root_of(session: AsyncSession, sid: str) -> str | None:
    """The first share of the line that a share is in; None where it begins one."""
    root: str | None = await session.scalar(select(ShareRow.root_sid).where(ShareRow.sid == sid))
    return root


async def get_key(session: AsyncSession, key: str) -> IdempotencyKeyRow | None:
    """What an idempotency key was used for; None where it was not."""
    return await session.get(IdempotencyKeyRow, key)


async def claim_key(session: AsyncSession, row: IdempotencyKeyRow) -> bool:
    """Reserve a key for a share; False if it is already taken.

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
            seal=None,
            note=None,
            parent_sid=None,
            root_sid=None,
            other_frames=None,
            tree_record=None,
            is_listed=None,
            added_seal=None,
        )
    )
    assert isinstance(result, CursorResult)
    return result.rowcount == 1


async def delete_some_keys_before(session: AsyncSession, moment: datetime, *, most: int) -> int:
    """Delete at most so many of the idempotency keys older than a moment; how many went."""
    old = (
        select(IdempotencyKeyRow.key)
        .where(IdempotencyKeyRow.created_at < moment)
        .order_by(IdempotencyKeyRow.created_at)
        .limit(most)
    )
    result = await session.execute(
        delete(IdempotencyKeyRow)
        .where(IdempotencyKeyRow.key.in_(old))
        .execution_options(synchronize_session=False)
    )
    assert isinstance(result, CursorResult)
    return result.rowcount


async def count_keys_before(session: AsyncSession, moment: datetime) -> int:
    """How many idempotency keys are older than a moment."""
    older = IdempotencyKeyRow.created_at < moment
    return (
        await session.scalar(select(func.count()).select_from(IdempotencyKeyRow).where(older)) or 0
    )


async def take_down(session: AsyncSession, sid: str, moment: datetime, reason: str) -> bool:
    """Hide a share that was not deleted; False where there is none."""
    return await _set_takedown(session, sid, moment, reason)


async def put_back(session: AsyncSession, sid: str) -> bool:
    """Show a share again; False where there is none that has its contents."""
    return await _set_takedown(session, sid, None, None)


async def _set_takedown(
    session: AsyncSession, sid: str, moment: datetime | None, reason: str | None
) -> bool:
    result = await session.execute(
        update(ShareRow)
        .where(ShareRow.sid == sid, ShareRow.deleted_at.is_(None))
        .values(taken_down_at=moment, taken_down_for=reason)
        .execution_options(synchronize_session=False)
    )
    assert isinstance(result, CursorResult)
    return result.rowcount == 1


async def list_ids(session: AsyncSession, *, after: str, most: int) -> Sequence[str]:
    """The ids of the next shares that have contents, in their order."""
    found = await session.scalars(
        select(ShareRow.sid)
        .where(ShareRow.sid > after, ShareRow.deleted_at.is_(None))
        .order_by(ShareRow.sid)
        .limit(most)
    )
    return found.all()


async def list_listed(session: AsyncSession, *, after: str | None, most: int) -> Sequence[ShareRow]:
    """Shares that may be listed and shown, the newest first, without their frames.

    `after` is the id of the one before the first of them, which may be gone meanwhile.
    """
    listed = (
        select(ShareRow)
        .options(defer(ShareRow.timeline), defer(ShareRow.other_frames), defer(ShareRow.record))
        .options(defer(ShareRow.tree_record), defer(ShareRow.scenario))
        .where(
            ShareRow.is_listed.is_(True),
            ShareRow.deleted_at.is_(None),
            ShareRow.taken_down_at.is_(None),
        )
        .order_by(ShareRow.created_at.desc(), ShareRow.sid.desc())
        .limit(most)
    )
    if after is not None:
        made = await session.scalar(select(ShareRow.created_at).where(ShareRow.sid == after))
        if made is None:
            return ()
        older = tuple_(ShareRow.created_at, ShareRow.sid) < tuple_(
            literal(made, ShareRow.created_at.type), literal(after)
        )
        listed = listed.where(older)
    return (await session.scalars(listed)).all()


async def count(session: AsyncSession) -> int:
    """How many shares are not deleted."""
    found = await session.scalar(
        select(func.count()).select_from(ShareRow).where(ShareRow.deleted_at.is_(None))
    )
    return found or 0
