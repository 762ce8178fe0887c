"""Every frame of the engine matches the published schema: no field is missing, none is extra.

`tests/campaigns` validates ten times as many random schedules.
"""

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema_rs import Validator

from sim_engine.exploration.schedules import random_schedule
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import list_shipped
from sim_engine.simulation.timeline import Timeline
from tests.backend.http.published import frame_validator, hold_frames, published_schemas
from tests.tables import for_each


@pytest.fixture(scope="module")
def validator() -> Validator:
    return frame_validator()


@for_each("scenario", list_shipped, lambda scenario: scenario.id)
def test_every_frame_of_a_lesson_is_of_the_published_shape(
    scenario: Scenario, validator: Validator
) -> None:
    hold_frames(Timeline(scenario), validator)


@for_each("seed", range(50))
def test_every_frame_of_a_random_schedule_is_of_the_published_shape(
    seed: int, validator: Validator
) -> None:
    hold_frames(Timeline(random_schedule(seed)), validator)


def test_every_document_has_a_description_and_lists_its_fields() -> None:
    documents = {
        name: schema
        for name, schema in published_schemas().items()
        if name.endswith(("Document", "FidelityChecks", "Entry", "Operation"))
    }

    assert len(documents) > 20
    for name, schema in documents.items():
        Draft202012Validator.check_schema(schema)
        assert schema["additionalProperties"] is False, name
        assert schema["description"], name
        for field, described in schema["properties"].items():
            assert "description" in described or not _may_be_null(described), f"{name}.{field}"


def _may_be_null(described: dict[str, Any]) -> bool:
    return {"type": "null"} in described.get("anyOf", [])
