"""What the checks of claims read from states."""

from typing import Any

from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import BrokerId
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.protocol.replica import Replica


def own(event: Any, cluster: ClusterState) -> Replica:
    """The replica that an event is about."""
    return cluster.replica(event.broker, event.partition)


def led(event: Any, cluster: ClusterState) -> PartitionRegistration:
    """The partition as the controller has it."""
    return cluster.controller.partition(event.partition)


def is_alive(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether the controller considers a broker alive."""
    return cluster.controller.broker(broker_id).active


def is_up(cluster: ClusterState, broker_id: BrokerId) -> bool:
    broker = cluster.broker(broker_id)
    return broker.running and cluster.reaches_controller(broker_id)


def holders_of(cluster: ClusterState, partition: Any, values: tuple[str, ...]) -> set[int]:
    return {
        broker.broker_id
        for broker in cluster.brokers
        for replica in broker.replicas
        if replica.partition == partition
        and {record.value for record in replica.log.records} & set(values)
    }
