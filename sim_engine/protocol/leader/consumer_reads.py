"""A broker's responses to consumers: the records that they may read, and offsets."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from sim_engine.error_codes import ErrorCode
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset, offset_after
from sim_engine.kafka_history import Rules
from sim_engine.protocol.leader.offset_requests import end_offset_for_clients
from sim_engine.protocol.log.producer_state import Isolation, hidden_offsets, last_stable_offset
from sim_engine.protocol.log.replica_log import read_from
from sim_engine.protocol.replica import Replica
from sim_engine.records import Record


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
        records=tuple(records),
        passed_over=tuple(passed_over),
        next_offset=next_offset,
        bound=bound,
    )


def list_offset(
    leader: Replica,
    which: Literal["latest", "earliest"],
    *,
    isolation: Isolation,
    rules: Rules,
) -> Offset | ErrorCode:
    """The response to a client that requests the earliest or the latest offset
    (`Partition.fetchOffsetForTimestamp`).

    From 2.2 a leader whose high watermark has not reached the start of its epoch does not return
    the latest offset, because it could be lower than one returned before (KIP-207).
    """
    if which == "earliest":
        return leader.log.log_start_offset
    end = end_offset_for_clients(leader, rules)
    return end if isinstance(end, ErrorCode) else visible_end(leader, isolation)


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
        key=lambda remote: (
            remote.log_end_offset,
            remote.last_caught_up_time_ms,
            remote.broker_id,
        ),
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
