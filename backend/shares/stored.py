"""What is stored of a share, read back: shown if it may be, and only if it is what was shared."""

import gzip
import logging
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from backend.database import Database
from backend.frames.packing import StoredFrame
from backend.http.errors import DamagedError, GoneError, NotFoundError
from backend.identifiers import hashed
from backend.shares import repository
from backend.shares.seal import has_digest, is_whole
from backend.shares.tables import ShareRow

_log = logging.getLogger("highwater.shares")


async def row_of(session: AsyncSession, sid: str) -> ShareRow | None:
    """A share's row, a deleted one's too; None where there is none. Raises DamagedError."""
    try:
        return await repository.get(session, sid)
    except msgspec.DecodeError:
        raise _damaged(sid) from None


async def shown_row(session: AsyncSession, sid: str) -> ShareRow:
    """A share's row, where its link may show it. Raises NotFoundError, GoneError, DamagedError."""
    row = await row_of(session, sid)
    if row is None:
        raise NotFoundError("There is no such share.")
    if row.deleted_at is not None:
        raise GoneError("This share was deleted by its author.", code="deleted")
    if row.taken_down_at is not None:
        raise GoneError(
            "This share was taken down by the operator of this service.",
            code="taken_down",
            members={"reason": row.taken_down_for},
        )
    return row


def checked_frames(row: ShareRow) -> tuple[bytes, list[StoredFrame]]:
    """The stored frames as JSON and read. Raises DamagedError where they were changed."""
    with _damage_of(row):
        frames, entries = _unzipped(row.timeline)
        if not is_whole(row, entries):
            raise _damaged(row.sid)
    return frames, entries


def other_frames(row: ShareRow) -> tuple[bytes, list[StoredFrame]]:
    """The same of the frames of the other branches, of a share that was checked."""
    if row.other_frames is None:
        return b"[]", []
    with _damage_of(row):
        return _unzipped(row.other_frames)


def _unzipped(stored: bytes) -> tuple[bytes, list[StoredFrame]]:
    frames = gzip.decompress(stored)
    return frames, msgspec.json.decode(frames, type=list[StoredFrame])


@contextmanager
def _damage_of(row: ShareRow) -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError, zlib.error, msgspec.MsgspecError, LookupError) as error:
        raise _damaged(row.sid) from error


async def damaged_shares(database: Database) -> tuple[int, list[str]]:
    """How many shares there are, and the ids of those whose frames are not what was shared.

    Reads all of them and writes each out, to compare it with the digest that was published.
    """
    total, damaged, after = 0, list[str](), ""
    while True:
        async with database.reading() as session:
            ids = await repository.list_ids(session, after=after, most=100)
        if not ids:
            return total, damaged
        for sid in ids:
            try:
                async with database.reading() as session:
                    row = await row_of(session, sid)
                if row is None or row.deleted_at is not None:
                    continue
                _, frames = checked_frames(row)
                sound = has_digest(row, frames)
            except DamagedError:
                sound = False
            total += 1
            if not sound:
                damaged.append(sid)
        after = ids[-1]


def _damaged(sid: str) -> DamagedError:
    _log.error("share_damaged", extra={"fields": {"share_h8": hashed(sid)}})
    return DamagedError(
        "What this link stored was changed or damaged, so it is not shown.", code="share_damaged"
    )
