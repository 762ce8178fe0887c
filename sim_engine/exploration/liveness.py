"""Liveness: the state that a cluster must reach once its faults have ended."""

from sim_engine.cluster.state import ClusterState
from sim_engine.events.fetch import RoundsRepeat
from sim_engine.events.run import DidNotSettle
from sim_engine.identifiers import NO_LEADER
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.simulation.timeline import Timeline

MAY_DIVERGE = ("HW", "KIP101", "KIP279_200")


def find_unsettled(timeline: Timeline) -> tuple[str, str] | None:
    """Return the first part of a repaired run's final state that has not settled: its name, and a
    sentence. None if everything has settled.

    These known exceptions are accepted:

    Up to 2.0.0 replicas may keep different logs forever: neither truncation to the high watermark
    nor a single epoch lookup detects it (KIP-101 scenario 2, KIP-279, KAFKA-7415). A broker that
    exits or hangs because its log is longer than its leader's does so at every start. Under
    ZooKeeper before 2.2 (KIP-380) the controller does not detect a restart within the session, and
    the broker has no role until the controller next writes about its partitions.

    A follower may repeat its requests forever, which the run reports: from 2.0.1 until KAFKA-10706
    if its latest epoch is empty. In 2.1.0 a follower with
    a new epoch stops fetching the partition when a lookup for the old epoch is fenced (KAFKA-7786),
    until it learns an even newer epoch. With eligible leader replicas, a change of
    min.insync.replicas clears them (KAFKA-16540): a partition without an ISR then has no replica
    that can be elected cleanly. Before 1.1 the last replica leaves the ISR if unclean elections are
    enabled (`KafkaController.removeReplicaFromIsr`); if they are disabled afterwards, no replica
    can be elected.
    """
    frame = timeline.frames[timeline.head]
    if any(isinstance(happened, DidNotSettle) for happened in frame.events):
        return DidNotSettle.__name__, "the cluster keeps changing"
    if _may_stay_unsettled(timeline):
        return None
    cluster = frame.cluster
    for broker in cluster.brokers:
        if not broker.running:
            return "broker", f"broker {broker.broker_id} is {broker.process}"
    may_diverge = timeline.profile.family in MAY_DIVERGE
    unsettled = (
        _unsettled_partition(cluster, registration, may_diverge=may_diverge)
        for registration in cluster.controller.partitions
    )
    return next(filter(None, unsettled), None)


def _may_stay_unsettled(timeline: Timeline) -> bool:
    """Whether an exception that concerns the whole cluster applies."""
    cluster = timeline.frames[timeline.head].cluster
    rules = timeline.profile.rules
    replicas = [replica for broker in cluster.brokers for replica in broker.replicas]
    ended = any(broker.process in ("failed", "shutting_down") for broker in cluster.brokers)
    if ended and timeline.profile.out_of_range_exit != "none":
        return True
    idle = any(replica.role == "none" for replica in replicas)
    if idle and cluster.controller_kind.overlooks_restarts(rules):
        return True
    if _repeats(timeline):
        return True
    phases = {replica.fetcher.phase for replica in replicas if replica.fetcher is not None}
    may_give_up = rules.fetch_fencing and not rules.lookup_response_must_be_of_epoch
    return may_give_up and "failed" in phases


def _unsettled_partition(
    cluster: ClusterState, registration: PartitionRegistration, *, may_diverge: bool
) -> tuple[str, str] | None:
    name = registration.partition
    if registration.leader == NO_LEADER:
        uncleanly = cluster.settings_of(name).unclean_leader_election_enable
        candidates = registration.isr or registration.elr
        if not candidates and (cluster.profile.rules.eligible_leader_replicas or not uncleanly):
            return None
        return "leaderless", f"{name} has no leader, ISR {registration.isr}"
    leader = cluster.replica(registration.leader, name)
    if leader.leading is None:
        return "leader", f"broker {registration.leader} does not lead {name}"
    if set(registration.isr) != set(registration.replicas):
        return "isr", f"{name}: ISR {registration.isr} of {registration.replicas}"
    if leader.leading.produces:
        return "produce", f"{name}: a produce request waits"
    if leader.high_watermark != leader.log_end_offset:
        return "high_watermark", f"{name}: {leader.high_watermark} of {leader.log_end_offset}"
    for broker_id in () if may_diverge else registration.replicas:
        if cluster.replica(broker_id, name).log != leader.log:
            return "log", f"{name}: broker {broker_id} has a different log than its leader"
    return None


def _repeats(timeline: Timeline) -> bool:
    """Whether a follower repeats its requests at the end of a run."""
    last = timeline.played_steps[-1].frames if timeline.played_steps else ()
    return any(
        isinstance(happened, RoundsRepeat)
        for number in last
        for happened in timeline.frames[number].events
    )
