"""The published schema agrees with the reader, as far as a schema can express it."""

from itertools import product
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from sim_engine.actions import PROPERTY_NAMES as STEP_PROPERTIES
from sim_engine.invariants.safety import PROPERTY_NAMES as WATCHED_PROPERTIES
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.scenario_reader.reader import (
    list_shipped,
    read_scenario_document,
    read_scenario_text,
)
from sim_engine.scenario_reader.schema import scenario_schema
from sim_engine.scenario_reader.writer import scenario_document
from tests.sim_engine.scenario_reader.documents import KIP_101, document, with_log, with_steps
from tests.sim_engine.scenario_reader.right_steps import RIGHT_STEPS
from tests.sim_engine.scenario_reader.wrong import WRONG_SCENARIOS

SCHEMA = Draft202012Validator(scenario_schema())


def as_json(value: Any) -> Any:
    """The same with text as keys, which is all that JSON has."""
    if isinstance(value, dict):
        return {str(key): as_json(item) for key, item in value.items()}
    return [as_json(item) for item in value] if isinstance(value, list) else value


EXPRESSIBLE = {"extra_forbidden", "missing", "wrong_type"}
"""Kinds of mistake that a schema can see."""
BEYOND_THE_SCHEMA = (
    "must be an integer, not 1.0",  # JSON Schema counts 1.0 as an integer
    "one entry for each of the",
)


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(scenario_schema())


@pytest.mark.parametrize(
    "right",
    [
        scenario_document(read_scenario_text(KIP_101)),
        document(),
        with_log(log="m1/0 x*20/1", high_watermark=None, epochs=[[0, 0], [1, 1]]),
        document(brokers={"1": {}, "2": None}),
    ],
)
def test_the_schema_accepts_what_the_reader_accepts(right):
    read_scenario_document(right)
    assert list(SCHEMA.iter_errors(right)) == []


@pytest.mark.parametrize("step", [step for step, _ in RIGHT_STEPS])
def test_the_schema_accepts_right_steps(step):
    right = as_json(with_steps(step))

    assert list(SCHEMA.iter_errors(right)) == []


def visible_to_a_schema() -> list[Any]:
    """The invalid documents of the reader's tests whose first error a schema can detect."""
    visible = []
    for wrong in WRONG_SCENARIOS:
        with pytest.raises(ScenarioError) as caught:
            read_scenario_document(wrong)
        first = caught.value.problems[0]
        beyond = any(words in first.message for words in BEYOND_THE_SCHEMA)
        if first.code in EXPRESSIBLE and not beyond:
            visible.append(as_json(wrong))
    return visible


@pytest.mark.parametrize("wrong", visible_to_a_schema())
def test_the_schema_refuses_what_it_can_see(wrong):
    assert list(SCHEMA.iter_errors(wrong))


def test_the_schema_accepts_every_shipped_scenario():
    for scenario in list_shipped():
        assert list(SCHEMA.iter_errors(scenario_document(scenario))) == []


def test_the_properties_that_files_name_are_those_that_are_watched():
    assert set(STEP_PROPERTIES) == set(WATCHED_PROPERTIES)


TOGETHER: dict[str, dict[str, list[Any]]] = {
    "produce": {
        "to": ["t-0"],
        "values": [["m"], ["m", "n"]],
        "acks": ["all", -1, 1],
        "idempotent": [True, False],
        "sequence": [0],
    },
    "consume": {"partition": ["t-0"], "rack": ["r"], "broker": [1]},
    "deliver": {
        "kind": ["metadata", "metadata_record", "leader_and_isr", "fetch_request"],
        "from": ["controller", 1],
        "to": [2],
        "partition": ["t-0"],
        "nth": [2],
        "records": [1],
        "skip": [True, False],
    },
    "drop": {
        "kind": ["metadata", "fetch_request"],
        "from": ["controller", 1],
        "to": [2],
        "nth": [1],
    },
    "timer": {"kind": ["flush", "unclean_leader_check"], "broker": ["controller", 1]},
    "heal": {"from": [1], "to": [2], "broker": [3]},
}
"""Arguments that are right by themselves; a step may have any of them, or none."""


@pytest.mark.parametrize("kind", TOGETHER)
def test_reader_and_schema_agree_on_what_arguments_are_together(kind: str):
    choices = [[None, *values] for values in TOGETHER[kind].values()]
    for chosen in product(*choices):
        given = {
            name: value
            for name, value in zip(TOGETHER[kind], chosen, strict=True)
            if value is not None
        }
        written = with_steps({kind: given})
        try:
            read_scenario_document(written)
        except ScenarioError:
            reads = False
        else:
            reads = True

        assert SCHEMA.is_valid(written) is reads, given
