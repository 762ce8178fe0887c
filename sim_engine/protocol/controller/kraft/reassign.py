"""Partition reassignment under KRaft.

A reassignment ends when the leader proposes the ISR that it waits for: see `isr_changes.py`.
"""

from sim_engine.events.controller import ReplicasReordered
from sim_engine.identifiers import BrokerId, TopicPartition
from sim_engine.protocol.controller.kraft.elections import SOURCES, change_isr_and_elect
from sim_engine.protocol.controller.kraft.partition_change import PartitionChange
from sim_engine.protocol.controller.kraft.update import KRaftUpdate
from sim_engine.protocol.controller.reassignment import Assignment, assignment_towards
from sim_engine.protocol.controller.state import (
    Controller,
    ControllerOutcome,
    Policies,
    reassignment_started_event,
)
from sim_engine.versions import Profile


def reorder_replicas(
    controller: Controller,
    partition_name: TopicPartition,
    replicas: tuple[BrokerId, ...],
    profile: Profile,
    policies: Policies,
) -> ControllerOutcome:
    """Reorder the assignment; the leader epoch does not change."""
    update = KRaftUpdate(controller, profile, policies)
    before = controller.partition(partition_name)
    after = update.change_partition(
        before, PartitionChange(assignment=Assignment(replicas=replicas))
    )
    update.events.append(
        ReplicasReordered(
            rule="KRAFT-PARTITION-CHANGE",
            sources=SOURCES,
            partition=after.partition,
            replicas=replicas,
            leader_epoch=after.leader_epoch,
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
    """Begin a reassignment. One that only removes replicas is completed by the same record."""
    before = controller.partition(partition_name)
    assignment = assignment_towards(before, target)
    update = KRaftUpdate(controller, profile, policies)
    update.events.append(reassignment_started_event(before, assignment, SOURCES))
    change_isr_and_elect(update, before, before.isr, assignment=assignment)
    return update.outcome()


def complete_reassignment(
    controller: Controller, partition_name: TopicPartition, profile: Profile, policies: Policies
) -> None:
    """Return None: the controller decides each ISR change, and has already completed the
    reassignment with its response.
    """
