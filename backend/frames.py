"""Lists of frames as they are sent and stored: a whole state now and again, patches between."""

from collections.abc import Iterable
from typing import Any

from backend.json_patch import applied, difference

KEYFRAME_EVERY = 25

FrameDocument = dict[str, Any]


def packed(documents: Iterable[FrameDocument], *, full: bool = False) -> list[FrameDocument]:
    """Entries of a list of frames: each patch is against the entry before it."""
    entries: list[FrameDocument] = []
    before: Any = None
    for position, document in enumerate(documents):
        if full or position % KEYFRAME_EVERY == 0:
            entries.append(document)
        else:
            entry = {name: value for name, value in document.items() if name != "state"}
            entry["patch"] = difference(before, document["state"])
            entries.append(entry)
        before = document["state"]
    return entries


def unpacked(entries: Iterable[FrameDocument]) -> list[FrameDocument]:
    """Whole frames again."""
    documents: list[FrameDocument] = []
    state: Any = None
    for entry in entries:
        state = entry["state"] if "state" in entry else applied(state, entry["patch"])
        document = {name: value for name, value in entry.items() if name != "patch"}
        documents.append({**document, "state": state})
    return documents
