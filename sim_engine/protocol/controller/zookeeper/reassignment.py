"""Partition reassignment under ZooKeeper (`KafkaController.onPartitionReassignment`): the
assignment, when it is complete, and how it is resumed.

From 2.4 (KIP-455), a reassignment that replaces one in progress starts from the original replicas:
the current ones without those that are being added.
"""

from msgspec.structs import replace

from sim_engine.events.base import Event
from sim_engine.events.controller import (
    ReassignmentDropped,
    ReassignmentRepeated,
    ReplicasReordered,
)
from sim_engine.identifiers import NO_LEADER, BrokerId, LeaderEpoch, TopicPartition
from sim_engine.kafka_history import Rules
from sim_engine.protocol.controller import state
from sim_engine.protocol.controller.zookeeper.update import (
    ELECTION_SOURCES,
    SOURCES,
    ZooKeeperUpdate,
    remove_from_isr,
)
from sim_engine.protocol.messages import PartitionRegistration, without


def reassigned(assignment: state.Assignment, target: tuple[BrokerId, ...]) -> state.Assignment:
    """The assignment of a reassignment to `target`: the target replicas, then the original ones in
    their order (`ReplicaAssignment.reassignTo`).
    """
    original = assignment.original
    removing = without(original, *target)
    return state.Assignment(
        replicas=(*target, *removing), adding=without(target, *original), removing=removing
    )


def is_complete(assignment: state.Assignment, isr: tuple[BrokerId, ...]) -> bool:
    """Whether all target replicas are in the ISR, or none is moved (`isReassignmentComplete`)."""
    return not assignment.in_progress or {*assignment.target} <= {*isr}


def must_be_live(
    assignment: state.Assignment, target: tuple[BrokerId, ...], rules: Rules
) -> tuple[BrokerId, ...]:
    """The brokers that must be live when a reassignment is requested: up to 0.10.0 all target
    replicas; then none, because the reassignment waits for them (KAFKA-4214); from 2.4 the added
    ones (`KafkaController.validateReplicas`).
    """
    if rules.reassignment_can_be_replaced:
        return assignment.adding
    return () if rules.reassignment_waits_for_dead_brokers else target


def reassign(
    at: state.Situation, partition_name: TopicPartition, target: tuple[BrokerId, ...] | None
) -> state.ControllerOutcome | state.ReassignmentRefusal:
    """Begin a reassignment, replace the one in progress, or cancel it (`target` is None): every
    replica receives a new leader epoch.

    If all target replicas are already in the ISR, the reassignment is completed immediately
    instead. From 2.4, replicas that the new assignment does not contain are stopped and deleted
    first, whatever they have (`updateCurrentReassignment`).
    """
    update = ZooKeeperUpdate(at)
    before = at.controller.partition(partition_name)
    current = state.assignment_of(before)
    asked = current.original if target is None else target
    assignment = reassigned(current, asked)
    refusal = _refusal(update, current, assignment, target)
    if refusal is not None:
        return refusal
    if asked == before.replicas and not at.rules.reassignment_can_be_replaced:
        update.events.append(_repeated_event(before, current, asked, writes=False))
        return update.outcome()
    moving = update.assign(before, assignment)
    update.events.append(_event(before, moving, asked))
    moving = _stop(update, moving, before.replicas)
    if is_complete(assignment, moving.isr):
        _complete(update, moving)
    else:
        update.write_and_queue(moving)
    return update.outcome()


def _refusal(
    update: ZooKeeperUpdate,
    current: state.Assignment,
    assignment: state.Assignment,
    target: tuple[BrokerId, ...] | None,
) -> state.ReassignmentRefusal | None:
    """Up to 2.3 a reassignment in progress stays (KIP-455). A cancelled one is not validated."""
    rules = update.profile.rules
    if not rules.reassignment_can_be_replaced:
        if target is None:
            return state.ReassignmentRefusal(code="reassignment_cannot_be_cancelled")
        if current.in_progress:
            return state.ReassignmentRefusal(code="reassignment_in_progress")
    if target is None:
        return None if current.in_progress else state.ReassignmentRefusal(code="no_reassignment")
    if target == current.replicas and not current.in_progress:
        return None
    for broker_id in must_be_live(assignment, target, rules):
        if not update.may_lead(broker_id):
            return state.ReassignmentRefusal(code="new_replica_not_live", broker=broker_id)
    return None


