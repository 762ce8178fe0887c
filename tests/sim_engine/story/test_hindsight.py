"""What a summary tells of events that the same step overtakes."""

from typing import Any

from sim_engine.story.event_groups import HANDLED, EventData, in_hindsight


def event(kind: str, variant: str | None = None, /, **numbers: Any) -> EventData:
    return EventData(kind, variant, {"partition": "t-0", "broker": 1, **numbers})


def held(**numbers: Any) -> EventData:
    return event("HighWatermarkHeld", **numbers)


def rises(**numbers: Any) -> EventData:
    return event("HighWatermarkAdvanced", **numbers)


def refused(replica: int, **numbers: Any) -> EventData:
    return event("IsrJoinRefused", replica=replica, **numbers)


def joins(replica: int, **numbers: Any) -> EventData:
    return event("IsrExpanded", replica=replica, **numbers)


FETCH = event("FetchSent", broker=2, leader=1, fetch_offset=3)


def test_a_high_watermark_that_rises_does_not_stay():
    assert in_hindsight([held(), rises()]) == [rises()]


def test_one_of_another_partition_or_leader_stays():
    kept = [held(), rises(partition="t-1"), rises(broker=2)]

    assert in_hindsight(kept) == kept


def test_one_that_stays_after_it_rose_stays():
    kept = [rises(), held()]

    assert in_hindsight(kept) == kept


def test_a_replica_that_joins_was_not_refused():
    assert in_hindsight([refused(2), refused(3), joins(2)]) == [refused(3), joins(2)]


def test_a_replica_that_is_refused_after_it_joined_was_refused():
    kept = [joins(2), refused(2), refused(3, partition="t-1"), joins(3)]

    assert in_hindsight(kept) == kept


def test_a_start_is_not_about_the_session_before_it():
    expires, fenced = event("SessionExpired", broker=2), event("BrokerFenced", broker=2)
    boots, other = event("BrokerBooted", broker=2), event("SessionExpired", broker=3)

    assert in_hindsight([expires, fenced, other, boots]) == [other, boots]
    assert in_hindsight([boots, expires]) == [boots, expires]


def test_all_that_join_come_before_the_rise_that_waited_for_them():
    assert in_hindsight([held(), joins(2), rises(), joins(3)]) == [joins(2), joins(3), rises()]


def test_a_rise_that_waited_for_no_larger_isr_keeps_its_place():
    outsider = event("HighWatermarkHeld", "outsider")

    assert in_hindsight([joins(2), rises(), joins(3)]) == [joins(2), rises(), joins(3)]
    assert in_hindsight([outsider, joins(2), rises(), joins(3)]) == [joins(2), rises(), joins(3)]
    assert in_hindsight([held(), rises(), joins(3)]) == [rises(), joins(3)]


def test_a_replica_does_not_join_before_it_appends():
    appends = event("FetchApplied", broker=3)

    kept = [joins(2), rises(), appends, joins(3)]
    assert in_hindsight([held(), *kept]) == kept


def test_a_fetch_is_handled_if_the_leader_records_it():
    recorded = event("FetchHandled", "empty", follower=2, fetch_offset=3)
    parked = event("FetchParked", follower=2, fetch_offset=3)
    diverging = event("FetchDiverging", follower=2, fetch_offset=3)
    another = event("FetchHandled", follower=3, fetch_offset=3)

    def variant_with(*following: EventData) -> str | None:
        return in_hindsight([FETCH, *following])[0].variant

    assert variant_with(recorded) == variant_with(parked) == HANDLED
    assert variant_with() is variant_with(diverging) is variant_with(another) is None
