"""What random schedules have found, each as the short scenario that it shrank to."""

from typing import Any

import pytest

from sim_engine import read_scenario_document
from sim_engine.exploration import try_schedule
from tests.sim_engine.scenarios.documents import document

TWO_PARTITIONS = [{"replicas": [1, 2, 3]}, {"replicas": [2, 3]}]

FOUND: dict[str, tuple[str, str, int, list[dict[str, Any]], list[dict[str, Any]]]] = {
    "a broker read a later part of the metadata log before an earlier one": (
        "3.9",
        "kraft",
        116,
        TWO_PARTITIONS,
        [
            {"fetch": {"broker": 3, "partition": "t-0"}},
            {"send_fetch": {"broker": 2, "partition": "t-0"}},
            {"pause": {"broker": 3}},
            {"detect": {"broker": 3}},
            {"shutdown": {"broker": 2}},
            {"crash": {"broker": 1}},
            {"boot": {"broker": 2}},
            {"boot": {"broker": 1}},
        ],
    ),
    "the fetch of a follower that was moved away was never answered": (
        "2.3",
        "zookeeper",
        1,
        [{"replicas": [1, 2, 3]}],
        [
            {"fetch": {"broker": 2}},
            {"crash": {"broker": 2}},
            {"detect": {"broker": 2}},
            {"reassign": {"partition": "t-0", "replicas": [1, 2]}},
        ],
    ),
    "a leader that was moved away while nobody else could lead stayed the leader": (
        "0.11",
        "zookeeper",
        1,
        [{"replicas": [1, 2]}],
        [
            {"crash": {"broker": 1}},
            {"start": {"broker": 1}},
            {"isolate": {"broker": 1, "from": "controller"}},
            {"detect": {"broker": 1}},
            {"fetch": {"broker": 1}},
            {"reassign": {"partition": "t-0", "replicas": [1]}},
        ],
    ),
}


@pytest.mark.parametrize("finding", FOUND)
def test_what_was_found_is_not_found_again(finding: str) -> None:
    kafka, control, seed, partitions, steps = FOUND[finding]
    topics = [{"name": "t", "partitions": partitions}]
    found = document(kafka=kafka, control=control, topics=topics, seed=seed, steps=steps)

    assert try_schedule(read_scenario_document(found)).failure is None
