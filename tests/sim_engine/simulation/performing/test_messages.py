"""Messages in flight: one of several on the same link, dropped responses, commands that are never
delivered, and delayed metadata.
"""

import pytest

from sim_engine.actions.steps import Deliver
from sim_engine.events.controller import LeaderElected
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
from sim_engine.identifiers import BrokerId, FrameNumber
from sim_engine.narration import sentence as event_sentence
from sim_engine.simulation.performing.messages import matching
from tests.sim_engine.builders import B1
from tests.sim_engine.runs import SETTLE, Run, Step, down, lesson, run
from tests.sim_engine.simulation.late_metadata_runs import (
    COMMAND_TO_1,
    LED_BY_2_MEANWHILE,
    LOG_OF_1,
    M1_AT_1_AND_3,
    deposed_unread,
    outcome_of,
    ran,
    two_commands_queued,
)

SECOND = {**COMMAND_TO_1, "nth": 2}


def in_flight(timeline):
    """The ids of the commands to broker 1, oldest first, and whether they are held."""
    found = matching(timeline.cluster, Deliver(kind="leader_and_isr", to=BrokerId(1)))
    return {message.id: message.held for message in found}


def test_the_second_of_two_commands_is_dropped_and_the_first_stays():
    timeline = two_commands_queued()
    first, _ = in_flight(timeline)

    timeline.do({"drop": SECOND})

    assert list(in_flight(timeline)) == [first]


def test_one_message_is_held_and_released_whether_the_other_is_or_not():
    timeline = two_commands_queued()
    first, second = in_flight(timeline)
    assert in_flight(timeline)[first]

    timeline.do({"hold": SECOND})
    assert in_flight(timeline) == {first: True, second: True}
    assert timeline.refused({"hold": SECOND}).code == "message_held"
    timeline.do({"release": SECOND})

    assert in_flight(timeline) == {first: True, second: False}


def test_a_message_is_not_delivered_before_those_that_it_cannot_overtake():
    timeline = two_commands_queued()

    assert timeline.refused({"deliver": SECOND}).rule == "TCP-ORDER"
    assert timeline.refused({"deliver": {**COMMAND_TO_1, "nth": 3}}).code == "too_few_messages"


PRODUCE: Step = {"produce": {"to": "t-0", "values": ["m1"]}}

FETCH: tuple[Step, ...] = (
    {"send_fetch": {"broker": 2, "partition": "t-0"}},
    {"deliver": {"kind": "fetch_request", "from": 2, "to": 1}},
)

LONG_POLL = {"timer": {"broker": 1, "kind": "long_poll", "partition": "t-0", "follower": 2}}

DROP: Step = {"drop": {"kind": "fetch_response", "from": 1, "to": 2}}


def said_of_the_drop(timeline: Run) -> tuple[str, str]:
    (dropped,) = timeline.told(MessageDropped)
    said = event_sentence(dropped.kind, dropped.variant, dropped.numbers(), "en")
    return dropped.variant, said


def test_with_records_both_they_and_the_high_watermark_are_lost():
    variant, said = said_of_the_drop(run(PRODUCE, *FETCH, DROP, brokers=(1, 2)))

    assert variant == "fetch_response"
    assert "broker 2 receives neither the records nor the high watermark in it" in said


def test_without_records_only_the_high_watermark_is_lost():
    variant, said = said_of_the_drop(run(*FETCH, LONG_POLL, DROP, brokers=(1, 2)))

    assert variant == "fetch_response_empty"
    assert "broker 2 does not receive the high watermark in it" in said
    assert "records" not in said


def test_a_leader_has_not_recorded_a_fetch_that_diverges():
    timeline = lesson("late-answer-of-an-old-epoch")
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

    timeline.do({"deliver": {**COMMAND_TO_1, "skip": True}}, SETTLE)

    assert [one.leader for one in timeline.told(CommandSkipped)] == [2]
    (missed,) = timeline.told(DepositionMissed)
    assert (missed.leader_epoch_before, missed.leader_epoch) == (0, 2)
    assert outcome_of(timeline, "m1") == ("acked", None)


def test_with_both_commands_the_produce_fails():
    timeline = two_commands_queued()

    timeline.do({"release": COMMAND_TO_1}, SETTLE)

    assert outcome_of(timeline, "m1") == ("failed", "NOT_LEADER_OR_FOLLOWER")


def test_a_command_without_a_later_one_about_its_partition_is_not_skipped():
    timeline = two_commands_queued()
    timeline.do({"deliver": {**COMMAND_TO_1, "skip": True}})

    refused = timeline.refused({"deliver": {**COMMAND_TO_1, "skip": True}})

    assert refused.code == "nothing_in_its_place"
    assert timeline.told(DepositionMissed) == []


def test_under_kraft_there_is_no_command_to_skip():
    refused = deposed_unread().refused({"deliver": {**COMMAND_TO_1, "skip": True}})

    assert refused.code == "no_such_message"


