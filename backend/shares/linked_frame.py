"""Finds the frame of a share that a link refers to, and whether the link shows its whole step."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from backend.http.errors import NotFoundError, invalid
from backend.shares.share import Share
from sim_engine import FrameNumber, StoredEvent, StoredFrame, StoryStepDocument

MESSAGE = "message"
"""The value of `level` in a link to a single message."""
_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})", re.ASCII)
_SIGNED_NUMBER = re.compile(r"-?[0-9]{1,12}", re.ASCII)


def is_message_asked(query: Mapping[str, str]) -> bool:
    """Whether a link shows its frame as a single message, although it may end a step."""
    return query.get("level") == MESSAGE


def query_of(frame: FrameNumber | str, *, is_message: bool) -> str:
    """The query of a link that shows a frame."""
    return f"frame={frame}" + (f"&level={MESSAGE}" if is_message else "")


def clamped_frame(share: Share, asked: str | None) -> StoredFrame:
    """For a page: the last frame up to the one asked for, or the frame at which the share opens."""
    wanted = share.at
    if asked is not None and _SIGNED_NUMBER.fullmatch(asked):
        wanted = FrameNumber(int(asked))
    not_after = [
        position for position, entry in enumerate(share.entries) if entry["frame"] <= wanted
    ]
    return share.frame_at(not_after[-1] if not_after else 0)


class PlaceInStory(NamedTuple):
    """The position of what a link shows: its step, the number of steps, and its message within the
    step; 1 of 1 for a whole step.
    """

    step: int
    steps: int
    message: int
    messages: int


def place_in_story(share: Share, frame: StoredFrame, *, is_message: bool = False) -> PlaceInStory:
    """The position of one of a share's frames in its story."""
    together = [share.entries[position]["frame"] for position in _positions(share, frame["step"])]
    is_whole = frame["frame"] == together[-1] and not is_message
    return PlaceInStory(
        step=frame["step"],
        steps=share.story[-1].step,
        message=1 if is_whole else together.index(frame["frame"]) + 1,
        messages=1 if is_whole else len(together),
    )


def whole_step(
    share: Share, frame: StoredFrame, *, is_message: bool = False
) -> StoryStepDocument | None:
    """The step that a link to this frame shows as a whole, as the page does: the one that it ends.

    None if the link shows a single message: inside its step or, with `is_message`, in any case.
    """
    if is_message:
        return None
    last = _positions(share, frame["step"])[-1]
    if share.entries[last]["frame"] != frame["frame"]:
        return None
    return next(step for step in share.story if step.step == frame["step"])


class Scene(NamedTuple):
    """What a picture of a frame shows, and the complete frame that it is compared with."""

    frame: StoredFrame
    previous: StoredFrame | None


def scene_of(share: Share, frame: StoredFrame, *, is_message: bool = False) -> Scene:
    """The scene of one of a share's complete frames: of a whole step its end, with all of its
    events, compared with the state before it.
    """
    step = whole_step(share, frame, is_message=is_message)
    if step is None:
        return Scene(frame, None)
    positions = _positions(share, step.step)
    events: list[StoredEvent] = []
    headline = 0
    for at in positions:
        entry = share.entries[at]
        if entry["frame"] == step.telling_frame:
            headline = len(events) + entry["headline"]
        events += entry["events"]
    merged: StoredFrame = {**frame, "events": events, "headline": headline}
    return Scene(merged, None if positions[0] == 0 else share.frame_at(positions[0] - 1))


def exact_frame(share: Share, number: int) -> StoredFrame:
    """For a picture: exactly this frame. Raises NotFoundError if the share does not have it."""
    for position, entry in enumerate(share.entries):
        if entry["frame"] == number:
            return share.frame_at(position)
    raise NotFoundError("This share has no such frame.")


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
        raise NotFoundError("This share has no such frames.")
    return between


def _positions(share: Share, step: int) -> list[int]:
    return [position for position, entry in enumerate(share.entries) if entry["step"] == step]
