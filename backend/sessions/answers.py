"""What a run is on the wire: the session, its frames, and the news that a client lacks."""

from collections.abc import Sequence

from backend.frames.packing import FrameEntry, packed
from backend.limits.table import FRAMES_AN_ANSWER
from backend.sessions.branches import list_branches
from backend.sessions.timelines import OpenTimeline
from sim_engine import (
    ENGINE_VERSION,
    FrameNumber,
    Timeline,
    frame_document,
    scenario_document,
    story_to,
    words_told,
)


def describe(opened: OpenTimeline) -> dict[str, object]:
    """What GET /sessions/{id} answers."""
    timeline = opened.timeline
    scenario = scenario_document(timeline.scenario)
    return {
        "id": opened.session_id,
        "head": timeline.head,
        "frames": opened.frame_count,
        "kafka": timeline.profile.kafka,
        "control": timeline.profile.control,
        "engine": ENGINE_VERSION,
        "scenario_id": opened.scenario_id,
        "scenario": scenario,
        "words": words_told(timeline.scenario, timeline.profile.kafka, timeline.profile.control),
        "created": opened.created_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "branches": [
            {
                "head": branch.head,
                "first_frame": branch.first_frame,
                "forked_after": branch.forked_after,
                "depth": branch.depth,
            }
            for branch in list_branches(timeline.frames)
        ],
    }


def timeline_document(
    timeline: Timeline, first: int, last: int, *, full: bool
) -> dict[str, object]:
    """Frames `first` up to `last`, exclusive."""
    documents = (frame_document(timeline, frame.frame) for frame in timeline.frames[first:last])
    return {
        "head": timeline.head,
        "total": len(timeline.frames),
        "frames": packed(documents, full=full),
    }


def story(timeline: Timeline, through: FrameNumber) -> dict[str, object]:
    """The steps of the branch through a frame, to its end."""
    head = timeline.tip(through)
    return {"head": head, "story": story_to(timeline, head)}


def news(
    timeline: Timeline, made: Sequence[FrameNumber], known: int | None
) -> tuple[list[FrameEntry], list[FrameEntry]]:
    """The frames between those that a client holds and those that were made, and these.

    Each patch is against the frame with the number before, as in a timeline; a client that says
    what it holds has the state that the first patch is against.
    """
    if known is None:
        return [], packed(frame_document(timeline, number) for number in made)
    between = [frame.frame for frame in timeline.frames[known : made[0]]]
    if len(between) > FRAMES_AN_ANSWER.number:
        some = between[: FRAMES_AN_ANSWER.number]
        return _patched(timeline, some), packed(frame_document(timeline, n) for n in made)
    entries = _patched(timeline, [*between, *made])
    return entries[: len(between)], entries[len(between) :]


def _patched(timeline: Timeline, numbers: Sequence[FrameNumber]) -> list[FrameEntry]:
    before = frame_document(timeline, FrameNumber(numbers[0] - 1)).state
    return packed((frame_document(timeline, number) for number in numbers), before=before)