@pytest.mark.parametrize("kafka", ["3.1", "3.3", "3.5", "3.9", "4.1"])
def test_a_leader_that_reads_its_deposition_and_reelection_in_one_delivery_continues(kafka):
    timeline = deposed_unread(kafka)

    timeline.do({"deliver": {**LOG_OF_1, "records": 2}})

    (missed,) = timeline.told(DepositionMissed)
    assert (missed.leader_epoch_before, missed.leader_epoch) == (0, 2)
    assert (missed.epochs, missed.leaders) == ((1, 2), (2,))
    assert missed.remembered == ("2: 1", "3: 2")
    assert outcome_of(timeline, "m1") == ("acked", None)
    assert timeline.log(3) == ["m0"]


@pytest.mark.parametrize("kafka", ["3.5", "3.9", "4.1"])
def test_the_same_read_one_by_one_fails_the_produce_and_forgets_the_followers(kafka):
    timeline = deposed_unread(kafka)

    timeline.do({"deliver": {**LOG_OF_1, "records": 1}}, {"deliver": {**LOG_OF_1, "records": 1}})

    assert outcome_of(timeline, "m1") == ("failed", "NOT_LEADER_OR_FOLLOWER")
    assert timeline.told(DepositionMissed) == []
    leading = timeline.leading(1)
    assert {remote.log_end_offset for remote in leading.remotes} == {-1}


@pytest.mark.parametrize("kafka", ["3.5", "3.9", "4.1"])
def test_what_was_acknowledged_so_is_lost_by_a_clean_election(kafka):
    timeline = deposed_unread(kafka)
    timeline.do({"deliver": {**LOG_OF_1, "records": 2}})

    timeline.do(*down(1))

    (*_, elected) = timeline.told(LeaderElected)
    assert timeline.leader == 3
    assert elected.leader == 3
    assert timeline.status("LeaderCompleteness") == "violated"
    assert "unclean" not in timeline.variants(LeaderElected)


def test_of_several_states_in_one_delivery_a_follower_applies_the_last_alone():
    timeline = ran({"hold": {"kind": "metadata", "to": 3}}, *LED_BY_2_MEANWHILE[:1])
    timeline.do(*down(2))

    timeline.do({"deliver": {"kind": "metadata", "to": 3, "records": 2}})

    follower = timeline.replica(3)
    assert (follower.leader, follower.leader_epoch, follower.partition_epoch) == (1, 2, 2)
    (passed,) = timeline.told(StatesPassedOver)
    assert (passed.broker, passed.states, passed.leader) == (3, 2, 1)


def test_what_is_read_together_is_deleted_first_then_led_then_followed():
    partitions = [{"replicas": [2, 3]}, {"replicas": [1, 2], "leader": 2}, {"replicas": [1, 2]}]
    timeline = run(topics=[{"name": "t", "partitions": partitions}])
    timeline.do(
        {"hold": {"kind": "metadata", "to": 2}},
        {"reassign": {"partition": "t-2", "replicas": [2, 1]}},
        {"elect": {"partition": "t-1", "kind": "preferred"}},
        {"elect": {"partition": "t-2", "kind": "preferred"}},
        {"reassign": {"partition": "t-0", "replicas": [3]}},
    )
    waiting = len([one for one in timeline.cluster.messages if one.receiver == 2])

    timeline.do({"deliver": {"kind": "metadata", "to": 2, "records": waiting}})

    kinds = [
        (type(happened), happened.partition)
        for happened in timeline.frame.events
        if isinstance(happened, ReplicaDeleted | BecameLeader | BecameFollower)
    ]
    assert set(kinds) == {(BecameFollower, "t-1"), (BecameLeader, "t-2"), (ReplicaDeleted, "t-0")}


def test_a_fetch_of_the_old_epoch_that_waits_is_not_looked_at_by_leading_on():
    timeline = ran(*M1_AT_1_AND_3, {"send_fetch": {"broker": 3}})
    timeline.do({"deliver": {"kind": "fetch_request", "from": 3, "to": 1}})
    timeline.do({"hold": LOG_OF_1}, {"hold": {"kind": "metadata", "to": 3}})
    timeline.do({"elect": {"partition": "t-0", "kind": "preferred"}})
    timeline.do({"reassign": {"partition": "t-0", "replicas": [1, 2, 3]}})
    timeline.do({"elect": {"partition": "t-0", "kind": "preferred"}})

    timeline.do({"deliver": {**LOG_OF_1, "records": 3}})

    leading = timeline.leading(1)
    assert [parked.follower for parked in leading.parked] == [3]
    timeline.do({"timer": {"broker": 1, "kind": "long_poll", "follower": 3}})
    assert timeline.told(FetchRejected)[-1].error == "FENCED_LEADER_EPOCH"


def test_more_records_than_are_waiting_are_refused():
    timeline = deposed_unread()

    refused = timeline.refused({"deliver": {**LOG_OF_1, "records": 3}})

    assert refused.code == "too_few_records"
    assert refused.numbers == {"broker": 1, "waiting": 2, "records": 3}
    assert timeline.replica(1).leader_epoch == 0


