"""Completes the frames of shares that were made before reads of consumers had `changed`."""

from collections.abc import Iterator
from operator import is_

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
    completed = list(_completed(entries))
    return entries if all(map(is_, completed, entries)) else completed


def _completed(entries: list[StoredFrame]) -> Iterator[StoredFrame]:
    """The entries: those before the first read that has changed are the same objects."""
    before: object = None
    is_same = True
    for stored, frame in zip(entries, unpacked(entries), strict=True):
        state = with_changed_reads(frame["state"])
        is_same = is_same and state is frame["state"]
        if is_same:
            yield stored
        elif "state" in stored:
            yield {**stored, "state": state}
        else:
            yield {**stored, "patch": msgspec.to_builtins(difference(before, state))}
        before = state
