"""Lists of frames as they are sent and stored: a whole state now and again, patches between."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from backend.frames.json_patch import PatchOperation, applied, difference
from sim_engine import FrameContent, FrameDocument, JsonObject, PropertyDocument, StateDocument

KEYFRAME_EVERY = 50

StoredFrame = JsonObject
"""A frame, or an entry of a list, as it was read back: perhaps one that an older engine wrote."""


class FrameEntry(FrameContent, frozen=True, kw_only=True):
    """A frame in a list: `state` whole, or `patch` against the frame before it in the list.

    The first entry has a whole state, and another one now and again; with `full=1` all have.
    """

    state: StateDocument | UnsetType = UNSET
    properties: Annotated[
        dict[str, PropertyDocument], Meta(description="Property name → verdict so far.")
    ]
    patch: Annotated[
        list[PatchOperation] | UnsetType,
        Meta(description="What to do to the state of the entry before it (RFC 6902)."),
    ] = UNSET


def packed(frames: Iterable[FrameDocument]) -> list[FrameEntry]:
    """Entries of a list of frames: each patch is against the entry before it."""
    return list(packed_one_by_one(frames))


def packed_one_by_one(frames: Iterable[FrameDocument]) -> Iterator[FrameEntry]:
    """As `packed`; no more than two states are in memory at once."""
    before: StateDocument | None = None
    for position, frame in enumerate(frames):
        is_whole = position % KEYFRAME_EVERY == 0
        yield entry(frame, before=None if is_whole else before)
        before = frame.state


def entry(frame: FrameDocument, *, before: StateDocument | None) -> FrameEntry:
    """One entry: a patch against the state `before`, or without it the whole state."""
    return FrameEntry(
        frame=frame.frame,
        parent=frame.parent,
        depth=frame.depth,
        item=frame.item,
        step=frame.step,
        action=frame.action,
        events=frame.events,
        headline=frame.headline,
        changes=frame.changes,
        moves=frame.moves,
        state=frame.state if before is None else UNSET,
        properties=frame.properties,
        patch=UNSET if before is None else difference(before, frame.state),
    )


def unpacked(entries: Iterable[StoredFrame]) -> Iterator[StoredFrame]:
    """Whole frames again, one after another."""
    state: object = None
    for entry in entries:
        if "state" in entry:
            state = entry["state"]
        else:
            state = applied(state, msgspec.convert(entry["patch"], list[PatchOperation]))
        document = {name: value for name, value in entry.items() if name != "patch"}
        yield {**document, "state": state}


def whole(entries: Sequence[StoredFrame], position: int) -> StoredFrame:
    """The frame at one position, from the whole state before it that is nearest."""
    start = position
    while "state" not in entries[start]:
        start -= 1
    *_, frame = unpacked(entries[start : position + 1])
    return frame
