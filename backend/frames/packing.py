"""Lists of frames as they are sent and stored: complete states at intervals, patches in between."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from backend.frames.json_patch import PatchOperation, applied, difference
from sim_engine.documents.frames import FrameContent, FrameDocument
from sim_engine.documents.runs import StoredFrame
from sim_engine.documents.state import StateDocument
from sim_engine.invariants.observation import Verdicts
from sim_engine.json_types import copied

KEYFRAME_EVERY = 50


class FrameEntry(FrameContent, frozen=True, kw_only=True):
    """A frame in a list: the complete `state`, or a `patch` against the previous entry's state.

    The first entry has a complete state, and so do some later ones; with `full=1`, all have one.
    """

    state: StateDocument | UnsetType = UNSET
    properties: Verdicts
    """Property name → verdict up to this frame."""
    patch: list[PatchOperation] | UnsetType = UNSET
    """The changes to the previous entry's state (RFC 6902)."""


def packed(frames: Iterable[FrameDocument]) -> list[FrameEntry]:
    """Return the entries for a list of frames: each patch is against the previous entry."""
    return list(packed_one_by_one(frames))


def packed_one_by_one(frames: Iterable[FrameDocument]) -> Iterator[FrameEntry]:
    """Like `packed`, with at most two states in memory at a time."""
    before: StateDocument | None = None
    for position, frame in enumerate(frames):
        is_whole = position % KEYFRAME_EVERY == 0
        yield entry(frame, before=None if is_whole else before)
        before = frame.state


def entry(frame: FrameDocument, *, before: StateDocument | None) -> FrameEntry:
    """One entry: a patch against the state `before`, or the complete state if `before` is None."""
    return copied(
        FrameEntry,
        frame,
        state=frame.state if before is None else UNSET,
        patch=UNSET if before is None else difference(before, frame.state),
    )


def unpacked(entries: Iterable[StoredFrame]) -> Iterator[StoredFrame]:
    """The complete frames, one after another."""
    state: object = None
    for entry in entries:
        if "state" in entry:
            state = entry["state"]
        else:
            state = applied(state, msgspec.convert(entry["patch"], list[PatchOperation]))
        frame: StoredFrame = {**entry, "state": state}
        frame.pop("patch", None)
        yield frame


def whole(entries: Sequence[StoredFrame], position: int) -> StoredFrame:
    """The complete frame at one position, computed from the nearest complete state before it."""
    start = position
    while "state" not in entries[start]:
        start -= 1
    *_, frame = unpacked(entries[start : position + 1])
    return frame
