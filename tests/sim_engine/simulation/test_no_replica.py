"""Brokers that are no replica of a partition: in its ELR, as its last known leader, or asked by a
producer, a consumer or a follower.
"""

import pytest

from sim_engine.cluster.state import error_without_replica
from sim_engine.documents.frames import frame_document
from sim_engine.events.clients import ConsumeFailed, ProduceFailed
from sim_engine.events.controller import ControllerFailed
from sim_engine.events.fetch import FetchRejected, PartitionFailed
from sim_engine.identifiers import BrokerId
from tests.sim_engine.builders import B1, B2, B3, PARTITION
from tests.sim_engine.runs import SETTLE, Run, Step, down
from tests.sim_engine.simulation.test_reassignment_requests import (
    CANCEL,
    UNCLEAN,
    assigned,
    led,
    requested,
    to,
)

# --- the last known leader ------------------------------------------------------------------

UNCLEAN_CANCEL = (*down(3), to(2, 3), SETTLE, *down(1), CANCEL)
"""[1] to [2, 3] with 3 down: 2 joins the ISR, 1 is killed, and the cancel leaves [1], whose last
known leader is 2."""


def cancelled(*steps: Step, kafka: str) -> Run:
    return requested(*UNCLEAN_CANCEL, *steps, kafka=kafka, replicas=[1], configs=UNCLEAN)


def registered(timeline: Run, broker: BrokerId) -> bool:
    cluster = timeline.cluster
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
    assert (*led(timeline), timeline.registration().last_known_elr) == (-1, (1,), known)

    timeline.do({"start": {"broker": 1}})

    failed = [
        (event.variant, event.broker, event.replica) for event in timeline.told(ControllerFailed)
    ]
    assert failed == ([("registration", 1, 2)] if fails else [])
    assert registered(timeline, B1) is not fails
    assert led(timeline)[0] == (-1 if fails else 1)


def test_the_controller_fails_at_each_try_and_time_passes_without_end():
    timeline = cancelled({"start": {"broker": 1}}, {"run": {"ms": 20_000}}, kafka="4.3")

    assert len(timeline.told(ControllerFailed)) == 1
    timeline.do({"detect": {"broker": 1}})
    assert len(timeline.told(ControllerFailed)) == 2
    assert not registered(timeline, B1)


def test_the_controller_does_not_fail_while_the_last_known_leader_is_down():
    """`LeaderAcceptor` looks for the directory of an active broker only."""
    timeline = cancelled(*down(2), {"start": {"broker": 1}}, kafka="4.3")

    assert timeline.told(ControllerFailed) == []
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
    assert (*led(timeline), timeline.registration().last_known_elr) == (-1, (), (2,))

    timeline.do({"start": {"broker": 2}})
    assert timeline.variants(ControllerFailed) == ["unfencing"]
    assert timeline.cluster.controller.broker(B2).fenced
    # While 2 is fenced, it is not considered.
    timeline.do({"elect": {"partition": "t-0", "kind": "unclean"}})
    assert led(timeline) == (1, (1,))


# --- the ELR --------------------------------------------------------------------------------


def test_a_broker_that_is_no_replica_stays_in_the_elr_and_is_never_elected():
    """Recorded on 4.3.1: [5, 2] with min ISR 2 to [2, 3]; all replicas are back, nobody leads."""
    timeline = requested(
        *down(2), to(2, 3), SETTLE, *down(3), {"start": {"broker": 2}}, {"start": {"broker": 3}},
        SETTLE, kafka="4.3", replicas=[2, 5], configs={"min.insync.replicas": 2},
    )  # fmt: skip

    assert assigned(timeline)[0] == (2, 3)
    assert (*led(timeline), timeline.registration().elr) == (-1, (), (5,))
    # It is no replica before the change, so that the controller throws here as well.
    assert timeline.refused(to(5, 3)).code == "reassignment_fails"
    timeline.do({"elect": {"partition": "t-0", "kind": "unclean"}})
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
    timeline = requested(produce, kafka=kafka)

    assert [event.error for event in timeline.told(ProduceFailed)] == [error]


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
    timeline = requested(consume, kafka=kafka)

    assert [event.error for event in timeline.told(ConsumeFailed)] == [error]


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
    timeline = requested(
        {"cut": {"from": "controller", "to": 2}},
        to(3),
        SETTLE,
        {"fetch": {"broker": 2}},
        kafka=kafka,
    )

    assert assigned(timeline)[0] == (3,)
    rejected = [
        (event.broker, event.follower, event.error) for event in timeline.told(FetchRejected)
    ]
    assert rejected[-1] == (1, 2, error)
    assert timeline.told(PartitionFailed) == []


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
    cluster = requested(kafka=kafka).frames[-1].cluster

    assert error_without_replica(cluster, B3, PARTITION, "epoch_lookup") == error


@pytest.mark.parametrize("kafka", ["1.1", "2.8", "3.9"])
def test_under_zookeeper_a_broker_that_has_just_started_does_not_know_the_partition(kafka):
    """`KafkaApis.handleProduceRequest`: its metadata cache is empty until UpdateMetadata."""
    timeline = requested(
        *down(2),
        {"cut": {"from": "controller", "to": 2}},
        {"start": {"broker": 2}},
        {"produce": {"to": "t-0", "values": ["m2"], "broker": 2}},
        kafka=kafka, control="zookeeper",
    )  # fmt: skip

    assert [event.error for event in timeline.told(ProduceFailed)] == ["UNKNOWN_TOPIC_OR_PARTITION"]


# --- the page -------------------------------------------------------------------------------


def test_a_leaderless_partition_that_the_controller_checks_has_a_document():
    """The check for unclean elections is a timer of the controller, not of a broker."""
    timeline = cancelled(kafka="3.9")

    timers = frame_document(timeline, timeline.head).state.timers

    assert {timer.broker for timer in timers} == {2, 4, 5, 6}
