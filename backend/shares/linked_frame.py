"""Finds the frame of a share that a link refers to."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from backend.frames.packing import whole
from backend.http.errors import NotFoundError, invalid
from backend.shares.share import Share
from sim_engine import FrameNumber, StoredFrame

_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})", re.ASCII)
_SIGNED_NUMBER = re.compile(r"-?[0-9]{1,12}", re.ASCII)


def clamped_frame(share: Share, step: str | None) -> StoredFrame:
    """For a page: the last frame up to `step`, or the frame at which the share opens."""
    wanted = share.at
    if step is not None and _SIGNED_NUMBER.fullmatch(step):
        wanted = FrameNumber(int(step))
    not_after = [
        position for position, entry in enumerate(share.entries) if entry["frame"] <= wanted
    ]
    return whole(share.entries, not_after[-1] if not_after else 0)


class PlaceInStory(NamedTuple):
    """The position of a frame: its step, the number of steps, and its message within the step."""

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
    """For a picture: exactly this frame. Raises NotFoundError if the share does not have it."""
    for position, entry in enumerate(share.entries):
        if entry["frame"] == number:
            return whole(share.entries, position)
    raise NotFoundError("This share has no such step.")


def frames_between(share: Share, numbers: str | None) -> Sequence[StoredFrame]:
    """The share's entries in an inclusive range of frames such as `3-12`; all without a range.

    Raises InvalidInputError for an invalid range, and NotFoundError if the branch has no frame in
    it.
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
