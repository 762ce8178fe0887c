"""The producer state of a log: sequence numbers, open transactions, the last stable offset.

Kafka stores this next to the log and rebuilds it from the log's batches (`ProducerStateManager`).
Here it is computed from the log each time, so it is always consistent with replication, truncation
and restarts.
"""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.error_codes import ErrorCode
from sim_engine.identifiers import Offset
from sim_engine.kafka_history import Rules
from sim_engine.protocol.log.replica_log import ReplicaLog
from sim_engine.records import Record

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
    found: list[Record] = []
    for record in reversed(log.records):
        if record.producer_id == producer_id and record.sequence is not None:
            found.append(record)
            if len(found) == most:
                break
    return tuple(reversed(found))


def last_sequence(log: ReplicaLog, producer_id: int) -> int | None:
    """The last sequence number of a producer; None if the log has no batch of it."""
    for record in reversed(log.records):
        if record.producer_id == producer_id and record.sequence is not None:
            return record.sequence
    return None


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
    found: list[Transaction] = []
    for record in log.records:
        producer_id = record.producer_id
        if producer_id is None or not record.transactional:
            continue
        if record.control is None and producer_id not in begun:
            begun[producer_id] = len(found)
            found.append(
                Transaction(
                    producer_id=producer_id, first_offset=record.offset, last_offset=record.offset
                )
            )
        elif producer_id in begun:
            index = begun[producer_id]
            ended = record.control is not None
            found[index] = replace(
                found[index], last_offset=record.offset, marker=record if ended else None
            )
            if ended:
                del begun[producer_id]
    return tuple(found)


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
