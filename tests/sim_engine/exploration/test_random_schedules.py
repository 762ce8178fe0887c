"""In every version, under random schedules: states are valid, guarantees hold, and faults heal.

A schedule of every version runs every day; `tests/campaigns` has the thousands, and
`python -m sim_engine walk` finds more.
"""

from functools import cache

import pytest

from sim_engine.actions import Words
from sim_engine.actions.steps import Fetch
from sim_engine.exploration.schedule_check import check_schedule
from sim_engine.exploration.schedules import random_schedule
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.exploration.walks import hold, schedules
from tests.sim_engine.played import VERSIONS
from tests.tables import for_each

SCHEDULES = 1

SOMETIMES = [
    ("3.9", "kraft", "a log is truncated"),
    ("2.1", "zookeeper", "an unclean election"),
    ("2.8", "zookeeper", "a fetch is fenced"),
    ("3.9", "kraft", "an ISR expansion is pending"),
    ("3.9", "kraft", "an ISR change is rejected"),
    ("0.10.2", "zookeeper", "a fetch is out of range"),
    ("3.9", "kraft", "unflushed records are lost"),
    ("2.8", "kraft", "a fetch diverges"),
    ("4.1", "kraft", "an election from the ELR"),
    ("3.9", "kraft", "metadata is held back"),
    ("3.9", "kraft", "metadata states are skipped"),
    ("2.8", "zookeeper", "a command is skipped"),
]
"""Goals that some schedule of that version reaches, so that the others mean something."""


@for_each("kafka, control", VERSIONS)
def test_random_schedules_keep_what_must_hold(kafka: str, control: str) -> None:
    for scenario in schedules(kafka, control, range(SCHEDULES)):
        hold(scenario)


@cache
def goals_of(kafka: str, control: str, number: int) -> frozenset[str]:
    (scenario,) = schedules(kafka, control, range(number, number + 1))
    return check_schedule(scenario).goals


@pytest.mark.parametrize(("kafka", "control", "goal"), SOMETIMES)
def test_what_should_happen_now_and_again_does(kafka: str, control: str, goal: str) -> None:
    for number in range(100):
        if goal in goals_of(kafka, control, number):
            return
    pytest.fail(f"no schedule has shown: {goal}")


def test_every_fetch_for_real_brokers_is_answered() -> None:
    fetches = []
    for number in range(12):
        schedule = random_schedule(number, kafka="3.9", control="kraft", accepts=lambda _: True)
        timeline = Timeline(schedule)
        for index, step in enumerate(schedule.steps):
            if isinstance(step.step, Fetch):
                fetches.append(timeline.frames[timeline.head].cluster)
                leader = fetches[-1].controller.partitions[0].leader
                fetched = step.step.partition in (None, "t-0")
                assert not fetched or fetches[-1].broker(leader).running
            assert not isinstance(step.step, Words)
            timeline.run_step(index, step.step)

    assert len(fetches) > 10
