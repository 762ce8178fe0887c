"""A replica's log, and what is derived from it: where each leader epoch starts
(`LeaderEpochFileCache`, KIP-101), and the state of producers and transactions
(`ProducerStateManager`).

One record is one batch; offsets are consecutive. An epoch cache is a tuple of `(epoch,
start_offset)`, oldest first. Two generations of rules exist: up to 2.0.0 only an append adds an
entry; from 2.0.1 (KAFKA-7415) a leader adds one when it takes over, and entries that conflict with
a new one are removed. Kafka stores producer state next to the log and rebuilds it from the batches.
Here it is computed from the log each time, so it is always consistent with replication, truncation
and restarts.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.identifiers import (
    FIRST_OFFSET,
    UNDEFINED_EPOCH,
    UNDEFINED_OFFSET,
    ErrorCode,
    LeaderEpoch,
    Offset,
)
from sim_engine.kafka_history import Rules
from sim_engine.records import Record


class ReplicaLog(Struct, frozen=True, gc=False):
    """The records of one replica. Invariant: `records[i].offset == log_start_offset + i`."""

    records: tuple[Record, ...] = ()
    log_start_offset: Offset = FIRST_OFFSET

    @property
    def log_end_offset(self) -> Offset:
        """The offset of the next record (LEO, exclusive)."""
        return Offset(self.log_start_offset + len(self.records))


def append(log: ReplicaLog, *records: Record) -> ReplicaLog:
    """The log with these records, which must continue it. Without records, the same object."""
    if not records:
        return log
    assert all(
        record.offset == log.log_end_offset + index for index, record in enumerate(records)
    ), "the records continue the log"
    return replace(log, records=log.records + records)


def read_from(
    log: ReplicaLog, offset: Offset, *, up_to: Offset, most: int | None = None
) -> tuple[Record, ...]:
    """The records from `offset` up to `up_to`, exclusive, at most `most`; without `most`, all."""
    first = offset - log.log_start_offset
    last = up_to - log.log_start_offset
    if most is not None and first + most < last:
        last = first + most
    return log.records[first if first > 0 else 0 : last if last > 0 else 0]


def cut_to(log: ReplicaLog, offset: Offset) -> tuple[ReplicaLog, tuple[Record, ...]]:
    """The log truncated to end at `offset` or earlier, and the removed records."""
    kept = max(offset - log.log_start_offset, 0)
    return (ReplicaLog(log.records[:kept], min(log.log_start_offset, offset)), log.records[kept:])


def record_at(log: ReplicaLog, offset: Offset) -> Record | None:
    """The record at an offset; None if the log has none there."""
    index = offset - log.log_start_offset
    return log.records[index] if 0 <= index < len(log.records) else None


EpochEntries = tuple[tuple[LeaderEpoch, Offset], ...]

EpochEndOffset = tuple[LeaderEpoch, Offset]

UNDEFINED_END: EpochEndOffset = (UNDEFINED_EPOCH, UNDEFINED_OFFSET)


def latest_epoch(entries: EpochEntries) -> LeaderEpoch:
    """The latest epoch; `UNDEFINED_EPOCH` (-1) if there is none."""
    return entries[-1][0] if entries else UNDEFINED_EPOCH


def assign(entries: EpochEntries, epoch: LeaderEpoch, start: Offset, rules: Rules) -> EpochEntries:
    """Add an entry: `epoch` starts at offset `start`. The same object if it adds nothing."""
    if not rules.assign_epoch_at_leader:
        if entries and (epoch <= entries[-1][0] or start < entries[-1][1]):
            return entries
        return (*entries, (epoch, start))
    if entries and epoch == entries[-1][0] and start >= entries[-1][1]:
        return entries
    kept = entries
    while kept and (kept[-1][0] >= epoch or kept[-1][1] >= start):
        kept = kept[:-1]
    return (*kept, (epoch, start))


def truncate_from_end(entries: EpochEntries, offset: Offset) -> EpochEntries:
    """Remove the epochs that start at `offset` or later; -1 removes none."""
    if offset < 0:
        return entries
    return tuple(entry for entry in entries if entry[1] < offset)


def truncate_from_start(entries: EpochEntries, offset: Offset) -> EpochEntries:
    """Remove the epochs that end before the log's new start; the epoch that has it starts there."""
    if offset < 0:
        return entries
    dropped = [entry for entry in entries if entry[1] <= offset]
    if not dropped:
        return entries
    kept = entries[len(dropped) :]
    return ((dropped[-1][0], offset), *kept)


def end_offset_for(
    entries: EpochEntries, requested: LeaderEpoch, log_end_offset: Offset, rules: Rules
) -> EpochEndOffset:
    """The end offset of epoch `requested` in this log, with the epoch that it belongs to.

    (-1, -1) if undefined. With KIP-101 alone the response contains only the offset, so the epoch is
    undefined even if the offset is known.
    """
    epoch, offset = _end_offset(entries, requested, log_end_offset, rules)
    if not rules.iterative_epoch_truncation:
        return (UNDEFINED_EPOCH, offset)
    return (epoch, offset)


def _end_offset(
    entries: EpochEntries, requested: LeaderEpoch, log_end_offset: Offset, rules: Rules
) -> EpochEndOffset:
    if requested == UNDEFINED_EPOCH:
        # Before KAFKA-6857 "no epoch" was the latest epoch of an empty cache: the log's end.
        if not entries and not rules.no_epoch_has_no_end:
            return (UNDEFINED_EPOCH, log_end_offset)
        return UNDEFINED_END
    if not entries or requested > entries[-1][0]:
        return UNDEFINED_END
    if requested == entries[-1][0]:
        return (requested, log_end_offset)
    if requested < entries[0][0]:
        return (requested, entries[0][1]) if rules.assign_epoch_at_leader else UNDEFINED_END
    floor = max(entry for entry in entries if entry[0] <= requested)
    following = min(entry for entry in entries if entry[0] > requested)
    return (floor[0], following[1])


