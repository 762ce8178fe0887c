"""Which frame of a share a link means."""

import re

from backend.frames.packing import StoredFrame, whole
from backend.http.errors import NotFoundError
from backend.shares.service import Share

_SIGNED_NUMBER = re.compile(r"-?[0-9]{1,12}", re.ASCII)


def clamped_frame(share: Share, step: str | None) -> StoredFrame:
    """For a page: the last frame that is not after `step`, or where the share opens."""
    wanted = share.at
    if step is not None and _SIGNED_NUMBER.fullmatch(step):
        wanted = int(step)
    not_after = [
        position for position, entry in enumerate(share.entries) if entry["frame"] <= wanted
    ]
    return whole(share.entries, not_after[-1] if not_after else 0)


def exact_frame(share: Share, number: int) -> StoredFrame:
    """For a picture: that frame and no other."""
    for position, entry in enumerate(share.entries):
        if entry["frame"] == number:
            return whole(share.entries, position)
    raise NotFoundError("This share has no such step.")
