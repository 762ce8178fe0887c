"""Messages in flight: one of several on the same link, dropped responses, commands that are never
delivered, and delayed metadata.
"""

from typing import Any

import pytest

from sim_engine import FrameNumber, Timeline, event_sentence, load_shipped, read_scenario_document
from sim_engine.actions import Deliver
from sim_engine.events.election import LeaderElected
from sim_engine.events.fetch import FetchRejected
from sim_engine.events.log import ReplicaDeleted
from sim_engine.events.metadata import (
    BecameFollower,
    BecameLeader,
    CommandSkipped,
    DepositionMissed,
    StatesPassedOver,
)
from sim_engine.events.network import MessageDropped, ResponseIgnored
from sim_engine.identifiers import BrokerId
from sim_engine.simulation.performing.messages import matching
from tests.sim_engine.builders import B1, B3, PARTITION, told
from tests.sim_engine.simulation.late_metadata_runs import (
    COMMAND_TO_1,
    LED_BY_2_MEANWHILE,
    LOG_OF_1,
    M1_AT_1_AND_3,
    act,
    deposed_unread,
    last,
    outcome_of,
    ran,
    refusal_of,
    two_commands_queued,
)
from tests.sim_engine.story.test_steps import PRODUCE, played

SECOND = {**COMMAND_TO_1, "nth": 2}


def in_flight(timeline):
    """The ids of the commands to broker 1, oldest first, and whether they are held."""
    cluster = timeline.frames[timeline.head].cluster
    found = matching(cluster, Deliver(kind="leader_and_isr", to=BrokerId(1)))
    return {message.id: message.held for message in found}


def test_the_second_of_two_commands_is_dropped_and_the_first_stays():
    timeline = two_commands_queued()
    first, _ = in_flight(timeline)

    act(timeline, {"drop": SECOND})

    assert list(in_flight(timeline)) == [first]


def test_one_message_is_held_and_released_whether_the_other_is_or_not():
    timeline = two_commands_queued()
    first, second = in_flight(timeline)
    assert in_flight(timeline)[first]

    act(timeline, {"hold": SECOND})
    assert in_flight(timeline) == {first: True, second: True}
    assert refusal_of(timeline, {"hold": SECOND}).code == "message_held"
    act(timeline, {"release": SECOND})

    assert in_flight(timeline) == {first: True, second: False}


def test_a_message_is_not_delivered_before_those_that_it_cannot_overtake():
    timeline = two_commands_queued()

    assert refusal_of(timeline, {"deliver": SECOND}).rule == "TCP-ORDER"
    assert refusal_of(timeline, {"deliver": {**COMMAND_TO_1, "nth": 3}}).code == "too_few_messages"


FETCH: tuple[dict[str, Any], ...] = (
    {"send_fetch": {"broker": 2, "partition": "t-0"}},
    {"deliver": {"kind": "fetch_request", "from": 2, "to": 1}},
)

LONG_POLL = {"timer": {"broker": 1, "kind": "long_poll", "partition": "t-0", "follower": 2}}

DROP: dict[str, Any] = {"drop": {"kind": "fetch_response", "from": 1, "to": 2}}


def said_of_the_drop(timeline: Timeline) -> tuple[str, str]:
    (dropped,) = told(timeline, MessageDropped)
    said = event_sentence(dropped.kind, dropped.variant, dropped.numbers(), "en")
    return dropped.variant, said


def test_with_records_both_they_and_the_high_watermark_are_lost():
    variant, said = said_of_the_drop(played(PRODUCE, *FETCH, DROP))

    assert variant == "fetch_response"
    assert "broker 2 receives neither the records nor the high watermark in it" in said


def test_without_records_only_the_high_watermark_is_lost():
    variant, said = said_of_the_drop(played(*FETCH, LONG_POLL, DROP))

    assert variant == "fetch_response_empty"
    assert "broker 2 does not receive the high watermark in it" in said
    assert "records" not in said


