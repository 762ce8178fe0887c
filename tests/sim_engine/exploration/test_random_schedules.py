"""Whatever happens, in any version: the state is whole, promises are kept, and faults heal.

A few schedules of every version run every day, and a few thousand in `make test-all`. One that
fails is printed as a short scenario file; `python -m sim_engine walk` finds more.
"""

from collections.abc import Iterator

import pytest

from sim_engine import Scenario
from sim_engine.exploration import GOALS, random_schedule, shrink_failure, try_schedule
from sim_engine.scenarios.written import scenario_text
from sim_engine.versions import PROFILE_NAMES, controls_of

VERSIONS = [(kafka, control) for kafka in PROFILE_NAMES for control in controls_of(kafka)]
FEW = 2
MANY = 150

SOMETIMES = [
    ("3.9", "kraft", "a log is truncated"),
    ("2.1", "zookeeper", "an unclean election"),
    ("2.8", "zookeeper", "a fetch is fenced"),
    ("3.9", "kraft", "an ISR expansion is pending"),
    ("3.9", "kraft", "an ISR change is rejected"),
    ("0.10.2", "zookeeper", "a fetch is out of range"),
    ("3.9", "kraft", "unflushed records are lost"),
    ("2.8", "kraft", "a fetch diverges"),
]
"""Goals that some schedule of that version reaches, so that the others mean something."""


def schedules(kafka: str, control: str, numbers: range) -> Iterator[Scenario]:
    """Schedules of one version; no two versions share a seed."""
    offset = VERSIONS.index((kafka, control)) * 100_000
    for number in numbers:
        yield random_schedule(offset + number, kafka=kafka, control=control)


def hold(scenario: Scenario) -> frozenset[str]:
    trial = try_schedule(scenario)
    if trial.failure is not None:
        shortest = shrink_failure(scenario, trial.failure)
        pytest.fail(f"{trial.failure}\n\n{scenario_text(shortest)}", pytrace=False)
    return trial.goals


@pytest.mark.parametrize(("kafka", "control"), VERSIONS)
def test_random_schedules_keep_what_must_hold(kafka: str, control: str) -> None:
    for scenario in schedules(kafka, control, range(FEW)):
        hold(scenario)


@pytest.mark.slow
@pytest.mark.parametrize(("kafka", "control"), VERSIONS)
def test_many_random_schedules_keep_what_must_hold(kafka: str, control: str) -> None:
    for scenario in schedules(kafka, control, range(FEW, MANY)):
        hold(scenario)


@pytest.mark.parametrize(("kafka", "control", "goal"), SOMETIMES)
def test_what_should_happen_now_and_again_does(kafka: str, control: str, goal: str) -> None:
    for scenario in schedules(kafka, control, range(100)):
        if goal in try_schedule(scenario).goals:
            return
    pytest.fail(f"no schedule has shown: {goal}")


@pytest.mark.slow
def test_everything_that_should_happen_now_and_again_does() -> None:
    open_goals = set(GOALS)
    for seed in range(2_000):
        open_goals -= try_schedule(random_schedule(seed)).goals
        if not open_goals:
            return
    pytest.fail(f"no schedule has shown: {', '.join(sorted(open_goals))}")
