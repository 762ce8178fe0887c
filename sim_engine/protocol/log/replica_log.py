"""A replica's log: records at consecutive offsets. One record is one batch."""

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.identifiers import FIRST_OFFSET, Offset
from sim_engine.records import Record


class ReplicaLog(Struct, frozen=True, gc=False):
    """The records of one replica, without gaps. Invariant: `records[i].offset == log_start_offset +
    i`.
    """

    records: tuple[Record, ...] = ()
    log_start_offset: Offset = FIRST_OFFSET

    @property
    def log_end_offset(self) -> Offset:
        """The offset of the next record (LEO, exclusive)."""
        return Offset(self.log_start_offset + len(self.records))


def append(log: ReplicaLog, *records: Record) -> ReplicaLog:
    """The log with these records appended. Returns the same object if there are none. Their offsets
    must continue the log.
    """
    if not records:
        return log
    assert all(
        record.offset == log.log_end_offset + index for index, record in enumerate(records)
    ), "the records continue the log"
    return replace(log, records=log.records + records)


def read_from(
    log: ReplicaLog, offset: Offset, *, up_to: Offset, most: int | None = None
) -> tuple[Record, ...]:
    """The records from `offset` up to `up_to`, exclusive, at most `most` of them; without `most`,
    all.
    """
    first = offset - log.log_start_offset
    last = up_to - log.log_start_offset
    if most is not None and first + most < last:
        last = first + most
    return log.records[first if first > 0 else 0 : last if last > 0 else 0]


def cut_to(log: ReplicaLog, offset: Offset) -> tuple[ReplicaLog, tuple[Record, ...]]:
    """The log truncated to end at `offset` or earlier, and the removed records."""
    kept = max(offset - log.log_start_offset, 0)
    return (
        ReplicaLog(log.records[:kept], min(log.log_start_offset, offset)),
        log.records[kept:],
    )


def record_at(log: ReplicaLog, offset: Offset) -> Record | None:
    """The record at an offset; None if the log has none there."""
    index = offset - log.log_start_offset
    return log.records[index] if 0 <= index < len(log.records) else None
