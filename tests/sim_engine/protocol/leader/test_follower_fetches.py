"""Which fetches a leader accepts, and what it learns from them, by release."""

import pytest

from sim_engine.events.fetch import FollowerEndForgotten
from sim_engine.identifiers import FIRST_EPOCH, ErrorCode, LeaderEpoch, Offset, TimeMs
from sim_engine.protocol.log import ReplicaLog
from sim_engine.protocol.replica import RemoteReplica
from tests.sim_engine.builders import B2
from tests.sim_engine.kafka_cases.world import World, values
from tests.sim_engine.protocol.replica_builders import (
    NOW,
    answers,
    believed,
    fetch,
    follower,
    leader,
    settings,
)

# --- KAFKA-13837, KAFKA-14078: which brokers may fetch ---------------------------------------


@pytest.mark.parametrize(
    ("epoch", "error"),
    [(0, ErrorCode.UNKNOWN_LEADER_EPOCH), (None, ErrorCode.NOT_LEADER_OR_FOLLOWER)],
)
def test_from_3_3_on_a_fetch_of_no_replica_is_an_error(epoch, error):
    replica = leader(2, RemoteReplica(broker_id=B2), isr=(1,))

    outcome = fetch(replica, settings("3.3"), 0, sender=9, epoch=epoch)

    assert [answer.error for answer in answers(outcome)] == [error]
    assert outcome.replica == replica


@pytest.mark.parametrize("kafka", ["1.1", "3.0"])
def test_from_1_0_to_3_2_a_fetch_of_no_replica_gets_nothing_and_no_error(kafka):
    replica = leader(2, RemoteReplica(broker_id=B2), isr=(1,))

    outcome = fetch(replica, settings(kafka), 0, sender=9)

    assert [(answer.error, answer.records) for answer in answers(outcome)] == [(ErrorCode.NONE, ())]
    assert outcome.replica == replica


@pytest.mark.parametrize("kafka", ["0.8.2", "0.10.2", "0.11"])
@pytest.mark.parametrize("offset", [0, 2, 9])
def test_up_to_0_11_a_fetch_of_no_replica_fails(kafka, offset):
    replica = leader(2, RemoteReplica(broker_id=B2), isr=(1,))

    outcome = fetch(replica, settings(kafka), offset, sender=9)

    assert [answer.error for answer in answers(outcome)] == [ErrorCode.UNKNOWN_SERVER_ERROR]
    assert outcome.replica == replica


@pytest.mark.parametrize("kafka", ["1.1", "2.4", "3.0"])
def test_from_1_0_to_3_2_a_fetch_of_no_replica_beyond_the_log_is_out_of_range(kafka):
    replica = leader(2, RemoteReplica(broker_id=B2), isr=(1,))

    outcome = fetch(replica, settings(kafka), 9, sender=9)

    assert [answer.error for answer in answers(outcome)] == [ErrorCode.OFFSET_OUT_OF_RANGE]
    assert outcome.replica == replica


def test_the_epoch_is_checked_before_who_fetches():
    """Without KAFKA-14078 a broker checks whether it knows the follower before its own role."""
    not_leading = follower(2, kafka="3.3")
    without = settings("3.3", {"KAFKA-14078": False})

    with_rule = fetch(not_leading, settings("3.3"), 0, sender=3, epoch=FIRST_EPOCH)
    without_rule = fetch(not_leading, without, 0, sender=3, epoch=FIRST_EPOCH)

    assert answers(with_rule)[0].error is ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert answers(without_rule)[0].error is ErrorCode.UNKNOWN_LEADER_EPOCH


# --- fetches that prove nothing ---------------------------------------------------------------


@pytest.mark.parametrize(("is_on", "log_end"), [(True, -1), (False, 6)])
def test_a_diverging_fetch_does_not_update_the_leaders_state(is_on, log_end):
    replica = leader(4, RemoteReplica(broker_id=B2), isr=(1, 2), high_watermark=0)
    of = settings("2.8", {"KAFKA-13141": is_on})

    outcome = fetch(replica, of, 6, epoch=FIRST_EPOCH, last_epoch=FIRST_EPOCH)

    assert answers(outcome)[0].diverging_epoch == (0, 4)
    assert believed(outcome, 2).log_end_offset == log_end
    assert outcome.replica.high_watermark == (0 if is_on else 4)


