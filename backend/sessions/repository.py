"""Every query about sessions."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, case, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from backend.answers.open_run import StoredStep
from backend.database.database import rows_changed, table_of
from backend.sessions.tables import SessionRow, SessionStepRow
from sim_engine.identifiers import FrameNumber

# About as many steps are deleted in one transaction.
_STEPS_A_BATCH = 5_000
_MOST_SESSIONS_AT_ONCE = 500


async def get(db: AsyncSession, session_id: str) -> SessionRow | None:
    """A session's row; None if it does not exist."""
    return await db.get(SessionRow, session_id)


async def list_steps(db: AsyncSession, session_id: str, *, count: int) -> list[StoredStep]:
    """The first `count` steps, in the order in which they were taken.

    The count is limited because another process may have added a step since the session's row was
    read.
    """
    rows = await db.execute(
        select(
            SessionStepRow.after_frame,
            SessionStepRow.step,
            SessionStepRow.step_key,
            SessionStepRow.item,
            SessionStepRow.first_frame,
            SessionStepRow.last_frame,
        )
        .where(SessionStepRow.session_id == session_id, SessionStepRow.position < count)
        .order_by(SessionStepRow.position)
    )
    return [
        StoredStep(after, step, key, item, tuple(map(FrameNumber, range(first, last + 1))))
        for after, step, key, item, first, last in rows
    ]


async def add(db: AsyncSession, row: SessionRow, steps: Sequence[StoredStep]) -> None:
    """Add a session with its steps."""
    db.add(row)
    await db.flush()
    if steps:
        values = [_values(row.id, position, step, 0) for position, step in enumerate(steps)]
        await db.execute(insert(SessionStepRow), values)


# Statements about tables, made once: to make one about a class, and to find how it was compiled
# before, takes longer than to execute it.
_SESSIONS, _STEPS = table_of(SessionRow), table_of(SessionStepRow)
_ADD_STEP = insert(_STEPS)
_NOW = bindparam("now", type_=_SESSIONS.c.last_used_at.type)
_NOTE_STEP = (
    update(_SESSIONS)
    .where(_SESSIONS.c.id == bindparam("of"), _SESSIONS.c.step_count == bindparam("steps"))
    .values(
        step_count=bindparam("step_count"),
        head=bindparam("head"),
        frame_count=bindparam("frame_count"),
        # The time of the last use never moves back.
        last_used_at=case((_SESSIONS.c.last_used_at > _NOW, _SESSIONS.c.last_used_at), else_=_NOW),
    )
)


class StaleError(Exception):
    """The session has steps that the caller does not know, or it was deleted."""


async def append_step(
    db: AsyncSession,
    session_id: str,
    step: StoredStep,
    *,
    position: int,
    next_frame: int,
    head: FrameNumber,
    frame_count: int,
    now: datetime,
) -> None:
    """Add a step to a session that has exactly `position` steps.

    Raises StaleError if it has other steps by now, and IntegrityError if the same step is already
    stored. In both cases another request was faster, and the transaction must not be committed.
    """
    noted = {
        "of": session_id,
        "steps": position,
        "step_count": position + 1,
        "head": head,
        "frame_count": frame_count,
        "now": now,
    }
    if await rows_changed(db, _NOTE_STEP, noted) != 1:
        raise StaleError
    await db.execute(_ADD_STEP, _values(session_id, position, step, next_frame))


def _values(session_id: str, position: int, step: StoredStep, next_frame: int) -> dict[str, object]:
    first = step.frames[0] if step.frames else next_frame
    return {
        "session_id": session_id,
        "position": position,
        "after_frame": step.after,
        "step": step.step,
        "step_key": step.key,
        "item": step.item,
        "first_frame": first,
        "last_frame": first + len(step.frames) - 1,
    }


async def touch(db: AsyncSession, session_id: str, now: datetime) -> None:
    """Record that a session was used. The time of its last use never moves back."""
    await db.execute(
        update(SessionRow)
        .where(SessionRow.id == session_id, SessionRow.last_used_at < now)
        .values(last_used_at=now)
    )


async def bring_back_last_uses(db: AsyncSession, now: datetime, *, after: datetime) -> int:
    """Set last uses later than `after`, which is in the future, to now. Returns the number of
    sessions.
    """
    in_future = update(SessionRow).where(SessionRow.last_used_at > after)
    return await rows_changed(db, in_future.values(last_used_at=now))


async def count_unused_since(db: AsyncSession, moment: datetime) -> int:
    """The number of sessions that have not been used since a time."""
    return await db.scalar(select(func.count()).where(SessionRow.last_used_at < moment)) or 0


async def delete_some_unused_since(db: AsyncSession, moment: datetime) -> int:
    """Delete a batch of the sessions not used since a time, and return its size; 0 if none is
    left.
    """
    rows = await db.execute(
        select(SessionRow.id, SessionRow.step_count)
        .where(SessionRow.last_used_at < moment)
        .order_by(SessionRow.last_used_at)
        .limit(_MOST_SESSIONS_AT_ONCE)
    )
    ids: list[str] = []
    left = _STEPS_A_BATCH
    for session_id, steps in rows:
        if ids and steps > left:
            break
        ids.append(session_id)
        left -= steps
    # A session may have been used since.
    unused = SessionRow.last_used_at < moment
    return await rows_changed(db, delete(SessionRow).where(SessionRow.id.in_(ids), unused))
