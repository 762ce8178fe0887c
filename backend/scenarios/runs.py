"""A shipped scenario as it runs: its frames, its story and its steps, without a session."""

from functools import cache

from backend.frames.packing import packed
from sim_engine import JsonObject, Timeline, frame_document, load_shipped, picture_of, story_to


@cache
def shipped_run(scenario_id: str) -> JsonObject:
    """The run of a shipped scenario, under the version that it was written for.

    Kept for as long as the process lives: shipped scenarios do not change under it. Raises
    KeyError for another id.
    """
    timeline = Timeline(load_shipped(scenario_id))
    timeline.run_all()
    path = timeline.path(timeline.head)
    return {
        "kafka": timeline.profile.kafka,
        "story": story_to(timeline, timeline.head),
        "frames": packed(frame_document(timeline, number) for number in path),
    }


@cache
def step_shown(scenario_id: str, step: int) -> JsonObject:
    """One step of a shipped scenario: what happens in it, and a picture of what it came to.

    Kept as `shipped_run` is. Raises KeyError for a scenario or a step that does not exist.
    """
    return _steps_shown(scenario_id)[step]


@cache
def _steps_shown(scenario_id: str) -> dict[int, JsonObject]:
    scenario = load_shipped(scenario_id)
    timeline = Timeline(scenario)
    timeline.run_all()
    path = timeline.path(timeline.head)
    return {
        told.step: {
            "title": scenario.title,
            "kafka": timeline.profile.kafka,
            "told": told.summary,
            "picture": picture_of(
                timeline, [n for n in path if told.first_frame <= n <= told.last_frame]
            ),
        }
        for told in story_to(timeline, timeline.head)
    }
