"""A ZooKeeper leader's notifications of ISR changes, and the contents of brokers' caches."""

import pytest

from sim_engine.cluster.state import active_brokers
from sim_engine.documents.state import state_document
from sim_engine.events.controller import LeaderElected
from sim_engine.events.isr import IsrChangesKept, IsrChangesTold
from sim_engine.events.metadata import MetadataCacheUpdated
from sim_engine.identifiers import CLOCK_START_MS, BrokerId
from tests.sim_engine.builders import B1
from tests.sim_engine.runs import SETTLE, Run, Step, down, run

NEVER_LAGS = {"replica.lag.time.max.ms": 10_000_000}


def ran(*steps: Step, kafka: str = "2.1", partitions: int = 1) -> Run:
    """A run whose partitions are led by broker 1, with 2 and 3 outside the ISR."""
    return run(
        *steps, kafka=kafka, configs=NEVER_LAGS, partition={"isr": [1]}, partitions=partitions
    )


def told_at(timeline: Run) -> list[int]:
    """When broker 1 notified the controller, in ms from the start."""
    return [
        frame.cluster.now_ms - CLOCK_START_MS
        for frame in timeline.frames
        for happened in frame.events
        if isinstance(happened, IsrChangesTold)
    ]


def known_isr(timeline: Run, broker_id: int) -> tuple[int, ...]:
    (registration,) = timeline.cluster.broker(BrokerId(broker_id)).known_partitions
    return registration.isr


def test_one_change_is_told_at_the_first_tick_after_five_quiet_seconds():
    timeline = ran(
        {"advance": {"ms": 10_000}}, {"fetch": {"broker": 2}}, {"advance": {"ms": 90_000}}
    )

    assert timeline.registration().isr == (1, 2)
    assert told_at(timeline) == [17_500]


def test_changes_that_go_on_are_told_sixty_seconds_after_the_last_note():
    joins = [
        step
        for partition in range(14)
        for broker in (2, 3)
        for step in (
            {"fetch": {"broker": broker, "partition": f"t-{partition}"}},
            {"advance": {"ms": 2_000}},
        )
    ]

    timeline = ran({"advance": {"ms": 10_000}}, *joins, partitions=14)

    assert told_at(timeline)[:1] == [62_500]


def test_until_the_controller_has_passed_it_on_caches_hold_the_isr_of_before():
    timeline = ran({"fetch": {"broker": 2}}, {"advance": {"ms": 10_000}})
    assert known_isr(timeline, 3) == (1,)
    epochs = timeline.registration()

    timeline.do({"deliver": {"kind": "isr_change_notification", "from": 1, "to": "controller"}})
    timeline.do({"deliver": {"kind": "update_metadata", "from": "controller", "to": 3}})

    assert known_isr(timeline, 3) == (1, 2)
    assert known_isr(timeline, 2) == (1,)
    assert timeline.registration() == epochs


def test_a_timer_that_is_not_due_says_why():
    timeline = ran(
        {"fetch": {"broker": 2}}, {"timer": {"broker": 1, "kind": "isr_change_propagation"}}
    )

    (kept,) = timeline.frame.events
    assert isinstance(kept, IsrChangesKept)
    assert kept.since_change_ms == 0


def test_checks_that_are_too_early_leave_a_trace_with_their_times():
    timeline = ran(
        {"advance": {"ms": 10_000}}, {"fetch": {"broker": 2}}, {"advance": {"ms": 5_000}}
    )

    frame = timeline.frame
    kept = [one for one in frame.events if isinstance(one, IsrChangesKept)]

    # Exactly 5 s are not more than 5 s.
    assert [(one.checked_ms, one.since_change_ms) for one in kept] == [
        (12_500, 2_500),
        (15_000, 5_000),
    ]
    assert frame.events[frame.headline] is kept[-1]


def test_checks_without_a_change_leave_no_trace():
    timeline = ran({"advance": {"ms": 10_000}})

    assert not any(isinstance(one, IsrChangesKept) for one in timeline.frame.events)


@pytest.mark.parametrize("kafka", ["0.8.2", "2.8", "3.9"])
def test_where_the_controller_changes_the_isr_nothing_is_told(kafka):
    timeline = ran({"fetch": {"broker": 2}}, kafka=kafka)

    assert (
        timeline.refused({"timer": {"broker": 1, "kind": "isr_change_propagation"}}).code
        == "no_isr_notifications"
    )


def test_a_zookeeper_controller_that_changes_an_isr_itself_tells_the_caches_at_once():
    timeline = ran({"fetch": {"broker": 2}}, SETTLE, kafka="2.8")

    assert set(known_isr(timeline, 3)) == {1, 2, 3}


def test_updates_of_caches_make_no_frames_of_their_own():
    timeline = ran(SETTLE, *down(1), {"start": {"broker": 1}}, SETTLE)

    assert timeline.told(LeaderElected)
    assert not timeline.told(MetadataCacheUpdated)
    assert not timeline.cluster.messages
    assert all(
        broker.known_partitions[0].leader == 2 and len(broker.known_brokers) == 3
        for broker in timeline.cluster.brokers
    )


def test_a_client_hears_of_a_leader_from_a_cache_that_may_be_behind():
    timeline = ran(
        SETTLE,
        {"produce": {"to": "t-0", "values": ["m1"]}},
        {"cut": {"from": "controller", "to": 2}},
        {"cut": {"from": "controller", "to": 3}},
        *down(1),
        {"refresh": {"as": "p1"}},
    )
    assert timeline.leader == 2
    assert state_document(timeline.cluster).clients.producers["p1"] == {"t-0": 1}

    timeline.do({"heal": {"from": "controller", "to": 3}})
    for kind in ("leader_and_isr", "update_metadata"):
        timeline.do({"deliver": {"kind": kind, "from": "controller", "to": 3}})
    timeline.do({"refresh": {"as": "p1"}})

    assert state_document(timeline.cluster).clients.producers["p1"] == {"t-0": 2}


def test_who_may_join_an_isr_is_who_lives_in_the_leaders_cache():
    timeline = ran(SETTLE, {"cut": {"from": "controller", "to": 1}}, *down(2))
    assert active_brokers(timeline.cluster, B1).keys() == {1, 2, 3}

    timeline.do({"heal": {"from": "controller", "to": 1}})
    for kind in ("leader_and_isr", "update_metadata"):
        timeline.do({"deliver": {"kind": kind, "from": "controller", "to": 1}})

    assert active_brokers(timeline.cluster, B1).keys() == {1, 3}


def test_an_update_does_not_overtake_the_command_before_it():
    timeline = ran(
        SETTLE,
        {"cut": {"from": "controller", "to": 3}},
        *down(1),
        {"heal": {"from": "controller", "to": 3}},
    )

    assert (
        timeline.refused(
            {"deliver": {"kind": "update_metadata", "from": "controller", "to": 3}}
        ).code
        == "earlier_message_first"
    )


def test_a_leader_that_cannot_reach_the_controller_waits_and_time_passes():
    """Its write to ZooKeeper waits for the connection. The step was refused as a whole before, as
    the timer was due and could not fire."""
    timeline = ran(
        {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}},
        {"fetch": {"broker": 2}},
        {"fetch": {"broker": 2}},
        {"cut": {"from": 1, "to": "controller"}},
        {"run": {"ms": 9_000}},
        {"heal": {"broker": 1}},
        {"run": {"ms": 10_000}},
    )

    assert [done.refused for done in timeline.played_steps] == [False] * 7
