"""Every action in a frame is valid in a scenario file."""

import pytest
from jsonschema import Draft202012Validator

from sim_engine import Timeline, list_shipped, read_step
from sim_engine.exploration import random_schedule
from sim_engine.scenario_reader.schema import scenario_schema

SCHEMA = scenario_schema()
STEP = Draft202012Validator({"$defs": SCHEMA["$defs"], **SCHEMA["properties"]["steps"]["items"]})
LESSONS = {scenario.id: scenario for scenario in list_shipped()}


def assert_read_back(timeline: Timeline) -> None:
    timeline.run_all()
    actions = [frame.action for frame in timeline.frames if frame.action is not None]
    assert actions
    for action in actions:
        assert read_step(action, timeline.scenario).as_step() == action
        STEP.validate(action)


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_action_of_a_lesson_reads_back_as_a_step(lesson: str) -> None:
    assert_read_back(Timeline(LESSONS[lesson]))


@pytest.mark.parametrize("seed", range(40))
def test_every_action_of_a_random_schedule_reads_back_as_a_step(seed: int) -> None:
    assert_read_back(Timeline(random_schedule(seed)))