@pytest.mark.parametrize(
    ("kafka", "error", "log_end"),
    [
        ("3.4.1", ErrorCode.NONE, 2),
        ("3.5", ErrorCode.NONE, 2),
        ("3.6", ErrorCode.NONE, 2),
        ("3.7", ErrorCode.NOT_LEADER_OR_FOLLOWER, -1),
    ],
)
def test_a_fetch_of_the_process_before_is_rejected_from_3_7_on(kafka, error, log_end):
    replica = leader(3, RemoteReplica(broker_id=B2), isr=(1, 2))

    stale = fetch(replica, settings(kafka, control="kraft"), 2, broker_epochs=(1, 2))
    current = fetch(replica, settings(kafka, control="kraft"), 2, broker_epochs=(2, 2))

    assert [answer.error for answer in answers(stale)] == [error]
    assert believed(stale, 2).log_end_offset == log_end
    assert believed(current, 2).log_end_offset == 2


def test_under_zookeeper_no_broker_epoch_is_asked_for():
    replica = leader(3, RemoteReplica(broker_id=B2), isr=(1, 2))

    outcome = fetch(replica, settings("3.7", control="zookeeper"), 2, broker_epochs=(1, 2))

    assert [answer.error for answer in answers(outcome)] == [ErrorCode.NONE]


@pytest.mark.parametrize(
    ("kafka", "offset", "epoch", "log_end"),
    [
        ("0.8.2", 9, None, -1),
        ("0.11", 9, None, -1),
        ("2.3", 9, FIRST_EPOCH, -1),
        ("2.3", 2, LeaderEpoch(1), -1),
        ("2.4", 9, FIRST_EPOCH, 3),
        ("2.4", 2, LeaderEpoch(1), 3),
    ],
)
def test_up_to_2_3_a_failed_fetch_makes_the_leader_forget_the_followers_end(
    kafka, offset, epoch, log_end
):
    known = RemoteReplica(
        broker_id=B2,
        log_end_offset=Offset(3),
        last_fetch_leader_log_end_offset=Offset(3),
        last_fetch_time_ms=TimeMs(NOW - 7),
        last_caught_up_time_ms=TimeMs(NOW - 7),
    )
    replica = leader(3, known, isr=(1, 2))

    outcome = fetch(replica, settings(kafka), offset, epoch=epoch)

    assert answers(outcome)[0].error is not ErrorCode.NONE
    assert believed(outcome, 2).log_end_offset == log_end
    assert believed(outcome, 2).last_caught_up_time_ms == NOW - 7
    told = [event for event in outcome.events if isinstance(event, FollowerEndForgotten)]
    assert [(event.follower, event.before) for event in told] == ([(2, 3)] if log_end < 0 else [])


def test_in_0_8_a_failed_fetch_proves_that_the_follower_is_not_stuck():
    replica = leader(3, RemoteReplica(broker_id=B2), isr=(1, 2))

    outcome = fetch(replica, settings("0.8.2"), 9)

    assert believed(outcome, 2).last_fetch_time_ms == NOW


# --- KAFKA-12996: below the leader's log start -----------------------------------------------


@pytest.mark.parametrize(
    ("kafka", "error", "agrees_through"),
    [
        ("2.8.0", ErrorCode.NONE, 0),
        ("2.8.1", ErrorCode.OFFSET_OUT_OF_RANGE, None),
        ("3.9", ErrorCode.OFFSET_OUT_OF_RANGE, None),
    ],
)
def test_a_fetch_from_below_the_log_is_out_of_range_from_2_8_1_on(kafka, error, agrees_through):
    world = World(kafka, leader_epoch=4, logs={1: {"log": values(5) + " d/4"}})
    world.change(
        1,
        log=ReplicaLog(world.replica(1).log.records[3:], Offset(3)),
        epoch_cache=((0, 3), (4, 5)),
        high_watermark=3,
    )

    answer = world.fetch_as(2, 1, last_epoch=LeaderEpoch(2))

    assert answer is not None
    assert answer.error is error
    assert answer.diverging_epoch == (None if agrees_through is None else (agrees_through, 5))
