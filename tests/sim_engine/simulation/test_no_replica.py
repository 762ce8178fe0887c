"""Brokers that are no replica of a partition: in its ELR, as its last known leader, or asked by a
producer, a consumer or a follower.
"""

from typing import Any

import pytest

from sim_engine import Timeline, frame_document
from sim_engine.cluster.state import error_without_replica
from sim_engine.events.consumer import ConsumeFailed
from sim_engine.events.controller import ControllerFailed
from sim_engine.events.fetch import FetchRejected, PartitionFailed
from sim_engine.events.producer import ProduceFailed
from sim_engine.identifiers import BrokerId
from tests.sim_engine.builders import B1, B2, B3, PARTITION
from tests.sim_engine.simulation.test_reassignment_requests import (
    CANCEL,
    SETTLE,
    assigned,
    down,
    events,
    led,
    refusal,
    registration,
    run,
    to,
)

# --- the last known leader ------------------------------------------------------------------

UNCLEAN_CANCEL = (*down(3), to(2, 3), SETTLE, *down(1), CANCEL)
"""[1] to [2, 3] with 3 down: 2 joins the ISR, 1 is killed, and the cancel leaves [1], whose last
known leader is 2."""


def cancelled(*steps: dict[str, Any], kafka: str) -> Timeline:
    return run(
        *UNCLEAN_CANCEL, *steps, kafka=kafka, replicas=[1], unclean_leader_election_enable=True
    )


def registered(timeline: Timeline, broker: BrokerId) -> bool:
    cluster = timeline.frames[timeline.head].cluster
    return cluster.controller.broker(broker).incarnation == cluster.broker(broker).incarnation


@pytest.mark.parametrize(
    ("kafka", "known", "fails"),
    [("3.9", (), False), ("4.1.0", (), False), ("4.1.1", (2,), True), ("4.3", (2,), True)],
)
def test_after_an_unclean_cancel_a_registration_fails_the_controller_from_4_1_1(
    kafka, known, fails
):
    """Recorded on 4.1.1 and 4.3.1; 3.9.2 registers the broker, which is elected."""
    timeline = cancelled(kafka=kafka)
    assert (*led(timeline), registration(timeline).last_known_elr) == (-1, (1,), known)

    timeline.act(timeline.head, {"start": {"broker": 1}})

    failed = [
        (event.variant, event.broker, event.replica) for event in events(timeline, ControllerFailed)
    ]
    assert failed == ([("registration", 1, 2)] if fails else [])
    assert registered(timeline, B1) is not fails
    assert led(timeline)[0] == (-1 if fails else 1)


def test_the_controller_fails_at_each_try_and_time_passes_without_end():
    timeline = cancelled({"start": {"broker": 1}}, {"run": {"ms": 20_000}}, kafka="4.3")

    assert len(events(timeline, ControllerFailed)) == 1
    timeline.act(timeline.head, {"detect": {"broker": 1}})
    assert len(events(timeline, ControllerFailed)) == 2
    assert not registered(timeline, B1)


def test_the_controller_does_not_fail_while_the_last_known_leader_is_down():
    """`LeaderAcceptor` looks for the directory of an active broker only."""
    timeline = cancelled(*down(2), {"start": {"broker": 1}}, kafka="4.3")

    assert events(timeline, ControllerFailed) == []
    assert led(timeline) == (1, (1,))


def test_a_write_of_min_insync_replicas_lets_the_broker_register():
    """By the source: a ClearElrRecord also empties the last known leader."""
    timeline = cancelled(
        {"start": {"broker": 1}},
        {"config": {"topic": "t", "min.insync.replicas": 1}},
        SETTLE,
        kafka="4.3",
    )

    assert registered(timeline, B1)
    assert led(timeline) == (1, (1,))


def test_unfencing_and_electing_fail_the_controller_too():
    """2 is down while 1 registers; unclean election is off when 1 is unfenced."""
    timeline = cancelled(
        *down(2),
        {"config": {"unclean.leader.election.enable": False}},
        {"start": {"broker": 1}},
        kafka="4.3",
    )
    assert (*led(timeline), registration(timeline).last_known_elr) == (-1, (), (2,))

    timeline.act(timeline.head, {"start": {"broker": 2}})
    assert [event.variant for event in events(timeline, ControllerFailed)] == ["unfencing"]
    assert timeline.frames[timeline.head].cluster.controller.broker(B2).fenced
    # While 2 is fenced, it is not considered.
    timeline.act(timeline.head, {"elect": {"partition": "t-0", "kind": "unclean"}})
    assert led(timeline) == (1, (1,))


# --- the ELR --------------------------------------------------------------------------------


@pytest.mark.parametrize(("kafka", "elr"), [("4.1", (5,)), ("4.3", (5,))])
def test_a_broker_that_is_no_replica_stays_in_the_elr_and_is_never_elected(kafka, elr):
    """Recorded on 4.1.1 and 4.3.1: [5, 2] with min ISR 2 to [2, 3]; all replicas are back, and
    nobody leads.
    """
    removed = (to(2, 3), SETTLE) if kafka == "4.3" else (to(5, 3), SETTLE, CANCEL)
    timeline = run(
        *down(2), *removed, *down(3), {"start": {"broker": 2}}, {"start": {"broker": 3}}, SETTLE,
        kafka=kafka, replicas=[2, 5], min_insync_replicas=2,
    )  # fmt: skip

    if kafka == "4.3":
        assert assigned(timeline)[0] == (2, 3)
        assert (*led(timeline), registration(timeline).elr) == (-1, (), elr)
        # It is no replica before the change, so that the controller throws here as well.
        assert refusal(timeline, to(5, 3)) == "reassignment_fails"
        timeline.act(timeline.head, {"elect": {"partition": "t-0", "kind": "unclean"}})
        assert led(timeline)[0] == 2


