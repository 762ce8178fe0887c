"""A scenario that a visitor sends, as a document or as text."""

import json

import pytest

from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import list_shipped
from tests.backend.conftest import API, SCENARIO, Service
from tests.tables import for_each


async def test_a_document_of_ones_own_is_no_shipped_scenario(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario=SCENARIO)

    assert session["scenario_id"] is None
    assert session["kafka"] == "3.9"
    assert session["control"] == "kraft"


@for_each("scenario", list_shipped, lambda scenario: scenario.alias)
async def test_every_lesson_can_be_sent_as_the_text_of_its_file(
    sqlite_service: Service, scenario: Scenario
):
    shown = await sqlite_service.client.get(f"{API}/scenarios/{scenario.id}")

    session = await sqlite_service.new_session(scenario_text=shown.json()["text"])

    lesson = {key: said for key, said in shown.json()["scenario"].items() if key != "chapter"}
    assert session["scenario"] == lesson  # the chapter is the folder of the file
    assert session["scenario_id"] is None


async def test_a_scenario_can_be_sent_as_json_text(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario_text=json.dumps(SCENARIO, indent=2))

    assert session["scenario"]["id"] == SCENARIO["id"]


async def test_errors_in_a_text_have_line_and_column(sqlite_service: Service):
    text = """\
id: mine
kafka: "3.9"
brokers: [1, 2]
topics: [{name: t, partitions: [{replicas: [1, 2]}]}]
steps:
  - crash: {broker: 9}
  - crush: {broker: 1}
"""

    refused = await sqlite_service.send("sessions", {"scenario_text": text}, 422)

    assert refused["code"] == "invalid_scenario"
    first, second = refused["errors"]
    assert (first["where"], first["line"]) == ("/scenario_text/steps/0/crash/broker", 6)
    assert text.splitlines()[5][first["column"] - 1 :].startswith("9")
    assert second["line"] == 7


@pytest.mark.parametrize(
    ("text", "line"),
    [("steps: [", 1), ("id: a\nid: b\n", 2), ("a: &x 1\nb: *x\n", 1), ("[" * 40, 1), ("- 1\n", 1)],
)
async def test_a_text_that_is_no_scenario_is_refused_at_its_line(
    sqlite_service: Service, text: str, line: int
):
    refused = await sqlite_service.send("sessions", {"scenario_text": text}, 422)

    assert refused["errors"][0]["line"] == line


async def test_a_text_may_be_no_longer_than_any_body(sqlite_service: Service):
    text = "# " + "x" * 256 * 1024

    refused = await sqlite_service.client.post(f"{API}/sessions", json={"scenario_text": text})

    assert refused.status_code == 413
