"""The steps of lessons that show what an article's claims are about."""

from functools import cache

from sim_engine import JsonObject, Timeline, load_shipped, picture_of, story_to


@cache
def step_shown(scenario_id: str, step: int) -> JsonObject:
    """One step of a shipped scenario: a summary, and a picture of its last frame.

    Cached for the life of the process, because shipped scenarios do not change. Raises KeyError for
    an unknown scenario or step.
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
