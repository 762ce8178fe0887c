"""A recording of a real cluster as a run that a page shows."""

from functools import lru_cache

from msgspec import to_builtins

from backend.frames.packing import packed
from sim_engine import (
    JsonObject,
    RecordingEntry,
    frame_document,
    read_fidelity_checks,
    recorded_run,
    scenario_document,
    story_to,
)

_MOST_REMEMBERED = 16


def find_recording(name: str) -> RecordingEntry | None:
    """The recording with this name; None if there is none."""
    return next((one for one in read_fidelity_checks().recordings if one.name == name), None)


def summary_of(recording: RecordingEntry) -> JsonObject:
    """The summary of a recording, without replaying it."""
    return {
        "name": recording.name,
        **to_builtins(recording),
        "titles": {**recording.titles()},
        "said": {**recording.said()},
    }


@lru_cache(maxsize=_MOST_REMEMBERED)
def recording_shown(recording: RecordingEntry) -> JsonObject:
    """The replayed recording."""
    run = recorded_run(recording.name)
    timeline = run.timeline
    return {
        **summary_of(recording),
        "control": timeline.profile.control,
        "scenario": scenario_document(timeline.scenario),
        "words": {"title": {**recording.titles()}, "summary": False, "steps": []},
        "story": story_to(timeline, timeline.head),
        "frames": packed(
            frame_document(timeline, number) for number in timeline.path(timeline.head)
        ),
        "checkpoints": run.checkpoints,
    }
