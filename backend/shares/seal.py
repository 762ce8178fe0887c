"""Whether what is stored of a share is what was stored: a hash of all that its link shows.

The published digest is of the frames alone, and to compute it each frame's whole state is needed.
The seal is of the stored bytes and of what stands beside them, so checking it costs one hash.
"""

import hashlib
import hmac

import msgspec

from backend.frames.packing import StoredFrame, unpacked
from backend.shares.tables import ShareRow
from sim_engine import canonical_line

_canonical = msgspec.json.Encoder(order="deterministic")


def seal_of(row: ShareRow) -> str:
    """The seal that belongs to a share's contents."""
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
    """Whether a share's contents are those that were stored.

    A share that an older version stored while both ran has no seal: its frames must have their
    digest.
    """
    if row.added_seal != added_seal_of(row):
        return False
    if row.seal is None:
        return has_digest(row, frames)
    return hmac.compare_digest(row.seal, seal_of(row))


def added_seal_of(row: ShareRow) -> str | None:
    """The seal of what shares have had since there are seals; None where this one has none of it.

    It is a second one: the version before computes the first, and knows nothing of these.
    """
    added = [row.note, row.parent_sid, row.root_sid, row.tree_record]
    if row.other_frames is None and not any(part is not None for part in added):
        return None
    said = _canonical.encode([row.sid, *added])
    return hashlib.sha256(said + b"\n" + (row.other_frames or b"")).hexdigest()


def has_digest(row: ShareRow, frames: list[StoredFrame]) -> bool:
    """Whether a share's frames, written out, have the digest that was published with it."""
    digest = hashlib.sha256()
    for frame in unpacked(frames):
        digest.update(canonical_line(frame))
    return digest.hexdigest() == row.digest
