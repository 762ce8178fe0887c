"""Counts the copies that still protect acknowledged records from loss."""

from msgspec import Struct

from sim_engine.documents.state import state_document
from sim_engine.simulation.timeline import Timeline


class RecordCopies(Struct, frozen=True, kw_only=True):
    """One acknowledged record: the brokers that have it, whether running or not; those that have it
    on disk; and those that can be elected cleanly.
    """

    value: str
    fate: str
    copies: tuple[int, ...]
    on_disk: tuple[int, ...]
    may_lead: tuple[int, ...]


def record_copies(timeline: Timeline) -> tuple[RecordCopies, ...]:
    """The acknowledged records in the newest frame, in the order in which they were sent."""
    state = state_document(timeline.frames[timeline.head].cluster)
    found = []
    for record in state.clients.produced:
        if record.acked_frame is None or record.id is None or record.fate is None:
            continue
        replicas = state.replicas[record.partition]
        holding = {
            int(broker): kept.offset < replica.flushed
            for broker, replica in replicas.items()
            for kept in replica.log
            if kept.id == record.id
        }
        partition = state.partitions[record.partition]
        found.append(
            RecordCopies(
                value=record.value,
                fate=str(record.fate),
                copies=tuple(sorted(holding)),
                on_disk=tuple(sorted(broker for broker, flushed in holding.items() if flushed)),
                may_lead=tuple(sorted({*partition.isr, *partition.elr})),
            )
        )
    return tuple(found)
