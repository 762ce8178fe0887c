"""Requests for a reassignment: which brokers must be alive, and what changes nothing, by controller
and release.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from sim_engine.events.controller import ReassignmentDropped, ReassignmentRepeated
from sim_engine.languages import LANGUAGES
from sim_engine.narration import sentence_of
from tests.sim_engine.runs import SETTLE, Run, Step, down, run

UNCLEAN = {"unclean.leader.election.enable": True}
CANCEL: Step = {"reassign": {"partition": "t-0", "replicas": None}}


def requested(*steps: Step, kafka: str, replicas: Sequence[int] = (1, 2), **more: Any) -> Run:
    """A run of brokers 1 to 6 with one record in t-0, which begins on `replicas`; every event has
    a complete sentence.
    """
    produce = {"produce": {"to": "t-0", "values": ["m1"]}}
    timeline = run(
        produce, SETTLE, *steps, kafka=kafka, brokers=range(1, 7), replicas=replicas, **more
    )
    for happened in timeline.events():
        for lang in LANGUAGES:
            said = sentence_of(happened, lang, strict=True)
            assert "–" not in said, said
    return timeline


def to(*replicas: int) -> Step:
    return {"reassign": {"partition": "t-0", "replicas": list(replicas)}}


def away(broker: int) -> Step:
    """The broker is alive for the controller, and cannot fetch."""
    return {"isolate": {"broker": broker, "from": "brokers"}}


def assigned(timeline: Run) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The replicas, those that are being added, and those that are being removed."""
    now = timeline.registration()
    return now.replicas, now.adding_replicas, now.removing_replicas


def led(timeline: Run) -> tuple[int, tuple[int, ...]]:
    return timeline.registration().leader, timeline.registration().isr


# --- which brokers must be alive ------------------------------------------------------------


@pytest.mark.parametrize(
    ("kafka", "control", "accepted"),
    [
        ("0.9", "zookeeper", False),
        ("0.10.0", "zookeeper", False),
        ("0.10.1", "zookeeper", True),
        ("2.3", "zookeeper", True),
        ("2.4", "zookeeper", False),
        ("3.9", "zookeeper", False),
        ("3.0", "kraft", True),
        ("4.3", "kraft", True),
    ],
)
def test_a_dead_target_is_waited_for_from_0_10_1_to_2_3_and_under_kraft(kafka, control, accepted):
    timeline = requested(*down(3), kafka=kafka, control=control)

    if not accepted:
        assert timeline.refused(to(2, 3)).code == "new_replica_not_live"
        return
    timeline.do(to(2, 3))
    assert assigned(timeline) == ((2, 3, 1), (3,), (1,))
    timeline.do({"start": {"broker": 3}}, SETTLE)
    assert assigned(timeline) == ((2, 3), (), ())


@pytest.mark.parametrize(
    ("kafka", "accepted"), [("0.10.0", False), ("0.10.1", True), ("2.4", True)]
)
def test_a_dead_target_that_is_a_replica_already_is_refused_up_to_0_10_0(kafka, accepted):
    timeline = requested(*down(2), kafka=kafka, control="zookeeper")

    if accepted:
        timeline.do(to(1, 2, 3))
        assert assigned(timeline)[0] == (1, 2, 3)
    else:
        assert timeline.refused(to(1, 2, 3)).code == "new_replica_not_live"


def test_from_2_4_the_same_target_again_needs_its_added_replicas_alive_again():
    timeline = requested(away(3), to(2, 3), *down(3), kafka="2.8", control="zookeeper")

    assert timeline.refused(to(2, 3)).code == "new_replica_not_live"


@pytest.mark.parametrize(("kafka", "dropped"), [("0.10.0", True), ("0.10.1", False)])
def test_up_to_0_10_0_a_new_controller_drops_a_move_whose_target_is_dead(kafka, dropped):
    timeline = requested(
        away(3), to(2, 3), *down(3), {"fail_controller": {}},
        kafka=kafka, control="zookeeper",
    )  # fmt: skip

    assert timeline.variants(ReassignmentDropped) == (["dead"] if dropped else [])
    assert assigned(timeline) == ((2, 3, 1), *(((), ()) if dropped else ((3,), (1,))))


@pytest.mark.parametrize(("kafka", "adding"), [("1.1", ()), ("2.3", ()), ("2.4", (3,))])
def test_up_to_2_3_a_new_controller_takes_an_assigned_target_for_reached(kafka, adding):
    timeline = requested(
        away(3), to(1, 2, 3), {"fail_controller": {}},
        kafka=kafka, control="zookeeper",
    )  # fmt: skip

    assert assigned(timeline) == ((1, 2, 3), adding, ())
    assert led(timeline) == (1, (1, 2))


# --- the same again -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kafka", "control", "bumps"),
    [("1.1", "zookeeper", 0), ("2.3", "zookeeper", 0), ("2.4", "zookeeper", 1),
     ("3.9", "zookeeper", 1), ("3.0", "kraft", 0), ("4.3", "kraft", 0)],
)  # fmt: skip
def test_the_list_in_force_is_answered_without_error(kafka, control, bumps):
    timeline = requested(kafka=kafka, control=control)
    before = timeline.registration()

    timeline.do(to(1, 2))

    after = timeline.registration()
    assert assigned(timeline) == ((1, 2), (), ())
    assert after.leader_epoch == before.leader_epoch + bumps
    assert after.partition_epoch == before.partition_epoch + bumps
    assert len(timeline.told(ReassignmentRepeated)) == 1


@pytest.mark.parametrize(("control", "bumps"), [("kraft", 0), ("zookeeper", 1)])
def test_the_target_in_progress_is_answered_without_error(control, bumps):
    timeline = requested(away(3), to(2, 3), kafka="3.9", control=control)
    before = timeline.registration()

    timeline.do(to(2, 3))

    assert assigned(timeline) == ((2, 3, 1), (3,), (1,))
    assert timeline.registration().leader_epoch == before.leader_epoch + bumps


def test_all_replicas_in_progress_are_answered_without_error_by_kraft_and_change_nothing():
    timeline = requested(*down(3), to(1, 3), to(1, 3, 2), kafka="4.3")

    assert assigned(timeline) == ((1, 3, 2), (3,), (2,))
    assert timeline.variants(ReassignmentRepeated) == ["kept"]


# --- elections ------------------------------------------------------------------------------


def test_a_new_reassignment_elects_nobody_uncleanly_under_kraft():
    """`changePartitionReassignment` does not read the setting, unlike a cancel."""
    timeline = requested(
        *down(2, 1), {"config": UNCLEAN}, to(3, 1),
        kafka="3.9",
    )  # fmt: skip
    assert led(timeline) == (-1, (1,))

    timeline = requested(
        *down(1, 2), {"start": {"broker": 1}},
        {"config": UNCLEAN}, to(3, 1),
        kafka="3.9",
    )  # fmt: skip
    assert led(timeline) == (-1, (2,))


def test_a_completed_reassignment_without_a_candidate_writes_no_election_under_zookeeper():
    """The leader is dead and nobody in the ISR is alive: B3 of `onPartitionReassignment` fails."""
    timeline = requested(*down(2, 1), kafka="2.8", control="zookeeper")
    before = timeline.registration()
    assert led(timeline) == (-1, (1,))

    timeline.do(to(1))

    assert assigned(timeline) == ((1,), (), ())
    assert timeline.registration().leader_epoch == before.leader_epoch
