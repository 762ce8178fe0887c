"""How a broker validates requests for a partition that it leads, and responds to those that change
nothing: lookups of offsets and epochs, and the reads of consumers.

`Partition.checkCurrentLeaderEpoch`, `ReplicaManager.lastOffsetForLeaderEpoch` and
`Partition.fetchOffsetForTimestamp` in Kafka.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from sim_engine.events.base import Event
from sim_engine.events.fetch import EpochLookupAnswered, FetchRejected, ListOffsetsAnswered
from sim_engine.identifiers import (
    UNDEFINED_EPOCH,
    UNDEFINED_OFFSET,
    BrokerId,
    ErrorCode,
    LeaderEpoch,
    Offset,
    offset_after,
)
from sim_engine.kafka_history import Rules
from sim_engine.protocol.log import (
    UNDEFINED_END,
    EpochEndOffset,
    Isolation,
    end_offset_for,
    hidden_offsets,
    last_stable_offset,
    read_from,
)
from sim_engine.protocol.messages import (
    ListOffsetsRequest,
    ListOffsetsResponse,
    Message,
    OffsetsForLeaderEpochRequest,
    OffsetsForLeaderEpochResponse,
    Payload,
    Send,
)
from sim_engine.protocol.replica import BrokerView, Outcome, Replica
from sim_engine.records import Record


def epoch_error(
    replica: Replica, request_epoch: LeaderEpoch | None, *, missing: ErrorCode = ErrorCode.NONE
) -> ErrorCode:
    """The error with which a leader rejects a request (`Partition.checkCurrentLeaderEpoch`,
    KIP-320).

    FENCED_LEADER_EPOCH or UNKNOWN_LEADER_EPOCH if the request's leader epoch is lower or higher
    than this replica's, NOT_LEADER_OR_FOLLOWER if this replica is not the leader, and NONE if the
    request is valid. A request without a leader epoch is never fenced. `missing`, the error of a
    broker that has no replica of the partition, precedes all of these.
    """
    if missing is not ErrorCode.NONE:
        return missing
    error = consumer_epoch_error(replica, request_epoch)
    if error is ErrorCode.NONE and replica.leading is None:
        return ErrorCode.NOT_LEADER_OR_FOLLOWER
    return error


ClientRequest = Literal["consumer_fetch", "epoch_lookup"]
"""The requests that a broker without a replica rejects in its own way in some releases."""


def no_replica_error(rules: Rules, request: ClientRequest | None = None) -> ErrorCode:
    """The error of a broker that has no replica of a partition in its metadata
    (`ReplicaManager.getPartitionOrError`).

    From 2.0.0 it responds that it is not the leader (KAFKA-6796), before that it does not know the
    partition; to the lookup of an epoch it responds in this way from 2.1
    (`ReplicaManager.lastOffsetForLeaderEpoch`). In 2.4 and 2.5 a consumer's fetch, which a follower
    may serve, gets REPLICA_NOT_AVAILABLE (KIP-392, KAFKA-10223). After each of these errors a
    client refreshes its metadata, and a follower retries.
    """
    is_lookup = request == "epoch_lookup"
    if not rules.no_replica_is_no_leader or (is_lookup and not rules.fetch_fencing):
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    if request == "consumer_fetch" and rules.follower_reads and not rules.no_replica_is_no_follower:
        return ErrorCode.REPLICA_NOT_AVAILABLE
    return ErrorCode.NOT_LEADER_OR_FOLLOWER


def with_response(replica: Replica, message: Message, payload: Payload, happened: Event) -> Outcome:
    """The outcome of a request that changes no state: only a response to the sender."""
    return Outcome(
        replica=replica,
        sends=(Send(receiver=message.sender, partition=replica.partition, payload=payload),),
        events=(happened,),
    )


def rejection_event(
    replica: Replica, message: Message, error: ErrorCode, request_epoch: LeaderEpoch | None
) -> Event:
    """The event of a rejected request: because of its leader epoch, because this is not the leader,
    or because the broker has no replica.
    """
    fenced = error in (ErrorCode.FENCED_LEADER_EPOCH, ErrorCode.UNKNOWN_LEADER_EPOCH)
    return FetchRejected(
        variant=str(error),
        rule="KIP-320" if fenced else None,
        sources=("KIP-320", "Partition") if fenced else ("Partition",),
        **replica.place(),
        follower=message.sender,
        error=error,
        request_epoch=request_epoch,
        leader_epoch=replica.leader_epoch,
    )


def handle_offsets_for_leader_epoch(
    replica: Replica,
    message: Message,
    request: OffsetsForLeaderEpochRequest,
    view: BrokerView,
    *,
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
            replica.epoch_cache, request.leader_epoch, replica.log_end_offset, view.rules
        )
        happened = EpochLookupAnswered(
            variant=_response_variant(request, end),
            rule="KIP-279" if view.rules.iterative_epoch_truncation else "KIP-101",
            **replica.place(),
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
            **replica.place(), follower=message.sender, which=request.which, offset=offset
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


class Read(Struct, frozen=True, gc=False, kw_only=True):
    """The result of a consumer's fetch: the records for its application, and the skipped ones.

    `next_offset` is the consumer's next position. `bound` is the offset up to which it may read,
    exclusive.
    """

    records: tuple[Record, ...]
    passed_over: tuple[Record, ...]
    next_offset: Offset
    bound: Offset


def visible_end(replica: Replica, isolation: Isolation) -> Offset:
    """The offset up to which a consumer may read, exclusive: this replica's own high watermark or,
    with read_committed, its last stable offset (`FetchIsolation`).
    """
    if isolation == "read_committed":
        return last_stable_offset(replica.log, replica.high_watermark)
    return replica.high_watermark


def read_for_consumer(
    replica: Replica, offset: Offset, *, isolation: Isolation, most: int | None = None
) -> Read:
    """Read from `offset` on, at most `most` records for the application.

    The broker sends everything below the bound; the consumer skips markers and, with
    read_committed, records of aborted transactions (`CompletedFetch.nextFetchedRecord`).
    """
    bound = visible_end(replica, isolation)
    hidden = hidden_offsets(replica.log, offset, bound, isolation)
    records: list[Record] = []
    passed_over: list[Record] = []
    next_offset = offset
    for record in read_from(replica.log, offset, up_to=bound):
        if record.offset in hidden:
            passed_over.append(record)
        elif most is not None and len(records) == most:
            break
        else:
            records.append(record)
        next_offset = offset_after(record.offset)
    return Read(
        records=tuple(records), passed_over=tuple(passed_over), next_offset=next_offset, bound=bound
    )


def list_offset(
    leader: Replica, which: Literal["latest", "earliest"], *, isolation: Isolation, rules: Rules
) -> Offset | ErrorCode:
    """The response to a client that requests the earliest or the latest offset
    (`Partition.fetchOffsetForTimestamp`).

    From 2.2 a leader returns OFFSET_NOT_AVAILABLE for the latest one until its high watermark has
    reached the start of its epoch, so that the latest offset never decreases (KIP-207).
    """
    if which == "earliest":
        return leader.log.log_start_offset
    if leader.leading is None:
        return ErrorCode.NOT_LEADER_OR_FOLLOWER
    epoch_start = leader.leading.leader_epoch_start_offset
    if rules.end_offset_waits_for_epoch_start and leader.high_watermark < epoch_start:
        return ErrorCode.OFFSET_NOT_AVAILABLE
    return visible_end(leader, isolation)


def preferred_read_replica(
    leader: Replica,
    offset: Offset,
    *,
    rack: str,
    racks: Mapping[BrokerId, str | None],
    rules: Rules,
) -> BrokerId:
    """The replica to which a leader with the rack-aware selector redirects a consumer, possibly the
    leader itself.

    This is the leader if it is in that rack. Otherwise it is one of the replicas in the rack whose
    logs, as the leader knows them, contain the offset (from 3.3.2 only ISR members, KAFKA-14372):
    the one with the longest log, then the most recently caught up, then the highest id
    (`ReplicaManager.findPreferredReadReplica`, `RackAwareReplicaSelector`).
    """
    leading = leader.leading
    assert leading is not None, "only a leader redirects a consumer"
    near = [
        remote
        for remote in leading.remotes
        if racks.get(remote.broker_id) == rack
        and remote.log_start_offset <= offset <= remote.log_end_offset
        and (remote.broker_id in leading.isr or not rules.readers_go_to_the_isr)
    ]
    if racks.get(leader.broker_id) == rack or not near:
        return leader.broker_id
    best = max(
        near,
        key=lambda remote: (remote.log_end_offset, remote.last_caught_up_time_ms, remote.broker_id),
    )
    return best.broker_id


def consumer_epoch_error(replica: Replica, known: LeaderEpoch | None) -> ErrorCode:
    """The error for a consumer's request whose leader epoch differs from this replica's; NONE if it
    has none or the same. Followers check it too (`Partition.checkCurrentLeaderEpoch`, KIP-320).
    """
    if known is None or known == replica.leader_epoch:
        return ErrorCode.NONE
    if known < replica.leader_epoch:
        return ErrorCode.FENCED_LEADER_EPOCH
    return ErrorCode.UNKNOWN_LEADER_EPOCH
