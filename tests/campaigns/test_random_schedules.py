"""Thousands of random schedules over the whole alphabet, in every version under each controller."""

import pytest

from sim_engine.exploration import GOALS, random_schedule, try_schedule
from tests.sim_engine.exploration.walks import VERSIONS, hold, schedules

SCHEDULES = 120


@pytest.mark.slow
@pytest.mark.parametrize(("kafka", "control"), VERSIONS)
def test_many_random_schedules_keep_what_must_hold(kafka: str, control: str) -> None:
    for scenario in schedules(kafka, control, range(SCHEDULES)):
        hold(scenario)


@pytest.mark.slow
def test_everything_that_should_happen_now_and_again_does() -> None:
    open_goals = set(GOALS)
    for seed in range(2_000):
        open_goals -= try_schedule(random_schedule(seed)).goals
        if not open_goals:
            return
    pytest.fail(f"no schedule has shown: {', '.join(sorted(open_goals))}")
