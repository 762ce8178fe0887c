"""Appends at the leader: records from producers, and transaction markers.

`ReplicaManager.appendRecords` and `Partition.appendRecordsToLeader` in Kafka.
"""

from msgspec.structs import replace

from sim_engine.events.clients import DuplicateRecognised
from sim_engine.identifiers import ErrorCode, Offset, TimeMs, offset_after
from sim_engine.protocol.leader.fetches import complete_parked_fetches
from sim_engine.protocol.leader.high_watermark import (
    complete_produces,
    maybe_increment_high_watermark,
)
from sim_engine.protocol.log import Producing, check_sequence, last_sequence
from sim_engine.protocol.replica import (
    BrokerView,
    DelayedProduce,
    Outcome,
    ProduceResponse,
    Replica,
    append_records,
    assign_epoch_of_refused,
    leading_state,
    records_subject,
)
from sim_engine.records import MARKER_WORDS, Marker, Record


def handle_produce(
    replica: Replica,
    view: BrokerView,
    *,
    value: str,
    record_id: str,
    acks: str | int,
    request: int,
    deadline_ms: TimeMs,
    producing: Producing | None = None,
) -> Outcome:
    """Append one record and respond according to `acks` (`Partition.appendRecordsToLeader`).

    Only acks=all checks min.insync.replicas, and only against the committed ISR. A rejected request
    appends nothing. acks=0 has no response. `producing` has the fields of an idempotent producer's
    batch: a duplicate batch is not appended again, and waits like the first one.
    """
    if replica.leading is None:
        return _refuse(replica, request, ErrorCode.NOT_LEADER_OR_FOLLOWER)
    needed = view.settings.effective_min_insync_replicas
    if acks == "all" and len(replica.leading.isr) < needed:
        return _refuse(replica, request, ErrorCode.NOT_ENOUGH_REPLICAS)
    if producing is not None:
        known = check_sequence(replica.log, producing, view.rules)
        if known is not ErrorCode.NONE:
            assigned = assign_epoch_of_refused(replica, view)
            if isinstance(known, ErrorCode):
                return assigned.then(_refuse(assigned.replica, request, known))
            return assigned.then(
                _respond_to_duplicate(
                    assigned.replica, known, view, request=request, deadline_ms=deadline_ms
                )
            )
    offset = replica.log_end_offset
    record = Record(
        offset,
        replica.leader_epoch if view.settings.profile.has_epochs else None,
        value,
        record_id,
        producer_id=None if producing is None else producing.producer_id,
        producer_epoch=None if producing is None else producing.producer_epoch,
        sequence=None if producing is None else producing.sequence,
        transactional=producing is not None and producing.transactional,
    )
    appended = append_records(replica, (record,), view)
    replica = appended.replica
    produce_responses: tuple[ProduceResponse, ...] = ()
    if acks == 1:
        produce_responses = (ProduceResponse(request=request, offset=offset),)
    elif acks == "all":
        replica = _awaiting(replica, request, offset, deadline_ms)
    responded = Outcome(
        replica=replica, produce_responses=produce_responses, events=appended.events
    )
    return responded.then(_after_append(replica, view))


def _refuse(replica: Replica, request: int, error: ErrorCode) -> Outcome:
    response = ProduceResponse(request=request, error=error)
    return Outcome(replica=replica, produce_responses=(response,))


def _awaiting(replica: Replica, request: int, offset: Offset, deadline_ms: TimeMs) -> Replica:
    """The leader with a request that waits until the high watermark passes `offset`."""
    leading = leading_state(replica)
    waiting = DelayedProduce(
        request=request, required_offset=offset_after(offset), deadline_ms=deadline_ms
    )
    return replace(replica, leading=replace(leading, produces=(*leading.produces, waiting)))


def _after_append(replica: Replica, view: BrokerView) -> Outcome:
    """After an append: update the high watermark and respond to parked fetches."""
    moved = maybe_increment_high_watermark(replica, view)
    return moved.then(complete_parked_fetches(moved.replica, view))


def _respond_to_duplicate(
    replica: Replica, known: Record, view: BrokerView, *, request: int, deadline_ms: TimeMs
) -> Outcome:
    """A duplicate batch: nothing is appended, and the response has its original offset (KIP-98).

    Like the first response, this one waits until the high watermark has passed the record.
    """
    waiting = _awaiting(replica, request, known.offset, deadline_ms)
    done = complete_produces(waiting, view)
    happened = DuplicateRecognised(
        **replica.place(),
        value=known.value,
        producer_id=known.producer_id,
        sequence=known.sequence,
        offset=known.offset,
        last_sequence=None
        if known.producer_id is None
        else last_sequence(replica.log, known.producer_id),
        subject=records_subject(replica, (known,)),
    )
    return Outcome(replica=waiting, events=(happened,), duplicate=known).then(done)


def append_marker(
    replica: Replica,
    marker: Marker,
    view: BrokerView,
    *,
    producer_id: int,
    producer_epoch: int,
    record_id: str,
) -> Outcome:
    """Append a transaction marker: a control record with its own offset.

    The transaction coordinator requests it with acks=all semantics (WriteTxnMarkers, KIP-98). The
    caller must ensure that this replica is the leader and that its ISR is large enough.
    """
    record = Record(
        replica.log_end_offset,
        replica.leader_epoch if view.settings.profile.has_epochs else None,
        MARKER_WORDS[marker],
        record_id,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        transactional=True,
        control=marker,
    )
    appended = append_records(replica, (record,), view)
    return appended.then(_after_append(appended.replica, view))