def test_over_a_cut_link_nothing_is_read():
    cut = {"from": "controller", "to": 3}
    log = {"kind": "metadata", "to": 3}
    timeline = ran({"cut": cut}, *down(2))
    timeline.do({"reassign": {"partition": "t-0", "replicas": [1, 2, 3]}})

    assert timeline.refused({"deliver": {**log, "records": 2}}).code == "link_cut"

    timeline.do({"heal": cut}, {"deliver": {**log, "records": 2}})
    assert timeline.replica(3).partition_epoch == 2


@pytest.mark.parametrize("step", [{"deliver": {**LOG_OF_1, "records": 1}}, {"hold": LOG_OF_1}])
def test_under_zookeeper_there_is_no_metadata_log(step):
    timeline = ran(control="zookeeper")

    assert timeline.refused(step).code == "no_metadata_log"


def test_nothing_of_the_metadata_log_is_lost_with_a_connection():
    log = {"kind": "metadata_record", "from": "controller", "to": 1}

    assert deposed_unread().refused({"drop": log}).code == "metadata_is_read_again"


def test_a_held_log_stays_unread_whatever_else_happens():
    timeline = ran({"hold": LOG_OF_1}, *LED_BY_2_MEANWHILE[:1])

    timeline.do(SETTLE, {"run": {"ms": 60_000}}, {"fetch": {"broker": 3}})

    zombie = timeline.replica(1)
    assert zombie.leading is not None
    assert zombie.leader_epoch == 0


def test_who_reads_late_keeps_its_session_and_may_change_its_isr():
    timeline = ran({"hold": LOG_OF_1}, {"cut": {"from": 2, "to": 1}})

    timeline.do({"run": {"ms": 120_000}})

    registered = timeline.cluster.controller.broker(B1)
    assert registered.active
    assert timeline.registration().isr == (1, 3)


@pytest.mark.parametrize(("kafka", "said_why"), [("3.5", True), ("3.9", False)])
def test_an_isr_change_that_cost_an_epoch_is_taken_from_the_metadata(kafka, said_why):
    timeline = ran({"cut": {"from": 2, "to": 1}}, kafka=kafka)
    timeline.do({"advance": {"ms": 46_000}})
    request = {"kind": "alter_partition_request", "from": 1, "to": "controller"}
    answer = {"kind": "alter_partition_response", "from": "controller", "to": 1}
    timeline.do({"deliver": request})

    timeline.do({"deliver": answer})

    ignored = [
        happened
        for happened in timeline.told(ResponseIgnored)
        if happened.variant == "another_epoch"
    ]
    assert [(one.leader_epoch, one.own_leader_epoch) for one in ignored] == (
        [(1, 0)] if said_why else []
    )


@pytest.mark.parametrize(("kafka", "fenced"), [("3.2", True), ("3.3", False)])
def test_up_to_3_2_a_fenced_broker_must_have_read_everything(kafka: str, fenced: bool) -> None:
    """Broker 1 lost its session, and is registered as before; then the death of broker 3 is
    written (KAFKA-13959).
    """
    timeline = run(
        {"isolate": {"broker": 1, "from": "controller"}},
        {"detect": {"broker": 1}},
        {"heal": {"broker": 1}},
        {"hold": LOG_OF_1},
        *down(3),
        kafka=kafka,
        control="kraft",
        replicas=(2, 3, 1),
    )

    timeline.do({"timer": {"broker": 1, "kind": "heartbeat"}})

    assert timeline.cluster.controller.broker(B1).fenced is fenced
    if fenced:
        timeline.do({"release": LOG_OF_1}, SETTLE)
        assert timeline.cluster.controller.broker(B1).active


def test_once_released_the_log_can_be_read_one_by_one_by_itself():
    timeline = deposed_unread()

    timeline.do({"release": LOG_OF_1}, SETTLE)

    assert outcome_of(timeline, "m1") == ("failed", "NOT_LEADER_OR_FOLLOWER")


def test_once_released_everything_can_be_read_at_once():
    timeline = deposed_unread()

    timeline.do({"release": LOG_OF_1}, {"deliver": {**LOG_OF_1, "records": 2}})

    assert outcome_of(timeline, "m1") == ("acked", None)


def test_a_log_is_held_once_and_released_once():
    timeline = ran({"hold": LOG_OF_1})

    assert timeline.refused({"hold": LOG_OF_1}).code == "metadata_held_already"
    timeline.do({"release": LOG_OF_1})
    assert timeline.refused({"release": LOG_OF_1}).code == "no_such_message"


def test_a_hold_outlives_its_broker_which_stays_fenced_until_it_has_read_its_registration():
    timeline = ran({"hold": LOG_OF_1}, *down(1))

    timeline.do({"start": {"broker": 1}}, SETTLE)

    assert timeline.cluster.controller.broker(B1).fenced
    assert timeline.refused({"detect": {"broker": 1}}).code == "registration_unread"
    timeline.do({"release": LOG_OF_1}, SETTLE)
    assert timeline.cluster.controller.broker(B1).active
    assert 1 in timeline.registration().isr
