"""The offered actions about late metadata, and their form in scenario files."""

from typing import Any

from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.simulation.late_metadata_runs import (
    COMMAND_TO_1,
    LOG_OF_1,
    deposed_unread,
    ran,
    two_commands_queued,
)


def offered(timeline: Timeline) -> list[dict[str, Any]]:
    return [choice.step for choice in timeline.choices(timeline.head) if choice.enabled]


def test_two_waiting_records_can_be_delivered_at_once_and_a_log_held_and_released():
    log = {"kind": "metadata_record", "from": "controller", "to": 1}

    held, free = offered(deposed_unread()), offered(ran())

    assert {"deliver": {**log, "records": 2}} in held
    assert {"deliver": {**log, "records": 1}} in held
    assert {"release": log} in held
    assert {"hold": log} in free
    assert {"hold": log} not in held
    assert not any("records" in (step.get("deliver") or {}) for step in free)


def test_a_queued_command_can_be_skipped_where_another_follows():
    assert {"deliver": {**COMMAND_TO_1, "skip": True}} in offered(two_commands_queued())


def test_a_file_says_it_in_few_words_and_is_written_as_it_is_read():
    document = {
        "id": "written",
        "kafka": "3.9",
        "brokers": [1, 2],
        "topics": [{"name": "t", "partitions": [{"replicas": [1, 2]}]}],
        "steps": [{"hold": LOG_OF_1}, {"deliver": {**LOG_OF_1, "records": 2}}],
    }

    read = read_scenario_document(document)

    log = {"kind": "metadata_record", "from": "controller", "to": 1}
    written = scenario_document(read)
    assert written["steps"] == [{"hold": log}, {"deliver": {**log, "records": 2}}]
    assert read_scenario_document(written).steps == read.steps