# --- clients and followers ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kafka", "error"),
    [
        ("1.1", "UNKNOWN_TOPIC_OR_PARTITION"),
        ("2.0.0", "NOT_LEADER_OR_FOLLOWER"),
        ("3.9", "NOT_LEADER_OR_FOLLOWER"),
    ],
)
def test_a_live_broker_that_is_no_replica_answers_a_producer(kafka, error):
    produce = {"produce": {"to": "t-0", "values": ["m2"], "broker": 3}}
    timeline = run(produce, kafka=kafka, replicas=[1, 2])

    assert [event.error for event in events(timeline, ProduceFailed)] == [error]


@pytest.mark.parametrize(
    ("kafka", "error"),
    [
        ("0.8.2", "UNKNOWN_TOPIC_OR_PARTITION"),
        ("1.1", "UNKNOWN_TOPIC_OR_PARTITION"),
        ("2.0.0", "NOT_LEADER_OR_FOLLOWER"),
        ("2.3", "NOT_LEADER_OR_FOLLOWER"),
        ("2.4", "REPLICA_NOT_AVAILABLE"),
        ("2.5", "REPLICA_NOT_AVAILABLE"),
        ("2.6", "NOT_LEADER_OR_FOLLOWER"),
        ("3.9", "NOT_LEADER_OR_FOLLOWER"),
    ],
)
def test_a_live_broker_that_is_no_replica_answers_a_consumer(kafka, error):
    """`ReplicaManager.getPartitionOrException` of 1.1.1, 2.0.0, 2.3.1, 2.4.1, 2.5.1 and 2.6.0."""
    consume = {"consume": {"partition": "t-0", "as": "c1", "broker": 3}}
    timeline = run(consume, kafka=kafka, replicas=[1, 2])

    assert [event.error for event in events(timeline, ConsumeFailed)] == [error]


@pytest.mark.parametrize(
    ("kafka", "error"),
    [
        ("1.1", "UNKNOWN_TOPIC_OR_PARTITION"),
        ("2.0.0", "NOT_LEADER_OR_FOLLOWER"),
        ("3.6", "NOT_LEADER_OR_FOLLOWER"),
        ("3.9", "NOT_LEADER_OR_FOLLOWER"),
    ],
)
def test_a_live_broker_that_is_no_replica_answers_a_follower(kafka, error):
    """2 has not learned that 1 is no replica any more. A follower retries after each error."""
    timeline = run(
        {"cut": {"from": "controller", "to": 2}},
        to(3),
        SETTLE,
        {"fetch": {"broker": 2}},
        kafka=kafka,
        replicas=[1, 2],
    )

    assert assigned(timeline)[0] == (3,)
    rejected = [
        (event.broker, event.follower, event.error) for event in events(timeline, FetchRejected)
    ]
    assert rejected[-1] == (1, 2, error)
    assert events(timeline, PartitionFailed) == []


@pytest.mark.parametrize(
    ("kafka", "error"),
    [
        ("1.1", "UNKNOWN_TOPIC_OR_PARTITION"),
        ("2.0.0", "UNKNOWN_TOPIC_OR_PARTITION"),
        ("2.1", "NOT_LEADER_OR_FOLLOWER"),
    ],
)
def test_a_live_broker_that_is_no_replica_answers_an_epoch_lookup(kafka, error):
    """`ReplicaManager.lastOffsetForLeaderEpoch` of 1.1.1, 2.0.1 and 2.1.1."""
    cluster = run(kafka=kafka, replicas=[1, 2]).frames[-1].cluster

    assert error_without_replica(cluster, B3, PARTITION, "epoch_lookup") == error


@pytest.mark.parametrize("kafka", ["1.1", "2.8", "3.9"])
def test_under_zookeeper_a_broker_that_has_just_started_does_not_know_the_partition(kafka):
    """`KafkaApis.handleProduceRequest`: its metadata cache is empty until UpdateMetadata."""
    timeline = run(
        *down(2),
        {"cut": {"from": "controller", "to": 2}},
        {"start": {"broker": 2}},
        {"produce": {"to": "t-0", "values": ["m2"], "broker": 2}},
        kafka=kafka, replicas=[1, 2], control="zookeeper",
    )  # fmt: skip

    assert [event.error for event in events(timeline, ProduceFailed)] == [
        "UNKNOWN_TOPIC_OR_PARTITION"
    ]


# --- the page -------------------------------------------------------------------------------


def test_a_leaderless_partition_that_the_controller_checks_has_a_document():
    """The check for unclean elections is a timer of the controller, not of a broker."""
    timeline = cancelled(kafka="3.9")

    timers = frame_document(timeline, timeline.head).state.timers

    assert {timer.broker for timer in timers} == {2, 4, 5, 6}
