"""When a leader's high watermark advances, and when followers learn it, by release."""

import pytest

from sim_engine.events.log import HighWatermarkHeld
from sim_engine.identifiers import FIRST_OFFSET, Offset, TimeMs
from sim_engine.protocol.leader.leadership import with_isr
from sim_engine.protocol.replica import RemoteReplica
from tests.sim_engine.builders import B1, B2, B3
from tests.sim_engine.kafka_cases.world import World
from tests.sim_engine.protocol.replica_builders import (
    BROKER_EPOCH,
    LAG_MS,
    NOW,
    answers,
    fetch,
    leader,
    settings,
    view,
)

# --- KIP-392's eager wake, KAFKA-8841, KAFKA-13091: when the high watermark is looked at ------


def high_watermarks_told(kafka: str) -> list[tuple[int, int]]:
    """Broker 3 waits at the end; broker 2 then acknowledges everything. Returns the responses."""
    of = settings(kafka)
    replica = leader(
        1,
        RemoteReplica(broker_id=B2, log_end_offset=FIRST_OFFSET),
        RemoteReplica(broker_id=B3, log_end_offset=FIRST_OFFSET),
    )
    waiting = fetch(replica, of, 1, sender=3, message_id=1)
    assert answers(waiting) == []

    outcome = fetch(waiting.replica, of, 1, sender=2, message_id=2)

    assert outcome.replica.high_watermark == 1
    return [
        (send.receiver, answer.high_watermark)
        for send, answer in zip(outcome.sends, answers(outcome), strict=True)
        if isinstance(send.receiver, int)
    ]


def test_a_new_high_watermark_is_sent_immediately_only_in_2_4():
    assert high_watermarks_told("2.3") == []
    assert high_watermarks_told("2.4") == [(3, 1), (2, 1)]
    assert high_watermarks_told("2.7") == []


def test_in_2_4_a_fetch_does_not_wait_if_the_follower_has_an_older_high_watermark():
    replica = leader(
        1, RemoteReplica(broker_id=B2, log_end_offset=Offset(1)), isr=(1, 2), high_watermark=1
    )

    told = fetch(replica, settings("2.4"), 1)
    told_already = fetch(told.replica, settings("2.4"), 1)

    assert [answer.high_watermark for answer in answers(told)] == [1]
    assert answers(told_already) == []


@pytest.mark.parametrize("kafka", ["2.3", "2.4", "2.7"])
def test_a_shrink_that_advances_the_high_watermark_completes_parked_fetches_only_in_2_4(kafka):
    of = settings(kafka)
    replica = leader(1, RemoteReplica(broker_id=B2), RemoteReplica(broker_id=B3))
    waiting = fetch(replica, of, 1).replica

    outcome = with_isr(waiting, (B1, B2), 5, view(of), look_at_high_watermark=True)

    assert outcome.replica.high_watermark == 1
    assert len(answers(outcome)) == (1 if kafka == "2.4" else 0)


@pytest.mark.parametrize(("kafka", "high_watermark"), [("2.3", 2), ("2.4", 1)])
def test_a_fetch_from_where_the_follower_was_moves_no_high_watermark_from_2_4_on(
    kafka, high_watermark
):
    """The leader waited for broker 3, outside the ISR, until now; only time has changed."""
    replica = leader(
        2,
        RemoteReplica(broker_id=B2, log_end_offset=Offset(2)),
        RemoteReplica(
            broker_id=B3, log_end_offset=Offset(1), last_caught_up_time_ms=TimeMs(NOW - LAG_MS - 1)
        ),
        isr=(1, 2),
        high_watermark=1,
    )

    assert fetch(replica, settings(kafka), 2).replica.high_watermark == high_watermark


def test_an_outsider_that_alone_holds_the_high_watermark_is_named():
    replica = leader(
        10,
        RemoteReplica(broker_id=B2, log_end_offset=Offset(10)),
        RemoteReplica(
            broker_id=B3, log_end_offset=Offset(6), last_caught_up_time_ms=TimeMs(NOW - 1)
        ),
        isr=(1, 2),
        high_watermark=6,
    )

    outcome = fetch(replica, settings("2.3"), 10)

    held = next(event for event in outcome.events if isinstance(event, HighWatermarkHeld))
    assert (held.variant, held.outsiders) == ("outsider", (3,))
    assert (held.high_watermark, held.without) == (6, 10)


@pytest.mark.parametrize(
    ("kafka", "control", "broker_epoch", "high_watermark"),
    [
        ("3.9", "kraft", BROKER_EPOCH, 6),
        ("3.9", "kraft", BROKER_EPOCH - 1, 10),
        ("3.9", "kraft", -1, 6),
        ("3.9", "zookeeper", BROKER_EPOCH - 1, 6),
        ("3.5", "kraft", BROKER_EPOCH - 1, 6),
    ],
)
def test_an_outsider_that_has_not_fetched_since_its_broker_restarted_holds_nothing_from_3_6(
    kafka, control, broker_epoch, high_watermark
):
    replica = leader(
        10,
        RemoteReplica(broker_id=B2, log_end_offset=Offset(6)),
        RemoteReplica(
            broker_id=B3,
            log_end_offset=Offset(6),
            last_caught_up_time_ms=TimeMs(NOW - 1),
            broker_epoch=broker_epoch,
        ),
        isr=(1, 2),
        high_watermark=6,
    )

    outcome = fetch(replica, settings(kafka, control=control), 10)

    assert outcome.replica.high_watermark == high_watermark


# --- KAFKA-5758: the high watermark of an answer that carries records ------------------------


@pytest.mark.parametrize(
    ("kafka", "high_watermark"),
    [
        ("0.11.0.3", 1),
        ("1.0.0", 2),
        ("1.0.1", 2),
        ("1.0.2", 1),
        ("1.1.0", 2),
        ("1.1.1", 1),
        ("2.0.0", 1),
    ],
)
def test_an_answer_with_records_has_the_new_high_watermark_in_three_releases(kafka, high_watermark):
    world = World(
        kafka,
        replicas=[1, 2],
        logs={
            1: {"log": "a/0 b/0 c/0", "high_watermark": 1},
            2: {"log": "a/0 b/0", "high_watermark": 1},
        },
    )

    answer = world.fetch_as(2, 2)

    assert answer is not None
    assert (len(answer.records), answer.high_watermark) == (1, high_watermark)
    assert world.replica(1).high_watermark == 2


def test_who_joins_by_the_fetch_counts_for_the_high_watermark_of_its_answer():
    world = World(
        "1.0.1",
        replicas=[1, 2],
        isr=[1],
        logs={
            1: {"log": "a/0 b/0 c/0", "high_watermark": 1},
            2: {"log": "a/0 b/0", "high_watermark": 1},
        },
    )

    answer = world.fetch_as(2, 2)

    assert answer is not None
    assert (answer.high_watermark, world.replica(1).high_watermark) == (2, 2)
