"""An unclean election loses a transaction's marker, and an administrator aborts the transaction."""

from typing import Any

import pytest

from sim_engine import Timeline, read_scenario_document
from sim_engine.events.producer import TransactionEnded
from sim_engine.events.run import ActionRefused

STEPS: list[dict[str, Any]] = [
    {"transaction": {"as": "p1", "do": "begin"}},
    {"produce": {"to": "t-0", "values": ["t1"], "as": "p1"}},
    {"settle": {}},
    {"crash": {"broker": 2}},
    {"detect": {"broker": 2}},
    {"transaction": {"as": "p1", "do": "commit"}},
    {"crash": {"broker": 1}},
    {"detect": {"broker": 1}},
    {"start": {"broker": 2}},
    {"elect": {"partition": "t-0", "kind": "unclean", "leader": 2}},
    {"settle": {}},
    {"produce": {"to": "t-0", "values": ["m2"], "as": "p2"}},
    {"start": {"broker": 1}},
    {"settle": {}},
]
"""KAFKA-7408: the log of broker 2 has t1 without the commit marker."""
CONSUME = {"consume": {"partition": "t-0", "as": "c1", "isolation": "read_committed"}}
ABORT = {"transaction": {"as": "p1", "do": "abort"}}


def hanging(kafka: str, *more: dict[str, Any]) -> Timeline:
    timeline = Timeline(
        read_scenario_document(
            {
                "id": "built",
                "kafka": kafka,
                "control": "zookeeper",
                "brokers": [1, 2],
                "configs": {"unclean.leader.election.enable": True},
                "topics": [{"name": "t", "partitions": [{"replicas": [1, 2]}]}],
                "steps": [*STEPS, *more],
            }
        )
    )
    timeline.run_all()
    return timeline


def read(timeline: Timeline) -> list[str]:
    return [one.value for one in timeline.frames[-1].cluster.clients.consumed]


def refusals(timeline: Timeline) -> list[str | None]:
    events = (happened for frame in timeline.frames for happened in frame.events)
    return [happened.variant for happened in events if isinstance(happened, ActionRefused)]


def test_an_administrator_aborts_what_the_log_shows_as_open() -> None:
    assert read(hanging("3.9", CONSUME)) == []

    timeline = hanging("3.9", ABORT, {"settle": {}}, CONSUME)

    events = (happened for frame in timeline.frames for happened in frame.events)
    ended = [happened for happened in events if isinstance(happened, TransactionEnded)]
    assert read(timeline) == ["m2"]
    assert [one.variant for one in ended] == ["commit", "hanging"]


def test_it_is_offered_only_while_the_log_shows_it_as_open() -> None:
    offered = hanging("3.9")
    aborted = hanging("3.9", ABORT, {"settle": {}})

    assert ABORT in [one.step for one in offered.choices(offered.head)]
    assert ABORT not in [one.step for one in aborted.choices(aborted.head)]


@pytest.mark.parametrize(
    ("kafka", "step"),
    [("2.8", ABORT), ("3.9", {"transaction": {"as": "p1", "do": "commit"}})],
)
def test_nothing_else_ends_it(kafka: str, step: dict[str, Any]) -> None:
    assert refusals(hanging(kafka, step)) == ["no_transaction"]
