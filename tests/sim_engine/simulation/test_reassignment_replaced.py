"""A reassignment that meets one in progress: replaced, withdrawn or cancelled."""

import pytest

from sim_engine.events.controller import (
    ReassignmentCancelled,
    ReassignmentDropped,
    ReassignmentStarted,
    ReplicasReordered,
)
from sim_engine.events.log import ReplicaDeleted
from tests.sim_engine.runs import SETTLE, down
from tests.sim_engine.simulation.test_reassignment_requests import (
    CANCEL,
    UNCLEAN,
    assigned,
    away,
    led,
    requested,
    to,
)

# --- one that meets another: ZooKeeper ------------------------------------------------------


@pytest.mark.parametrize("kafka", ["2.4", "2.8", "3.4.1", "3.9"])
def test_a_zookeeper_controller_replaces_one_from_the_original_replicas(kafka):
    """[1, 2] to [3, 4], replaced by [3, 5]: 4 is stopped at once (`ReplicaAssignment`)."""
    timeline = requested(
        away(4), away(5), to(3, 4), {"run": {"ms": 100}}, to(3, 5),
        kafka=kafka, control="zookeeper",
    )  # fmt: skip

    assert assigned(timeline) == ((3, 5, 1, 2), (3, 5), (1, 2))
    assert not timeline.has_replica(4)
    started = timeline.told(ReassignmentStarted)[-1]
    assert (started.variant, started.stopped) == ("replaced", (4,))


@pytest.mark.parametrize("kafka", ["2.4", "2.8", "3.9"])
@pytest.mark.parametrize("withdraw", [to(1, 2), CANCEL])
def test_withdrawing_one_under_zookeeper_can_leave_no_leader(kafka, withdraw):
    """KAFKA-14424: 3 has the only live copy, and is no replica of the originals [1, 2]."""
    timeline = requested(
        away(4), to(3, 4), {"fetch": {"broker": 3}}, {"fetch": {"broker": 3}}, {"run": {"ms": 100}},
        *down(2, 1), withdraw,
        kafka=kafka, control="zookeeper",
    )  # fmt: skip

    assert assigned(timeline) == ((1, 2), (), ())
    assert led(timeline) == (-1, (3,))
    assert not timeline.has_replica(3)
    assert [event.stopped for event in timeline.told(ReassignmentCancelled)] == [(3, 4)]


@pytest.mark.parametrize("withdraw", [to(1, 2), CANCEL])
def test_withdrawing_one_under_zookeeper_removes_the_added_replicas_at_once(withdraw):
    timeline = requested(away(4), to(3, 4), {"run": {"ms": 500}}, kafka="2.8", control="zookeeper")
    before = timeline.registration()
    assert before.isr == (1, 2, 3)

    timeline.do(withdraw)

    after = timeline.registration()
    assert (after.replicas, after.isr, after.leader) == ((1, 2), (1, 2), 1)
    # One write removes 3 from the ISR, and one sends the remaining replicas a new epoch.
    assert after.leader_epoch == before.leader_epoch + 2


def test_the_order_before_a_reassignment_is_not_restored():
    """[1, 2, 3] to [3, 4, 2] has [3, 4, 2, 1] meanwhile (`updateCurrentReassignment`)."""
    for control in ("zookeeper", "kraft"):
        timeline = requested(
            away(4), to(3, 4, 2), CANCEL, kafka="3.9", replicas=[1, 2, 3], control=control
        )

        assert assigned(timeline) == ((3, 2, 1), (), ())


def test_up_to_2_3_a_reassignment_cannot_be_cancelled_or_replaced():
    timeline = requested(away(3), to(2, 3), kafka="2.3", control="zookeeper")

    assert timeline.refused(CANCEL).code == "reassignment_cannot_be_cancelled"
    assert timeline.refused(to(1, 2)).code == "reassignment_in_progress"
    assert timeline.refused(to(2, 3)).code == "reassignment_in_progress"


@pytest.mark.parametrize(("kafka", "waits"), [("0.10.2", True), ("2.3", True), ("2.4", False)])
def test_up_to_2_3_a_new_order_waits_until_all_replicas_are_in_the_isr(kafka, waits):
    """`onPartitionReassignment` asks `areReplicasInIsr` for equal sets too."""
    lone = ({"crash": {"broker": 2}}, {"detect": {"broker": 2}}, SETTLE)
    timeline = requested(*lone, to(2, 1), SETTLE, kafka=kafka, control="zookeeper")
    ordered = timeline.registration()

    assert (ordered.replicas, ordered.isr, ordered.reorders_replicas) == ((2, 1), (1,), waits)
    assert timeline.variants(ReassignmentStarted) == (["reordering"] if waits else [])
    if waits:
        assert timeline.refused(to(1, 2)).code == "reassignment_in_progress"

    timeline.do({"start": {"broker": 2}}, SETTLE)
    back = timeline.registration()

    # While it waits, the return writes one epoch and the completion another.
    assert back.leader_epoch == ordered.leader_epoch + (2 if waits else 0)
    assert (back.isr, back.reorders_replicas) == ((1, 2), False)


def test_a_new_order_is_complete_at_once_if_all_replicas_are_in_the_isr():
    timeline = requested(to(2, 1), kafka="2.3", control="zookeeper")

    assert len(timeline.told(ReplicasReordered)) == 1
    assert not timeline.registration().reorders_replicas


