"""A recording of a real cluster as a run that a page shows."""

from functools import lru_cache
from typing import Any

from msgspec import to_builtins

from backend.frames.packing import packed
from sim_engine import (
    LANGUAGES,
    JsonObject,
    RecordingEntry,
    frame_document,
    read_evidence,
    recorded_run,
    scenario_document,
    story_to,
)

_MOST_REMEMBERED = 16


def find_recording(name: str) -> RecordingEntry | None:
    """The recording of a name; null where there is none."""
    return next((one for one in read_evidence().recordings if one.name == name), None)


def summary_of(recording: RecordingEntry) -> JsonObject:
    """What is told of a recording before it is replayed."""
    return {"name": recording.name, **to_builtins(recording)}


@lru_cache(maxsize=_MOST_REMEMBERED)
def recording_shown(recording: RecordingEntry) -> dict[str, Any]:
    """The recording, replayed. Its words are the recording's own, which are English."""
    run = recorded_run(recording.name)
    timeline = run.timeline
    return {
        **summary_of(recording),
        "control": timeline.profile.control,
        "scenario": scenario_document(timeline.scenario),
        "words": {
            "title": dict.fromkeys(LANGUAGES, recording.title),
            "summary": False,
            "steps": [],
        },
        "story": story_to(timeline, timeline.head),
        "frames": packed(
            frame_document(timeline, number) for number in timeline.path(timeline.head)
        ),
        "checkpoints": run.checkpoints,
    }
