"""Thousands of random schedules over all actions, in every version under each controller."""

import pytest

from sim_engine.exploration.schedule_check import check_schedule
from sim_engine.exploration.schedules import GOALS, RARE, random_schedule, reached
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.exploration.directed import DIRECTED
from tests.sim_engine.exploration.walks import hold, schedules
from tests.sim_engine.played import VERSIONS

SCHEDULES = 120

SEEDS = 600
"""With this many schedules, each goal that is left to chance is reached several times. The rarest,
a missing sequence number, is reached once in sixty schedules of at most forty steps."""


@pytest.mark.slow
@pytest.mark.parametrize(("kafka", "control"), VERSIONS)
def test_many_random_schedules_keep_what_must_hold(kafka: str, control: str) -> None:
    for scenario in schedules(kafka, control, range(SCHEDULES)):
        hold(scenario)


@pytest.mark.slow
def test_everything_that_is_left_to_chance_happens_now_and_again() -> None:
    """The other goals are reached by directed tests: `tests/sim_engine/exploration/directed.py`."""
    open_goals = set(GOALS) - set(DIRECTED) - RARE
    for seed in range(SEEDS):
        open_goals -= check_schedule(random_schedule(seed)).goals
        if not open_goals:
            return
    pytest.fail(f"no schedule reached: {', '.join(sorted(open_goals))}")


@pytest.mark.slow
@pytest.mark.parametrize("goal", sorted(RARE))
def test_what_seldom_happens_does_in_a_version_that_allows_it(goal: str) -> None:
    for seed in range(3_000):
        timeline = Timeline(random_schedule(seed, kafka="3.9", control="kraft"))
        timeline.run_all()
        if any(goal in reached(frame) for frame in timeline.frames):
            return
    pytest.fail(f"no schedule reached: {goal}")