def test_a_leader_has_not_recorded_a_fetch_that_diverges():
    timeline = Timeline(load_shipped("late-answer-of-an-old-epoch"))
    timeline.run_all()
    diverging = FrameNumber(2)

    dropped = timeline.act(diverging, {"drop": {"kind": "fetch_response", "from": 1, "to": 3}})

    (event,) = timeline.frames[dropped.head].events
    said = event_sentence(event.kind, event.variant, event.numbers(), "en")
    assert event.variant == "fetch_response_without_effect"
    assert said == (
        "Broker 1’s response to broker 3’s fetch is lost. The fetch had no effect, and broker 3 "
        "will retry."
    )


@pytest.mark.parametrize("kafka", ["2.1", "2.4", "2.8", "3.9"])
def test_a_leader_that_misses_the_command_in_between_continues(kafka):
    timeline = two_commands_queued(kafka)

    act(timeline, {"deliver": {**COMMAND_TO_1, "skip": True}})
    act(timeline, {"settle": {}})

    assert [one.leader for one in told(timeline, CommandSkipped)] == [2]
    (missed,) = told(timeline, DepositionMissed)
    assert (missed.leader_epoch_before, missed.leader_epoch) == (0, 2)
    assert outcome_of(timeline, "m1") == ("acked", None)


def test_with_both_commands_the_produce_fails():
    timeline = two_commands_queued()

    act(timeline, {"release": COMMAND_TO_1})
    act(timeline, {"settle": {}})

    assert outcome_of(timeline, "m1") == ("failed", "NOT_LEADER_OR_FOLLOWER")


def test_a_command_without_a_later_one_about_its_partition_is_not_skipped():
    timeline = two_commands_queued()
    act(timeline, {"deliver": {**COMMAND_TO_1, "skip": True}})

    refused = refusal_of(timeline, {"deliver": {**COMMAND_TO_1, "skip": True}})

    assert refused.code == "nothing_in_its_place"
    assert told(timeline, DepositionMissed) == []


def test_under_kraft_there_is_no_command_to_skip():
    refused = refusal_of(deposed_unread(), {"deliver": {**COMMAND_TO_1, "skip": True}})

    assert refused.code == "no_such_message"


@pytest.mark.parametrize("kafka", ["3.1", "3.3", "3.5", "3.9", "4.1"])
def test_a_leader_that_reads_its_deposition_and_reelection_in_one_delivery_continues(kafka):
    timeline = deposed_unread(kafka)

    act(timeline, {"deliver": {**LOG_OF_1, "records": 2}})

    (missed,) = told(timeline, DepositionMissed)
    assert (missed.leader_epoch_before, missed.leader_epoch) == (0, 2)
    assert (missed.epochs, missed.leaders) == ((1, 2), (2,))
    assert missed.remembered == ("2: 1", "3: 2")
    assert outcome_of(timeline, "m1") == ("acked", None)
    assert [record.value for record in last(timeline).replica(B3, PARTITION).log.records] == ["m0"]


@pytest.mark.parametrize("kafka", ["3.5", "3.9", "4.1"])
def test_the_same_read_one_by_one_fails_the_produce_and_forgets_the_followers(kafka):
    timeline = deposed_unread(kafka)

    act(timeline, {"deliver": {**LOG_OF_1, "records": 1}})
    act(timeline, {"deliver": {**LOG_OF_1, "records": 1}})

    assert outcome_of(timeline, "m1") == ("failed", "NOT_LEADER_OR_FOLLOWER")
    assert told(timeline, DepositionMissed) == []
    leading = last(timeline).replica(B1, PARTITION).leading
    assert leading is not None
    assert {remote.log_end_offset for remote in leading.remotes} == {-1}


@pytest.mark.parametrize("kafka", ["3.5", "3.9", "4.1"])
def test_what_was_acknowledged_so_is_lost_by_a_clean_election(kafka):
    timeline = deposed_unread(kafka)
    act(timeline, {"deliver": {**LOG_OF_1, "records": 2}})

    act(timeline, {"crash": {"broker": 1}})
    act(timeline, {"detect": {"broker": 1}})

    (*_, elected) = told(timeline, LeaderElected)
    assert last(timeline).controller.partition(PARTITION).leader == 3
    assert elected.leader == 3
    verdicts = timeline.frames[timeline.head].verdicts
    assert verdicts["LeaderCompleteness"].status == "violated"
    assert "unclean" not in {one.variant for one in told(timeline, LeaderElected)}


