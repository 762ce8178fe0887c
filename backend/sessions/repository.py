"""Every query about sessions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import CursorResult, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from backend.sessions.tables import SessionRow, SessionStepRow
from sim_engine import FrameNumber


@dataclass(frozen=True, slots=True)
class StoredStep:
    """One step as it is in the database; `frames` are those it made."""

    after: FrameNumber
    step: dict[str, object]
    key: str
    item: int | None
    frames: tuple[FrameNumber, ...]


async def get(session: AsyncSession, session_id: str) -> SessionRow | None:
    """A session's row; None where there is none."""
    return await session.get(SessionRow, session_id)


async def list_steps(session: AsyncSession, session_id: str, *, count: int) -> list[StoredStep]:
    """The first `count` steps, in the order in which they were done.

    Not all: since the session's row was read, another process may have added one.
    """
    rows = await session.execute(
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


async def add(session: AsyncSession, row: SessionRow, steps: Sequence[StoredStep]) -> None:
    """Add a session with the steps that it has done."""
    session.add(row)
    await session.flush()
    if steps:
        values = [_values(row.id, position, step, 0) for position, step in enumerate(steps)]
        await session.execute(insert(SessionStepRow), values)


class StaleError(Exception):
    """The session has other steps than the writer thought, or is gone."""


async def append_step(
    session: AsyncSession,
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

    Raises StaleError when it has others by now, and IntegrityError when the same step stands
    there already: somebody was quicker, and nothing may be committed.
    """
    result = await session.execute(
        update(SessionRow)
        .where(SessionRow.id == session_id, SessionRow.step_count == position)
        .values(step_count=position + 1, head=head, frame_count=frame_count, last_used_at=now)
        .execution_options(synchronize_session=False)
    )
    assert isinstance(result, CursorResult)
    if result.rowcount != 1:
        raise StaleError
    await session.execute(insert(SessionStepRow), [_values(session_id, position, step, next_frame)])


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


async def touch(session: AsyncSession, session_id: str, now: datetime) -> None:
    """Note that a session was used."""
    await session.execute(
        update(SessionRow).where(SessionRow.id == session_id).values(last_used_at=now)
    )


async def delete_unused_since(session: AsyncSession, moment: datetime) -> int:
    """Delete the sessions not used since a moment; how many went."""
    result = await session.execute(delete(SessionRow).where(SessionRow.last_used_at < moment))
    assert isinstance(result, CursorResult)
    return result.rowcount
