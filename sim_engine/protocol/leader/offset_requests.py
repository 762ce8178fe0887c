"""Requests for offsets at the leader: the end of an epoch, and the start and end of the log.

`ReplicaManager.lastOffsetForLeaderEpoch` and `Partition.fetchOffsetForTimestamp` in Kafka.
"""

from typing import Literal

from sim_engine.error_codes import ErrorCode
from sim_engine.events import Event
from sim_engine.events.fetch import EpochLookupAnswered, ListOffsetsAnswered
from sim_engine.identifiers import UNDEFINED_EPOCH, UNDEFINED_OFFSET, Offset
from sim_engine.kafka_history import Rules
from sim_engine.protocol.leader.leader_state import epoch_error, rejection_event, with_response
from sim_engine.protocol.log.leader_epoch_cache import (
    UNDEFINED_END,
    EpochEndOffset,
    end_offset_for,
)
from sim_engine.protocol.messages import (
    ListOffsetsRequest,
    ListOffsetsResponse,
    Message,
    OffsetsForLeaderEpochRequest,
    OffsetsForLeaderEpochResponse,
)
from sim_engine.protocol.outcome import Outcome
from sim_engine.protocol.replica import Replica
from sim_engine.protocol.settings import PartitionSettings


def handle_offsets_for_leader_epoch(
    replica: Replica,
    message: Message,
    request: OffsetsForLeaderEpochRequest,
    *,
    settings: PartitionSettings,
    missing: ErrorCode = ErrorCode.NONE,
) -> Outcome:
    """Respond to a follower's epoch lookup (KIP-101; fenced from 2.1). `missing` is the error of a
    broker that has no replica of the partition.
    """
    error = epoch_error(replica, request.current_leader_epoch, missing=missing)
    end: EpochEndOffset = UNDEFINED_END
    happened: Event
    if error is ErrorCode.NONE:
        end = end_offset_for(
            replica.epoch_cache,
            request.leader_epoch,
            replica.log_end_offset,
            settings.profile.rules,
        )
        happened = EpochLookupAnswered(
            variant=_response_variant(request, end),
            rule="KIP-279" if settings.profile.rules.iterative_epoch_truncation else "KIP-101",
            broker=replica.broker_id,
            partition=replica.partition,
            follower=message.sender,
            epoch=request.leader_epoch,
            answer_epoch=end[0],
            end_offset=end[1],
        )
    else:
        happened = rejection_event(replica, message, error, request.current_leader_epoch)
    return with_response(
        replica,
        message,
        OffsetsForLeaderEpochResponse(
            in_reply_to=message.id,
            requested_epoch=request.leader_epoch,
            error=error,
            end_offset=end,
        ),
        happened,
    )


def _response_variant(
    request: OffsetsForLeaderEpochRequest, end: EpochEndOffset
) -> Literal["undefined", "offset_only", "no_epoch", "no_epoch_either"] | None:
    """The variant of the response's event: undefined, an offset without an epoch, or for a follower
    without epochs.
    """
    if request.leader_epoch == UNDEFINED_EPOCH:
        return "no_epoch" if end[1] == UNDEFINED_OFFSET else "no_epoch_either"
    if end[1] == UNDEFINED_OFFSET:
        return "undefined"
    return "offset_only" if end[0] == UNDEFINED_EPOCH else None


def handle_list_offsets(
    replica: Replica,
    message: Message,
    request: ListOffsetsRequest,
    *,
    missing: ErrorCode = ErrorCode.NONE,
) -> Outcome:
    """Respond to a follower's request for the log's end or start offset, as replicas see them.
    `missing` is the error of a broker that has no replica of the partition.
    """
    error = epoch_error(replica, request.current_leader_epoch, missing=missing)
    offset = UNDEFINED_OFFSET
    happened: Event
    if error is ErrorCode.NONE:
        offset = (
            replica.log_end_offset if request.which == "latest" else replica.log.log_start_offset
        )
        happened = ListOffsetsAnswered(
            broker=replica.broker_id,
            partition=replica.partition,
            follower=message.sender,
            which=request.which,
            offset=offset,
        )
    else:
        happened = rejection_event(replica, message, error, request.current_leader_epoch)
    return with_response(
        replica,
        message,
        ListOffsetsResponse(
            in_reply_to=message.id, which=request.which, error=error, offset=offset
        ),
        happened,
    )


def end_offset_for_clients(replica: Replica, rules: Rules) -> Offset | ErrorCode:
    """The latest offset in a ListOffsets response to a client
    (`Partition.fetchOffsetForTimestamp`).

    This is the high watermark. From 2.2 a new leader returns OFFSET_NOT_AVAILABLE until its high
    watermark has reached the start of its epoch, so that the latest offset never decreases
    (KIP-207).
    """
    leading = replica.leading
    if leading is None:
        return ErrorCode.NOT_LEADER_OR_FOLLOWER
    if (
        rules.end_offset_waits_for_epoch_start
        and replica.high_watermark < leading.leader_epoch_start_offset
    ):
        return ErrorCode.OFFSET_NOT_AVAILABLE
    return replica.high_watermark
