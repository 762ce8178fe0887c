"""When a follower leaves and joins the ISR, by release, and in which order its members stand.

The hash orders are those that the set classes of Scala 2.13 print for the same operations; 1, 2 and
3 were also recorded, on 4.1.1, 4.2.1, 4.3.1 and 4.4.0.
"""

import pytest
from msgspec import UNSET

from sim_engine.cluster.start import start_timers
from sim_engine.events.isr import FollowerOutOfSync
from sim_engine.identifiers import FIRST_OFFSET, BrokerId, Offset, TimeMs
from sim_engine.protocol.leader.isr import (
    check_events,
    maybe_expand_isr,
    maybe_shrink_isr,
    out_of_sync_events,
    why_out_of_sync,
)
from sim_engine.protocol.replica import PendingIsr, RemoteReplica
from tests.sim_engine.builders import B1, B2, B3, cluster
from tests.sim_engine.protocol.replica_builders import (
    LAG_MS,
    NOW,
    believed,
    fetch,
    leader,
    settings,
    view,
)

# --- KIP-16: lag by messages (0.8), by time (0.9 on) -----------------------------------------


@pytest.mark.parametrize(("log_end", "why"), [(6_000, None), (5_999, "slow")])
def test_in_0_8_a_follower_is_slow_when_more_than_lag_max_messages_behind(log_end, why):
    remote = RemoteReplica(broker_id=B2, log_end_offset=log_end, last_fetch_time_ms=TimeMs(NOW))

    assert why_out_of_sync(remote, Offset(10_000), view(settings("0.8.2"))) == why


def test_how_many_records_a_follower_is_behind_plays_no_part_from_0_9_on():
    remote = RemoteReplica(
        broker_id=B2, log_end_offset=FIRST_OFFSET, last_caught_up_time_ms=TimeMs(NOW - LAG_MS)
    )

    assert why_out_of_sync(remote, Offset(10_000), view(settings("0.9"))) is None


@pytest.mark.parametrize(("elapsed_ms", "why"), [(LAG_MS, None), (LAG_MS + 1, "stuck")])
def test_in_0_8_a_follower_that_stops_fetching_is_stuck_even_at_the_leaders_end(elapsed_ms, why):
    remote = RemoteReplica(
        broker_id=B2, log_end_offset=Offset(5), last_fetch_time_ms=NOW - elapsed_ms
    )

    assert why_out_of_sync(remote, Offset(5), view(settings("0.8.2"))) == why


def test_in_0_8_a_follower_that_keeps_fetching_behind_stays_and_from_0_9_on_it_leaves():
    remote = RemoteReplica(
        broker_id=B2,
        log_end_offset=Offset(3),
        last_fetch_time_ms=TimeMs(NOW),
        last_caught_up_time_ms=TimeMs(NOW - LAG_MS - 1),
    )

    assert why_out_of_sync(remote, Offset(5), view(settings("0.8.2"))) is None
    assert why_out_of_sync(remote, Offset(5), view(settings("0.9"))) == "late"


def test_kip_16_can_be_switched_off_in_a_later_release():
    remote = RemoteReplica(
        broker_id=B2,
        log_end_offset=FIRST_OFFSET,
        last_fetch_time_ms=TimeMs(NOW),
        last_caught_up_time_ms=TimeMs(NOW),
    )
    without = settings("3.9", {"KIP-16": False}, lag_messages=4)

    assert why_out_of_sync(remote, Offset(5), view(without)) == "slow"
    assert why_out_of_sync(remote, Offset(5), view(settings("3.9", lag_messages=4))) is None


def test_a_shrink_reports_the_reason_for_each_follower():
    replica = leader(
        5,
        RemoteReplica(broker_id=B2, log_end_offset=FIRST_OFFSET, last_fetch_time_ms=TimeMs(NOW)),
        RemoteReplica(
            broker_id=B3, log_end_offset=Offset(5), last_fetch_time_ms=TimeMs(NOW - LAG_MS - 7)
        ),
    )
    of = settings("0.8.2", lag_messages=4)

    change = maybe_shrink_isr(replica, view(of))
    assert change is not None
    events = out_of_sync_events(replica, change, view(of))

    assert change.isr == (1,)
    slow, stuck = events
    assert isinstance(slow, FollowerOutOfSync)
    assert isinstance(stuck, FollowerOutOfSync)
    assert (slow.variant, slow.replica, slow.behind) == ("slow", 2, 5)
    assert (stuck.variant, stuck.replica, stuck.elapsed_ms) == ("stuck", 3, LAG_MS + 7)


