"""Encodes the frames of timelines as JSON: each is encoded once, and a response has a bounded size.

A frame never changes, and neither does its difference from the frame with the previous number. Both
are therefore cached as bytes, up to a fixed number, for later requests.
"""

import threading
from collections import OrderedDict
from contextlib import nullcontext
from itertools import count

import msgspec

from backend.frames.packing import KEYFRAME_EVERY, entry
from backend.limit_table import RESPONSE_BYTES
from sim_engine import (
    BudgetExceededError,
    FrameNumber,
    StateDocument,
    Timeline,
    beyond_budget,
    frame_document,
    spend,
    state_document,
)

_MOST_KEPT_BYTES = 64 * 1024 * 1024
_LARGEST_KEPT_BYTES = 256 * 1024
_encoder = msgspec.json.Encoder()
_numbers = count()
_Key = tuple[int, FrameNumber, bool]


class RenderedFrames:
    """A cache of the rendered frames of all timelines. Thread-safe."""

    def __init__(self, *, most_bytes: int = _MOST_KEPT_BYTES) -> None:
        self._most_bytes = most_bytes
        self._kept: OrderedDict[_Key, bytes] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, key: _Key) -> bytes | None:
        """The cached bytes of a frame, or None. Marks them as most recently used."""
        with self._lock:
            rendered = self._kept.get(key)
            if rendered is not None:
                self._kept.move_to_end(key)
            return rendered

    def keep(self, key: _Key, rendered: bytes) -> None:
        """Cache a frame, and evict the least recently used ones if there is no room."""
        if len(rendered) > _LARGEST_KEPT_BYTES:
            return
        with self._lock:
            self._bytes += len(rendered) - len(self._kept.pop(key, b""))
            self._kept[key] = rendered
            while self._bytes > self._most_bytes:
                _, dropped = self._kept.popitem(last=False)
                self._bytes -= len(dropped)


class Rendering:
    """The frames of one timeline, rendered."""

    def __init__(self, timeline: Timeline, rendered: RenderedFrames) -> None:
        self._timeline = timeline
        self._rendered = rendered
        self._number = next(_numbers)

    def entries(
        self,
        first: int,
        last: int,
        *,
        full: bool = False,
        patched: bool = False,
        most_bytes: int | None = None,
    ) -> list[bytes]:
        """Return the encoded frames from `first` up to, but excluding, `last`.

        There is at least one frame, and as many as fit into the given number of bytes (by default,
        into a response) and into the budget of the work.

        The first frame has its complete state, unless `patched`: then the reader has the frame with
        the previous number. Each frame whose number is a multiple of `KEYFRAME_EVERY` has its
        complete state too, and with `full`, each frame has. The others have a patch against the
        state of the frame with the previous number.
        """
        entries: list[bytes] = []
        most = RESPONSE_BYTES.number if most_bytes is None else most_bytes
        size = 0
        before: tuple[int, StateDocument] | None = None
        for number in map(FrameNumber, range(first, last)):
            is_key = number % KEYFRAME_EVERY == 0
            is_whole = full or is_key or (number == first and not patched)
            key = (self._number, number, is_whole)
            kept = self._rendered.get(key)
            if kept is None:
                try:
                    with nullcontext() if entries else beyond_budget():
                        spend(number)
                        document = frame_document(self._timeline, number)
                        state = None if is_whole else self._state_before(number, before)
                        kept = _encoder.encode(entry(document, before=state))
                except BudgetExceededError:
                    break
                before = (number, document.state)
                if not is_whole or is_key:
                    self._rendered.keep(key, kept)
            size += len(kept)
            if entries and size > most:
                break
            entries.append(kept)
        return entries

    def _state_before(
        self, number: FrameNumber, last: tuple[int, StateDocument] | None
    ) -> StateDocument:
        if last is not None and last[0] == number - 1:
            return last[1]
        return state_document(self._timeline.frames[number - 1].cluster)
