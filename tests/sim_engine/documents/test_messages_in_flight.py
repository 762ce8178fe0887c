"""Messages in flight: what the stage shows of each distinguishes it from every other."""

import json
from itertools import combinations

import msgspec
import pytest
from msgspec import UNSET

from sim_engine.documents.frames import frame_document
from sim_engine.documents.state import MessageDocument
from sim_engine.exploration.schedules import random_schedule
from sim_engine.identifiers import FrameNumber
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import list_shipped
from tests.sim_engine.runs import lesson, play

SCENARIOS = [
    *(scenario for scenario in list_shipped() if scenario.control == "kraft"),
    *(random_schedule(seed) for seed in range(12)),
]


def contents(message: MessageDocument) -> tuple[object, ...]:
    """What a reader sees of a message, apart from where it is from."""
    shown = {name: value for name, value in message.numbers.items() if name != "partitions"}
    return (message.kind, message.partition, shown, message.metadata_records)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_two_metadata_messages_to_a_broker_differ_in_what_they_show(scenario: Scenario) -> None:
    timeline = play(scenario)

    for number in range(len(timeline.frames)):
        waiting = frame_document(timeline, FrameNumber(number)).state.in_flight
        records = [message for message in waiting if message.kind == "metadata_record"]
        for one, other in combinations(records, 2):
            assert one.to != other.to or contents(one) != contents(other), number
        for message in records:
            assert message.metadata_records is not UNSET
        assert all(
            message.metadata_records is UNSET for message in waiting if message not in records
        )


def test_an_election_and_a_reordering_contain_only_what_they_change() -> None:
    timeline = lesson("missed-deposition")

    reordered = next(
        number
        for number in range(len(timeline.frames))
        if any(event.kind == "ReplicasReordered" for event in timeline.frames[number].events)
    )
    waiting = frame_document(timeline, FrameNumber(reordered)).state.in_flight
    held = [message for message in waiting if message.held and message.to == 1]

    changed = {"record": "PartitionChangeRecord", "partition": "t-0", "leader_epoch": 1}
    assert json.loads(msgspec.json.encode([message.metadata_records for message in held])) == [
        [{**changed, "leader": 2, "partition_epoch": 1}],
        [{**changed, "replicas": [1, 2, 3], "partition_epoch": 2}],
    ]
    assert [message.numbers["metadata_offset"] for message in held] == [5, 6]
