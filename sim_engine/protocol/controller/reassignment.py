"""A partition's assignment during a reassignment (KIP-455), and the reasons to refuse one.

The two kinds of controllers compute assignments differently: `zookeeper/assignments.py` from the
original replicas, `kraft/assignments.py` from the current ones.
"""

from typing import Literal

from msgspec import Struct

from sim_engine.identifiers import BrokerId
from sim_engine.protocol.metadata import PartitionRegistration, without


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
        return without(self.replicas, *self.removing)

    @property
    def original(self) -> tuple[BrokerId, ...]:
        """The replicas without those that are being added."""
        return without(self.replicas, *self.adding)


class ReassignmentRefusal(Struct, frozen=True, gc=False, kw_only=True):
    """Why a controller refuses to reassign a partition or to cancel its reassignment.

    `broker` is the broker that is the reason; null if there is none.
    """

    code: Literal[
        "cancel_needs_unclean_election",
        "new_replica_not_live",
        "no_reassignment",
        "reassignment_cannot_be_cancelled",
        "reassignment_fails",
        "reassignment_in_progress",
    ]
    broker: BrokerId | None = None


def assignment_of(registration: PartitionRegistration) -> Assignment:
    """A partition's assignment in the controller."""
    return Assignment(
        replicas=registration.replicas,
        adding=registration.adding_replicas,
        removing=registration.removing_replicas,
    )
