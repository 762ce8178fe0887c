"""Every query about shares."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, literal, or_, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer

from backend.database.database import rows_changed
from backend.shares.tables import IdempotencyKeyRow, ShareFactsRow, ShareFactsWatermarkRow, ShareRow

# No share of a lesson is as large. A share of this size takes about 20 ms to decode.
_LARGE_FRAMES = 200
_LARGE_BYTES = 32 * 1024
_KEYS_A_BATCH = 1_000
_KEPT = ShareRow.deleted_at.is_(None)
_SHOWN = (_KEPT, ShareRow.taken_down_at.is_(None))


async def get(db: AsyncSession, sid: str) -> ShareRow | None:
    """A share's row, also if the share is deleted; None if it never existed."""
    return await db.get(ShareRow, sid)


async def exists(db: AsyncSession, sid: str) -> bool:
    """Whether the share exists and its link may show it."""
    return await db.scalar(select(ShareRow.sid).where(ShareRow.sid == sid, *_SHOWN)) is not None


async def is_large(db: AsyncSession, sid: str) -> bool | None:
    """Whether a share takes long to decode; None if there is none that may be shown."""
    stored_bytes = func.length(ShareRow.timeline) + func.coalesce(
        func.length(ShareRow.other_frames), 0
    )
    is_large: bool | None = await db.scalar(
        select(or_(ShareRow.frame_count > _LARGE_FRAMES, stored_bytes > _LARGE_BYTES)).where(
            ShareRow.sid == sid, *_SHOWN
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
    return await rows_changed(db, statement) == 1


async def mark_deleted(db: AsyncSession, sid: str, moment: datetime) -> bool:
    """Erase a share's contents and keep its row, so that its link can report the deletion."""
    await _forget_facts(db, sid)
    emptied = (
        update(ShareRow)
        .where(ShareRow.sid == sid, _KEPT)
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
    return await rows_changed(db, emptied) == 1


async def _forget_facts(db: AsyncSession, sid: str) -> None:
    """Delete the analytics' facts of a share, so that the next summary does not count it."""
    # The row that a job locks comes first: in the other order, both could deadlock.
    number = ShareFactsWatermarkRow.number + 1
    await rows_changed(db, update(ShareFactsWatermarkRow).values(number=number))
    await rows_changed(db, delete(ShareFactsRow).where(ShareFactsRow.sid == sid))


async def delete_some_keys_before(db: AsyncSession, moment: datetime) -> int:
    """Delete a batch of the idempotency keys older than a time, and return its size."""
    old = (
        select(IdempotencyKeyRow.key)
        .where(IdempotencyKeyRow.created_at < moment)
        .order_by(IdempotencyKeyRow.created_at)
        .limit(_KEYS_A_BATCH)
    )
    return await rows_changed(db, delete(IdempotencyKeyRow).where(IdempotencyKeyRow.key.in_(old)))


async def count_keys_before(db: AsyncSession, moment: datetime) -> int:
    """The number of idempotency keys older than a time."""
    return await db.scalar(select(func.count()).where(IdempotencyKeyRow.created_at < moment)) or 0


async def set_takedown(
    db: AsyncSession, sid: str, moment: datetime | None, reason: str | None
) -> bool:
    """Hide a share since a moment, for a reason; or show it again if both are None. Returns false
    if there is no such share, or it is deleted.
    """
    hidden = update(ShareRow).where(ShareRow.sid == sid, _KEPT)
    hidden = hidden.values(taken_down_at=moment, taken_down_for=reason)
    return await rows_changed(db, hidden) == 1


async def list_ids(db: AsyncSession, *, after: str, most: int) -> Sequence[str]:
    """The ids of the next shares that have contents, in order."""
    found = await db.scalars(
        select(ShareRow.sid).where(ShareRow.sid > after, _KEPT).order_by(ShareRow.sid).limit(most)
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
        .where(ShareRow.is_listed.is_(True), *_SHOWN)
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
    return await db.scalar(select(func.count()).where(_KEPT)) or 0
