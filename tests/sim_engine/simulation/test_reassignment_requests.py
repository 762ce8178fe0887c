"""Requests for a reassignment: which brokers must be alive, and what changes nothing, by controller
and release.
"""

from typing import Any

import pytest

from sim_engine import LANGUAGES, Timeline, read_scenario_document
from sim_engine.events import Event
from sim_engine.events.controller import ReassignmentDropped, ReassignmentRepeated
from sim_engine.narration import sentence_of
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.simulation.working_copy import RefusedError
from tests.sim_engine.builders import PARTITION

Step = dict[str, Any]
SETTLE: Step = {"settle": {}}


def run(
    *steps: Step, kafka: str, replicas: list[int], control: str | None = None, **configs: Any
) -> Timeline:
    """A run of brokers 1 to 6 with one record in t-0, which begins on `replicas`."""
    timeline = Timeline(
        read_scenario_document(
            {
                "id": "requests",
                "kafka": kafka,
                **({} if control is None else {"control": control}),
                "brokers": [1, 2, 3, 4, 5, 6],
                "configs": {key.replace("_", "."): value for key, value in configs.items()},
                "topics": [{"name": "t", "partitions": [{"replicas": replicas}]}],
                "steps": [{"produce": {"to": "t-0", "values": ["m1"]}}, SETTLE, *steps],
            }
        )
    )
    timeline.run_all()
    for number in timeline.path(timeline.head):
        for happened in timeline.frames[number].events:
            for lang in LANGUAGES:
                said = sentence_of(happened, lang, strict=True)
                assert "–" not in said, said
    return timeline


def to(*replicas: int) -> Step:
    return {"reassign": {"partition": "t-0", "replicas": list(replicas)}}


CANCEL: Step = {"reassign": {"partition": "t-0", "replicas": None}}


def down(broker: int) -> tuple[Step, Step]:
    return {"crash": {"broker": broker}}, {"detect": {"broker": broker}}


def away(broker: int) -> Step:
    """The broker is alive for the controller, and cannot fetch."""
    return {"isolate": {"broker": broker, "from": "brokers"}}


def registration(timeline: Timeline) -> PartitionRegistration:
    return timeline.frames[timeline.head].cluster.controller.partition(PARTITION)


