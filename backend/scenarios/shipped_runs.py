"""A shipped scenario as it runs: its frames and its story, without a session."""

from functools import cache

from backend.frames.packing import packed
from sim_engine import JsonObject, Timeline, frame_document, load_shipped, story_to


@cache
def shipped_run(scenario_id: str) -> JsonObject:
    """The run of a shipped scenario, under the version that it was written for.

    Cached for the life of the process, because shipped scenarios do not change. Raises KeyError for
    an unknown id.
    """
    timeline = Timeline(load_shipped(scenario_id))
    timeline.run_all()
    path = timeline.path(timeline.head)
    return {
        "kafka": timeline.profile.kafka,
        "story": story_to(timeline, timeline.head),
        "frames": packed(frame_document(timeline, number) for number in path),
    }
