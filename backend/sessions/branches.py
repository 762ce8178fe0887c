"""The branches of a timeline: which frame continues which.

A frame's first child continues its branch; every later one begins a branch of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sim_engine import FrameNumber


class HasParent(Protocol):
    """A frame, as far as its place in the tree."""

    @property
    def frame(self) -> FrameNumber:
        """Its number."""
        ...

    @property
    def parent(self) -> FrameNumber | None:
        """The number of the frame that it follows; None for the first."""
        ...

    @property
    def depth(self) -> int:
        """How many actions it is from the start."""
        ...


@dataclass(frozen=True, slots=True)
class Branch:
    """From `first_frame` to `head`; it parts from another branch after `forked_after`."""

    head: FrameNumber
    first_frame: FrameNumber
    forked_after: FrameNumber | None
    depth: int


def list_branches(frames: Sequence[HasParent]) -> list[Branch]:
    """All of them, in the order in which they began."""
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
    """The end of the branch through `frame`, by the first child of each."""
    while frame in first_child:
        frame = first_child[frame]
    return frame


def end_of_branch_through(
    frames: Sequence[HasParent], at: FrameNumber, newest: FrameNumber
) -> FrameNumber:
    """The end of the branch that runs through `at`.

    Where branches part after `at`, it is the one that leads to `newest`, the frame that was made
    last, and else the one that continues `at`.
    """
    first_child: dict[FrameNumber, FrameNumber] = {}
    for frame in frames:
        if frame.parent is not None:
            first_child.setdefault(frame.parent, frame.frame)
    ancestor: FrameNumber | None = newest
    while ancestor is not None and ancestor > at:
        ancestor = frames[ancestor].parent
    return branch_head(first_child, newest if ancestor == at else at)
