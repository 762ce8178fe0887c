"""The schema of `run --json` is generated from the documents, and the output matches it."""

import msgspec
import pytest
from jsonschema import Draft202012Validator
from jsonschema_rs import ValidationError, Validator, validator_for

from sim_engine.documents.runs import run_document
from sim_engine.documents.schemas import run_schema
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.played import lessons_played
from tests.sim_engine.runs import lesson
from tests.tables import for_each


@pytest.fixture(scope="module")
def validator() -> Validator:
    return validator_for(run_schema())


def test_the_schema_is_a_schema_with_words():
    schema = run_schema()

    Draft202012Validator.check_schema(schema)
    replica = schema["$defs"]["ReplicaDocument"]
    assert replica["description"].startswith("One replica, as its broker has it")
    assert "Null while it has no role" in replica["properties"]["high_watermark"]["description"]


@for_each("timeline", lessons_played, lambda timeline: timeline.scenario.id)
def test_every_lesson_prints_a_run_of_that_shape(timeline: Timeline, validator: Validator):
    validator.validate(msgspec.json.decode(msgspec.json.encode(run_document(timeline))))


@pytest.mark.parametrize("without", ["digest", "properties"])
def test_a_field_that_is_missing_or_unknown_is_refused(without: str, validator: Validator):
    timeline = lesson("two-rounds")
    printed = msgspec.json.decode(msgspec.json.encode(run_document(timeline)))
    short = {name: value for name, value in printed.items() if name != without}

    for wrong in (short, {**printed, "unknown": 1}):
        with pytest.raises(ValidationError):
            validator.validate(wrong)
