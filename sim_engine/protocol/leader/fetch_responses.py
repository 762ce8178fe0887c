"""Reads a leader's log for a fetch, and builds the response.

`Partition.readRecords` and `FetchPartitionData` in Kafka. Nothing here changes the leader.
"""

from typing import Literal

from msgspec.structs import replace

from sim_engine.error_codes import ErrorCode
from sim_engine.events.fetch import FetchDiverging, FetchHandled, FetchOutOfRange, FetchRejected
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset
from sim_engine.kafka_history import Rules
from sim_engine.protocol.leader.leader_state import rejection_event, remote_of, with_response
from sim_engine.protocol.log.leader_epoch_cache import EpochEndOffset, end_offset_for
from sim_engine.protocol.log.replica_log import read_from
from sim_engine.protocol.messages import FetchRequest, FetchResponse, Message
from sim_engine.protocol.outcome import Outcome
from sim_engine.protocol.replica import Replica
from sim_engine.records import Record


def follower_of(message: Message) -> BrokerId:
    """The follower that sent a fetch."""
    assert isinstance(message.sender, int), "followers fetch"
    return message.sender


def diverging_epoch(
    replica: Replica, fetch_offset: Offset, last_fetched_epoch: LeaderEpoch | None, rules: Rules
) -> EpochEndOffset | ErrorCode | None:
    """The point where the logs diverge, if they do (`Partition.readRecords`, truncation on fetch).

    Returns the epoch and end offset to truncate to, OFFSET_OUT_OF_RANGE if the leader cannot
    determine them, or None if nothing diverges.
    """
    if last_fetched_epoch is None:
        return None
    epoch, end = end_offset_for(
        replica.epoch_cache, last_fetched_epoch, replica.log_end_offset, rules
    )
    is_below_start = fetch_offset < replica.log.log_start_offset
    if end == -1 or (is_below_start and rules.below_start_is_out_of_range):
        return ErrorCode.OFFSET_OUT_OF_RANGE
    if epoch < last_fetched_epoch or end < fetch_offset:
        return (epoch, end)
    return None


def why_unreadable(
    replica: Replica, request: FetchRequest, rules: Rules
) -> EpochEndOffset | ErrorCode | None:
    """Why a fetch cannot read this log: the point of divergence, or OFFSET_OUT_OF_RANGE if its
    offset is outside the log; None if it can.
    """
    parting = diverging_epoch(replica, request.fetch_offset, request.last_fetched_epoch, rules)
    if parting is not None:
        return parting
    log = replica.log
    is_in_range = log.log_start_offset <= request.fetch_offset <= log.log_end_offset
    return None if is_in_range else ErrorCode.OFFSET_OUT_OF_RANGE


def records_for(replica: Replica, request: FetchRequest) -> tuple[Record, ...]:
    """The records that a fetch reads: followers read to the end of the log."""
    return read_from(
        replica.log,
        request.fetch_offset,
        up_to=replica.log.log_end_offset,
        most=request.max_records,
    )


def with_records(
    replica: Replica,
    message: Message,
    request: FetchRequest,
    records: tuple[Record, ...],
    high_watermark: Offset,
) -> Outcome:
    """A response with the given records, possibly none, and the high watermark at the time of the
    read. Up to 3.2 it is also the response to a broker that is not a replica.
    """
    leading, follower = replica.leading, follower_of(message)
    is_known = leading is not None and remote_of(leading, follower) is not None
    none: Literal["empty", "no_replica"] = "empty" if is_known else "no_replica"
    return with_response(
        replica,
        message,
        FetchResponse(
            in_reply_to=message.id,
            fetch_offset=request.fetch_offset,
            records=records,
            high_watermark=high_watermark,
            log_start_offset=replica.log.log_start_offset,
            log_end_offset=replica.log_end_offset,
        ),
        FetchHandled(
            variant=None if records else none,
            broker=replica.broker_id,
            partition=replica.partition,
            follower=follower,
            fetch_offset=request.fetch_offset,
            records=len(records),
            high_watermark=high_watermark,
            log_end_offset=replica.log_end_offset,
        ),
    )


