"""A replica while it leads: what it knows of its followers, and who may ask it.

`Partition` and `Replica` in Kafka.
"""

from sim_engine.identifiers import NO_LEADER, BrokerId, LeaderEpoch
from sim_engine.protocol.errors import ErrorCode
from sim_engine.protocol.outcome import ProduceAnswer
from sim_engine.protocol.replica import LeadingState, RemoteReplica, Replica

NEVER_MS = 0


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


def step_down_answers(replica: Replica) -> tuple[ProduceAnswer, ...]:
    """What a deposed leader tells the producers that still wait."""
    if replica.leading is None:
        return ()
    return tuple(
        ProduceAnswer(request=waiting.request, error=ErrorCode.NOT_LEADER_OR_FOLLOWER, offset=-1)
        for waiting in replica.leading.produces
    )


def leaderless(replica: Replica) -> bool:
    """Whether this replica has been told that nobody leads."""
    return replica.leader == NO_LEADER