Isolation = Literal["read_uncommitted", "read_committed"]

BATCHES_REMEMBERED = 5
"""The number of recent batches of a producer for which a partition detects duplicates,
from 1.0 on.
"""


class Producing(Struct, frozen=True, gc=False, kw_only=True):
    """The fields of an idempotent producer's batch in addition to its records (KIP-98)."""

    producer_id: int
    producer_epoch: int
    sequence: int
    transactional: bool = False


class Transaction(Struct, frozen=True, gc=False, kw_only=True):
    """One transaction in a log. `marker` is null while it is open.

    `last_offset` is the offset of its last record, which is the marker after it has ended.
    """

    producer_id: int
    first_offset: Offset
    last_offset: Offset
    marker: Record | None = None


def remembered_batches(log: ReplicaLog, producer_id: int, rules: Rules) -> tuple[Record, ...]:
    """The last batches of a producer, oldest first: five of them, in 0.11 only one."""
    most = BATCHES_REMEMBERED if rules.five_batches_remembered else 1
    return tuple(islice(_batches_from_the_last(log, producer_id), most))[::-1]


def last_sequence(log: ReplicaLog, producer_id: int) -> int | None:
    """The last sequence number of a producer; None if the log has no batch of it."""
    return next((batch.sequence for batch in _batches_from_the_last(log, producer_id)), None)


def _batches_from_the_last(log: ReplicaLog, producer_id: int) -> Iterator[Record]:
    for record in reversed(log.records):
        if record.producer_id == producer_id and record.sequence is not None:
            yield record


def check_sequence(log: ReplicaLog, producing: Producing, rules: Rules) -> Record | ErrorCode:
    """Whether a batch may be appended: `NONE`, an error, or the record it duplicates.

    A remembered batch is a duplicate, and its original record is returned. Any other batch must
    continue the sequence. If the log has no state of the producer, any sequence number is accepted
    from 2.5 (KIP-360), and before only 0.
    """
    remembered = remembered_batches(log, producing.producer_id, rules)
    for record in remembered:
        if (record.sequence, record.producer_epoch) == (
            producing.sequence,
            producing.producer_epoch,
        ):
            return record
    if remembered:
        last = remembered[-1].sequence
        assert last is not None, "a remembered batch has a sequence number"
        in_order = producing.sequence == last + 1
        return ErrorCode.NONE if in_order else ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    if producing.sequence == 0 or rules.forgotten_producers_write_on:
        return ErrorCode.NONE
    if rules.five_batches_remembered:
        return ErrorCode.UNKNOWN_PRODUCER_ID
    return ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


def list_transactions(log: ReplicaLog) -> tuple[Transaction, ...]:
    """Every transaction that wrote to this log, in the order of their first records."""
    begun: dict[int, int] = {}
    transactions: list[Transaction] = []
    for record in log.records:
        producer_id = record.producer_id
        if producer_id is None or not record.transactional:
            continue
        if record.control is None and producer_id not in begun:
            begun[producer_id] = len(transactions)
            transactions.append(
                Transaction(
                    producer_id=producer_id, first_offset=record.offset, last_offset=record.offset
                )
            )
        elif producer_id in begun:
            index = begun[producer_id]
            ended = record.control is not None
            transactions[index] = replace(
                transactions[index], last_offset=record.offset, marker=record if ended else None
            )
            if ended:
                del begun[producer_id]
    return tuple(transactions)


def last_stable_offset(log: ReplicaLog, high_watermark: Offset) -> Offset:
    """The offset up to which a read_committed consumer may read, exclusive: the start of the first
    undecided transaction, or the high watermark if every transaction is decided.

    A transaction is decided once the high watermark has passed its marker
    (`UnifiedLog.fetchLastStableOffsetMetadata`).
    """
    return stable_end(list_transactions(log), high_watermark)


def stable_end(transactions: Iterable[Transaction], high_watermark: Offset) -> Offset:
    """The last stable offset of a log with these transactions; see `last_stable_offset`."""
    undecided = [
        transaction.first_offset
        for transaction in transactions
        if transaction.marker is None or transaction.marker.offset >= high_watermark
    ]
    return min([high_watermark, *undecided])


def aborted_transactions(log: ReplicaLog, start: Offset, end: Offset) -> tuple[Transaction, ...]:
    """The aborted transactions that affect a read of [start, end), from their markers."""
    aborted = [
        transaction
        for transaction in list_transactions(log)
        if transaction.marker is not None
        and transaction.marker.control == "abort"
        and transaction.first_offset < end
        and transaction.marker.offset >= start
    ]
    return tuple(sorted(aborted, key=_decided_at))


def _decided_at(transaction: Transaction) -> Offset:
    assert transaction.marker is not None, "a decided transaction has a marker"
    return transaction.marker.offset


def hidden_offsets(
    log: ReplicaLog, start: Offset, end: Offset, isolation: Isolation
) -> frozenset[Offset]:
    """The offsets in [start, end) whose records a consumer does not return to its application.

    These are markers and, with read_committed, records of aborted transactions.
    """
    hidden = {record.offset for record in log.records if record.control is not None}
    if isolation == "read_committed":
        for transaction in aborted_transactions(log, start, end):
            hidden |= {
                record.offset
                for record in log.records
                if record.producer_id == transaction.producer_id
                and record.transactional
                and transaction.first_offset <= record.offset <= _decided_at(transaction)
            }
    return frozenset(offset for offset in hidden if start <= offset < end)
