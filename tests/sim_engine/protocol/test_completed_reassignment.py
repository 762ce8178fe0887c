"""When a reassignment under KRaft is complete (`PartitionReassignmentReplicas`)."""

import pytest

from sim_engine.protocol.controller.kraft.partition_change import is_complete
from sim_engine.protocol.controller.state import Assignment
from sim_engine.versions import resolve_profile


def done(kafka, replicas, adding, removing, isr):
    assignment = Assignment(replicas=replicas, adding=adding, removing=removing)
    return is_complete(assignment, isr, resolve_profile(kafka, control="kraft").rules)


@pytest.mark.parametrize(
    ("kafka", "complete"),
    [("3.7", True), ("3.8", False), ("3.9", False), ("4.2", False), ("4.3", True)],
)
def test_a_target_that_is_out_of_sync_holds_a_move_up_from_3_8_to_4_2(kafka, complete):
    """[0, 1, 2] to [1, 2, 3] while 2 is away: KAFKA-15665, KAFKA-19975."""
    assert done(kafka, (1, 2, 3, 0), (3,), (0,), (0, 1, 3)) is complete


@pytest.mark.parametrize(("kafka", "complete"), [("3.7", True), ("3.8", False), ("4.3", False)])
def test_a_move_to_fewer_replicas_waits_for_all_of_them_from_4_3_on_as_well(kafka, complete):
    """[0, 1, 2, 3, 4] to [2, 3, 4, 5] with only 0, 1 and 5 in sync would leave one."""
    assert done(kafka, (2, 3, 4, 5, 0, 1), (5,), (0, 1), (0, 1, 5)) is complete


@pytest.mark.parametrize("kafka", ["3.7", "3.9", "4.3"])
def test_a_reassignment_is_incomplete_in_any_release_without_a_target_replica_in_sync(kafka):
    assert not done(kafka, (2, 3, 1), (), (1,), (1,))
    assert not done(kafka, (1, 2, 3), (), (), (1, 2, 3))
    assert done(kafka, (2, 3, 1), (3,), (1,), (1, 2, 3))
