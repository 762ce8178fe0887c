"""How long a stored share takes to show, and to play again. Neither ever changes."""

from typing import NamedTuple

import msgspec
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from backend.sessions.step_time import LONG_MS, passing_ms
from backend.shares.tables import ShareRow

# No share of a lesson is as large. A share of this size takes about 20 ms to decode.
_LARGE_FRAMES = 200
_LARGE_BYTES = 32 * 1024


class Extent(NamedTuple):
    """Whether a share takes long to show, and whether it takes long to play again."""

    is_large: bool
    is_long: bool


async def extent_of(db: AsyncSession, sid: str) -> Extent | None:
    """The extent of a share; None if there is none that may be shown."""
    stored_bytes = func.length(ShareRow.timeline) + func.coalesce(
        func.length(ShareRow.other_frames), 0
    )
    found = await db.execute(
        select(ShareRow.scenario_id, ShareRow.frame_count, stored_bytes).where(
            ShareRow.sid == sid, ShareRow.deleted_at.is_(None), ShareRow.taken_down_at.is_(None)
        )
    )
    row = found.one_or_none()
    if row is None:
        return None
    scenario_id, frames, size = row
    is_large = frames > _LARGE_FRAMES or size > _LARGE_BYTES
    return Extent(is_large, is_large or scenario_id is None or await _passes_long(db, sid))


async def _passes_long(db: AsyncSession, sid: str) -> bool:
    try:
        found = await db.execute(
            select(ShareRow.record, ShareRow.tree_record).where(ShareRow.sid == sid)
        )
        record, tree = found.one()
        return passing_ms(act[1] for act in (*record, *(tree or ()))) > LONG_MS
    except (msgspec.DecodeError, LookupError, TypeError):
        return False  # the row was changed, which is reported when it is read
