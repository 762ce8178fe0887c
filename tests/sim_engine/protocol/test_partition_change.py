"""The records of a KRaft controller: Kafka's own cases of `PartitionChangeBuilderTest`, and when a
reassignment is complete (`PartitionReassignmentReplicas`).
"""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from sim_engine.identifiers import NO_LEADER, BrokerId, TopicPartition
from sim_engine.kafka_history import Rules
from sim_engine.protocol.controller.kraft.partition_change import (
    PartitionChange,
    is_complete,
    partition_change,
)
from sim_engine.protocol.controller.state import Assignment
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.versions import resolve_profile
from tests.sim_engine.builders import B1, B2, B3, B4


def rules(kafka: str = "4.1", **switched: bool) -> Rules:
    named = {name.replace("_", "-"): on for name, on in switched.items()}
    return resolve_profile(kafka, control="kraft", rules=named).rules


def partition(
    replicas: Sequence[int], isr: Sequence[int], leader: int = 1, **more: Any
) -> PartitionRegistration:
    more = {name: tuple(value) if "elr" in name else value for name, value in more.items()}
    return PartitionRegistration(
        partition=TopicPartition("foo-0"),
        replicas=tuple(map(BrokerId, replicas)),
        isr=tuple(map(BrokerId, isr)),
        leader=BrokerId(leader),
        **more,
    )


def change(
    before: PartitionRegistration,
    target_isr: Sequence[int] | None = None,
    *,
    acceptable: Iterable[int] = (1, 2, 3, 4),
    min_isr: int = 3,
    kafka: str = "4.1",
    **more: Any,
) -> PartitionChange | None:
    return partition_change(
        before,
        target_isr=before.isr if target_isr is None else tuple(map(BrokerId, target_isr)),
        acceptable=tuple(map(BrokerId, acceptable)),
        min_isr=min_isr,
        rules=rules(kafka),
        **more,
    )


FOO = partition([2, 1, 3], [2, 1, 3])


@pytest.mark.parametrize(
    ("election", "leader"), [("preferred", 2), ("online", None), ("unclean", None)]
)
def test_h20_a_valid_leader_stays_unless_the_preferred_one_is_asked_for(election, leader):
    found = change(FOO, acceptable=(1, 2), kafka="3.9", election=election)

    assert (found and found.leader) == leader


def test_h21_outside_the_isr_only_an_unclean_election_elects_a_leader():
    online = change(FOO, [3], acceptable=(1, 2), kafka="3.9")
    unclean = change(FOO, [3], acceptable=(1, 2), kafka="3.9", election="unclean")

    assert online == PartitionChange(isr=(B3,), leader=NO_LEADER)
    assert unclean == PartitionChange(
        isr=(B2,), leader=B2, leader_recovery_state="RECOVERING", leader_from="outside"
    )


@pytest.mark.parametrize(("kafka", "leader"), [("3.5", 1), ("3.6", None), ("4.1", None)])
def test_h22_a_shrinking_isr_bumped_the_leader_epoch_before_3_6(kafka, leader):
    assert change(FOO, [2, 1], kafka=kafka, min_isr=2) == PartitionChange(
        isr=(B2, B1), leader=leader
    )


@pytest.mark.parametrize("kafka", ["3.3", "3.9", "4.1"])
def test_h23_a_growing_isr_never_bumps_the_leader_epoch(kafka):
    before = partition([2, 1, 3], [2, 1])

    assert change(before, [2, 1, 3], kafka=kafka) == PartitionChange(isr=(B2, B1, B3))


def test_h25_a_clean_change_of_leader_leaves_the_recovery_state():
    before = partition([1, 2], [1, 2], leader_recovery_state="RECOVERING")

    found = change(before, [2], acceptable=(2,), min_isr=1)

    assert found == PartitionChange(isr=(B2,), leader=B2)


def test_h25_a_leader_already_recovering_is_not_marked_again():
    before = partition([1, 2], [1], leader_recovery_state="RECOVERING")

    found = change(before, [], acceptable=(2,), min_isr=1, kafka="3.9", election="unclean")

    assert found is not None
    assert (found.leader, found.leader_recovery_state) == (2, None)


def test_h26_a_replica_that_leaves_an_isr_below_min_isr_becomes_eligible():
    before = partition([1, 2, 3, 4], [1, 2, 3, 4])

    assert change(before, [1, 2]) == PartitionChange(isr=(B1, B2), elr=(B3, B4))


def test_h26_without_elr_no_replica_becomes_eligible():
    before = partition([1, 2, 3, 4], [1, 2, 3, 4])

    assert change(before, [1, 2], kafka="4.0") == PartitionChange(isr=(B1, B2))


def test_h27_an_isr_of_min_isr_clears_the_elr():
    before = partition([1, 2, 3, 4], [1, 2], elr=[3])

    assert change(before, [1, 2, 3]) == PartitionChange(isr=(B1, B2, B3), elr=())


