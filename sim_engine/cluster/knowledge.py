"""What a broker knows of the others from its metadata, and what a client that asks is told."""

from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import BrokerId, Endpoint, TopicPartition
from sim_engine.protocol.metadata import PartitionRegistration


def eligible_for_isr(cluster: ClusterState, leader: BrokerId) -> frozenset[BrokerId]:
    """Who may join an ISR, as far as a leader knows.

    A broker uses the metadata that it has read, or received with UpdateMetadata.
    """
    return frozenset(
        [broker.broker_id for broker in cluster.broker(leader).known_brokers if broker.active]
    )


def known_broker_epoch(cluster: ClusterState, leader: BrokerId, fetching: Endpoint) -> int | None:
    """The broker epoch of whoever fetches, as far as the leader has read the metadata log and takes
    it for live; null where it does not."""
    for broker in cluster.broker(leader).known_brokers:
        if broker.broker_id == fetching and broker.live and not broker.fenced:
            return broker.broker_epoch
    return None


def known_registration(cluster: ClusterState, partition: TopicPartition) -> PartitionRegistration:
    """A partition, its leader and epoch, as a client that asks is told.

    Under ZooKeeper it asks the running broker whose cache is newest; where none runs, and under
    KRaft, it is what the controller holds now.
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
