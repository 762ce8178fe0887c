"""Moving a partition to other brokers: what is added, what is removed, and when it is done.

Both controllers keep the target first in the list of replicas and whoever leaves behind it
(`PartitionReassignmentReplicas`, `ReplicaAssignment.reassignTo`, KIP-455). While it goes on every
old and new replica is a replica; who has to be in the ISR for it to end differs by release.
"""

from typing import Literal

from msgspec import Struct

from sim_engine.identifiers import BrokerId
from sim_engine.kafka_history import Rules
from sim_engine.protocol.metadata import PartitionRegistration

WaitsFor = Literal["all", "added", "added_unless_fewer"]
"""Who has to be in the ISR before a move ends: all that stay; those that were added; those that
were added, but all that stay where the move leaves fewer replicas than there were."""


class Assignment(Struct, frozen=True, gc=False, kw_only=True):
    """The replicas of a partition, and who of them is coming or going."""

    replicas: tuple[BrokerId, ...]
    adding: tuple[BrokerId, ...] = ()
    removing: tuple[BrokerId, ...] = ()

    @property
    def in_progress(self) -> bool:
        """Whether replicas are being moved."""
        return bool(self.adding or self.removing)

    @property
    def target(self) -> tuple[BrokerId, ...]:
        """The replicas that are to stay, the preferred one first."""
        return tuple(replica for replica in self.replicas if replica not in self.removing)


def assignment_of(registration: PartitionRegistration) -> Assignment:
    """The assignment that the controller holds of a partition."""
    return Assignment(
        replicas=registration.replicas,
        adding=registration.adding_replicas,
        removing=registration.removing_replicas,
    )


def towards(registration: PartitionRegistration, target: tuple[BrokerId, ...]) -> Assignment:
    """The assignment that a move to `target` begins with; it replaces a move under way."""
    before = registration.replicas
    removing = tuple(sorted(replica for replica in before if replica not in target))
    return Assignment(
        replicas=(*target, *removing),
        adding=tuple(sorted(replica for replica in target if replica not in before)),
        removing=removing,
    )


def waits_for(rules: Rules) -> WaitsFor:
    """What a KRaft controller waits for (`maybeCompleteReassignment`): up to 3.7 the added
    replicas, then all (KAFKA-15665), from 4.3 the added ones unless there are to be fewer
    (KAFKA-19975)."""
    if rules.reassignment_waits_for_added:
        return "added_unless_fewer"
    return "all" if rules.reassignment_waits_for_all else "added"


def is_complete(assignment: Assignment, isr: tuple[BrokerId, ...], waits: WaitsFor = "all") -> bool:
    """Whether a move under way is done with this ISR; a ZooKeeper controller waits for all."""
    staying = set(isr) - set(assignment.removing)
    if not assignment.in_progress or not assignment.target or not staying:
        return False
    fewer = len(assignment.adding) < len(assignment.removing)
    all_needed = waits == "all" or (waits == "added_unless_fewer" and fewer)
    return staying.issuperset(assignment.target if all_needed else assignment.adding)
