"""Partition reassignment: the added and removed replicas, and when it is complete.

Both controllers list the target replicas first and the removed ones after them
(`PartitionReassignmentReplicas`, `ReplicaAssignment.reassignTo`, KIP-455). While it is in progress,
the partition has all old and new replicas. Which of them must be in the ISR for it to complete
depends on the release.
"""

from typing import Literal

from msgspec import Struct

from sim_engine.identifiers import BrokerId
from sim_engine.kafka_history import Rules
from sim_engine.protocol.metadata import PartitionRegistration

WaitsFor = Literal["all", "added", "added_unless_fewer"]
"""The replicas that must be in the ISR before a reassignment completes: all target replicas; the
added ones; or the added ones, but all target replicas if the number of replicas decreases.
"""


class Assignment(Struct, frozen=True, gc=False, kw_only=True):
    """The replicas of a partition, and those that are being added or removed."""

    replicas: tuple[BrokerId, ...]
    adding: tuple[BrokerId, ...] = ()
    removing: tuple[BrokerId, ...] = ()

    @property
    def in_progress(self) -> bool:
        """Whether replicas are being moved."""
        return bool(self.adding or self.removing)

    @property
    def target(self) -> tuple[BrokerId, ...]:
        """The target replicas, the preferred leader first."""
        return tuple(replica for replica in self.replicas if replica not in self.removing)


def assignment_of(registration: PartitionRegistration) -> Assignment:
    """A partition's assignment in the controller."""
    return Assignment(
        replicas=registration.replicas,
        adding=registration.adding_replicas,
        removing=registration.removing_replicas,
    )


def assignment_towards(
    registration: PartitionRegistration, target: tuple[BrokerId, ...]
) -> Assignment:
    """The assignment at the start of a reassignment to `target`, which replaces one in progress."""
    before = registration.replicas
    removing = tuple(sorted(replica for replica in before if replica not in target))
    return Assignment(
        replicas=(*target, *removing),
        adding=tuple(sorted(replica for replica in target if replica not in before)),
        removing=removing,
    )


def waits_for(rules: Rules) -> WaitsFor:
    """The replicas that a KRaft controller waits for (`maybeCompleteReassignment`): up to 3.7 the
    added ones, then all (KAFKA-15665), and from 4.3 the added ones, or all if the number of
    replicas decreases (KAFKA-19975).
    """
    if rules.reassignment_waits_for_added:
        return "added_unless_fewer"
    return "all" if rules.reassignment_waits_for_all else "added"


def is_complete(assignment: Assignment, isr: tuple[BrokerId, ...], waits: WaitsFor = "all") -> bool:
    """Whether a reassignment in progress is complete with this ISR. A ZooKeeper controller waits
    for all target replicas.
    """
    staying = set(isr) - set(assignment.removing)
    if not assignment.in_progress or not assignment.target or not staying:
        return False
    fewer = len(assignment.adding) < len(assignment.removing)
    all_needed = waits == "all" or (waits == "added_unless_fewer" and fewer)
    return staying.issuperset(assignment.target if all_needed else assignment.adding)
