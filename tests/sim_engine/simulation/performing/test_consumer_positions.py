"""A consumer's position after the log has changed: what it detects, and where it continues."""

from typing import Any

import pytest

from sim_engine.events.consumer import (
    ConsumeFailed,
    ConsumerOffsetNotAvailable,
    ConsumerOutOfRange,
    ConsumerPositionValidated,
    ConsumerTruncationDetected,
)
from tests.sim_engine.builders import PARTITION
from tests.sim_engine.simulation.client_runs import (
    PRODUCE,
    READ,
    SETTLE,
    UNCLEAN,
    cluster_of,
    kinds,
    position_of,
    ran,
    read,
    status,
    values,
)

REPLACED: list[dict[str, Any]] = [
    {"produce": PRODUCE | {"values": ["m1"]}},
    SETTLE,
    {"crash": {"broker": 2}},
    {"detect": {"broker": 2}},
    {"produce": PRODUCE | {"values": ["m2", "m3"]}},
    {"consume": READ},
    {"crash": {"broker": 1}},
    {"start": {"broker": 2}},
    {"elect": {"partition": "t-0", "kind": "unclean", "leader": 2}},
    {"produce": PRODUCE | {"values": ["x2", "x3", "x4"]}},
    {"consume": READ},
]
"""A consumer has read m1 m2 m3; an unclean leader has m1 and writes x2 x3 x4."""


def test_before_2_3_a_consumer_skips_what_was_replaced():
    timeline = ran(*REPLACED, kafka="2.1", configs=UNCLEAN)

    assert read(timeline) == ["m1", "m2", "m3", "x4"]
    assert status(timeline, "ConsistentRead") == "violated"


@pytest.mark.parametrize(
    ("kafka", "rules"), [("2.3", {}), ("3.9", {}), ("2.1", {"KIP-320-CONSUMER": True})]
)
def test_from_2_3_a_consumer_notices_that_its_log_was_truncated(kafka, rules):
    timeline = ran(*REPLACED, kafka=kafka, rules=rules, configs=UNCLEAN)

    assert read(timeline) == ["m1", "m2", "m3"]
    assert ConsumerTruncationDetected in kinds(timeline)
    assert position_of(timeline) == 1
    assert status(timeline, "ConsistentRead") == "holds"


def test_a_position_that_is_still_on_the_log_is_read_on_from():
    timeline = ran(
        {"produce": PRODUCE},
        SETTLE,
        {"consume": READ},
        {"crash": {"broker": 1}},
        {"detect": {"broker": 1}},
        {"produce": PRODUCE | {"values": ["m2"]}},
        {"consume": READ},
    )

    assert read(timeline) == ["m1", "m2"]
    assert ConsumerPositionValidated in kinds(timeline)


def test_a_consumer_that_knows_more_than_the_broker_waits():
    # Broker 1 is isolated and remains leader; the consumer knows the next leader.
    timeline = ran(
        {"produce": PRODUCE},
        SETTLE,
        {"consume": READ},
        {"isolate": {"broker": 1, "from": "controller"}},
        {"detect": {"broker": 1}},
        {"refresh": {"as": "c1"}},
        {"consume": READ | {"broker": 1}},
        brokers=3,
    )

    assert (ConsumeFailed, "UNKNOWN_LEADER_EPOCH") in kinds(timeline)


@pytest.mark.parametrize(
    ("rules", "told", "position"),
    [
        ({}, ConsumerOutOfRange, 0),
        ({"KIP-207": True}, ConsumerOffsetNotAvailable, 2),
    ],
)
def test_a_new_leader_tells_its_latest_offset_late(rules, told, position):
    # Broker 3 lost the end of its log undetected, and becomes leader next: its high watermark
    # is below the start of its epoch, and the consumer's position beyond the end of its log.
    timeline = ran(
        {"produce": PRODUCE | {"values": ["m1", "m2"]}},
        SETTLE,
        {"consume": READ},
        {"power_loss": {"broker": 3, "keep": {"t-0": 1}}},
        {"boot": {"broker": 3}},
        {"crash": {"broker": 1}},
        {"detect": {"broker": 1}},
        {"consume": READ},
        kafka="2.1",
        rules=rules,
        brokers=3,
        partition={"replicas": [3, 1, 2], "leader": 1},
    )

    assert cluster_of(timeline).controller.partition(PARTITION).leader == 3
    assert told in kinds(timeline)
    assert position_of(timeline) == position


DIVERGED: dict[str, Any] = {
    "leader": 1,
    "leader_epoch": 2,
    "isr": [1],
    "logs": {
        "1": {"log": "m1/0 y/2", "high_watermark": 2},
        "2": {"log": "m1/0 x/1", "high_watermark": 1},
    },
}
"""Broker 2 holds x where broker 1, which leads, has committed y."""

TOLD: list[dict[str, Any]] = [
    {"send_fetch": {"broker": 2}},
    {"deliver": {"kind": "fetch_request", "from": 2, "to": 1}},
    {"deliver": {"kind": "fetch_response", "from": 1, "to": 2}},
]


@pytest.mark.parametrize(
    ("kafka", "rules", "shown"),
    [
        ("2.8", {}, ["m1", "x"]),
        ("3.3", {}, ["m1", "x"]),
        ("3.3", {"KAFKA-14704": True}, ["m1"]),
        ("3.4.1", {}, ["m1"]),
    ],
)
def test_up_to_3_4_0_a_follower_shows_what_it_is_about_to_cut(kafka, rules, shown):
    timeline = ran(
        *TOLD,
        {"consume": READ | {"broker": 2}},
        {"fetch": {"broker": 2}},
        kafka=kafka,
        rules=rules,
        partition=DIVERGED,
    )

    assert read(timeline) == shown
    assert values(timeline, 2) == ["m1", "y"]


def test_a_truncation_that_is_due_comes_before_a_new_role():
    # Broker 1 crashes before broker 2 has truncated x; the next command finds it truncated.
    timeline = ran(
        *TOLD,
        {"crash": {"broker": 1}},
        {"elect": {"partition": "t-0", "kind": "unclean", "leader": 2}},
        kafka="3.3",
        partition=DIVERGED,
    )

    assert values(timeline, 2) == ["m1"]
