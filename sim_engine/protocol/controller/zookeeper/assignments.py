"""How a ZooKeeper controller computes the assignment of a reassignment, and when it is complete
(`ReplicaAssignment`, `KafkaController`).

From 2.4 (KIP-455), a reassignment that replaces one in progress starts from the original replicas:
the current ones without those that are being added.
"""

from sim_engine.identifiers import BrokerId
from sim_engine.kafka_history import Rules
from sim_engine.protocol.controller.reassignment import Assignment
from sim_engine.protocol.metadata import without


def reassigned(assignment: Assignment, target: tuple[BrokerId, ...]) -> Assignment:
    """The assignment of a reassignment to `target`: the target replicas, then the original ones in
    their order (`ReplicaAssignment.reassignTo`).
    """
    original = assignment.original
    removing = without(original, *target)
    return Assignment(
        replicas=(*target, *removing), adding=without(target, *original), removing=removing
    )


def is_complete(assignment: Assignment, isr: tuple[BrokerId, ...]) -> bool:
    """Whether all target replicas are in the ISR, or none is moved (`isReassignmentComplete`)."""
    return not assignment.in_progress or {*assignment.target} <= {*isr}


def must_be_live(
    assignment: Assignment, target: tuple[BrokerId, ...], rules: Rules
) -> tuple[BrokerId, ...]:
    """The brokers that must be live when a reassignment is requested: up to 0.10.0 all target
    replicas; then none, because the reassignment waits for them (KAFKA-4214); from 2.4 the added
    ones (`KafkaController.validateReplicas`).
    """
    if rules.reassignment_can_be_replaced:
        return assignment.adding
    return () if rules.reassignment_waits_for_dead_brokers else target
