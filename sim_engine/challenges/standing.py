"""What stands between the acknowledged records and their loss, counted."""

from msgspec import Struct

from sim_engine.documents.state import state_document
from sim_engine.simulation.timeline import Timeline


class RecordStanding(Struct, frozen=True, kw_only=True):
    """One acknowledged record: which replicas have it, running or not, which have it on disk, and
    which may lead cleanly."""

    value: str
    fate: str
    copies: tuple[int, ...]
    on_disk: tuple[int, ...]
    may_lead: tuple[int, ...]


def records_standing(timeline: Timeline) -> tuple[RecordStanding, ...]:
    """The acknowledged records of the newest frame, in the order in which they were sent."""
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
            RecordStanding(
                value=record.value,
                fate=str(record.fate),
                copies=tuple(sorted(holding)),
                on_disk=tuple(sorted(broker for broker, flushed in holding.items() if flushed)),
                may_lead=tuple(sorted({*partition.isr, *partition.elr})),
            )
        )
    return tuple(found)
