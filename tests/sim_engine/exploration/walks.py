"""Random schedules of every version, for the everyday tests and for the long ones."""

from collections.abc import Iterator

import pytest

from sim_engine.exploration.schedule_check import check_schedule, shrink_failure
from sim_engine.exploration.schedules import random_schedule
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.writer import scenario_text
from tests.sim_engine.played import VERSIONS


def schedules(kafka: str, control: str, numbers: range) -> Iterator[Scenario]:
    """Schedules of one version; no two versions share a seed."""
    offset = VERSIONS.index((kafka, control)) * 100_000
    for number in numbers:
        yield random_schedule(offset + number, kafka=kafka, control=control)


def hold(scenario: Scenario) -> frozenset[str]:
    """Check a schedule; a failing one is printed as a short scenario."""
    trial = check_schedule(scenario)
    if trial.failure is not None:
        shortest = shrink_failure(scenario, trial.failure)
        pytest.fail(f"{trial.failure}\n\n{scenario_text(shortest)}", pytrace=False)
    return trial.goals
