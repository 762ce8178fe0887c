"""A replica while it leads: what it knows of its followers, and who may ask it.

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
    """The leader's state of a replica that leads."""
    assert replica.leading is not None, "the replica leads"
    return replica.leading


def remote_of(leading: LeadingState, broker_id: BrokerId) -> RemoteReplica | None:
    """What the leader believes of one follower."""
    for remote in leading.remotes:
        if remote.broker_id == broker_id:
            return remote
    return None


def epoch_error(replica: Replica, request_epoch: LeaderEpoch | None) -> ErrorCode:
    """Fence a request of another leader epoch (KIP-320); then, only the leader answers."""
    if request_epoch is not None:
        if request_epoch < replica.leader_epoch:
            return ErrorCode.FENCED_LEADER_EPOCH
        if request_epoch > replica.leader_epoch:
            return ErrorCode.UNKNOWN_LEADER_EPOCH
    return ErrorCode.NONE if replica.leading is not None else ErrorCode.NOT_LEADER_OR_FOLLOWER


def answered(replica: Replica, message: Message, payload: Payload, happened: Event) -> Outcome:
    """A request that changed nothing here, with its answer on the way to who asked."""
    return Outcome(
        replica=replica,
        sends=(Send(receiver=message.sender, partition=replica.partition, payload=payload),),
        events=(happened,),
    )


def rejection_event(
    replica: Replica, message: Message, error: ErrorCode, request_epoch: LeaderEpoch | None
) -> Event:
    """That a request is refused: by its leader epoch, or because this is not the leader."""
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
