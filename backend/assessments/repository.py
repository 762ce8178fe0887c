"""The stored assessments: read, hidden and deleted."""

import gzip
import hmac
import logging
import zlib
from datetime import datetime

import msgspec
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from backend.assessments.tables import AssessmentRow
from backend.database.database import Database, rows_changed
from backend.http.errors import DamagedError
from backend.identifiers import hashed
from backend.shares.claims import sha256
from backend.shares.verified_rows import shown

_log = logging.getLogger("highwater.assessments")
_KEPT = AssessmentRow.deleted_at.is_(None)


class SharedAssessment(msgspec.Struct, frozen=True, kw_only=True):
    """What a shared assessment shows, as it was when it was shared: an engine that computes
    something else later changes nothing in it.
    """

    page: msgspec.Raw
    """The document, as `POST /assessments` returned it."""
    title: dict[str, str]
    about: dict[str, str]
    reports: dict[str, str]
    """The report in Markdown by language, without its link."""
    card: msgspec.Raw
    """The frame that its link card shows."""
    card_options: dict[str, object]


def packed(shared: SharedAssessment) -> bytes:
    """The contents as they are stored."""
    return gzip.compress(msgspec.json.encode(shared), mtime=0)


async def shown_row(db: AsyncSession, sid: str) -> AssessmentRow:
    """The row of an assessment that its link may show. Raises NotFoundError for an unknown id, and
    GoneError for one that was deleted or taken down.
    """
    return shown(await db.get(AssessmentRow, sid), "link")


def opened(row: AssessmentRow) -> SharedAssessment:
    """The contents of a row. Raises DamagedError if they were changed."""
    try:
        if not hmac.compare_digest(row.seal, sha256(row.content)):
            raise ValueError("the contents do not match the seal")
        return msgspec.json.decode(gzip.decompress(row.content), type=SharedAssessment)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        _log.error("assessment_damaged", extra={"fields": {"share_h8": hashed(row.sid)}})
        raise DamagedError(
            "The stored data of this link was changed or damaged, so it is not shown.",
            code="share_damaged",
        ) from error


async def mark_deleted(db: AsyncSession, sid: str, moment: datetime) -> bool:
    """Erase the contents and keep the row, so that the link can report the deletion."""
    emptied = update(AssessmentRow).where(AssessmentRow.sid == sid, _KEPT)
    return await rows_changed(db, emptied.values(deleted_at=moment, content=b"", seal="")) == 1


async def set_takedown(
    db: AsyncSession, sid: str, moment: datetime | None, reason: str | None
) -> bool:
    """Hide an assessment since a moment, for a reason; or show it again if both are None. Returns
    false if there is no such assessment, or it is deleted.
    """
    hidden = update(AssessmentRow).where(AssessmentRow.sid == sid, _KEPT)
    return await rows_changed(db, hidden.values(taken_down_at=moment, taken_down_for=reason)) == 1


async def damaged_assessments(database: Database) -> tuple[int, list[str]]:
    """The number of stored assessments, and the ids of the damaged ones."""
    async with database.reading() as db:
        ids = (await db.scalars(select(AssessmentRow.sid).where(_KEPT))).all()
    damaged = []
    for sid in sorted(ids):
        async with database.reading() as db:
            row = await db.get(AssessmentRow, sid)
        try:
            if row is not None and row.deleted_at is None:
                opened(row)
        except DamagedError:
            damaged.append(sid)
    return len(ids), damaged
