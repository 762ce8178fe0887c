"""Directed schedules reach the goals that random schedules rarely reach."""

import pytest

from sim_engine.exploration.schedule_check import check_schedule
from sim_engine.exploration.schedules import GOALS
from tests.sim_engine.exploration.directed import DIRECTED


@pytest.mark.parametrize("goal", sorted(DIRECTED))
def test_a_directed_schedule_reaches_its_goal_and_keeps_what_must_hold(goal: str) -> None:
    trial = check_schedule(DIRECTED[goal])

    assert goal in trial.goals
    assert trial.failure is None


def test_what_is_directed_is_a_goal() -> None:
    assert set(DIRECTED) <= set(GOALS)
