"""Completes the frames of shares that were made before reads of consumers had `changed`."""

import msgspec

from backend.frames.json_patch import difference
from backend.frames.packing import unpacked
from sim_engine import StoredFrame, with_changed_reads

_HAVE_READS = (b'"consumed":[{', b"/clients/consumed")
_HAVE_CHANGED = b'"changed":'


def with_changed(frames: bytes, entries: list[StoredFrame]) -> list[StoredFrame]:
    """The entries with what became of each read. The same list if they have it, or if nothing that
    a consumer read has changed.

    `frames` is the JSON of the entries, which shows quickly that nothing is missing.
    """
    if _HAVE_CHANGED in frames or not any(sign in frames for sign in _HAVE_READS):
        return entries
    completed: list[StoredFrame] = []
    before: object = None
    is_same = True
    for stored, frame in zip(entries, unpacked(entries), strict=True):
        state = with_changed_reads(frame["state"])
        is_same = is_same and state is frame["state"]
        entry: StoredFrame = {**stored}
        if "state" in stored:
            entry["state"] = state
        else:
            entry["patch"] = msgspec.to_builtins(difference(before, state))
        completed.append(entry)
        before = state
    return entries if is_same else completed
