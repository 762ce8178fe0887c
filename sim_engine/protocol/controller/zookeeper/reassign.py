"""Partition reassignment under ZooKeeper (`KafkaController.onPartitionReassignment`)."""

from msgspec.structs import replace

from sim_engine.events.controller import ReplicasReordered
from sim_engine.identifiers import NO_LEADER, BrokerId, TopicPartition
from sim_engine.protocol.controller.reassignment import (
    assignment_of,
    assignment_towards,
    is_complete,
)
from sim_engine.protocol.controller.state import (
    Controller,
    ControllerOutcome,
    Policies,
    elected_event,
    isr_shrunk_event,
    leader_lost_event,
    reassignment_completed_event,
    reassignment_started_event,
)
from sim_engine.protocol.controller.zookeeper.elections import ELECTION_SOURCES, SOURCES
from sim_engine.protocol.controller.zookeeper.update import ZooKeeperUpdate
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.versions import Profile


def reorder_replicas(
    controller: Controller,
    partition_name: TopicPartition,
    replicas: tuple[BrokerId, ...],
    profile: Profile,
    policies: Policies,
) -> ControllerOutcome:
    """Reorder the assignment, which increments the leader epoch (recorded on 1.1.1)."""
    update = ZooKeeperUpdate(controller, profile, policies)
    written = update.write_and_queue(
        replace(controller.partition(partition_name), replicas=replicas)
    )
    update.events.append(
        ReplicasReordered(
            rule="ZK-CONTROLLER-WRITE",
            sources=("KafkaController",),
            partition=written.partition,
            replicas=written.replicas,
            leader_epoch=written.leader_epoch,
        )
    )
    return update.outcome()


def reassign(
    controller: Controller,
    partition_name: TopicPartition,
    target: tuple[BrokerId, ...],
    profile: Profile,
    policies: Policies,
) -> ControllerOutcome:
    """Begin a reassignment: all replicas, old and new, receive a new leader epoch.

    If all target replicas are already in the ISR, the reassignment is completed immediately
    instead.
    """
    before = controller.partition(partition_name)
    assignment = assignment_towards(before, target)
    update = ZooKeeperUpdate(controller, profile, policies)
    update.events.append(reassignment_started_event(before, assignment, SOURCES))
    moving = replace(
        before,
        replicas=assignment.replicas,
        adding_replicas=assignment.adding,
        removing_replicas=assignment.removing,
    )
    if is_complete(assignment, before.isr):
        _complete(update, moving)
    else:
        update.write_and_queue(moving)
    return update.outcome()


def complete_reassignment(
    controller: Controller, partition_name: TopicPartition, profile: Profile, policies: Policies
) -> ControllerOutcome | None:
    """Complete a reassignment after the controller has read an ISR change. None if the reassignment
    is not complete.
    """
    before = controller.partition(partition_name)
    if not is_complete(assignment_of(before), before.isr):
        return None
    update = ZooKeeperUpdate(controller, profile, policies)
    _complete(update, before)
    return update.outcome()


def resume_or_complete(update: ZooKeeperUpdate, partition_name: TopicPartition) -> None:
    """Resume a reassignment in progress as a new controller, or complete it."""
    moving = update.controller.partition(partition_name)
    assignment = assignment_of(moving)
    if is_complete(assignment, moving.isr):
        _complete(update, moving)
    elif assignment.in_progress:
        update.write_and_queue(moving)


def resume(update: ZooKeeperUpdate, partition_name: TopicPartition, broker_id: BrokerId) -> None:
    """Resume a reassignment because one of its target brokers has returned: all replicas receive a
    new leader epoch (`maybeResumeReassignments`).
    """
    moving = update.controller.partition(partition_name)
    assignment = assignment_of(moving)
    if assignment.in_progress and broker_id in assignment.target:
        update.write_and_queue(moving)


def _complete(update: ZooKeeperUpdate, moving: PartitionRegistration) -> None:
    """Complete a reassignment: elect a leader among the target replicas, then remove the other
    replicas from the ISR one by one, each write with a new leader epoch, then send StopReplica
    (`onPartitionReassignment`, phase B).
    """
    assignment = assignment_of(moving)
    target = assignment.target
    before = replace(moving, replicas=target, adding_replicas=(), removing_replicas=())
    candidates = [replica for replica in target if replica in moving.isr and update.live(replica)]
    leader = moving.leader
    if candidates and (leader not in target or not update.live(leader)):
        leader = candidates[0]
    written = update.write(replace(before, leader=leader))
    if leader != moving.leader:
        update.events.append(elected_event(moving, written, "reassigned", ELECTION_SOURCES))
    gone = [replica for replica in assignment.removing if replica in moving.isr]
    for replica in gone:
        # If the leader is removed and no target replica can be elected, the partition has no leader
        # (`removeReplicasFromIsr`).
        written = update.write(
            replace(
                written,
                isr=tuple(member for member in written.isr if member != replica),
                leader=NO_LEADER if written.leader == replica else written.leader,
            )
        )
    if leader != NO_LEADER and written.leader == NO_LEADER:
        update.events.append(leader_lost_event(moving, written, SOURCES))
    if gone:
        update.events.append(
            isr_shrunk_event(
                written, gone, by="controller", rule="ZK-CONTROLLER-WRITE", sources=SOURCES
            )
        )
    update.queue_leader_and_isr(written, target)
    for replica in assignment.removing:
        update.stop(written, replica)
    update.events.append(reassignment_completed_event(written, SOURCES))
