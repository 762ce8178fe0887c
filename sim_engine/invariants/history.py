"""Ghost state: facts about a run that no broker knows.

It is updated after each action and never affects a transition.
"""

from msgspec import Struct

from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import NO_LEADER, FrameNumber, Offset
from sim_engine.protocol.log import ReplicaLog, read_from
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.protocol.replica import Replica


class History(Struct, frozen=True, gc=False, kw_only=True):
    """The committed records, and the state before the last action.

    `committed` has one log per partition, in the controller's order: all records that were ever
    below the high watermark of a legitimate leader. It never shrinks; the specifications call this
    the "true high watermark". `before` is `None` in frame 0. `before` and `has_grown` describe the
    last action and are ignored when two runs are compared.
    """

    committed: tuple[ReplicaLog, ...]
    before: ClusterState | None = None
    has_grown: bool = True
    """Whether the last action committed something."""


def start_history(cluster: ClusterState) -> History:
    """The ghost state of frame 0: the records below the leaders' high watermarks."""
    return History(
        committed=tuple(
            _grown(
                ReplicaLog((), _log_start(cluster, registration)),
                legitimate_leader(cluster, registration),
            )
            for registration in cluster.controller.partitions
        )
    )


def observe(
    history: History, before: ClusterState, after: ClusterState, frame: FrameNumber
) -> History:
    """The ghost state after the action that led from `before` to `after` and created `frame`."""
    assert frame > 0, "frame 0 has no action before it"
    if after.brokers is before.brokers and after.controller is before.controller:
        return History(committed=history.committed, before=before, has_grown=False)
    committed = tuple(
        [
            _grown(log, legitimate_leader(after, registration))
            for log, registration in zip(
                history.committed, after.controller.partitions, strict=True
            )
        ]
    )
    has_grown = any(now is not was for now, was in zip(committed, history.committed, strict=True))
    return History(
        committed=committed if has_grown else history.committed,
        before=before,
        has_grown=has_grown,
    )


def legitimate_leader(cluster: ClusterState, registration: PartitionRegistration) -> Replica | None:
    """The replica of the controller's leader, if its broker is alive and is leader in the
    controller's leader epoch; otherwise None.
    """
    if registration.leader == NO_LEADER:
        return None
    broker = cluster.broker(registration.leader)
    if not broker.alive:
        return None
    replica = broker.replica(registration.partition)
    if (
        replica is None
        or replica.leading is None
        or replica.leader_epoch != registration.leader_epoch
    ):
        return None
    return replica


def _log_start(cluster: ClusterState, registration: PartitionRegistration) -> Offset:
    leader = legitimate_leader(cluster, registration)
    if leader is not None:
        return leader.log.log_start_offset
    return min(
        cluster.replica(broker_id, registration.partition).log.log_start_offset
        for broker_id in registration.replicas
    )


def _grown(committed: ReplicaLog, leader: Replica | None) -> ReplicaLog:
    if leader is None or leader.high_watermark <= committed.log_end_offset:
        return committed
    # A leader whose log starts later does not know the records before it.
    if leader.log.log_start_offset > committed.log_end_offset:
        return committed
    return ReplicaLog(
        committed.records
        + read_from(leader.log, committed.log_end_offset, up_to=leader.high_watermark),
        committed.log_start_offset,
    )
