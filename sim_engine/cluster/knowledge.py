"""A broker's knowledge of the others from its metadata, and the metadata that clients receive."""

from sim_engine.cluster.state import ClusterState
from sim_engine.error_codes import ErrorCode
from sim_engine.identifiers import BrokerId, Endpoint, TopicPartition
from sim_engine.protocol.leader.requests import ClientRequest, no_replica_error
from sim_engine.protocol.messages import PartitionRegistration


def eligible_for_isr(cluster: ClusterState, leader: BrokerId) -> frozenset[BrokerId]:
    """The brokers that may join an ISR, according to the leader's metadata.

    A broker uses the metadata that it has read, or received with UpdateMetadata.
    """
    return frozenset(
        [broker.broker_id for broker in cluster.broker(leader).known_brokers if broker.active]
    )


def known_broker_epoch(cluster: ClusterState, leader: BrokerId, fetching: Endpoint) -> int | None:
    """The broker epoch of a fetching broker in the leader's metadata; None if it is unknown or
    considered dead.
    """
    for broker in cluster.broker(leader).known_brokers:
        if broker.broker_id == fetching and broker.live and not broker.fenced:
            return broker.broker_epoch
    return None


def error_without_replica(
    cluster: ClusterState,
    broker_id: BrokerId,
    partition: TopicPartition,
    request: ClientRequest | None = None,
) -> ErrorCode:
    """The error of a running broker that has no replica of a partition; NONE if it has one.

    A broker whose metadata does not contain the partition does not know it. Under ZooKeeper that is
    one that has started and not received UpdateMetadata yet.
    """
    broker = cluster.broker(broker_id)
    if not cluster.controller_kind.has_metadata_log and all(
        registration.partition != partition for registration in broker.known_partitions
    ):
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    if broker.replica(partition) is not None:
        return ErrorCode.NONE
    return no_replica_error(cluster.profile.rules, request)


def known_registration(cluster: ClusterState, partition: TopicPartition) -> PartitionRegistration:
    """The registration of a partition (leader, leader epoch) in a metadata response to a client.

    Under ZooKeeper the client asks the running broker whose cache is newest. If none is running,
    and under KRaft, it receives the controller's current state.
    """
    known = [
        registration
        for broker in cluster.brokers
        if broker.running
        for registration in broker.known_partitions
        if registration.partition == partition
    ]
    if not known:
        return cluster.controller.partition(partition)
    return max(known, key=lambda registration: registration.leader_epoch)
