"""A broker is told late: records read together, a metadata log held back, a command skipped."""

from typing import Any

import pytest

from sim_engine import Timeline, read_scenario_document
from sim_engine.cluster.state import ClusterState
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
from sim_engine.events.network import ResponseIgnored
from sim_engine.scenario_reader.to_document import scenario_document
from sim_engine.simulation.refusal import RefusedError
from tests.sim_engine.builders import B1, B3, PARTITION, told

LOG_OF_1 = {"kind": "metadata", "to": 1}
COMMAND_TO_1 = {"kind": "leader_and_isr", "from": "controller", "to": 1}

M1_AT_1_AND_3: tuple[dict[str, Any], ...] = (
    {"produce": {"to": "t-0", "values": ["m0"]}},
    {"fetch": {"broker": 2}},
    {"fetch": {"broker": 3}},
    {"fetch": {"broker": 2}},
    {"fetch": {"broker": 3}},
    {"produce": {"to": "t-0", "values": ["m1"]}},
    {"fetch": {"broker": 3}},
    {"fetch": {"broker": 3}},
)
"""Leader 1 has m1 unanswered; 3 has it too and has asked for what comes after it, 2 has not."""

LED_BY_2_MEANWHILE: tuple[dict[str, Any], ...] = (
    {"elect": {"partition": "t-0", "kind": "preferred", "leader": 2}},
    {"fetch": {"broker": 3}},
    {"crash": {"broker": 2}},
    {"detect": {"broker": 2}},
)
"""Epoch 1 led by 2, behind whom 3 cuts m1; epoch 2 led by 1, with the ISR 1, 3."""


def ran(*steps: dict[str, Any], kafka: str = "3.9", control: str = "kraft") -> Timeline:
    """A run of t-0 on brokers 1 to 3, led by 1 while 2 is preferred."""
    partition = {"replicas": [2, 1, 3], "leader": 1}
    timeline = Timeline(
        read_scenario_document(
            {
                "id": "ran",
                "kafka": kafka,
                "control": control,
                "brokers": [1, 2, 3],
                "configs": {"min.insync.replicas": 2, "unclean.leader.election.enable": False},
                "topics": [{"name": "t", "partitions": [partition]}],
                "steps": [],
            }
        )
    )
    for step in steps:
        timeline.act(timeline.head, step)
    return timeline


def deposed_unread(kafka: str = "3.9") -> Timeline:
    """Broker 1 was deposed and is leader again, and has read neither."""
    return ran(*M1_AT_1_AND_3, {"hold": LOG_OF_1}, *LED_BY_2_MEANWHILE, kafka=kafka)


def last(timeline: Timeline) -> ClusterState:
    return timeline.frames[timeline.head].cluster


def outcome_of(timeline: Timeline, value: str) -> tuple[str, str | None]:
    produced = next(one for one in last(timeline).clients.produced if one.value == value)
    return produced.outcome, produced.error


def act(timeline: Timeline, step: dict[str, Any]) -> None:
    timeline.act(timeline.head, step)


def refusal_of(timeline: Timeline, step: dict[str, Any]) -> RefusedError:
    with pytest.raises(RefusedError) as refused:
        act(timeline, step)
    return refused.value


# --- several records in one delivery -----------------------------------------------------------


@pytest.mark.parametrize("kafka", ["3.1", "3.3", "3.5", "3.9", "4.1"])
def test_a_leader_that_reads_of_its_deposition_and_its_next_election_at_once_leads_on(kafka):
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
    statuses = {one.name: one.status for one in timeline.frames[timeline.head].verdicts}
    assert statuses["LeaderCompleteness"] == "violated"
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
    assert set(kinds) == {
        (BecameFollower, "t-1"),
        (BecameLeader, "t-2"),
        (ReplicaDeleted, "t-0"),
    }


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


# --- a metadata log that is held back ----------------------------------------------------------


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


# --- a command that is skipped -----------------------------------------------------------------


def two_commands_queued(kafka: str = "2.8") -> Timeline:
    """Two LeaderAndIsr wait for broker 1: 2 leads in epoch 1, 1 leads in epoch 2."""
    return ran(
        *M1_AT_1_AND_3,
        {"timer": {"kind": "preferred_leader_check"}},
        {"hold": COMMAND_TO_1},
        {"deliver": {**COMMAND_TO_1, "to": 2}},
        {"deliver": {**COMMAND_TO_1, "to": 3}},
        *LED_BY_2_MEANWHILE[1:],
        kafka=kafka,
        control="zookeeper",
    )


@pytest.mark.parametrize("kafka", ["2.1", "2.4", "2.8", "3.9"])
def test_a_leader_that_never_gets_the_command_in_between_leads_on(kafka):
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


# --- what is offered and written ----------------------------------------------------------------


def offered(timeline: Timeline) -> list[dict[str, Any]]:
    return [choice.step for choice in timeline.choices(timeline.head) if choice.enabled]


def test_two_waiting_records_can_be_delivered_at_once_and_a_log_held_and_released():
    log = {"kind": "metadata_record", "from": "controller", "to": 1}

    held, free = offered(deposed_unread()), offered(ran())

    assert {"deliver": {**log, "records": 2}} in held
    assert {"deliver": {**log, "records": 1}} in held
    assert {"release": log} in held
    assert {"hold": log} in free
    assert {"hold": log} not in held
    assert not any("records" in (step.get("deliver") or {}) for step in free)


def test_a_queued_command_can_be_skipped_where_another_follows():
    assert {"deliver": {**COMMAND_TO_1, "skip": True}} in offered(two_commands_queued())


def test_a_file_says_it_in_few_words_and_is_written_as_it_is_read():
    document = {
        "id": "written",
        "kafka": "3.9",
        "brokers": [1, 2],
        "topics": [{"name": "t", "partitions": [{"replicas": [1, 2]}]}],
        "steps": [{"hold": LOG_OF_1}, {"deliver": {**LOG_OF_1, "records": 2}}],
    }

    read = read_scenario_document(document)

    log = {"kind": "metadata_record", "from": "controller", "to": 1}
    written = scenario_document(read)
    assert written["steps"] == [{"hold": log}, {"deliver": {**log, "records": 2}}]
    assert read_scenario_document(written).steps == read.steps
