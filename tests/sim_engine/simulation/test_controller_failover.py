"""Controller and broker epochs: commands from or for an earlier one are rejected."""

import pytest

from sim_engine.events.controller import SessionExpired
from sim_engine.events.metadata import CommandFenced
from tests.sim_engine.builders import B1
from tests.sim_engine.runs import SETTLE, Run, Step, down, run

STALE = {"kind": "leader_and_isr", "from": "controller", "to": 3}


def ran(*steps: Step, kafka: str) -> Run:
    """A run of t-0 on brokers 1 to 3, led by 1, with one record on all of them."""
    return run({"produce": {"to": "t-0", "values": ["m1"]}}, SETTLE, *steps, kafka=kafka)


def with_a_late_command(kafka: str) -> Run:
    """Broker 1 has crashed; the controller's command about it to broker 3 is held."""
    timeline = ran(
        {"cut": {"from": "controller", "to": 3}},
        *down(1),
        {"hold": STALE},
        {"heal": {"from": "controller", "to": 3}},
        kafka=kafka,
    )
    assert timeline.replica(3).leader_epoch == 0
    return timeline


@pytest.mark.parametrize("kafka", ["0.10.2", "2.0.1", "2.8"])
def test_a_new_controller_sends_all_commands_again_and_the_old_ones_command_is_rejected(kafka):
    timeline = with_a_late_command(kafka)

    timeline.do({"fail_controller": {}})

    assert timeline.cluster.controller.controller_epoch == 2
    follower = timeline.replica(3)
    registration = timeline.registration()
    assert (follower.leader, follower.leader_epoch) == (2, registration.leader_epoch)

    timeline.do({"release": STALE}, {"deliver": STALE})
    assert timeline.variants(CommandFenced) == ["STALE_CONTROLLER_EPOCH"]
    assert timeline.replica(3) == follower


def test_without_a_new_controller_the_late_command_is_obeyed():
    timeline = with_a_late_command("2.0.1")

    timeline.do({"release": STALE}, {"deliver": STALE})

    assert timeline.variants(CommandFenced) == []
    assert timeline.replica(3).leader == 2


def test_a_new_controller_elects_leaders_for_leaderless_partitions():
    timeline = ran(*down(2, 3, 1), {"boot": {"broker": 1}}, kafka="2.8")
    assert timeline.leader == -1
    before = timeline.registration().leader_epoch

    # The broker's session is noticed before or by the new controller; nothing is elected twice.
    timeline.do({"detect": {"broker": 1}}, {"fail_controller": {}})

    after = timeline.registration()
    assert (after.leader, after.leader_epoch) == (1, before + 1)


def test_an_isr_change_that_the_old_controller_did_not_answer_is_asked_of_the_new_one():
    timeline = ran(*down(3), {"start": {"broker": 3}}, {"fetch": {"broker": 3}}, kafka="2.8")
    (asked,) = [
        message
        for message in timeline.cluster.messages
        if message.kind == "alter_partition_request"
    ]

    timeline.do({"fail_controller": {}})

    (again,) = [
        message
        for message in timeline.cluster.messages
        if message.kind == "alter_partition_request"
    ]
    assert again.id > asked.id
    timeline.do(SETTLE)
    assert set(timeline.registration().isr) == {1, 2, 3}


def test_kraft_has_no_controller_among_the_brokers_to_fail():
    timeline = ran(kafka="3.9")

    assert timeline.refused({"fail_controller": {}}).code == "controller_is_a_quorum"


def test_a_bounce_is_a_failure_and_a_start_from_2_2_on():
    timeline = ran({"crash": {"broker": 1}}, {"boot": {"broker": 1}}, kafka="2.3")

    timeline.do({"detect": {"broker": 1}})

    assert timeline.variants(SessionExpired) == [None]
    assert timeline.leader == 2
    assert timeline.cluster.controller.broker(B1).broker_epoch == 4


@pytest.mark.parametrize(("kafka", "leader"), [("2.1", 1), ("2.3", 2)])
def test_before_2_2_a_bounce_is_not_seen_by_itself_and_brings_no_command(kafka, leader):
    timeline = ran({"crash": {"broker": 1}}, {"boot": {"broker": 1}}, kafka=kafka)

    timeline.do({"run": {"ms": 5_000}})

    assert timeline.leader == leader
    assert timeline.replica(1).role == ("none" if leader == 1 else "follower")


@pytest.mark.parametrize(("kafka", "fenced"), [("2.1", []), ("2.3", ["STALE_BROKER_EPOCH"])])
def test_a_command_for_an_earlier_start_of_a_broker_is_refused_from_2_2_on(kafka, fenced):
    timeline = ran(
        {"crash": {"broker": 3}}, *down(1), {"boot": {"broker": 3}}, {"deliver": STALE}, kafka=kafka
    )

    assert timeline.variants(CommandFenced) == fenced
    assert timeline.replica(3).role == ("none" if fenced else "follower")