def test_h28_a_new_member_that_leaves_the_isr_below_min_isr_changes_no_elr():
    before = partition([1, 2, 3, 4], [1], elr=[3])

    assert change(before, [1, 4]) == PartitionChange(isr=(B1, B4))


def test_h29_an_unclean_shutdown_leaves_the_elr():
    before = partition([1, 2, 3, 4], [1], elr=[2, 3])

    assert change(before, unclean_shutdown=3) == PartitionChange(elr=(B2,))


def test_h29_an_unclean_shutdown_of_an_isr_member_does_not_make_it_eligible():
    before = partition([1, 2, 3, 4], [1, 3], elr=[2])

    assert change(before, [1], unclean_shutdown=3) == PartitionChange(isr=(B1,))


def test_h30_a_member_of_the_elr_is_elected_cleanly_where_the_isr_is_empty():
    before = partition([1, 2, 3, 4], [1], elr=[3])

    found = change(before, [], acceptable=(2, 3, 4))

    assert found == PartitionChange(isr=(B3,), elr=(B1,), leader=B3, leader_from="elr")
    assert not found.unclean


def test_h30_while_the_isr_has_a_member_no_leader_is_elected_from_the_elr():
    before = partition([1, 2, 3, 4], [1, 2], elr=[3])

    found = change(before, [2], acceptable=(3,), kafka="4.1.0")

    assert found == PartitionChange(isr=(B2,), elr=(B1, B3), leader=NO_LEADER)


def test_h31_without_an_acceptable_replica_the_isr_empties_and_the_last_leader_is_stored():
    before = partition([1, 2, 3, 4], [1, 2, 3, 4])

    assert change(before, [], acceptable=()) == PartitionChange(
        isr=(), elr=(B1, B2, B3, B4), last_known_elr=(B1,), leader=NO_LEADER
    )


def test_h31_a_later_unclean_shutdown_leaves_the_last_known_leader():
    before = partition([1, 2, 3, 4], [], leader=-1, elr=[1, 2, 3, 4], last_known_elr=[1])

    assert change(before, acceptable=(), unclean_shutdown=2) == PartitionChange(elr=(B1, B3, B4))


def test_h31_without_elr_the_last_member_stays_in_the_isr():
    before = partition([1, 2, 3, 4], [1])

    assert change(before, [], acceptable=(), kafka="4.0") == PartitionChange(leader=NO_LEADER)


LAST_KNOWN = partition([1, 2, 3], [], leader=-1, last_known_elr=[1])


def test_h32_the_last_known_leader_is_elected_uncleanly():
    found = change(LAST_KNOWN, acceptable=(1, 2))

    assert found == PartitionChange(
        isr=(B1,),
        last_known_elr=(),
        leader=B1,
        leader_recovery_state="RECOVERING",
        leader_from="last_known_leader",
    )
    assert found.unclean


@pytest.mark.parametrize("election", ["online", "preferred"])
def test_h33_an_eligible_replica_that_is_away_blocks_the_last_known_leader(election):
    before = partition([1, 2, 3], [], leader=-1, elr=[3], last_known_elr=[1])

    assert change(before, acceptable=(1, 2), election=election) is None


def test_h33_two_of_them_are_no_last_known_leader():
    before = partition([1, 2, 3], [], leader=-1, last_known_elr=[1, 2])

    assert change(before, acceptable=(1, 2)) is None


def test_a_dead_last_known_leader_waits_from_4_1_on():
    in_4_0 = rules("4.0", KIP_966=True)
    asked: dict[str, Any] = {"target_isr": (), "acceptable": (2,), "min_isr": 2}

    elected = partition_change(LAST_KNOWN, rules=in_4_0, **asked)

    assert elected is not None
    assert (elected.leader, elected.isr) == (1, (1,))
    assert partition_change(LAST_KNOWN, rules=rules("4.1"), **asked) is None


def test_an_unclean_election_ends_elr_and_memory():
    before = partition([1, 2, 3], [], leader=-1, elr=[3], last_known_elr=[1])

    assert change(before, acceptable=(2,), election="unclean") == PartitionChange(
        isr=(B2,),
        elr=(),
        last_known_elr=(),
        leader=B2,
        leader_recovery_state="RECOVERING",
        leader_from="outside",
    )


def test_an_election_of_the_leader_that_leads_already_is_none():
    """`tryElection` only checks whether the leader changes."""
    before = partition([1, 2, 3], [1, 3])

    assert change(before, [3], acceptable=(1,), kafka="3.9", election="unclean") == PartitionChange(
        isr=(B3,)
    )


def test_a_proposal_of_the_leader_ends_recovering():
    before = partition([1, 2], [1], leader_recovery_state="RECOVERING")

    assert change(before, [1, 2], min_isr=1, recovered=True) == PartitionChange(
        isr=(B1, B2), leader_recovery_state="RECOVERED"
    )


def test_what_changes_nothing_is_not_written():
    assert change(FOO) is None
    assert change(FOO, recovered=True) is None


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