def assigned(timeline: Timeline) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The replicas, those that are being added, and those that are being removed."""
    now = registration(timeline)
    return now.replicas, now.adding_replicas, now.removing_replicas


def led(timeline: Timeline) -> tuple[int, tuple[int, ...]]:
    return registration(timeline).leader, registration(timeline).isr


def events(timeline: Timeline, kind: type[Event]) -> list[Any]:
    """The events of one kind, along the branch that ends at the head."""
    return [
        happened
        for number in timeline.path(timeline.head)
        for happened in timeline.frames[number].events
        if isinstance(happened, kind)
    ]


def refusal(timeline: Timeline, step: Step) -> str:
    with pytest.raises(RefusedError) as refused:
        timeline.act(timeline.head, step)
    return refused.value.code


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
    timeline = run(*down(3), kafka=kafka, replicas=[1, 2], control=control)

    if not accepted:
        assert refusal(timeline, to(2, 3)) == "new_replica_not_live"
        return
    timeline.act(timeline.head, to(2, 3))
    assert assigned(timeline) == ((2, 3, 1), (3,), (1,))
    timeline.act(timeline.head, {"start": {"broker": 3}})
    timeline.act(timeline.head, SETTLE)
    assert assigned(timeline) == ((2, 3), (), ())


@pytest.mark.parametrize(
    ("kafka", "accepted"), [("0.10.0", False), ("0.10.1", True), ("2.4", True)]
)
def test_a_dead_target_that_is_a_replica_already_is_refused_up_to_0_10_0(kafka, accepted):
    timeline = run(*down(2), kafka=kafka, replicas=[1, 2], control="zookeeper")

    if accepted:
        timeline.act(timeline.head, to(1, 2, 3))
        assert assigned(timeline)[0] == (1, 2, 3)
    else:
        assert refusal(timeline, to(1, 2, 3)) == "new_replica_not_live"


def test_from_2_4_the_same_target_again_needs_its_added_replicas_alive_again():
    timeline = run(away(3), to(2, 3), *down(3), kafka="2.8", replicas=[1, 2], control="zookeeper")

    assert refusal(timeline, to(2, 3)) == "new_replica_not_live"


@pytest.mark.parametrize(("kafka", "dropped"), [("0.10.0", True), ("0.10.1", False)])
def test_up_to_0_10_0_a_new_controller_drops_a_move_whose_target_is_dead(kafka, dropped):
    timeline = run(
        away(3), to(2, 3), *down(3), {"fail_controller": {}},
        kafka=kafka, replicas=[1, 2], control="zookeeper",
    )  # fmt: skip

    assert [event.variant for event in events(timeline, ReassignmentDropped)] == (
        ["dead"] if dropped else []
    )
    assert assigned(timeline) == ((2, 3, 1), *(((), ()) if dropped else ((3,), (1,))))


@pytest.mark.parametrize(("kafka", "adding"), [("1.1", ()), ("2.3", ()), ("2.4", (3,))])
def test_up_to_2_3_a_new_controller_takes_an_assigned_target_for_reached(kafka, adding):
    timeline = run(
        away(3), to(1, 2, 3), {"fail_controller": {}},
        kafka=kafka, replicas=[1, 2], control="zookeeper",
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
    timeline = run(kafka=kafka, replicas=[1, 2], control=control)
    before = registration(timeline)

    timeline.act(timeline.head, to(1, 2))

    after = registration(timeline)
    assert assigned(timeline) == ((1, 2), (), ())
    assert after.leader_epoch == before.leader_epoch + bumps
    assert after.partition_epoch == before.partition_epoch + bumps
    assert len(events(timeline, ReassignmentRepeated)) == 1


@pytest.mark.parametrize(("control", "bumps"), [("kraft", 0), ("zookeeper", 1)])
def test_the_target_in_progress_is_answered_without_error(control, bumps):
    timeline = run(away(3), to(2, 3), kafka="3.9", replicas=[1, 2], control=control)
    before = registration(timeline)

    timeline.act(timeline.head, to(2, 3))

    assert assigned(timeline) == ((2, 3, 1), (3,), (1,))
    assert registration(timeline).leader_epoch == before.leader_epoch + bumps


def test_all_replicas_in_progress_are_answered_without_error_by_kraft_and_change_nothing():
    timeline = run(*down(3), to(1, 3), to(1, 3, 2), kafka="4.3", replicas=[1, 2])

    assert assigned(timeline) == ((1, 3, 2), (3,), (2,))
    assert [event.variant for event in events(timeline, ReassignmentRepeated)] == ["kept"]


# --- elections ------------------------------------------------------------------------------


def test_a_new_reassignment_elects_nobody_uncleanly_under_kraft():
    """`changePartitionReassignment` does not read the setting, unlike a cancel."""
    timeline = run(
        *down(2), *down(1), {"config": {"unclean.leader.election.enable": True}}, to(3, 1),
        kafka="3.9", replicas=[1, 2],
    )  # fmt: skip
    assert led(timeline) == (-1, (1,))

    timeline = run(
        *down(1), *down(2), {"start": {"broker": 1}},
        {"config": {"unclean.leader.election.enable": True}}, to(3, 1),
        kafka="3.9", replicas=[1, 2],
    )  # fmt: skip
    assert led(timeline) == (-1, (2,))


def test_a_completed_reassignment_without_a_candidate_writes_no_election_under_zookeeper():
    """The leader is dead and nobody in the ISR is alive: B3 of `onPartitionReassignment` fails."""
    timeline = run(*down(2), *down(1), kafka="2.8", replicas=[1, 2], control="zookeeper")
    before = registration(timeline)
    assert led(timeline) == (-1, (1,))

    timeline.act(timeline.head, to(1))

    assert assigned(timeline) == ((1,), (), ())
    assert registration(timeline).leader_epoch == before.leader_epoch
