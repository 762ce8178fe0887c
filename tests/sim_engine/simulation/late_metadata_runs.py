"""Runs in which broker 1 learns late that another broker was leader in between."""

from typing import Any

import pytest

from sim_engine import Timeline, read_scenario_document
from sim_engine.cluster.state import ClusterState
from sim_engine.simulation.working_copy import RefusedError

LOG_OF_1 = {"kind": "metadata", "to": 1}
COMMAND_TO_1 = {"kind": "leader_and_isr", "from": "controller", "to": 1}

M1_AT_1_AND_3: tuple[dict[str, Any], ...] = (
    {"produce": {"to": "t-0", "values": ["m0"]}},
    {"fetch": {"broker": 2}},
    {"fetch": {"broker": 3}},
    {"fetch": {"broker": 2}},
    {"fetch": {"broker": 3}},
    {"produce": {"to": "t-0", "values": ["m1"]}},
    {"fetch": {"broker": 3}},
    {"fetch": {"broker": 3}},
)
"""Leader 1 has m1 unanswered; 3 has it too and has asked for what comes after it, 2 has not."""

LED_BY_2_MEANWHILE: tuple[dict[str, Any], ...] = (
    {"elect": {"partition": "t-0", "kind": "preferred", "leader": 2}},
    {"fetch": {"broker": 3}},
    {"crash": {"broker": 2}},
    {"detect": {"broker": 2}},
)
"""Epoch 1 led by 2, behind whom 3 cuts m1; epoch 2 led by 1, with the ISR 1, 3."""


def ran(*steps: dict[str, Any], kafka: str = "3.9", control: str = "kraft") -> Timeline:
    """A run of t-0 on brokers 1 to 3, led by 1 while 2 is preferred."""
    partition = {"replicas": [2, 1, 3], "leader": 1}
    timeline = Timeline(
        read_scenario_document(
            {
                "id": "ran",
                "kafka": kafka,
                "control": control,
                "brokers": [1, 2, 3],
                "configs": {"min.insync.replicas": 2, "unclean.leader.election.enable": False},
                "topics": [{"name": "t", "partitions": [partition]}],
                "steps": [],
            }
        )
    )
    for step in steps:
        timeline.act(timeline.head, step)
    return timeline


def deposed_unread(kafka: str = "3.9") -> Timeline:
    """Broker 1 was deposed and is leader again, and has read neither."""
    return ran(*M1_AT_1_AND_3, {"hold": LOG_OF_1}, *LED_BY_2_MEANWHILE, kafka=kafka)


def last(timeline: Timeline) -> ClusterState:
    return timeline.frames[timeline.head].cluster


def outcome_of(timeline: Timeline, value: str) -> tuple[str, str | None]:
    produced = next(one for one in last(timeline).clients.produced if one.value == value)
    return produced.outcome, produced.error


def act(timeline: Timeline, step: dict[str, Any]) -> None:
    timeline.act(timeline.head, step)


def refusal_of(timeline: Timeline, step: dict[str, Any]) -> RefusedError:
    with pytest.raises(RefusedError) as refused:
        act(timeline, step)
    return refused.value


def two_commands_queued(kafka: str = "2.8") -> Timeline:
    """Two LeaderAndIsr wait for broker 1: 2 leads in epoch 1, 1 leads in epoch 2."""
    return ran(
        *M1_AT_1_AND_3,
        {"timer": {"kind": "preferred_leader_check"}},
        {"hold": COMMAND_TO_1},
        {"deliver": {**COMMAND_TO_1, "to": 2}},
        {"deliver": {**COMMAND_TO_1, "to": 3}},
        *LED_BY_2_MEANWHILE[1:],
        kafka=kafka,
        control="zookeeper",
    )
