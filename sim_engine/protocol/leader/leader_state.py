"""A leading replica: its state of followers, and the validation of requests.

`Partition` and `Replica` in Kafka.
"""

from typing import Literal

from sim_engine.error_codes import ErrorCode
from sim_engine.events import Event
from sim_engine.events.fetch import FetchRejected
from sim_engine.identifiers import BrokerId, LeaderEpoch
from sim_engine.kafka_history import Rules
from sim_engine.protocol.messages import Message, Payload, Send
from sim_engine.protocol.outcome import Outcome
from sim_engine.protocol.replica import LeadingState, RemoteReplica, Replica


def leading_state(replica: Replica) -> LeadingState:
    """The leader state of a replica that leads. Any other replica has none (asserted)."""
    assert replica.leading is not None, "the replica is the leader"
    return replica.leading


def remote_of(leading: LeadingState, broker_id: BrokerId) -> RemoteReplica | None:
    """The leader's state of one follower; None if that broker is not in the assignment."""
    for remote in leading.remotes:
        if remote.broker_id == broker_id:
            return remote
    return None


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
    if request_epoch is not None:
        if request_epoch < replica.leader_epoch:
            return ErrorCode.FENCED_LEADER_EPOCH
        if request_epoch > replica.leader_epoch:
            return ErrorCode.UNKNOWN_LEADER_EPOCH
    return ErrorCode.NONE if replica.leading is not None else ErrorCode.NOT_LEADER_OR_FOLLOWER


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
        broker=replica.broker_id,
        partition=replica.partition,
        follower=message.sender,
        error=error,
        request_epoch=request_epoch,
        leader_epoch=replica.leader_epoch,
    )
