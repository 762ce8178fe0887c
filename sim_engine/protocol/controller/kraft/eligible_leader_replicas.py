"""The events about eligible leader replicas (KIP-966): which replicas joined or left, and why."""

from collections.abc import Iterable, Iterator

from sim_engine.events import Event
from sim_engine.events.election import EligibleLeaderReplicasChanged, ElrCase
from sim_engine.identifiers import BrokerId
from sim_engine.protocol.metadata import PartitionRegistration


def elr_events(
    before: PartitionRegistration,
    after: PartitionRegistration,
    *,
    unclean_shutdown: BrokerId | None = None,
) -> Iterator[Event]:
    """Events for the replicas that a PartitionChangeRecord added to or removed from the ELR, with
    the reason.
    """
    joined = [member for member in after.elr if member not in before.elr]
    left = [member for member in before.elr if member not in after.elr]
    if joined:
        yield _changed_event("joined", joined, after)
    if unclean_shutdown is not None and unclean_shutdown in left:
        yield _changed_event("unclean_shutdown", [unclean_shutdown], after)
    elif left and not after.elr and after.leader == before.leader:
        yield _changed_event("cleared", left, after)


def elr_cleared_event(before: PartitionRegistration, after: PartitionRegistration) -> Event:
    """The event of a ClearElrRecord, which clears the ELR after a change of min.insync.replicas."""
    return _changed_event("config", before.elr, after)


def _changed_event(
    variant: ElrCase, replicas: Iterable[BrokerId], after: PartitionRegistration
) -> Event:
    return EligibleLeaderReplicasChanged(
        variant=variant,
        sources=("KIP-966", "PartitionChangeBuilder", "ReplicationControlManager"),
        partition=after.partition,
        replicas=tuple(replicas),
        isr=after.isr,
        elr=after.elr,
        partition_epoch=after.partition_epoch,
    )
