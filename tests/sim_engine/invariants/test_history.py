"""The committed history grows with legitimate leaders and never shrinks."""

from sim_engine.protocol.log import ReplicaLog
from tests.sim_engine.builders import (
    change_process,
    change_registration,
    change_replica,
    cluster,
    crash,
    elect,
    lead,
    log,
)
from tests.sim_engine.invariants.runs import history_of

WHOLE = {1: "m1/0 m2/0", 2: "m1/0"}


def test_what_the_leader_covers_at_the_start_is_committed():
    start = cluster(WHOLE, high_watermarks={1: 1})

    assert history_of(start).committed == (log("m1/0"),)


def test_without_a_leader_nothing_is_committed():
    start = change_registration(cluster(WHOLE, high_watermarks={1: 1}), leader=-1)

    assert history_of(start).committed == (ReplicaLog(),)


def test_what_the_leader_comes_to_cover_is_committed():
    start = cluster(WHOLE, high_watermarks={1: 1})

    raised = change_replica(start, 1, high_watermark=2)

    assert history_of(start, raised).committed == (log("m1/0 m2/0"),)


def test_what_a_replaced_leader_comes_to_cover_is_not_committed():
    start = cluster(WHOLE, high_watermarks={1: 1})
    replaced = elect(start, 2, 1, isr=[2])

    raised = change_replica(replaced, 1, high_watermark=2)

    assert history_of(start, replaced, raised).committed == (log("m1/0"),)


def test_what_a_follower_covers_is_not_committed():
    start = cluster(WHOLE, high_watermarks={2: 1})

    assert history_of(start).committed == (ReplicaLog(),)


def test_a_paused_leader_is_legitimate_and_a_dead_one_is_not():
    start = cluster(WHOLE, high_watermarks={1: 1})
    dead = change_process(start, 1, process="crashed")

    assert history_of(change_process(start, 1, process="paused")).committed == (log("m1/0"),)
    assert history_of(dead).committed == (ReplicaLog(),)


def test_committed_records_stay_and_later_ones_follow_them():
    start = cluster(WHOLE | {3: "x/0"}, high_watermarks={1: 1})
    unclean = lead(elect(crash(start, 1), 3, 1, isr=[3]), 3, 1, isr=[3])
    grown = change_replica(unclean, 3, log="x/0 y/1", high_watermark=2)

    committed = history_of(start, unclean, grown).committed

    assert [record.value for record in committed[0].records] == ["m1", "y"]


def test_what_is_committed_begins_where_the_leader_s_log_does():
    start = cluster({1: "m8/0 m9/0"}, start=7, high_watermarks={1: 8})

    assert history_of(start).committed == (log("m8/0", start=7),)


def test_a_leader_whose_log_begins_beyond_what_is_committed_adds_nothing():
    start = cluster(WHOLE, high_watermarks={1: 1})
    gap = change_replica(start, 1, log=log("m8/0", start=7), high_watermark=8)

    assert history_of(start, gap).committed == (log("m1/0"),)


def test_records_of_a_leader_without_its_new_epoch_are_not_committed():
    start = cluster(WHOLE, high_watermarks={1: 1})
    again = elect(start, 1, 1, isr=[1])

    raised = change_replica(again, 1, high_watermark=2)

    assert history_of(start, again, raised).committed == (log("m1/0"),)


def test_what_an_elected_broker_covers_is_not_committed_before_it_leads():
    start = change_registration(cluster(WHOLE, high_watermarks={2: 1}), leader=2)

    assert history_of(start).committed == (ReplicaLog(),)
