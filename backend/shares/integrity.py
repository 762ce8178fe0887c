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