def test_a_new_controller_takes_a_new_order_for_reached():
    lone = ({"crash": {"broker": 2}}, {"detect": {"broker": 2}}, SETTLE)
    timeline = requested(*lone, to(2, 1), {"fail_controller": {}}, kafka="2.3", control="zookeeper")

    assert timeline.variants(ReassignmentDropped) == [None]
    assert not timeline.registration().reorders_replicas


# --- one that meets another: KRaft ----------------------------------------------------------


@pytest.mark.parametrize("kafka", ["3.0", "3.7", "3.9", "4.1", "4.3"])
def test_a_kraft_controller_keeps_the_lists_that_come_out_empty(kafka):
    """Recorded on 3.9.2 and 4.3.1: [1, 2] to [1, 3], then to [1, 2, 3], ends with [1, 3]."""
    timeline = requested(*down(3), to(1, 3), to(1, 2, 3), kafka=kafka, control="kraft")

    assert assigned(timeline) == ((1, 2, 3), (3,), (2,))
    started = timeline.told(ReassignmentStarted)[-1]
    assert (started.variant, started.asked, started.target) == ("kept", (1, 2, 3), (1, 3))
    timeline.do({"start": {"broker": 3}}, SETTLE)
    assert assigned(timeline) == ((1, 3), (), ())


@pytest.mark.parametrize(
    ("kafka", "ends"),
    [("3.0", False), ("3.7", False), ("3.8", True), ("3.9", True), ("4.2", True), ("4.3", False)],
)
def test_withdrawing_one_under_kraft_ends_at_once_or_never(kafka, ends):
    """Recorded on 3.9.2 (at once) and 4.3.1 (never): 3 is added and removed at the same time."""
    timeline = requested(*down(3), to(1, 3), to(1, 2), kafka=kafka, control="kraft")

    if ends:
        assert assigned(timeline) == ((1, 2), (), ())
        return
    timeline.do({"start": {"broker": 3}}, SETTLE)
    assert assigned(timeline) == ((1, 2, 3), (3,), (3,))
    assert set(timeline.registration().isr) == {1, 2, 3}
    assert timeline.told(ReassignmentStarted)[-1].variant == "never_completes"
    timeline.do(CANCEL)
    assert assigned(timeline) == ((1, 2), (), ())


def test_two_lists_that_are_not_empty_replace_both():
    timeline = requested(*down(3, 4), to(1, 3), to(1, 4), kafka="3.9")

    assert assigned(timeline) == ((1, 4, 2, 3), (4,), (2, 3))
    assert timeline.told(ReassignmentStarted)[-1].variant == "replaced"


def test_a_target_within_the_one_in_progress_never_ends_from_4_3_on():
    """[2] to [3, 4] with 4 down, then [4]: 3.9.2 ends at [4], 4.3.1 never."""
    for kafka, ends in (("3.9", True), ("4.3", False)):
        timeline = requested(*down(4), to(3, 4), SETTLE, to(4), kafka=kafka, replicas=[2])
        assert assigned(timeline) == ((4, 2, 3), (3, 4), (2, 3))
        timeline.do({"start": {"broker": 4}}, SETTLE)

        assert (assigned(timeline) == ((4,), (), ())) is ends


def test_cancelling_under_kraft_takes_the_added_replicas_out_of_the_isr():
    timeline = requested(*down(4), to(3, 4), SETTLE, CANCEL, kafka="4.3")

    assert assigned(timeline) == ((1, 2), (), ())
    assert led(timeline) == (1, (1, 2))
    assert timeline.registration().leader_epoch == 1
    assert len(timeline.told(ReplicaDeleted)) == 1


def test_cancelling_moves_the_leader_from_an_added_replica():
    timeline = requested(
        *down(4), to(3, 4), SETTLE, *down(1), {"elect": {"partition": "t-0", "kind": "preferred"}},
        CANCEL, kafka="3.9",
    )  # fmt: skip

    assert led(timeline) == (2, (2,))


@pytest.mark.parametrize("control", ["kraft", "zookeeper"])
def test_without_a_reassignment_there_is_nothing_to_cancel(control):
    timeline = requested(kafka="3.9", control=control)

    assert timeline.refused(CANCEL).code == "no_reassignment"


ONLY_3_IS_LEFT = (*down(4), to(3, 4), SETTLE, *down(1, 2))


def test_cancelling_is_refused_if_it_needs_an_unclean_election():
    for kafka, unclean in (("3.9", False), ("4.3", False), ("3.8", True)):
        timeline = requested(
            *ONLY_3_IS_LEFT, kafka=kafka, configs={"unclean.leader.election.enable": unclean}
        )
        before = timeline.registration()

        assert timeline.refused(CANCEL).code == "cancel_needs_unclean_election"
        assert timeline.registration() == before


@pytest.mark.parametrize(("kafka", "known"), [("3.9", ()), ("4.3", (3,))])
def test_an_unclean_cancel_gives_the_isr_to_a_dead_replica(kafka, known):
    timeline = requested(*ONLY_3_IS_LEFT, CANCEL, kafka=kafka, configs=UNCLEAN)

    assert assigned(timeline) == ((1, 2), (), ())
    assert led(timeline) == (-1, (1,))
    assert timeline.registration().last_known_elr == known
    assert timeline.variants(ReassignmentCancelled) == ["unclean"]


def test_an_unclean_cancel_elects_a_live_replica():
    timeline = requested(
        *ONLY_3_IS_LEFT, {"start": {"broker": 2}}, CANCEL, kafka="3.9",
        configs=UNCLEAN,
    )  # fmt: skip

    assert led(timeline) == (2, (2,))
