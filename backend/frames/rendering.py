"""Encodes the frames of timelines as JSON: each is encoded once, and a response has a bounded size.

A frame never changes, and neither does its difference from the frame with the previous number. Both
are therefore cached as bytes, up to a fixed number, for later requests.
"""

from contextlib import nullcontext
from itertools import count

import msgspec

from backend.frames.packing import KEYFRAME_EVERY, entry
from backend.limit_table import RESPONSE_BYTES
from backend.recent import Recent
from sim_engine.budget import BudgetExceededError, beyond_budget, spend
from sim_engine.documents.frames import frame_document
from sim_engine.documents.state import StateDocument, state_document
from sim_engine.identifiers import FrameNumber
from sim_engine.simulation.timeline import Timeline

_MOST_KEPT_BYTES = 64 * 1024 * 1024
_LARGEST_KEPT_BYTES = 256 * 1024
_encoder = msgspec.json.Encoder()
_numbers = count()


RenderedFrames = Recent[tuple[int, FrameNumber, bool], bytes]
"""The rendered frames of all timelines: by the number of a timeline and of a frame, and whether it
has its complete state.
"""


def rendered_frames() -> RenderedFrames:
    """An empty cache."""
    return Recent(total=_MOST_KEPT_BYTES, longest=_LARGEST_KEPT_BYTES)


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
