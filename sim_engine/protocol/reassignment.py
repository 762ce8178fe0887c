"""Moving a partition to other brokers: what is added, what is removed, and when it is done.

Both controllers keep the target first in the list of replicas and whoever leaves behind it
(`PartitionReassignmentReplicas`, `ReplicaAssignment.reassignTo`, KIP-455). While it goes on every
old and new replica is a replica; it is over when all that stay are in the ISR.
"""

from msgspec import Struct

from sim_engine.identifiers import BrokerId
from sim_engine.protocol.metadata import PartitionRegistration


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


def is_complete(assignment: Assignment, isr: tuple[BrokerId, ...]) -> bool:
    """Whether a move under way is done: all replicas that stay are in the ISR."""
    return assignment.in_progress and bool(assignment.target) and set(assignment.target) <= set(isr)
