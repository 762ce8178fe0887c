"""The response documents of sessions: the session, its frames, and the frames that a
client lacks.
"""

from collections.abc import Sequence

import msgspec

from backend.answers.open_run import OpenTimeline
from backend.answers.recipes import recipe_of
from backend.frames.rendering import Rendering
from backend.http.errors import LimitError, invalid
from backend.limit_table import FRAMES_A_RESPONSE, LINK_CHARACTERS, RESPONSE_BYTES
from sim_engine.documents.author_words import unrefuted_words
from sim_engine.documents.operator_words import frame_words
from sim_engine.documents.runs import story_to
from sim_engine.identifiers import ENGINE_VERSION, FrameNumber
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.timeline import Timeline

_encoder = msgspec.json.Encoder()


def describe(opened: OpenTimeline) -> dict[str, object]:
    """The response to GET /sessions/{id}."""
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
        "words": unrefuted_words(
            timeline.scenario, timeline.profile.kafka, timeline.profile.control
        ),
        "created": opened.created_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "owned": opened.provenance.owned,
        "forked_from": opened.provenance.forked_from,
        "branches": _branches(timeline),
    }


def _branches(timeline: Timeline) -> list[dict[str, object]]:
    """All branches, in the order in which they began. A frame's first child continues its branch;
    every later child begins a new one.
    """
    branches: list[dict[str, object]] = []
    continued: set[FrameNumber] = set()
    for frame in timeline.frames:
        if frame.parent is not None and frame.parent not in continued:
            continued.add(frame.parent)
            continue
        head = timeline.tip(frame.frame)
        branches.append(
            {
                "head": head,
                "first_frame": frame.frame,
                "forked_after": frame.parent,
                "depth": timeline.frames[head].depth,
            }
        )
    return branches


def timeline_document(opened: OpenTimeline, first: int, to: int | None, *, full: bool) -> bytes:
    """The frames from `first` up to, but excluding, `to`; without it, as many as a response has.
    `next` is the first one that did not fit.
    """
    if to is not None and to < first:
        raise invalid("/to", "must not be before from")
    if to is not None and to - first > FRAMES_A_RESPONSE.number:
        raise LimitError(FRAMES_A_RESPONSE, where="/to")
    last = min(first + FRAMES_A_RESPONSE.number if to is None else to, opened.frame_count)
    frames = opened.rendering.entries(first, last, full=full)
    end = first + len(frames)
    return _encoder.encode(
        {
            "head": opened.timeline.head,
            "total": opened.frame_count,
            "next": end if end < last else None,
            "frames": [msgspec.Raw(frame) for frame in frames],
        }
    )


def story(opened: OpenTimeline, at: FrameNumber | None) -> dict[str, object]:
    """The story of the branch through a frame, by default the newest, to its end."""
    timeline = opened.timeline
    through = timeline.head if at is None else at
    opened.check_frame(through, where="/at")
    head = timeline.tip(through)
    return {"head": head, "story": story_to(timeline, head)}


def run_for_link(
    opened: OpenTimeline, at: FrameNumber, end: FrameNumber | None, level: str
) -> dict[str, object]:
    """The branch through `at` that ends at `end` as a recipe, and how long a link may be."""
    timeline = opened.timeline
    opened.check_frame(at, where="/at")
    opened.check_frame(at if end is None else end, where="/end")
    last = timeline.tip(at) if end is None else end
    if at not in timeline.path(last):
        raise invalid("/end", "must be on a branch that runs through `at`")
    recipe = recipe_of(timeline, at, last, level)
    return {"run": recipe, "most_characters": LINK_CHARACTERS.number}


def choices(opened: OpenTimeline, after: FrameNumber) -> object:
    """All steps after a frame. Each step that is not possible has the reason."""
    opened.check_frame(after, where="/after")
    return opened.timeline.choices(after)


def operator_words(opened: OpenTimeline, at: FrameNumber) -> object:
    """What an operator sees after a frame, and in the log of its step."""
    opened.check_frame(at, where="/at")
    return frame_words(opened.timeline, at)


def acted_document(
    opened: OpenTimeline,
    frames: Sequence[FrameNumber],
    known: int | None,
    *,
    forked: bool,
    repeated: bool,
) -> bytes:
    """The response to an action: everything that a client needs to continue."""
    timeline, head = opened.timeline, frames[-1]
    missed, made = _news(opened.rendering, frames, known)
    # A branch may leave a step in the middle, which has another story there.
    before = timeline.frames[frames[0]].parent
    is_first = before is None or frames[0] in timeline.path(timeline.tip(before))
    since = frames[0] if before is None or is_first else before
    return _encoder.encode(
        {
            "head": head,
            "forked": forked,
            "repeated": repeated,
            "frames": [msgspec.Raw(frame) for frame in made],
            "missed": [msgspec.Raw(frame) for frame in missed],
            "total": opened.frame_count,
            "story": story_to(timeline, head, since=since),
            "choices": timeline.choices(head),
        }
    )


def _news(
    rendering: Rendering, made: Sequence[FrameNumber], known: int | None
) -> tuple[list[bytes], list[bytes]]:
    """The frames that the client lacks from before this action, and the frames that it created.

    Each patch is against the frame with the previous number, as in a timeline. A client that sends
    how many frames it has also has the state that the first patch refers to.
    """
    most, half = FRAMES_A_RESPONSE.number, RESPONSE_BYTES.number // 2
    first = made[0]
    end = min(made[-1] + 1, first + most)
    if known is None:
        return [], rendering.entries(first, end)
    held = min(known, first)
    missed = rendering.entries(held, min(first, held + most), patched=True, most_bytes=half)
    has_all = held + len(missed) == first
    return missed, rendering.entries(first, end, patched=has_all, most_bytes=half)
