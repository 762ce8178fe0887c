"""The branches of a share that contains the whole run: the steps that lead to a frame."""

from collections.abc import Collection, Sequence

from backend.http.errors import invalid
from backend.shares.share import Share
from backend.shares.tables import TreeAct
from sim_engine import FrameNumber, StoredAct, StoryStepDocument, stored_story


def story_through(share: Share, at: FrameNumber) -> tuple[FrameNumber, Sequence[StoryStepDocument]]:
    """The end of the branch through a frame, and the steps that lead there.

    If branches fork after the frame, the shared branch is used if it contains the frame, otherwise
    the one that continues the frame. Raises InvalidInputError for a frame that the share does not
    have.
    """
    shared = [entry["frame"] for entry in share.entries]
    if at in shared:
        return shared[-1], share.story
    others = {entry["frame"]: entry for entry in share.others}
    if at not in others:
        raise invalid("/at", "the share has no such frame", code="no_such_frame")
    first_child: dict[FrameNumber, FrameNumber] = {}
    for number in sorted(others):
        parent = others[number]["parent"]
        if parent is not None:
            first_child.setdefault(parent, number)
    head = at
    while head in first_child:
        head = first_child[head]
    every = {**others, **{entry["frame"]: entry for entry in share.entries}}
    path: list[FrameNumber] = []
    before: FrameNumber | None = head
    while before is not None:
        path.append(before)
        before = every[before]["parent"]
    path.reverse()
    story = stored_story(
        [every[number] for number in path],
        _acts_of(share.tree, frozenset(path)),
        scenario=share.scenario_on(path),
        kafka=share.kafka,
        control=share.control,
    )
    return head, story


def _acts_of(tree: Sequence[TreeAct], path: Collection[FrameNumber]) -> list[StoredAct]:
    """The played steps of one branch, with the frame numbers that the branch alone would have."""
    acts: list[StoredAct] = []
    made_before = length = 1
    for after, step, item, made in tree:
        kept = sum(FrameNumber(made_before + place) in path for place in range(made))
        if kept or (not made and after in path):
            acts.append([length - 1, step, item])
            length += kept
        made_before += made
    return acts
