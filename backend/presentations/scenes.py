"""The scene of a presentation: what its followers see, as JSON."""

from collections.abc import Sequence

import msgspec

from backend.presentations.schemas import MomentShown
from backend.presentations.tables import PresentationRow
from backend.sessions.timelines import OpenTimeline
from sim_engine import FrameNumber, Timeline, story_to, title_of_branch, unrefuted_words


def scene(opened: OpenTimeline, row: PresentationRow, shown: MomentShown) -> bytes:
    """The scene of this moment of a run."""
    timeline = opened.timeline
    path = timeline.path(shown.frame)
    begins = path.index(shown.first)
    told = story_to(timeline, shown.frame, since=shown.frame)
    question = shown.question
    return msgspec.json.encode(
        {
            "version": row.version,
            "title": _title(timeline, path),
            "kafka": timeline.profile.kafka,
            "step": timeline.frames[shown.frame].place.step,
            "message": shown.message,
            "messages": shown.messages,
            "step_frames": [
                number
                for place, number in enumerate(path)
                if place == 0
                or timeline.frames[number].place.step != timeline.frames[path[place - 1]].place.step
            ],
            "order": {
                partition.partition: partition.replicas
                for partition in timeline.frames[path[0]].cluster.controller.partitions
            },
            "told": told[-1].summary if shown.whole and told else None,
            "frames": [msgspec.Raw(entry) for entry in _entries(opened, path, begins)],
            "begins": begins == 0,
            "question": None
            if question is None
            else {
                "key": question.key,
                "text": question.text,
                "answers": question.answers,
                "correct": question.correct if shown.revealed else None,
                "reasons": question.reasons if shown.revealed else None,
            },
            "revealed": shown.revealed,
            "black": shown.black,
            "ended": row.ended_at is not None,
        }
    )


def _title(timeline: Timeline, path: Sequence[FrameNumber]) -> dict[str, str]:
    """The title of the branch that is presented."""
    profile = timeline.profile
    words = unrefuted_words(timeline.scenario, profile.kafka, profile.control)
    return title_of_branch(words["title"], timeline, path[-1])


def _entries(opened: OpenTimeline, path: Sequence[FrameNumber], begins: int) -> list[bytes]:
    """The frames of a path from a position on, preceded by the frame before it if there is one."""
    entries: list[bytes] = []
    wanted = path[max(0, begins - 1) :]
    start = 0
    for place in range(1, len(wanted) + 1):
        # A branch may skip frame numbers, and a patch is against the previous number.
        if place == len(wanted) or wanted[place] != wanted[place - 1] + 1:
            entries += opened.rendering.entries(wanted[start], wanted[place - 1] + 1)
            start = place
    return entries
