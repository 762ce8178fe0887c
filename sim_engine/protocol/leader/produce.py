"""Records come to a leader: from producers, and as markers of a transaction's end.

`ReplicaManager.appendRecords` and `Partition.appendRecordsToLeader` in Kafka.
"""

from msgspec.structs import replace

from sim_engine.error_codes import ErrorCode
from sim_engine.events import EventSubject
from sim_engine.events.producer import DuplicateRecognised
from sim_engine.identifiers import UNDEFINED_OFFSET, BrokerId, Offset, TimeMs, offset_after
from sim_engine.protocol.appending import append_records
from sim_engine.protocol.leader.high_watermark import (
    complete_produces,
    maybe_increment_high_watermark,
)
from sim_engine.protocol.leader.leading import leading_state
from sim_engine.protocol.leader.parked_fetches import complete_parked_fetches
from sim_engine.protocol.log.producer_state import Producing, check_sequence, last_sequence
from sim_engine.protocol.outcome import Outcome, ProduceAnswer
from sim_engine.protocol.replica import DelayedProduce, Replica
from sim_engine.protocol.settings import PartitionSettings
from sim_engine.records import MARKER_WORDS, Marker, Record


def handle_produce(
    replica: Replica,
    *,
    value: str,
    record_id: str,
    acks: str | int,
    request: int,
    deadline_ms: TimeMs,
    settings: PartitionSettings,
    now_ms: TimeMs,
    eligible: frozenset[BrokerId],
    producing: Producing | None = None,
) -> Outcome:
    """Append one record and answer as `acks` asks (`Partition.appendRecordsToLeader`).

    Only acks=all looks at min.insync.replicas, and only at the committed ISR. Nothing is appended
    when it refuses. acks=0 is never answered. `producing` is what an idempotent producer's batch
    carries: one that was written before is not written again, and waits like the first.
    """
    if replica.leading is None:
        return Outcome(
            replica=replica,
            answers=(
                ProduceAnswer(
                    request=request, error=ErrorCode.NOT_LEADER_OR_FOLLOWER, offset=UNDEFINED_OFFSET
                ),
            ),
        )
    needed = settings.effective_min_insync_replicas
    if acks == "all" and len(replica.leading.isr) < needed:
        return Outcome(
            replica=replica,
            answers=(
                ProduceAnswer(
                    request=request, error=ErrorCode.NOT_ENOUGH_REPLICAS, offset=UNDEFINED_OFFSET
                ),
            ),
        )
    if producing is not None:
        known = check_sequence(replica.log, producing, settings.profile.rules)
        if isinstance(known, Record):
            return _answer_duplicate(
                replica, known, request=request, deadline_ms=deadline_ms, settings=settings
            )
        if known is not ErrorCode.NONE:
            return Outcome(
                replica=replica,
                answers=(ProduceAnswer(request=request, error=known, offset=UNDEFINED_OFFSET),),
            )
    offset = replica.log_end_offset
    record = Record(
        offset,
        replica.leader_epoch if settings.profile.has_epochs else None,
        value,
        record_id,
        producer_id=None if producing is None else producing.producer_id,
        producer_epoch=None if producing is None else producing.producer_epoch,
        sequence=None if producing is None else producing.sequence,
        transactional=producing is not None and producing.transactional,
    )
    appended = append_records(replica, (record,), settings=settings)
    replica = appended.replica
    answers: tuple[ProduceAnswer, ...] = ()
    if acks == 1:
        answers = (ProduceAnswer(request=request, error=ErrorCode.NONE, offset=offset),)
    elif acks == "all":
        replica = _awaiting(replica, request, offset, deadline_ms)
    after = _after_append(replica, settings=settings, now_ms=now_ms, eligible=eligible)
    return replace(
        after,
        answers=(*answers, *after.answers),
        events=(*appended.events, *after.events),
    )


def _awaiting(replica: Replica, request: int, offset: Offset, deadline_ms: TimeMs) -> Replica:
    """The leader with a request that is answered when the high watermark passes `offset`."""
    leading = leading_state(replica)
    waiting = DelayedProduce(
        request=request, required_offset=offset_after(offset), deadline_ms=deadline_ms
    )
    return replace(replica, leading=replace(leading, produces=(*leading.produces, waiting)))


def _after_append(
    replica: Replica,
    *,
    settings: PartitionSettings,
    now_ms: TimeMs,
    eligible: frozenset[BrokerId],
) -> Outcome:
    """What follows an append: the high watermark is looked at, waiting fetches are answered."""
    moved = maybe_increment_high_watermark(
        replica, settings=settings, now_ms=now_ms, eligible=eligible
    )
    woken = complete_parked_fetches(moved.replica, settings=settings)
    return Outcome(
        replica=woken.replica,
        sends=woken.sends,
        answers=moved.answers,
        events=(*moved.events, *woken.events),
    )


def _answer_duplicate(
    replica: Replica,
    known: Record,
    *,
    request: int,
    deadline_ms: TimeMs,
    settings: PartitionSettings,
) -> Outcome:
    """A batch that the log holds already: nothing is appended, its offset is the answer (KIP-98).

    The answer waits as the first one did, until the high watermark has passed the record.
    """
    waiting = _awaiting(replica, request, known.offset, deadline_ms)
    done = complete_produces(waiting, settings=settings)
    happened = DuplicateRecognised(
        broker=replica.broker_id,
        partition=replica.partition,
        value=known.value,
        producer_id=known.producer_id,
        sequence=known.sequence,
        offset=known.offset,
        last_sequence=None
        if known.producer_id is None
        else last_sequence(replica.log, known.producer_id),
        evidence=EventSubject(
            partition=replica.partition,
            replicas=(replica.broker_id,),
            offsets=(known.offset,),
            records=(known,),
        ),
    )
    return Outcome(
        replica=done.replica,
        answers=done.answers,
        events=(happened, *done.events),
        duplicate=known,
    )


def append_marker(
    replica: Replica,
    marker: Marker,
    *,
    producer_id: int,
    producer_epoch: int,
    record_id: str,
    settings: PartitionSettings,
    now_ms: TimeMs,
    eligible: frozenset[BrokerId],
) -> Outcome:
    """Write what became of a transaction into the log: a record with an offset of its own.

    The transaction coordinator asks for it as for acks=all (WriteTxnMarkers, KIP-98); the caller
    has seen to it that this replica leads and that its ISR is large enough.
    """
    record = Record(
        replica.log_end_offset,
        replica.leader_epoch if settings.profile.has_epochs else None,
        MARKER_WORDS[marker],
        record_id,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        transactional=True,
        control=marker,
    )
    appended = append_records(replica, (record,), settings=settings)
    after = _after_append(appended.replica, settings=settings, now_ms=now_ms, eligible=eligible)
    return replace(after, events=(*appended.events, *after.events))
