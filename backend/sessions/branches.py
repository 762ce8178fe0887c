"""The branches of a timeline: which frame continues which.

A frame's first child continues its branch; every later child begins a new branch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sim_engine import FrameNumber


class HasParent(Protocol):
    """The fields of a frame that determine its place in the tree."""

    @property
    def frame(self) -> FrameNumber:
        """Its number."""
        ...

    @property
    def parent(self) -> FrameNumber | None:
        """The number of the previous frame on its branch; None for the first frame."""
        ...

    @property
    def depth(self) -> int:
        """The number of actions from the start."""
        ...


@dataclass(frozen=True, slots=True)
class Branch:
    """The frames from `first_frame` to `head`, forked from another branch after `forked_after`."""

    head: FrameNumber
    first_frame: FrameNumber
    forked_after: FrameNumber | None
    depth: int


def list_branches(frames: Sequence[HasParent]) -> list[Branch]:
    """All branches, in the order in which they began."""
    first_child: dict[FrameNumber, FrameNumber] = {}
    for frame in frames:
        if frame.parent is not None:
            first_child.setdefault(frame.parent, frame.frame)
    branches = []
    for frame in frames:
        parent = frame.parent
        if parent is not None and first_child[parent] == frame.frame:
            continue
        head = branch_head(first_child, frame.frame)
        branches.append(Branch(head, frame.frame, parent, frames[head].depth))
    return branches


def branch_head(first_child: dict[FrameNumber, FrameNumber], frame: FrameNumber) -> FrameNumber:
    """The end of the branch through `frame`, following the first child of each frame."""
    while frame in first_child:
        frame = first_child[frame]
    return frame


def end_of_branch_through(
    frames: Sequence[HasParent], at: FrameNumber, newest: FrameNumber
) -> FrameNumber:
    """The end of the branch that runs through `at`.

    If branches fork after `at`, the branch that leads to `newest` (the newest frame) is used,
    otherwise the one that continues `at`.
    """
    first_child: dict[FrameNumber, FrameNumber] = {}
    for frame in frames:
        if frame.parent is not None:
            first_child.setdefault(frame.parent, frame.frame)
    ancestor: FrameNumber | None = newest
    while ancestor is not None and ancestor > at:
        ancestor = frames[ancestor].parent
    return branch_head(first_child, newest if ancestor == at else at)
