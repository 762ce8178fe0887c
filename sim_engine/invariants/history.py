"""Ghost state: what a run has done that no broker needs to know.

It grows beside the states and never influences a transition.
"""

from msgspec import Struct

from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import NO_LEADER
from sim_engine.protocol.log.replica_log import ReplicaLog, read_from
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.protocol.replica import Replica


class History(Struct, frozen=True, gc=False, kw_only=True):
    """What is committed, and the state before the last action.

    `committed` has one log a partition, in the controller's order: the records that a legitimate
    leader's high watermark has ever covered. It never shrinks, which is what "true high watermark"
    means in the specifications. `before` is null in frame 0; it and `has_grown` say what the last
    action changed and are no part of what two runs could be told apart by.
    """

    committed: tuple[ReplicaLog, ...]
    before: ClusterState | None = None
    has_grown: bool = True
    """Whether the last action committed something."""


def start_history(cluster: ClusterState) -> History:
    """The ghost state of frame 0: what the leaders' high watermarks cover there."""
    return History(
        committed=tuple(
            _grown(
                ReplicaLog((), _log_start(cluster, registration)),
                legitimate_leader(cluster, registration),
            )
            for registration in cluster.controller.partitions
        )
    )


def observe(history: History, before: ClusterState, after: ClusterState, frame: int) -> History:
    """The ghost state after the action that made `after` of `before`, and with it `frame`."""
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
    """The replica that the controller calls leader, where it lives and leads in that epoch."""
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


def _log_start(cluster: ClusterState, registration: PartitionRegistration) -> int:
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
    # A leader whose log begins later cannot say what stood in the gap.
    if leader.log.log_start_offset > committed.log_end_offset:
        return committed
    return ReplicaLog(
        committed.records
        + read_from(leader.log, committed.log_end_offset, up_to=leader.high_watermark),
        committed.log_start_offset,
    )
