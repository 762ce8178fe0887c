"""Lists of frames as they are sent and stored: a whole state now and again, patches between."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from backend.frames.json_patch import applied, difference

KEYFRAME_EVERY = 50

FrameDocument = dict[str, Any]


def packed(
    documents: Iterable[FrameDocument], *, full: bool = False, before: Any = None
) -> list[FrameDocument]:
    """Entries of a list of frames: each patch is against the entry before it.

    The first one's is against the state `before`, which the reader has; without it the first entry
    has its whole state.
    """
    entries: list[FrameDocument] = []
    for position, document in enumerate(documents):
        if full or before is None or (position > 0 and position % KEYFRAME_EVERY == 0):
            entries.append(document)
        else:
            entry = {name: value for name, value in document.items() if name != "state"}
            entry["patch"] = difference(before, document["state"])
            entries.append(entry)
        before = document["state"]
    return entries


def unpacked(entries: Iterable[FrameDocument]) -> Iterator[FrameDocument]:
    """Whole frames again, one after another."""
    state: Any = None
    for entry in entries:
        state = entry["state"] if "state" in entry else applied(state, entry["patch"])
        document = {name: value for name, value in entry.items() if name != "patch"}
        yield {**document, "state": state}


def whole(entries: Sequence[FrameDocument], position: int) -> FrameDocument:
    """The frame at one position, from the whole state before it that is nearest."""
    start = position
    while "state" not in entries[start]:
        start -= 1
    *_, frame = unpacked(entries[start : position + 1])
    return frame
