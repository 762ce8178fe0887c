"""A leading replica: its state of followers, and the validation of requests.

`Partition` and `Replica` in Kafka.
"""

from sim_engine.error_codes import ErrorCode
from sim_engine.events import Event
from sim_engine.events.fetch import FetchRejected
from sim_engine.identifiers import BrokerId, LeaderEpoch
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


def epoch_error(replica: Replica, request_epoch: LeaderEpoch | None) -> ErrorCode:
    """The error with which a leader rejects a request (`Partition.checkCurrentLeaderEpoch`,
    KIP-320).

    FENCED_LEADER_EPOCH or UNKNOWN_LEADER_EPOCH if the request's leader epoch is lower or higher
    than this replica's, NOT_LEADER_OR_FOLLOWER if this replica is not the leader, and NONE if the
    request is valid. A request without a leader epoch is never fenced.
    """
    if request_epoch is not None:
        if request_epoch < replica.leader_epoch:
            return ErrorCode.FENCED_LEADER_EPOCH
        if request_epoch > replica.leader_epoch:
            return ErrorCode.UNKNOWN_LEADER_EPOCH
    return ErrorCode.NONE if replica.leading is not None else ErrorCode.NOT_LEADER_OR_FOLLOWER


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
    """The event of a rejected request: because of its leader epoch, or because this is not the
    leader.
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
