"""Why a metric does not show a partition's trouble, although an operator might look there."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.operator_words.gauges import Reading
from sim_engine.protocol.messages import PartitionRegistration

NoteCode = str
"""The name of a message `note-…` of `languages/*/operator_words.ftl`."""


class Note(Struct, frozen=True, kw_only=True):
    """A reason, with the values of its text."""

    code: NoteCode
    brokers: tuple[BrokerId, ...] = ()


def why_not_in(
    cluster: ClusterState, partition: PartitionRegistration, reading: Reading
) -> Note | None:
    """Why a metric does not show what is wrong with a partition. None if it shows it, if nothing
    is wrong, or if the metric is about something else.
    """
    if partition.partition in reading.partitions:
        return None
    reason = _REASONS.get(reading.metric.name)
    return None if reason is None else reason(cluster, partition)


def has_trouble(cluster: ClusterState, partition: PartitionRegistration) -> bool:
    """Whether a partition has no leader, a replica that is down or outside the ISR, or a leader
    that the controller has replaced.
    """
    leaders = [
        broker.broker_id
        for broker in cluster.brokers
        for replica in broker.replicas
        if replica.partition == partition.partition and replica.leading is not None
    ]
    return (
        leaders != [partition.leader]
        or bool(_down(cluster, partition))
        or len(partition.isr) < len(partition.replicas)
    )


def _down(cluster: ClusterState, partition: PartitionRegistration) -> tuple[BrokerId, ...]:
    return tuple(sorted(one for one in partition.replicas if not cluster.broker(one).alive))


def _of_leader(cluster: ClusterState, partition: PartitionRegistration) -> Note | None:
    leader = partition.leader
    if leader == NO_LEADER:
        return Note(code="no-leader")
    if not cluster.broker(leader).running:
        return Note(code="leader-silent", brokers=(leader,))
    if cluster.replica(leader, partition.partition).leading is None:
        return Note(code="leader-unaware", brokers=(leader,))
    return None


def _of_under_replicated(cluster: ClusterState, partition: PartitionRegistration) -> Note | None:
    note = _of_leader(cluster, partition)
    still = tuple(one for one in _down(cluster, partition) if one in partition.isr)
    if note is None and still:
        return Note(code="still-in-isr", brokers=still)
    return note


def _of_offline(cluster: ClusterState, partition: PartitionRegistration) -> Note | None:
    leader = partition.leader
    if leader != NO_LEADER and not cluster.broker(leader).running:
        return Note(code="unnoticed", brokers=(leader,))
    return None


def _of_directories(cluster: ClusterState, partition: PartitionRegistration) -> Note | None:
    down = _down(cluster, partition)
    return Note(code="directories-only", brokers=down) if down else None


def _of_brokers(cluster: ClusterState, partition: PartitionRegistration) -> Note | None:
    unnoticed = tuple(
        one for one in _down(cluster, partition) if cluster.controller.broker(one).active
    )
    return Note(code="session-lasts", brokers=unnoticed) if unnoticed else None


def _of_lag(cluster: ClusterState, partition: PartitionRegistration) -> Note | None:
    down = tuple(one for one in _down(cluster, partition) if one != partition.leader)
    if down:
        return Note(code="follower-silent", brokers=down)
    if partition.leader == NO_LEADER:
        return Note(code="no-leader-to-fetch-from")
    leader = cluster.replica(partition.leader, partition.partition)
    replicas = [cluster.replica(one, partition.partition) for one in partition.replicas]
    behind = [one for one in replicas if one.log_end_offset < leader.log_end_offset]
    waiting = [one for one in behind if one.fetcher is None or not one.fetcher.has_fetched]
    if waiting:
        brokers = tuple(one.broker_id for one in waiting)
        return Note(code="follower-not-fetching", brokers=brokers)
    brokers = tuple(one.broker_id for one in behind)
    return Note(code="lag-to-high-watermark", brokers=brokers) if brokers else None


_REASONS: Mapping[str, Callable[[ClusterState, PartitionRegistration], Note | None]] = {
    "UnderReplicatedPartitions": _of_under_replicated,
    "UnderMinIsrPartitionCount": _of_leader,
    "MaxLag": _of_lag,
    "OfflineReplicaCount": _of_directories,
    "OfflinePartitionsCount": _of_offline,
    "FencedBrokerCount": _of_brokers,
    "ActiveBrokerCount": _of_brokers,
}
