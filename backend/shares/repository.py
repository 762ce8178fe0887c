"""Every query about shares."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import CursorResult, delete, func, literal, or_, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer

from backend.shares.tables import IdempotencyKeyRow, ShareFactsRow, ShareFactsWatermarkRow, ShareRow

# No share of a lesson is as large. A share of this size takes about 20 ms to decode.
_LARGE_FRAMES = 200
_LARGE_BYTES = 32 * 1024


async def get(db: AsyncSession, sid: str) -> ShareRow | None:
    """A share's row, also if the share is deleted; None if it never existed."""
    return await db.get(ShareRow, sid)


async def exists(db: AsyncSession, sid: str) -> bool:
    """Whether the share exists and its link may show it."""
    found = await db.scalar(
        select(ShareRow.sid).where(
            ShareRow.sid == sid, ShareRow.deleted_at.is_(None), ShareRow.taken_down_at.is_(None)
        )
    )
    return found is not None


async def is_large(db: AsyncSession, sid: str) -> bool | None:
    """Whether a share takes long to decode; None if there is none that may be shown."""
    stored_bytes = func.length(ShareRow.timeline) + func.coalesce(
        func.length(ShareRow.other_frames), 0
    )
    is_large: bool | None = await db.scalar(
        select(or_(ShareRow.frame_count > _LARGE_FRAMES, stored_bytes > _LARGE_BYTES)).where(
            ShareRow.sid == sid, ShareRow.deleted_at.is_(None), ShareRow.taken_down_at.is_(None)
        )
    )
    return is_large


async def root_of(db: AsyncSession, sid: str) -> str | None:
    """The first share in the chain of forks that a share belongs to; None if the share is the
    first.
    """
    root: str | None = await db.scalar(select(ShareRow.root_sid).where(ShareRow.sid == sid))
    return root


async def get_key(db: AsyncSession, key: str) -> IdempotencyKeyRow | None:
    """The row of an idempotency key; None if it has not been used."""
    return await db.get(IdempotencyKeyRow, key)


async def claim_key(db: AsyncSession, row: IdempotencyKeyRow) -> bool:
    """Reserve a key for a share; False if it is already taken.

    Waits for a concurrent transaction that is taking the key, so that the row can be read after
    False.
    """
    dialect = db.get_bind().dialect.name
    # Any: each dialect's class has `on_conflict_do_nothing`, but their common base class does not.
    statement: Any = (postgresql if dialect == "postgresql" else sqlite).insert(IdempotencyKeyRow)
    statement = statement.values(
        key=row.key, body_hash=row.body_hash, sid=row.sid, salt=row.salt, created_at=row.created_at
    ).on_conflict_do_nothing()
    result = await db.execute(statement)
    assert isinstance(result, CursorResult)
    return result.rowcount == 1


async def mark_deleted(db: AsyncSession, sid: str, moment: datetime) -> bool:
    """Erase a share's contents and keep its row, so that its link can report the deletion."""
    await _forget_facts(db, sid)
    result = await db.execute(
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
            seal="",
            note=None,
            parent_sid=None,
            root_sid=None,
            other_frames=None,
            tree_record=None,
            is_listed=False,
        )
    )
    assert isinstance(result, CursorResult)
    return result.rowcount == 1


async def _forget_facts(db: AsyncSession, sid: str) -> None:
    """Delete the analytics' facts of a share, so that the next summary does not count it."""
    # The row that a job locks comes first: in the other order, both could deadlock.
    await db.execute(
        update(ShareFactsWatermarkRow)
        .values(number=ShareFactsWatermarkRow.number + 1)
        .execution_options(synchronize_session=False)
    )
    await db.execute(
        delete(ShareFactsRow)
        .where(ShareFactsRow.sid == sid)
        .execution_options(synchronize_session=False)
    )


async def delete_some_keys_before(db: AsyncSession, moment: datetime, *, most: int) -> int:
    """Delete at most `most` idempotency keys older than a time, and return their number."""
    old = (
        select(IdempotencyKeyRow.key)
        .where(IdempotencyKeyRow.created_at < moment)
        .order_by(IdempotencyKeyRow.created_at)
        .limit(most)
    )
    result = await db.execute(
        delete(IdempotencyKeyRow)
        .where(IdempotencyKeyRow.key.in_(old))
        .execution_options(synchronize_session=False)
    )
    assert isinstance(result, CursorResult)
    return result.rowcount


async def count_keys_before(db: AsyncSession, moment: datetime) -> int:
    """The number of idempotency keys older than a time."""
    older = IdempotencyKeyRow.created_at < moment
    return await db.scalar(select(func.count()).select_from(IdempotencyKeyRow).where(older)) or 0


async def take_down(db: AsyncSession, sid: str, moment: datetime, reason: str) -> bool:
    """Hide a share that is not deleted; False if there is none."""
    return await _set_takedown(db, sid, moment, reason)


async def put_back(db: AsyncSession, sid: str) -> bool:
    """Show a share again; False if there is none with contents."""
    return await _set_takedown(db, sid, None, None)


async def _set_takedown(
    db: AsyncSession, sid: str, moment: datetime | None, reason: str | None
) -> bool:
    result = await db.execute(
        update(ShareRow)
        .where(ShareRow.sid == sid, ShareRow.deleted_at.is_(None))
        .values(taken_down_at=moment, taken_down_for=reason)
        .execution_options(synchronize_session=False)
    )
    assert isinstance(result, CursorResult)
    return result.rowcount == 1


async def list_ids(db: AsyncSession, *, after: str, most: int) -> Sequence[str]:
    """The ids of the next shares that have contents, in order."""
    found = await db.scalars(
        select(ShareRow.sid)
        .where(ShareRow.sid > after, ShareRow.deleted_at.is_(None))
        .order_by(ShareRow.sid)
        .limit(most)
    )
    return found.all()


async def list_listed(db: AsyncSession, *, after: str | None, most: int) -> Sequence[ShareRow]:
    """Shares that may be listed and shown, newest first, without their frames.

    `after` is the id of the last share of the previous page, which may have been deleted since.
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
        made = await db.scalar(select(ShareRow.created_at).where(ShareRow.sid == after))
        if made is None:
            return ()
        older = tuple_(ShareRow.created_at, ShareRow.sid) < tuple_(
            literal(made, ShareRow.created_at.type), literal(after)
        )
        listed = listed.where(older)
    return (await db.scalars(listed)).all()


async def count(db: AsyncSession) -> int:
    """The number of shares that are not deleted."""
    found = await db.scalar(
        select(func.count()).select_from(ShareRow).where(ShareRow.deleted_at.is_(None))
    )
    return found or 0
