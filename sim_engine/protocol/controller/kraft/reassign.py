"""Giving a partition other replicas under KRaft.

A move ends with the leader's proposal of the ISR that it waits for: see `isr_changes.py`.
"""

from sim_engine.events.controller import ReplicasReordered
from sim_engine.identifiers import BrokerId, TopicPartition
from sim_engine.protocol.controller.kraft.elections import SOURCES, change_isr_and_elect
from sim_engine.protocol.controller.kraft.partition_change import PartitionChange
from sim_engine.protocol.controller.kraft.update import KRaftUpdate
from sim_engine.protocol.controller.reassignment import Assignment, towards
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
    """Write the assignment in another order; the leader epoch stays."""
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
    """Begin to move a partition to other brokers; only removing is done in the same record."""
    before = controller.partition(partition_name)
    assignment = towards(before, target)
    update = KRaftUpdate(controller, profile, policies)
    update.events.append(reassignment_started_event(before, assignment, SOURCES))
    change_isr_and_elect(update, before, before.isr, assignment=assignment)
    return update.outcome()


def complete_reassignment(
    controller: Controller, partition_name: TopicPartition, profile: Profile, policies: Policies
) -> None:
    """Nothing: the controller, which is asked for each ISR, has ended the move by its answer."""