def test_of_several_states_in_one_delivery_a_follower_applies_the_last_alone():
    timeline = ran({"hold": {"kind": "metadata", "to": 3}}, *LED_BY_2_MEANWHILE[:1])
    act(timeline, {"crash": {"broker": 2}})
    act(timeline, {"detect": {"broker": 2}})

    act(timeline, {"deliver": {"kind": "metadata", "to": 3, "records": 2}})

    follower = last(timeline).replica(B3, PARTITION)
    assert (follower.leader, follower.leader_epoch, follower.partition_epoch) == (1, 2, 2)
    (passed,) = told(timeline, StatesPassedOver)
    assert (passed.broker, passed.states, passed.leader) == (3, 2, 1)


def test_what_is_read_together_is_deleted_first_then_led_then_followed():
    partitions = [{"replicas": [2, 3]}, {"replicas": [1, 2], "leader": 2}, {"replicas": [1, 2]}]
    timeline = Timeline(
        read_scenario_document(
            {
                "id": "ran",
                "kafka": "3.9",
                "brokers": [1, 2, 3],
                "topics": [{"name": "t", "partitions": partitions}],
                "steps": [],
            }
        )
    )
    for step in (
        {"hold": {"kind": "metadata", "to": 2}},
        {"reassign": {"partition": "t-2", "replicas": [2, 1]}},
        {"elect": {"partition": "t-1", "kind": "preferred"}},
        {"elect": {"partition": "t-2", "kind": "preferred"}},
        {"reassign": {"partition": "t-0", "replicas": [3]}},
    ):
        act(timeline, step)
    waiting = len([one for one in last(timeline).messages if one.receiver == 2])

    act(timeline, {"deliver": {"kind": "metadata", "to": 2, "records": waiting}})

    kinds = [
        (type(happened), happened.partition)
        for happened in timeline.frames[timeline.head].events
        if isinstance(happened, ReplicaDeleted | BecameLeader | BecameFollower)
    ]
    assert set(kinds) == {(BecameFollower, "t-1"), (BecameLeader, "t-2"), (ReplicaDeleted, "t-0")}


def test_a_fetch_of_the_old_epoch_that_waits_is_not_looked_at_by_leading_on():
    timeline = ran(*M1_AT_1_AND_3, {"send_fetch": {"broker": 3}})
    act(timeline, {"deliver": {"kind": "fetch_request", "from": 3, "to": 1}})
    for step in ({"hold": LOG_OF_1}, {"hold": {"kind": "metadata", "to": 3}}):
        act(timeline, step)
    act(timeline, {"elect": {"partition": "t-0", "kind": "preferred"}})
    act(timeline, {"reassign": {"partition": "t-0", "replicas": [1, 2, 3]}})
    act(timeline, {"elect": {"partition": "t-0", "kind": "preferred"}})

    act(timeline, {"deliver": {**LOG_OF_1, "records": 3}})

    leading = last(timeline).replica(B1, PARTITION).leading
    assert leading is not None
    assert [parked.follower for parked in leading.parked] == [3]
    act(timeline, {"timer": {"broker": 1, "kind": "long_poll", "follower": 3}})
    assert told(timeline, FetchRejected)[-1].error == "FENCED_LEADER_EPOCH"


def test_more_records_than_are_waiting_are_refused():
    timeline = deposed_unread()

    refused = refusal_of(timeline, {"deliver": {**LOG_OF_1, "records": 3}})

    assert refused.code == "too_few_records"
    assert refused.numbers == {"broker": 1, "waiting": 2, "records": 3}
    assert last(timeline).replica(B1, PARTITION).leader_epoch == 0


def test_over_a_cut_link_nothing_is_read():
    cut = {"from": "controller", "to": 3}
    log = {"kind": "metadata", "to": 3}
    timeline = ran({"cut": cut}, {"crash": {"broker": 2}}, {"detect": {"broker": 2}})
    act(timeline, {"reassign": {"partition": "t-0", "replicas": [1, 2, 3]}})

    assert refusal_of(timeline, {"deliver": {**log, "records": 2}}).code == "link_cut"

    act(timeline, {"heal": cut})
    act(timeline, {"deliver": {**log, "records": 2}})
    assert last(timeline).replica(B3, PARTITION).partition_epoch == 2