def _event(
    before: PartitionRegistration, moving: PartitionRegistration, asked: tuple[BrokerId, ...]
) -> Event:
    was, now = state.assignment_of(before), state.assignment_of(moving)
    if now == was:
        return _repeated_event(before, was, asked, writes=True)
    if now.in_progress:
        return state.reassignment_started_event(before, now, asked, SOURCES)
    if was.in_progress:
        return state.reassignment_cancelled_event(before, moving, SOURCES)
    return ReplicasReordered(
        rule="ZK-CONTROLLER-WRITE",
        sources=("KafkaController",),
        partition=before.partition,
        replicas=asked,
        leader_epoch=LeaderEpoch(before.leader_epoch + 1),
    )


def _repeated_event(
    before: PartitionRegistration,
    assignment: state.Assignment,
    asked: tuple[BrokerId, ...],
    *,
    writes: bool,
) -> Event:
    return ReassignmentRepeated(
        variant="epoch" if writes else None,
        sources=("KIP-455", *SOURCES),
        partition=before.partition,
        asked=asked,
        target=assignment.target,
        leader_epoch=LeaderEpoch(before.leader_epoch + int(writes)),
    )


def complete_reassignment(
    at: state.Situation, partition_name: TopicPartition
) -> state.ControllerOutcome | None:
    """Complete a reassignment after an ISR change. None if the ISR does not complete it."""
    before = at.controller.partition(partition_name)
    assignment = state.assignment_of(before)
    if not assignment.in_progress or not is_complete(assignment, before.isr):
        return None
    update = ZooKeeperUpdate(at)
    _complete(update, before)
    return update.outcome()


def resume_as_new_controller(update: ZooKeeperUpdate, partition_name: TopicPartition) -> None:
    """Resume a reassignment in progress as a new controller, or complete it.

    Up to 2.3, only the target replicas are stored (in /admin/reassign_partitions). A reassignment
    whose target is the assignment in force counts as complete, and up to 0.10.0 one whose target
    replicas are not all live fails. Both end without a write, and all current replicas stay.
    """
    rules = update.profile.rules
    moving = update.controller.partition(partition_name)
    assignment = state.assignment_of(moving)
    needed = must_be_live(assignment, assignment.target, rules)
    is_dead = not all(update.may_lead(broker_id) for broker_id in needed)
    if rules.reassignment_can_be_replaced or not assignment.in_progress:
        _resume(update, moving)
    elif assignment.target == moving.replicas or is_dead:
        update.assign(moving, state.Assignment(replicas=moving.replicas))
        update.events.append(
            ReassignmentDropped(
                variant="dead" if assignment.target != moving.replicas else None,
                partition=partition_name,
                target=assignment.target,
                replicas=moving.replicas,
            )
        )
    else:
        _resume(update, moving)


def resume(update: ZooKeeperUpdate, partition_name: TopicPartition, broker_id: BrokerId) -> None:
    """Resume a reassignment of which a target broker has returned (`maybeResumeReassignments`)."""
    moving = update.controller.partition(partition_name)
    if broker_id in state.assignment_of(moving).target:
        _resume(update, moving)


def _resume(update: ZooKeeperUpdate, moving: PartitionRegistration) -> None:
    """Send every replica a new leader epoch, or complete the reassignment."""
    assignment = state.assignment_of(moving)
    if not assignment.in_progress:
        return
    if is_complete(assignment, moving.isr):
        _complete(update, moving)
    else:
        update.write_and_queue(moving)


def _complete(update: ZooKeeperUpdate, moving: PartitionRegistration) -> None:
    """Complete a reassignment: elect a leader among the target replicas, then remove the other
    replicas from the ISR one by one, each write with a new leader epoch, then send StopReplica
    (`onPartitionReassignment`, phase B).

    If the leader has to change and no target replica can be elected, nothing is written for the
    election.
    """
    was = state.assignment_of(moving)
    target = was.target
    written = update.assign(moving, state.Assignment(replicas=target))
    if moving.leader in target and update.may_lead(moving.leader):
        written = update.write(written)
    else:
        candidates = (one for one in target if one in moving.isr and update.may_lead(one))
        leader = next(candidates, NO_LEADER)
        if leader != NO_LEADER:
            written = update.write(replace(written, leader=leader))
            update.events.append(
                state.elected_event(moving, written, "reassigned", ELECTION_SOURCES)
            )
    update.queue_leader_and_isr(written, target)
    written = _stop(update, written, moving.replicas)
    if was.in_progress:
        update.events.append(state.reassignment_completed_event(written, SOURCES))


def _stop(
    update: ZooKeeperUpdate, after: PartitionRegistration, replicas: tuple[BrokerId, ...]
) -> PartitionRegistration:
    """Stop and delete those of `replicas` that are not assigned any more: they leave the ISR one by
    one, each with a new leader epoch (`stopRemovedReplicasOfReassignedPartition`).
    """
    removed = without(replicas, *after.replicas)
    for replica in removed:
        after = remove_from_isr(update, after, replica)
    for replica in removed:
        update.stop(after, replica)
    return after
