"""Controller and broker epochs: commands from or for an earlier one are rejected."""

from typing import Any

import pytest

from sim_engine import Timeline, read_scenario_document
from sim_engine.events import Event
from sim_engine.events.controller import SessionExpired
from sim_engine.events.metadata import CommandFenced
from sim_engine.simulation.working_copy import RefusedError
from tests.sim_engine.builders import B3, PARTITION, told

STALE = {"kind": "leader_and_isr", "from": "controller", "to": 3}


def ran(*steps: dict[str, Any], kafka: str) -> Timeline:
    """A run of t-0 on brokers 1 to 3, led by 1, with one record on all of them."""
    timeline = Timeline(
        read_scenario_document(
            {
                "id": "ran",
                "kafka": kafka,
                "brokers": [1, 2, 3],
                "topics": [{"name": "t", "partitions": [{"replicas": [1, 2, 3]}]}],
                "steps": [{"produce": {"to": "t-0", "values": ["m1"]}}, {"settle": {}}, *steps],
            }
        )
    )
    timeline.run_all()
    return timeline


def with_a_late_command(kafka: str) -> Timeline:
    """Broker 1 has crashed; the controller's command about it to broker 3 is held."""
    timeline = ran(
        {"cut": {"from": "controller", "to": 3}},
        {"crash": {"broker": 1}},
        {"detect": {"broker": 1}},
        {"hold": STALE},
        {"heal": {"from": "controller", "to": 3}},
        kafka=kafka,
    )
    assert timeline.frames[timeline.head].cluster.replica(B3, PARTITION).leader_epoch == 0
    return timeline


def said(timeline: Timeline, kind: type[Event]) -> list[str | None]:
    return [happened.variant for happened in told(timeline, kind)]


def last(timeline: Timeline) -> Any:
    return timeline.frames[timeline.head].cluster


@pytest.mark.parametrize("kafka", ["0.10.2", "2.0.1", "2.8"])
def test_a_new_controller_sends_all_commands_again_and_the_old_ones_command_is_rejected(kafka):
    timeline = with_a_late_command(kafka)

    timeline.act(timeline.head, {"fail_controller": {}})

    assert last(timeline).controller.controller_epoch == 2
    follower = last(timeline).replica(3, "t-0")
    registration = last(timeline).controller.partition("t-0")
    assert (follower.leader, follower.leader_epoch) == (2, registration.leader_epoch)

    timeline.act(timeline.head, {"release": STALE})
    timeline.act(timeline.head, {"deliver": STALE})
    assert said(timeline, CommandFenced) == ["STALE_CONTROLLER_EPOCH"]
    assert last(timeline).replica(3, "t-0") == follower


def test_without_a_new_controller_the_late_command_is_obeyed():
    timeline = with_a_late_command("2.0.1")

    timeline.act(timeline.head, {"release": STALE})
    timeline.act(timeline.head, {"deliver": STALE})

    assert said(timeline, CommandFenced) == []
    assert last(timeline).replica(3, "t-0").leader == 2


def test_a_new_controller_elects_leaders_for_leaderless_partitions():
    timeline = ran(
        {"crash": {"broker": 2}},
        {"detect": {"broker": 2}},
        {"crash": {"broker": 3}},
        {"detect": {"broker": 3}},
        {"crash": {"broker": 1}},
        {"detect": {"broker": 1}},
        {"boot": {"broker": 1}},
        kafka="2.8",
    )
    assert last(timeline).controller.partition("t-0").leader == -1
    before = last(timeline).controller.partition("t-0").leader_epoch

    # The broker's session is noticed before or by the new controller; nothing is elected twice.
    timeline.act(timeline.head, {"detect": {"broker": 1}})
    timeline.act(timeline.head, {"fail_controller": {}})

    after = last(timeline).controller.partition("t-0")
    assert (after.leader, after.leader_epoch) == (1, before + 1)


def test_an_isr_change_that_the_old_controller_did_not_answer_is_asked_of_the_new_one():
    timeline = ran(
        {"crash": {"broker": 3}},
        {"detect": {"broker": 3}},
        {"start": {"broker": 3}},
        {"fetch": {"broker": 3}},
        kafka="2.8",
    )
    (asked,) = [
        message for message in last(timeline).messages if message.kind == "alter_partition_request"
    ]

    timeline.act(timeline.head, {"fail_controller": {}})

    (again,) = [
        message for message in last(timeline).messages if message.kind == "alter_partition_request"
    ]
    assert again.id > asked.id
    timeline.act(timeline.head, {"settle": {}})
    assert set(last(timeline).controller.partition("t-0").isr) == {1, 2, 3}


def test_kraft_has_no_controller_among_the_brokers_to_fail():
    timeline = ran(kafka="3.9")

    with pytest.raises(RefusedError) as refused:
        timeline.act(timeline.head, {"fail_controller": {}})

    assert refused.value.code == "controller_is_a_quorum"


def test_a_bounce_is_a_failure_and_a_start_from_2_2_on():
    timeline = ran({"crash": {"broker": 1}}, {"boot": {"broker": 1}}, kafka="2.3")

    timeline.act(timeline.head, {"detect": {"broker": 1}})

    assert said(timeline, SessionExpired) == [None]
    assert last(timeline).controller.partition("t-0").leader == 2
    assert last(timeline).controller.broker(1).broker_epoch == 4


@pytest.mark.parametrize(("kafka", "leader"), [("2.1", 1), ("2.3", 2)])
def test_before_2_2_a_bounce_is_not_seen_by_itself_and_brings_no_command(kafka, leader):
    timeline = ran({"crash": {"broker": 1}}, {"boot": {"broker": 1}}, kafka=kafka)

    timeline.act(timeline.head, {"run": {"ms": 5_000}})

    assert last(timeline).controller.partition("t-0").leader == leader
    assert last(timeline).replica(1, "t-0").role == ("none" if leader == 1 else "follower")


@pytest.mark.parametrize(("kafka", "fenced"), [("2.1", []), ("2.3", ["STALE_BROKER_EPOCH"])])
def test_a_command_for_an_earlier_start_of_a_broker_is_refused_from_2_2_on(kafka, fenced):
    timeline = ran(
        {"crash": {"broker": 3}},
        {"crash": {"broker": 1}},
        {"detect": {"broker": 1}},
        {"boot": {"broker": 3}},
        {"deliver": STALE},
        kafka=kafka,
    )

    assert said(timeline, CommandFenced) == fenced
    assert last(timeline).replica(3, "t-0").role == ("none" if fenced else "follower")