@pytest.mark.parametrize("step", [{"deliver": {**LOG_OF_1, "records": 1}}, {"hold": LOG_OF_1}])
def test_under_zookeeper_there_is_no_metadata_log(step):
    timeline = ran(control="zookeeper")

    assert refusal_of(timeline, step).code == "no_metadata_log"


def test_nothing_of_the_metadata_log_is_lost_with_a_connection():
    log = {"kind": "metadata_record", "from": "controller", "to": 1}

    assert refusal_of(deposed_unread(), {"drop": log}).code == "metadata_is_read_again"


def test_a_held_log_stays_unread_whatever_else_happens():
    timeline = ran({"hold": LOG_OF_1}, *LED_BY_2_MEANWHILE[:1])

    act(timeline, {"settle": {}})
    act(timeline, {"run": {"ms": 60_000}})
    act(timeline, {"fetch": {"broker": 3}})

    zombie = last(timeline).replica(B1, PARTITION)
    assert zombie.leading is not None
    assert zombie.leader_epoch == 0


def test_who_reads_late_keeps_its_session_and_may_change_its_isr():
    timeline = ran({"hold": LOG_OF_1}, {"cut": {"from": 2, "to": 1}})

    act(timeline, {"run": {"ms": 120_000}})

    registered = last(timeline).controller.broker(B1)
    assert registered.active
    assert last(timeline).controller.partition(PARTITION).isr == (1, 3)


@pytest.mark.parametrize(("kafka", "said_why"), [("3.5", True), ("3.9", False)])
def test_an_isr_change_that_cost_an_epoch_is_taken_from_the_metadata(kafka, said_why):
    timeline = ran({"cut": {"from": 2, "to": 1}}, kafka=kafka)
    act(timeline, {"advance": {"ms": 46_000}})
    request = {"kind": "alter_partition_request", "from": 1, "to": "controller"}
    answer = {"kind": "alter_partition_response", "from": "controller", "to": 1}
    act(timeline, {"deliver": request})

    act(timeline, {"deliver": answer})

    ignored = [
        happened
        for happened in timeline.frames[timeline.head].events
        if isinstance(happened, ResponseIgnored) and happened.variant == "another_epoch"
    ]
    assert [(one.leader_epoch, one.own_leader_epoch) for one in ignored] == (
        [(1, 0)] if said_why else []
    )


def test_once_released_the_log_can_be_read_one_by_one_by_itself():
    timeline = deposed_unread()

    act(timeline, {"release": LOG_OF_1})
    act(timeline, {"settle": {}})

    assert outcome_of(timeline, "m1") == ("failed", "NOT_LEADER_OR_FOLLOWER")


def test_once_released_everything_can_be_read_at_once():
    timeline = deposed_unread()

    act(timeline, {"release": LOG_OF_1})
    act(timeline, {"deliver": {**LOG_OF_1, "records": 2}})

    assert outcome_of(timeline, "m1") == ("acked", None)


def test_a_log_is_held_once_and_released_once():
    timeline = ran({"hold": LOG_OF_1})

    assert refusal_of(timeline, {"hold": LOG_OF_1}).code == "metadata_held_already"
    act(timeline, {"release": LOG_OF_1})
    assert refusal_of(timeline, {"release": LOG_OF_1}).code == "no_such_message"


def test_a_hold_outlives_its_broker_which_stays_fenced_until_it_has_read_its_registration():
    timeline = ran({"hold": LOG_OF_1}, {"crash": {"broker": 1}}, {"detect": {"broker": 1}})

    act(timeline, {"start": {"broker": 1}})
    act(timeline, {"settle": {}})

    assert last(timeline).controller.broker(B1).fenced
    assert refusal_of(timeline, {"detect": {"broker": 1}}).code == "registration_unread"
    act(timeline, {"release": LOG_OF_1})
    act(timeline, {"settle": {}})
    assert last(timeline).controller.broker(B1).active
    assert 1 in last(timeline).controller.partition(PARTITION).isr
