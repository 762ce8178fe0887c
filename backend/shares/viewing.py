"""Which frame of a share a link means."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from backend.frames.packing import StoredFrame, whole
from backend.http.errors import NotFoundError, invalid
from backend.shares.shown import Share
from sim_engine import FrameNumber

_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})", re.ASCII)
_SIGNED_NUMBER = re.compile(r"-?[0-9]{1,12}", re.ASCII)


def clamped_frame(share: Share, step: str | None) -> StoredFrame:
    """For a page: the last frame that is not after `step`, or where the share opens."""
    wanted = share.at
    if step is not None and _SIGNED_NUMBER.fullmatch(step):
        wanted = FrameNumber(int(step))
    not_after = [
        position for position, entry in enumerate(share.entries) if entry["frame"] <= wanted
    ]
    return whole(share.entries, not_after[-1] if not_after else 0)


class PlaceInStory(NamedTuple):
    """Where a frame stands: its step of how many, and which of its step's messages it is."""

    step: int
    steps: int
    message: int
    messages: int


def place_in_story(share: Share, frame: StoredFrame) -> PlaceInStory:
    """The position of one of a share's frames in its story."""
    together = [entry["frame"] for entry in share.entries if entry["step"] == frame["step"]]
    return PlaceInStory(
        step=frame["step"],
        steps=share.story[-1].step,
        message=together.index(frame["frame"]) + 1,
        messages=len(together),
    )


def exact_frame(share: Share, number: int) -> StoredFrame:
    """For a picture: that frame and no other."""
    for position, entry in enumerate(share.entries):
        if entry["frame"] == number:
            return whole(share.entries, position)
    raise NotFoundError("This share has no such step.")


def frames_between(share: Share, numbers: str | None) -> Sequence[StoredFrame]:
    """The share's entries from one frame to another, both with it: `3-12`; all where there is none.

    Raises InvalidInputError for what is no range, and NotFoundError where the branch has none of
    those frames.
    """
    if numbers is None:
        return share.entries
    found = _RANGE.fullmatch(numbers)
    if found is None or int(found[1]) > int(found[2]):
        raise invalid("/range", "must be two frame numbers, the first not larger: 3-12")
    first, last = int(found[1]), int(found[2])
    between = [entry for entry in share.entries if first <= entry["frame"] <= last]
    if not between:
        raise NotFoundError("This share has no such steps.")
    return between
