"""Detects changes to a stored share: a hash of everything that its link shows.

The published digest covers only the frames, and computing it needs each frame's complete state. The
seal covers the stored bytes and the other columns, so checking it costs one hash.
"""

import hashlib
import hmac

import msgspec

from backend.frames.packing import unpacked
from backend.shares.tables import ShareRow
from sim_engine import StoredFrame, canonical_line

_canonical = msgspec.json.Encoder(order="deterministic")


def seal_of(row: ShareRow) -> str:
    """The seal of a share's contents."""
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
            row.title,
        ]
    )
    return hashlib.sha256(said + b"\n" + row.timeline).hexdigest()


def is_whole(row: ShareRow, frames: list[StoredFrame]) -> bool:
    """Whether a share's contents are unchanged.

    A share that an older version stored during a rolling upgrade has no seal: its frames are
    checked against the digest.
    """
    if row.added_seal not in (added_seal_of(row), _older_added_seal_of(row)):
        return False
    if row.seal is None:
        return has_digest(row, frames)
    return hmac.compare_digest(row.seal, seal_of(row))


def added_seal_of(row: ShareRow) -> str:
    """The seal of the columns that the first seal does not cover: of those that were added later,
    of the facts, which summaries count, and of the time.

    It is separate because older versions compute the first seal.
    """
    said = _canonical.encode(
        [
            row.sid,
            row.created_at.isoformat(),
            row.frame_count,
            # A number that is a key is a text when it is read again.
            msgspec.json.decode(msgspec.json.encode(row.facts)),
            row.note,
            row.parent_sid,
            row.root_sid,
            row.tree_record,
        ]
    )
    return hashlib.sha256(said + b"\n" + (row.other_frames or b"")).hexdigest()


def _older_added_seal_of(row: ShareRow) -> str | None:
    """The seal of a share that was stored before the facts and the time were sealed; None if all
    the columns that it covers are null.
    """
    added = [row.note, row.parent_sid, row.root_sid, row.tree_record]
    if row.other_frames is None and not any(part is not None for part in added):
        return None
    said = _canonical.encode([row.sid, *added])
    return hashlib.sha256(said + b"\n" + (row.other_frames or b"")).hexdigest()


def has_digest(row: ShareRow, frames: list[StoredFrame]) -> bool:
    """Whether a share's decoded frames have the published digest."""
    digest = hashlib.sha256()
    for frame in unpacked(frames):
        digest.update(canonical_line(frame))
    return digest.hexdigest() == row.digest