@pytest.mark.parametrize(("kafka", "variant"), [("0.8.2", "behind_fetching"), ("0.9", "behind")])
def test_a_check_that_removes_nobody_reports_the_members_that_lack_records(kafka, variant):
    caught_up = RemoteReplica(broker_id=B2, log_end_offset=Offset(5))
    behind = RemoteReplica(
        broker_id=B3, log_end_offset=Offset(4), last_caught_up_time_ms=TimeMs(NOW - 7)
    )
    of = settings(kafka)

    (checked,) = check_events(leader(5, caught_up, behind), view(of, now_ms=NOW + 9))
    (nobody,) = check_events(leader(5, caught_up), view(of))

    assert (checked.variant, checked.replica, checked.checked_ms) == (variant, 3, 9)
    assert (checked.elapsed_ms, checked.lag_ms) == (16, LAG_MS)
    assert (nobody.variant, nobody.replica) == (None, UNSET)


# --- KAFKA-4485, KAFKA-7152: when a follower counts as caught up -----------------------------


@pytest.mark.parametrize(("kafka", "caught_up_ms"), [("0.10.1", 100), ("0.10.2", NOW - 2_000)])
def test_asking_for_what_was_the_end_counts_as_of_the_previous_fetch_from_0_10_2_on(
    kafka, caught_up_ms
):
    replica = leader(
        15,
        RemoteReplica(
            broker_id=B2,
            log_end_offset=Offset(5),
            last_fetch_leader_log_end_offset=Offset(10),
            last_fetch_time_ms=TimeMs(NOW - 2_000),
            last_caught_up_time_ms=TimeMs(100),
        ),
        isr=(1, 2),
    )

    outcome = fetch(replica, settings(kafka), 10)

    assert believed(outcome, 2).last_caught_up_time_ms == caught_up_ms


def test_asking_for_the_end_counts_as_of_now_in_every_release():
    replica = leader(15, RemoteReplica(broker_id=B2, log_end_offset=Offset(5)), isr=(1, 2))

    for kafka in ("0.9", "0.10.1", "0.10.2", "3.9"):
        assert believed(fetch(replica, settings(kafka), 15), 2).last_caught_up_time_ms == NOW


@pytest.mark.parametrize(("kafka", "high_watermark"), [("0.10.1", 10), ("0.10.2", 6)])
def test_the_high_watermark_waits_for_a_caught_up_outsider_from_0_10_2_on(kafka, high_watermark):
    replica = leader(
        10,
        RemoteReplica(broker_id=B2, log_end_offset=Offset(6)),
        RemoteReplica(
            broker_id=B3, log_end_offset=Offset(6), last_caught_up_time_ms=TimeMs(NOW - 1)
        ),
        isr=(1, 2),
        high_watermark=6,
    )

    assert fetch(replica, settings(kafka), 10).replica.high_watermark == high_watermark


@pytest.mark.parametrize(("kafka", "period_ms"), [("0.9", 10_000), ("0.10.2", 5_000)])
def test_the_isr_is_checked_twice_as_often_from_0_10_2_on(kafka, period_ms):
    periods = {timer.kind: timer.period_ms for timer in start_timers(cluster(kafka=kafka))}

    assert periods["isr_expiration"] == period_ms


@pytest.mark.parametrize(("kafka", "why"), [("2.0.1", "late"), ("2.1", None)])
def test_a_follower_at_the_leaders_end_stays_however_long_ago_it_fetched_from_2_1_on(kafka, why):
    remote = RemoteReplica(
        broker_id=B2, log_end_offset=Offset(5), last_caught_up_time_ms=TimeMs(100)
    )

    assert why_out_of_sync(remote, Offset(5), view(settings(kafka))) == why


@pytest.mark.parametrize(("kafka", "remembered"), [("3.0", 8), ("3.3", 9)])
def test_the_end_remembered_from_a_fetch_does_not_fall_from_3_3_on(kafka, remembered):
    replica = leader(
        8, RemoteReplica(broker_id=B2, last_fetch_leader_log_end_offset=Offset(9)), isr=(1, 2)
    )

    outcome = fetch(replica, settings(kafka), 8)

    assert believed(outcome, 2).last_fetch_leader_log_end_offset == remembered


# --- KIP-497: one change at a time, and the larger set ----------------------------------------


