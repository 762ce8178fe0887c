"""Every action in a frame is valid in a scenario file."""

from functools import cache

from jsonschema import Draft202012Validator

from sim_engine.exploration.schedules import random_schedule
from sim_engine.scenario_reader.reader import read_step
from sim_engine.scenario_reader.schema import scenario_schema
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.played import lessons_played
from tests.sim_engine.runs import play
from tests.tables import for_each


@cache
def step_validator() -> Draft202012Validator:
    schema = scenario_schema()
    return Draft202012Validator(
        {"$defs": schema["$defs"], **schema["properties"]["steps"]["items"]}
    )


def assert_read_back(timeline: Timeline) -> None:
    actions = [frame.action for frame in timeline.frames if frame.action is not None]
    assert actions
    for action in actions:
        assert read_step(action, timeline.scenario).as_step() == action
        step_validator().validate(action)


@for_each("timeline", lessons_played, lambda timeline: timeline.scenario.id)
def test_every_action_of_a_lesson_reads_back_as_a_step(timeline: Timeline) -> None:
    assert_read_back(timeline)


@for_each("seed", range(40))
def test_every_action_of_a_random_schedule_reads_back_as_a_step(seed: int) -> None:
    timeline = play(random_schedule(seed))
    assert_read_back(timeline)
