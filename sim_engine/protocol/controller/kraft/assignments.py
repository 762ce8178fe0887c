"""How a KRaft controller computes the assignment of a reassignment, and when it is complete
(`PartitionReassignmentReplicas`, `PartitionReassignmentRevert`).

A reassignment starts from the current replicas, also if one is in progress, and the controller
applies only what differs (`ReplicationControlManager.changePartitionReassignment`).
"""

from typing import Literal

from msgspec import Struct

from sim_engine.identifiers import BrokerId
from sim_engine.kafka_history import Rules
from sim_engine.protocol.controller.reassignment import Assignment, assignment_of
from sim_engine.protocol.metadata import PartitionRegistration, without

WaitsFor = Literal["all", "added", "added_unless_fewer"]
"""The replicas that must be in the ISR before a reassignment completes: all target replicas; the
added ones; or the added ones, but all target replicas if the number of replicas decreases.
"""


def assignment_towards(
    registration: PartitionRegistration, target: tuple[BrokerId, ...]
) -> Assignment:
    """The assignment of a reassignment to `target`, which replaces one in progress.

    The added and the removed replicas are the differences from the current replicas. An empty
    difference is not applied: the list of the reassignment in progress stays. Replicas may then be
    added and removed at the same time, and the assignment may lead to other replicas than `target`.
    """
    before = registration.replicas
    removing = tuple(sorted(without(before, *target)))
    adding = tuple(sorted(without(target, *before)))
    return Assignment(
        replicas=(*target, *removing),
        adding=adding or registration.adding_replicas,
        removing=removing or registration.removing_replicas,
    )


class Reverted(Struct, frozen=True, gc=False, kw_only=True):
    """The replicas and the ISR after a reassignment is cancelled.

    `unclean` means that only added replicas were in the ISR: then the ISR is the first of the
    replicas, whose log may lack committed records.
    """

    assignment: Assignment
    isr: tuple[BrokerId, ...]
    unclean: bool


def reverted(registration: PartitionRegistration) -> Reverted:
    """The state of a partition after its reassignment is cancelled: without the added replicas, in
    the current order. The order before the reassignment is not known any more.
    """
    assignment = assignment_of(registration)
    isr = without(registration.isr, *assignment.adding)
    return Reverted(
        assignment=Assignment(replicas=assignment.original),
        isr=isr or assignment.original[:1],
        unclean=not isr,
    )


def waits_for(rules: Rules) -> WaitsFor:
    """The replicas that a KRaft controller waits for (`maybeCompleteReassignment`): up to 3.7 the
    added ones, then all (KAFKA-15665), and from 4.3 the added ones, or all if the number of
    replicas decreases (KAFKA-19975).
    """
    if rules.reassignment_waits_for_added:
        return "added_unless_fewer"
    return "all" if rules.reassignment_waits_for_all else "added"


def is_complete(assignment: Assignment, isr: tuple[BrokerId, ...], waits: WaitsFor) -> bool:
    """Whether a reassignment in progress is complete with this ISR."""
    staying = set(without(isr, *assignment.removing))
    if not assignment.in_progress or not assignment.target or not staying:
        return False
    fewer = len(assignment.adding) < len(assignment.removing)
    if waits == "all":
        return staying.issuperset(assignment.target)
    needs_all = waits == "added_unless_fewer" and fewer
    return staying.issuperset(assignment.adding) and (
        not needs_all or staying.issuperset(assignment.target)
    )


def never_completes(assignment: Assignment, waits: WaitsFor) -> bool:
    """Whether a reassignment waits for a replica that it also removes, so that no ISR completes
    it.
    """
    return waits != "all" and bool({*assignment.adding} & {*assignment.removing})
