"""The shipped lessons, played once for all tests of a process."""

from functools import cache

from sim_engine import Timeline, list_shipped
from sim_engine.versions import PROFILE_NAMES, controls_of

VERSIONS: list[tuple[str, str]] = [
    (kafka, control) for kafka in PROFILE_NAMES for control in controls_of(kafka)
]


@cache
def lessons_played(kafka: str | None = None, control: str | None = None) -> tuple[Timeline, ...]:
    """Every lesson to its end, under a version or under its own. Tests share the runs: none may
    change one.
    """
    timelines = tuple(Timeline(lesson, kafka, control) for lesson in list_shipped())
    for timeline in timelines:
        try:
            timeline.run_all()
        except Exception as error:
            error.add_note(f"in lesson {timeline.scenario.id} under {kafka or 'its own version'}")
            raise
    return timelines
