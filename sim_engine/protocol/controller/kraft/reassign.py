"""Partition reassignment under KRaft (`ReplicationControlManager.alterPartitionReassignments`).

A reassignment ends when the leader proposes the ISR that it waits for: see `isr_changes.py`.
"""

from sim_engine.events.controller import ReassignmentRepeated, ReplicasReordered
from sim_engine.identifiers import BrokerId, TopicPartition
from sim_engine.protocol.controller.kraft.assignments import (
    assignment_towards,
    never_completes,
    reverted,
    waits_for,
)
from sim_engine.protocol.controller.kraft.elections import SOURCES, change_isr_and_elect
from sim_engine.protocol.controller.kraft.faults import ReplicaNotAssignedError
from sim_engine.protocol.controller.kraft.update import KRaftUpdate
from sim_engine.protocol.controller.reassignment import ReassignmentRefusal, assignment_of
from sim_engine.protocol.controller.state import (
    Controller,
    ControllerOutcome,
    Policies,
    reassignment_cancelled_event,
    reassignment_started_event,
)
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.versions import Profile


def reassign(
    controller: Controller,
    partition_name: TopicPartition,
    target: tuple[BrokerId, ...] | None,
    profile: Profile,
    policies: Policies,
) -> ControllerOutcome | ReassignmentRefusal:
    """Begin a reassignment, replace the one in progress, or cancel it (`target` is None). One that
    is already complete is also ended by the same record.

    The target replicas that are in force, or being reassigned to, write nothing. A new order of the
    replicas does not change the leader epoch.
    """
    update = KRaftUpdate(controller, profile, policies)
    before = controller.partition(partition_name)
    if target is None:
        return _cancel(update, before)
    try:
        _change(update, before, target)
    except ReplicaNotAssignedError as fault:
        # Here the exception only fails the request, with UNKNOWN_SERVER_ERROR.
        return ReassignmentRefusal(code="reassignment_fails", broker=fault.replica)
    return update.outcome()


def _change(
    update: KRaftUpdate, before: PartitionRegistration, target: tuple[BrokerId, ...]
) -> None:
    assignment = assignment_towards(before, target)
    if assignment == assignment_of(before):
        update.events.append(
            ReassignmentRepeated(
                variant=None if target == assignment.target else "kept",
                sources=("KIP-455", *SOURCES),
                partition=before.partition,
                asked=target,
                target=assignment.target,
                leader_epoch=before.leader_epoch,
            )
        )
    elif assignment.in_progress:
        update.events.append(
            reassignment_started_event(
                before,
                assignment,
                target,
                SOURCES,
                never_completes=never_completes(assignment, waits_for(update.profile.rules)),
            )
        )
    else:
        update.events.append(
            ReplicasReordered(
                rule="KRAFT-PARTITION-CHANGE",
                sources=SOURCES,
                partition=before.partition,
                replicas=target,
                leader_epoch=before.leader_epoch,
            )
        )
    change_isr_and_elect(
        update, before, before.isr, assignment=assignment, unclean_by_setting=False
    )


def _cancel(
    update: KRaftUpdate, before: PartitionRegistration
) -> ControllerOutcome | ReassignmentRefusal:
    """Cancel a reassignment (`cancelPartitionReassignment`). If only added replicas are in the ISR,
    this is an unclean election, and possible only if the topic allows it.
    """
    if not assignment_of(before).in_progress:
        return ReassignmentRefusal(code="no_reassignment")
    after = reverted(before)
    policy = update.policies[before.partition]
    allowed = update.profile.rules.unclean_election_by_setting
    if after.unclean and not (allowed and policy.unclean_leader_election_enable):
        return ReassignmentRefusal(code="cancel_needs_unclean_election")
    place = len(update.events)
    written = change_isr_and_elect(update, before, after.isr, assignment=after.assignment)
    assert written is not None, "the assignment changes"
    update.events.insert(
        place, reassignment_cancelled_event(before, written, SOURCES, unclean=after.unclean)
    )
    return update.outcome()


def complete_reassignment(
    controller: Controller, partition_name: TopicPartition, profile: Profile, policies: Policies
) -> None:
    """Return None: the controller decides each ISR change, and has already completed the
    reassignment with its response.
    """
