"""The branches of a share that has all of its run: what leads to a frame, told in steps."""

from collections.abc import Collection, Sequence

from backend.http.errors import invalid
from backend.shares.shown import Share
from backend.shares.tables import TreeAct
from sim_engine import FrameNumber, StoredAct, StoryStepDocument, stored_story


def story_through(share: Share, at: FrameNumber) -> tuple[FrameNumber, Sequence[StoryStepDocument]]:
    """The end of the branch through a frame, and the steps that lead there.

    Where branches part after the frame, it is the one that was shared, or else the one that
    continues the frame. Raises InvalidInputError for a frame that the share does not have.
    """
    shared = [entry["frame"] for entry in share.entries]
    if at in shared:
        return shared[-1], share.story
    others = {entry["frame"]: entry for entry in share.others}
    if at not in others:
        raise invalid("/at", "the share has no such frame", code="no_such_frame")
    first_child: dict[FrameNumber, FrameNumber] = {}
    for number in sorted(others):
        first_child.setdefault(others[number]["parent"], number)
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
    _, story = stored_story(
        [every[number] for number in path],
        _record_of(share.tree, frozenset(path)),
        scenario=share.scenario,
        kafka=share.kafka,
        control=share.control,
    )
    return head, story


def _record_of(tree: Sequence[TreeAct], path: Collection[FrameNumber]) -> list[StoredAct]:
    """What was done on one branch, as the branch alone would be numbered."""
    record: list[StoredAct] = []
    made_before = length = 1
    for after, step, item, made in tree:
        kept = sum(FrameNumber(made_before + place) in path for place in range(made))
        if kept or (not made and after in path):
            record.append([length - 1, step, item])
            length += kept
        made_before += made
    return record