def unreadable(
    replica: Replica, message: Message, request: FetchRequest, why: EpochEndOffset | ErrorCode
) -> Outcome:
    """A response without records, for the reason from `why_unreadable`."""
    if isinstance(why, ErrorCode):
        return _out_of_range(replica, message, request)
    return _diverging(replica, message, request, why)


def _out_of_range(replica: Replica, message: Message, request: FetchRequest) -> Outcome:
    return with_response(
        replica,
        message,
        FetchResponse(
            in_reply_to=message.id,
            fetch_offset=request.fetch_offset,
            error=ErrorCode.OFFSET_OUT_OF_RANGE,
        ),
        FetchOutOfRange(
            variant=_range_case(replica, request),
            broker=replica.broker_id,
            partition=replica.partition,
            follower=message.sender,
            fetch_offset=request.fetch_offset,
            log_start_offset=replica.log.log_start_offset,
            log_end_offset=replica.log_end_offset,
        ),
    )


def _range_case(
    replica: Replica, request: FetchRequest
) -> Literal["below_start", "undefined"] | None:
    """How a fetch misses the log: beyond its end, before its start, or by an unknown epoch."""
    if request.fetch_offset > replica.log_end_offset:
        return None
    return "below_start" if request.fetch_offset < replica.log.log_start_offset else "undefined"


def _diverging(
    replica: Replica, message: Message, request: FetchRequest, parting: EpochEndOffset
) -> Outcome:
    return with_response(
        replica,
        message,
        FetchResponse(
            in_reply_to=message.id,
            fetch_offset=request.fetch_offset,
            high_watermark=replica.high_watermark,
            log_start_offset=replica.log.log_start_offset,
            log_end_offset=replica.log_end_offset,
            diverging_epoch=parting,
        ),
        FetchDiverging(
            broker=replica.broker_id,
            partition=replica.partition,
            follower=message.sender,
            fetch_offset=request.fetch_offset,
            last_fetched_epoch=request.last_fetched_epoch,
            diverging_epoch=parting[0],
            end_offset=parting[1],
        ),
    )


def rejected(
    replica: Replica, message: Message, request: FetchRequest, error: ErrorCode
) -> Outcome:
    """A response with an error: because of the leader epoch, or because this is not the leader."""
    return with_response(
        replica,
        message,
        FetchResponse(in_reply_to=message.id, fetch_offset=request.fetch_offset, error=error),
        rejection_event(replica, message, error, request.current_leader_epoch),
    )


def unknown_replica(replica: Replica, message: Message, request: FetchRequest) -> Outcome:
    """Reject a fetch from a broker that is not one of the partition's replicas (KAFKA-13837)."""
    names_epoch = request.current_leader_epoch is not None
    error = ErrorCode.UNKNOWN_LEADER_EPOCH if names_epoch else ErrorCode.NOT_LEADER_OR_FOLLOWER
    outcome = rejected(replica, message, request, error)
    if replica.leading is None:
        return outcome
    said = _rejected_because("unknown_replica", "KAFKA-13837", "Partition", replica, message, error)
    return replace(outcome, events=(said,))


def of_earlier_start(
    replica: Replica, message: Message, request: FetchRequest, known_broker_epoch: int
) -> Outcome:
    """Reject a fetch with an older broker epoch (`Replica.updateFetchStateOrThrow`)."""
    error = ErrorCode.NOT_LEADER_OR_FOLLOWER
    said = replace(
        _rejected_because("stale_broker_epoch", "KAFKA-15221", "Replica", replica, message, error),
        request_broker_epoch=request.broker_epoch,
        broker_epoch=known_broker_epoch,
    )
    return replace(rejected(replica, message, request, error), events=(said,))


def _rejected_because(
    variant: str, issue: str, place: str, replica: Replica, message: Message, error: ErrorCode
) -> FetchRejected:
    return FetchRejected(
        variant=variant,
        rule=issue,
        sources=(issue, place),
        broker=replica.broker_id,
        partition=replica.partition,
        follower=message.sender,
        error=error,
    )