@pytest.mark.parametrize(("kafka", "is_pending"), [("2.4", False), ("2.7", True)])
def test_a_joining_replica_counts_immediately_from_2_7_on(kafka, is_pending):
    replica = leader(
        3, RemoteReplica(broker_id=B2, log_end_offset=FIRST_OFFSET), isr=(1,), high_watermark=3
    )

    outcome = fetch(replica, settings(kafka), 3)

    assert outcome.isr_write == PendingIsr(kind="expand", isr=(B1, B2), replicas=(B2,))
    assert outcome.replica.leading is not None
    assert (outcome.replica.leading.pending_isr is not None) == is_pending
    assert outcome.replica.leading.isr == (1,)


def proposed(kafka, isr, *, joins=None, leave=(), control=None):
    """The ISR that its first member, as the leader, proposes."""
    now = TimeMs(NOW)
    remotes = [
        RemoteReplica(
            broker_id=BrokerId(one),
            log_end_offset=Offset(0 if one in leave else 1),
            last_fetch_time_ms=TimeMs(0) if one in leave else now,
            last_caught_up_time_ms=TimeMs(0) if one in leave else now,
        )
        for one in (*isr, joins)
        if one is not None
    ]
    replica = leader(1, *remotes, isr=isr)
    if joins is None:
        change = maybe_shrink_isr(replica, view(settings(kafka, control=control)))
        assert change is not None
        return list(change.isr)
    change, _ = maybe_expand_isr(
        replica, BrokerId(joins), view(settings(kafka, control=control), eligible=(*isr, joins))
    )
    assert change is not None
    return list(change.isr)


@pytest.mark.parametrize(
    ("isr", "joins", "expected"),
    [
        ((2, 3), 1, [1, 2, 3]),
        ((3, 1), 9, [1, 9, 3]),
        ((3, 1), 8, [8, 1, 3]),
        ((9, 7), 8, [8, 9, 7]),
        ((5, 4, 3, 2), 1, [1, 2, 3, 4, 5]),
        ((5, 4, 3, 2, 1), 9, [1, 2, 3, 4, 5, 9]),
        ((20, 3, 16, 1, 8), 9, [16, 1, 3, 20, 8, 9]),
    ],
)
@pytest.mark.parametrize("kafka", ["4.2", "4.4"])
def test_from_4_2_an_expansion_puts_the_whole_isr_in_the_order_of_a_hash_table(
    kafka, isr, joins, expected
):
    assert proposed(kafka, isr, joins=joins) == expected


@pytest.mark.parametrize(
    ("isr", "leaves", "expected"),
    [((3, 1, 2), 2, [1, 3]), ((9, 8, 1, 2), 2, [1, 8, 9]), ((17, 9, 8, 1, 2), 2, [1, 17, 8, 9])],
)
def test_from_4_2_a_shrink_uses_a_table_of_16_places(isr, leaves, expected):
    assert proposed("4.2", isr, leave={leaves}) == expected


@pytest.mark.parametrize(
    ("kafka", "control"), [("0.8.2", None), ("2.8", "zookeeper"), ("3.9", "kraft"), ("4.1", None)]
)
@pytest.mark.parametrize(
    ("isr", "joins", "leave", "expected"),
    [
        ((2, 3), 1, (), [2, 3, 1]),
        ((4, 3, 2), 1, (), [4, 3, 2, 1]),
        ((4, 3, 2, 1), None, {3}, [4, 2, 1]),
        ((1, 2, 3, 4), 5, (), [5, 1, 2, 3, 4]),
        ((4, 3, 2, 1), 5, (), [5, 1, 2, 3, 4]),
        ((5, 1, 2, 3, 4), 6, (), [5, 1, 6, 2, 3, 4]),
        ((1, 2, 3, 4, 5, 6, 7, 8), 9, (), [5, 1, 6, 9, 2, 7, 3, 8, 4]),
        ((1, 2, 3, 4, 5), None, {3}, [5, 1, 2, 4]),
        # Two of them share the first five bits of their hashes.
        ((1, 2, 3, 4, 33, 65), 97, (), [1, 33, 2, 3, 4, 65, 97]),
        (
            (46, 78, 123, 210, 300, 450, 620, 999),
            1000,
            (),
            [1000, 123, 450, 210, 46, 78, 300, 999, 620],
        ),
    ],
)
def test_up_to_4_1_the_joiner_comes_last_until_there_are_five(
    kafka, control, isr, joins, leave, expected
):
    assert proposed(kafka, isr, joins=joins, leave=leave, control=control) == expected
