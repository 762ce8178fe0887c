"""Consumers read from leaders and followers, are sent to their rack, and detect where their
position is not valid any more.
"""

from typing import Any

import pytest
from msgspec.structs import replace

from sim_engine.events.clients import (
    ConsumeFailed,
    ConsumerOffsetNotAvailable,
    ConsumerOutOfRange,
    ConsumerPositionValidated,
    ConsumerReadNothing,
    ConsumerSentToFollower,
    ConsumerTruncationDetected,
)
from sim_engine.protocol.leader.requests import preferred_read_replica
from tests.sim_engine.builders import B1, B2, B3, PARTITION
from tests.sim_engine.runs import SETTLE, Run, Step, down, run
from tests.sim_engine.simulation.client_runs import (
    PRODUCE,
    READ,
    UNCLEAN,
    kinds,
    position_of,
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
        brokers=(1, 2, 3),
        partition={"isr": [1, 2]},
    )

    assert (ConsumerOutOfRange, "follower") in kinds(timeline)
    assert read(timeline) == ["m1", "m2"]
    assert timeline.cluster.clients.clients[-1].position_in(PARTITION) == 2


def test_before_2_4_a_follower_is_not_read_from():
    reading = ({"consume": READ | {"broker": 2}},)

    assert refusals(ran(*reading, kafka="2.3")) == ["no_follower_reads"]
    assert refusals(ran(*reading, kafka="2.3", rules={"KIP-392": True})) == []
    assert refusals(ran(*reading, kafka="2.4")) == []


RACK_AWARE = "org.apache.kafka.common.replica.RackAwareReplicaSelector"


def in_racks(
    *steps: Step, kafka: str = "3.9", selector: str | None = RACK_AWARE, **more: Any
) -> Run:
    """Broker 1 is the leader in rack a; brokers 2 and 3 follow in rack b, 3 outside the ISR."""
    return run(
        *steps,
        kafka=kafka,
        brokers={"1": {"rack": "a"}, "2": {"rack": "b"}, "3": {"rack": "b"}},
        configs={} if selector is None else {"replica.selector.class": selector},
        replicas=[1, 2, 3],
        partition={"isr": [1, 2], **more},
    )


def read_from(timeline: Run) -> list[int | None]:
    return [one.broker for one in timeline.cluster.clients.consumed]


AT_2: list[Step] = [{"produce": PRODUCE}, {"fetch": {"broker": 2}}, {"fetch": {"broker": 2}}]


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

    sent = [happened.follower for happened in timeline.told(ConsumerSentToFollower)]
    assert sent == ([3] if is_sent else [])


@pytest.mark.parametrize(("offset", "chosen"), [(0, 1), (1, 2)])
def test_a_consumer_is_sent_to_no_follower_whose_log_begins_beyond_its_position(offset, chosen):
    cluster = in_racks(*AT_2).cluster
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
        *down(1),
        {"consume": READ},
        kafka="3.9",
        rules=rules,
    )

    failed = [event.error for event in timeline.told(ConsumeFailed)]

    assert timeline.cluster.controller.partition(PARTITION).leader == 2
    assert failed == [error]


REPLACED: list[Step] = [
    {"produce": PRODUCE | {"values": ["m1"]}},
    SETTLE,
    *down(2),
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
    assert timeline.status("ConsistentRead") == "violated"


@pytest.mark.parametrize(
    ("kafka", "rules"), [("2.3", {}), ("3.9", {}), ("2.1", {"KIP-320-CONSUMER": True})]
)
def test_from_2_3_a_consumer_notices_that_its_log_was_truncated(kafka, rules):
    timeline = ran(*REPLACED, kafka=kafka, rules=rules, configs=UNCLEAN)

    assert read(timeline) == ["m1", "m2", "m3"]
    assert ConsumerTruncationDetected in kinds(timeline)
    assert position_of(timeline) == 1
    assert timeline.status("ConsistentRead") == "holds"


def test_a_position_that_is_still_on_the_log_is_read_on_from():
    timeline = ran(
        {"produce": PRODUCE},
        SETTLE,
        {"consume": READ},
        *down(1),
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
        brokers=(1, 2, 3),
    )

    assert (ConsumeFailed, "UNKNOWN_LEADER_EPOCH") in kinds(timeline)


@pytest.mark.parametrize(
    ("rules", "told", "position"),
    [({}, ConsumerOutOfRange, 0), ({"KIP-207": True}, ConsumerOffsetNotAvailable, 2)],
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
        *down(1),
        {"consume": READ},
        kafka="2.1",
        rules=rules,
        brokers=(1, 2, 3),
        partition={"replicas": [3, 1, 2], "leader": 1},
    )

    assert timeline.cluster.controller.partition(PARTITION).leader == 3
    assert told in kinds(timeline)
    assert position_of(timeline) == position


DIVERGED: Step = {
    "leader": 1,
    "leader_epoch": 2,
    "isr": [1],
    "logs": {
        "1": {"log": "m1/0 y/2", "high_watermark": 2},
        "2": {"log": "m1/0 x/1", "high_watermark": 1},
    },
}
"""Broker 2 holds x where broker 1, which leads, has committed y."""

TOLD: list[Step] = [
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
    assert timeline.log(2) == ["m1", "y"]


def test_a_truncation_that_is_due_comes_before_a_new_role():
    # Broker 1 crashes before broker 2 has truncated x; the next command finds it truncated.
    timeline = ran(
        *TOLD,
        {"crash": {"broker": 1}},
        {"elect": {"partition": "t-0", "kind": "unclean", "leader": 2}},
        kafka="3.3",
        partition=DIVERGED,
    )

    assert timeline.log(2) == ["m1"]
