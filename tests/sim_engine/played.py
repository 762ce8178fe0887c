"""The shipped lessons, played once for all tests of a process."""

from collections.abc import Hashable
from functools import cache

from sim_engine.events.base import Event
from sim_engine.events.run import ActionRefused
from sim_engine.scenario_reader.reader import list_shipped
from sim_engine.versions import PROFILE_NAMES, controls_of
from tests.sim_engine.runs import Run, play

VERSIONS: list[tuple[str, str]] = [
    (kafka, control) for kafka in PROFILE_NAMES for control in controls_of(kafka)
]


@cache
def lessons_played(kafka: str | None = None, control: str | None = None) -> tuple[Run, ...]:
    """Every lesson to its end, under a version or under its own. Tests share the runs: none may
    change one.
    """
    return tuple(play(lesson, kafka, control) for lesson in list_shipped())


def key_of(happened: Event) -> Hashable:
    """What equal events have in common, for tests that check different events once. A refusal's
    numbers are a mapping, which has no hash.
    """
    return repr(happened) if isinstance(happened, ActionRefused) else happened
