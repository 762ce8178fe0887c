"""Reads stored shares: only those that may be shown, and only if they are unchanged.

The seal of a share is a hash of everything that its link or a summary shows. The published digest
covers only the frames, and computing it needs each frame's complete state; checking the seal costs
one hash of the stored bytes.
"""

import gzip
import hashlib
import hmac
import logging
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Protocol, TypeVar, cast

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from backend.database.database import Database
from backend.frames.packing import unpacked
from backend.http.errors import DamagedError, GoneError, NotFoundError
from backend.identifiers import hashed
from backend.shares import repository
from backend.shares.tables import ShareRow
from sim_engine.budget import go_on
from sim_engine.documents.runs import StoredFrame, canonical_line

_canonical = msgspec.json.Encoder(order="deterministic")


def seal_of(row: ShareRow) -> str:
    """The seal of everything in a row that a link or a summary shows."""
    said = _canonical.encode(
        [
            row.sid,
            row.at_frame,
            row.scenario,
            row.scenario_id,
            row.kafka,
            row.control,
            row.engine,
            row.record,
            row.digest,
            row.frame_count,
            # A number that is a key is a text when it is read again.
            msgspec.json.decode(msgspec.json.encode(row.facts)),
            row.title,
            row.created_at.isoformat(),
            row.note,
            row.parent_sid,
            row.root_sid,
            row.tree_record,
            len(row.timeline),
        ]
    )
    frames = row.timeline + (row.other_frames or b"")
    return hashlib.sha256(said + b"\n" + frames).hexdigest()


def is_whole(row: ShareRow) -> bool:
    """Whether a share's contents are unchanged."""
    return hmac.compare_digest(row.seal.encode(), seal_of(row).encode())


def has_digest(row: ShareRow, frames: list[StoredFrame]) -> bool:
    """Whether a share's decoded frames have the published digest."""
    digest = hashlib.sha256()
    for frame in unpacked(frames):
        digest.update(canonical_line(frame))
    return digest.hexdigest() == row.digest


_log = logging.getLogger("highwater.shares")
# As a mapping, because a typed struct would drop fields that it does not declare.
_frame = msgspec.json.Decoder(dict[str, object])


async def row_of(db: AsyncSession, sid: str) -> ShareRow | None:
    """A share's row, also if the share is deleted; None if it never existed. Raises DamagedError if
    the row was changed.
    """
    try:
        return await repository.get(db, sid)
    except msgspec.DecodeError:
        raise _damaged(sid) from None


class _Hideable(Protocol):
    @property
    def deleted_at(self) -> datetime | None: ...
    @property
    def taken_down_at(self) -> datetime | None: ...
    @property
    def taken_down_for(self) -> str | None: ...


_Row = TypeVar("_Row", bound=_Hideable)


def shown(row: _Row | None, called: str) -> _Row:
    """A stored row, if its link may show it. `called` is what readers call it. Raises NotFoundError
    if there is none, and GoneError if it was deleted or taken down.
    """
    if row is None:
        raise NotFoundError(f"There is no such {called}.")
    if row.deleted_at is not None:
        raise GoneError(f"This {called} was deleted by its author.", code="deleted")
    if row.taken_down_at is not None:
        raise GoneError(
            f"This {called} was taken down by the operator of this service.",
            code="taken_down",
            members={"reason": row.taken_down_for},
        )
    return row


async def shown_row(db: AsyncSession, sid: str) -> ShareRow:
    """A share's row, if its link may show it. Raises NotFoundError for an unknown share, GoneError
    for one that was deleted or taken down, and DamagedError if the row was changed.
    """
    return shown(await row_of(db, sid), "share")


def check(row: ShareRow) -> None:
    """Raise DamagedError if a share was changed. Its frames are not decoded."""
    if not is_whole(row):
        raise _damaged(row.sid)


def checked_frames(row: ShareRow) -> tuple[bytes, list[StoredFrame]]:
    """The stored frames, as JSON and decoded. Raises DamagedError if they were changed."""
    check(row)
    with _damage_of(row):
        return _unzipped(row.timeline)


def other_frames(row: ShareRow) -> tuple[bytes, list[StoredFrame]]:
    """The same for the frames of the other branches, for a share that was checked before."""
    if row.other_frames is None:
        return b"[]", []
    with _damage_of(row):
        return _unzipped(row.other_frames)


def _unzipped(stored: bytes) -> tuple[bytes, list[StoredFrame]]:
    frames = gzip.decompress(stored)
    entries: list[StoredFrame] = []
    # Decoding ten megabytes at once would keep the interpreter for a tenth of a second.
    for frame in msgspec.json.decode(frames, type=list[msgspec.Raw]):
        go_on()
        entries.append(cast("StoredFrame", _frame.decode(frame)))
    return frames, entries


@contextmanager
def _damage_of(row: ShareRow) -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError, zlib.error, msgspec.MsgspecError, LookupError) as error:
        raise _damaged(row.sid) from error


async def damaged_shares(database: Database) -> tuple[int, list[str]]:
    """The number of shares, and the ids of the damaged ones.

    Reads and decodes every share to compare it with its published digest.
    """
    total, damaged, after = 0, list[str](), ""
    while True:
        async with database.reading() as db:
            ids = await repository.list_ids(db, after=after, most=100)
        if not ids:
            return total, damaged
        for sid in ids:
            try:
                async with database.reading() as db:
                    row = await row_of(db, sid)
                if row is None or row.deleted_at is not None:
                    continue
                _, frames = checked_frames(row)
                with _damage_of(row):
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
        "The stored data of this link was changed or damaged, so it is not shown.",
        code="share_damaged",
    )
