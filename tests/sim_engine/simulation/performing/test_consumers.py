"""Consumers read from leaders and followers, and are sent to their rack."""

from typing import Any

import pytest
from msgspec.structs import replace

from sim_engine import Timeline, read_scenario_document
from sim_engine.events.consumer import (
    ConsumeFailed,
    ConsumerOutOfRange,
    ConsumerReadNothing,
    ConsumerSentToFollower,
)
from sim_engine.protocol.leader.requests import preferred_read_replica
from tests.sim_engine.builders import B1, B2, B3, PARTITION, told
from tests.sim_engine.simulation.client_runs import (
    PRODUCE,
    READ,
    cluster_of,
    kinds,
    ran,
    read,
    refusals,
)


def test_a_follower_serves_what_is_below_its_own_high_watermark():
    timeline = ran(
        {"produce": PRODUCE | {"values": ["m1", "m2"]}},
        {"fetch": {"broker": 2}},
        {"consume": READ | {"broker": 2}},
        {"fetch": {"broker": 2}},
        {"consume": READ | {"broker": 2}},
        {"produce": PRODUCE | {"values": ["m3"], "acks": 1}},
        {"consume": READ | {"broker": 2}},
    )

    assert kinds(timeline).count((ConsumerReadNothing, "follower")) == 2
    assert read(timeline) == ["m1", "m2"]


def test_beyond_a_followers_log_the_consumer_goes_back_to_the_leader():
    # Broker 3 is slow: the records that the leader committed without it are past its log end.
    timeline = ran(
        {"produce": PRODUCE | {"values": ["m1", "m2"]}},
        {"fetch": {"broker": 2}},
        {"fetch": {"broker": 2}},
        {"consume": READ},
        {"consume": READ | {"broker": 3}},
        {"consume": READ},
        brokers=3,
        partition={"isr": [1, 2]},
    )

    assert (ConsumerOutOfRange, "follower") in kinds(timeline)
    assert read(timeline) == ["m1", "m2"]
    assert cluster_of(timeline).clients.clients[-1].position_in(PARTITION) == 2


def test_before_2_4_a_follower_is_not_read_from():
    reading = ({"consume": READ | {"broker": 2}},)

    assert refusals(ran(*reading, kafka="2.3")) == ["no_follower_reads"]
    assert refusals(ran(*reading, kafka="2.3", rules={"KIP-392": True})) == []
    assert refusals(ran(*reading, kafka="2.4")) == []


RACK_AWARE = "org.apache.kafka.common.replica.RackAwareReplicaSelector"


def in_racks(
    *steps: dict[str, Any], kafka: str = "3.9", selector: str | None = RACK_AWARE, **more: Any
) -> Timeline:
    """Broker 1 is the leader in rack a; brokers 2 and 3 follow in rack b, 3 outside the ISR."""
    timeline = Timeline(
        read_scenario_document(
            {
                "id": "racks",
                "kafka": kafka,
                "brokers": {"1": {"rack": "a"}, "2": {"rack": "b"}, "3": {"rack": "b"}},
                "configs": {} if selector is None else {"replica.selector.class": selector},
                "topics": [
                    {"name": "t", "partitions": [{"replicas": [1, 2, 3], "isr": [1, 2], **more}]}
                ],
                "steps": list(steps),
            }
        )
    )
    timeline.run_all()
    return timeline


def read_from(timeline: Timeline) -> list[int | None]:
    return [one.broker for one in cluster_of(timeline).clients.consumed]


AT_2: list[dict[str, Any]] = [
    {"produce": PRODUCE},
    {"fetch": {"broker": 2}},
    {"fetch": {"broker": 2}},
]


@pytest.mark.parametrize(
    ("rack", "kafka", "selector", "asked"),
    [
        ("b", "3.9", RACK_AWARE, 2),
        ("a", "3.9", RACK_AWARE, 1),
        ("c", "3.9", RACK_AWARE, 1),
        ("b", "3.9", None, 1),
        ("b", "2.4", RACK_AWARE, 2),
        ("b", "2.3", None, 1),
    ],
)
def test_a_leader_sends_a_consumer_to_its_rack(rack, kafka, selector, asked):
    timeline = in_racks(*AT_2, {"consume": READ | {"rack": rack}}, kafka=kafka, selector=selector)

    assert read_from(timeline) == [asked]


@pytest.mark.parametrize(
    ("kafka", "is_sent"), [("3.3.1", True), ("3.3.2", False), ("3.4.1", False)]
)
def test_until_3_3_2_a_consumer_is_sent_to_a_follower_that_lags(kafka, is_sent):
    timeline = in_racks(
        {"send_fetch": {"broker": 3}},
        {"deliver": {"kind": "fetch_request", "from": 3, "to": 1}},
        {"consume": READ | {"rack": "b"}},
        kafka=kafka,
        isr=[1],
        logs={
            "1": {"log": "m1/0 m2/0", "high_watermark": 2},
            "2": {"log": "", "high_watermark": 0},
            "3": {"log": "m1/0", "high_watermark": 0},
        },
    )

    sent = [happened.follower for happened in told(timeline, ConsumerSentToFollower)]
    assert sent == ([3] if is_sent else [])


@pytest.mark.parametrize(("offset", "chosen"), [(0, 1), (1, 2)])
def test_a_consumer_is_sent_to_no_follower_whose_log_begins_beyond_its_position(offset, chosen):
    cluster = cluster_of(in_racks(*AT_2))
    leader = cluster.replica(B1, PARTITION)
    assert leader.leading is not None
    later = tuple(replace(remote, log_start_offset=1) for remote in leader.leading.remotes)

    asked = preferred_read_replica(
        replace(leader, leading=replace(leader.leading, remotes=later)),
        offset,
        rack="b",
        racks={B1: "a", B2: "b", B3: "b"},
        rules=cluster.profile.rules,
    )

    assert asked == chosen


def test_a_follower_that_does_not_run_is_not_read_from():
    timeline = in_racks(*AT_2, {"crash": {"broker": 2}}, {"consume": READ | {"rack": "b"}})

    assert read_from(timeline) == [1]


def test_before_0_11_there_is_no_isolation_level():
    reading = {"consume": READ | {"isolation": "read_committed"}}

    assert refusals(ran(reading, kafka="0.10.2")) == ["no_transactions"]
    assert refusals(ran(reading, kafka="0.11")) == []


@pytest.mark.parametrize(
    ("rules", "error"),
    [
        ({}, "UNKNOWN_LEADER_EPOCH"),
        ({"KIP-392": False, "KAFKA-14372": False}, "NOT_LEADER_OR_FOLLOWER"),
    ],
)
def test_a_leader_that_has_not_read_its_election_answers_a_consumer_as_a_follower(rules, error):
    """A follower serves consumers (KIP-392), so the consumer's newer leader epoch is what it
    refuses; a client without an epoch is served, as recorded on 4.1.1 and 4.3.1.
    """
    timeline = ran(
        {"produce": PRODUCE | {"values": ["m1"]}},
        {"fetch": {"broker": 2}},
        {"fetch": {"broker": 2}},
        {"hold": {"kind": "metadata_record", "to": 2}},
        {"crash": {"broker": 1}},
        {"detect": {"broker": 1}},
        {"consume": READ},
        kafka="3.9",
        rules=rules,
    )

    failed = [event.error for event in told(timeline, ConsumeFailed)]

    assert cluster_of(timeline).controller.partition(PARTITION).leader == 2
    assert failed == [error]
