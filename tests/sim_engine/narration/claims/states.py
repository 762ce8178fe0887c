"""The table of checks, and what they read from states."""

from collections.abc import Callable
from typing import Any

from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import BrokerId
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.protocol.replica import Replica

Check = Callable[[Any, ClusterState, ClusterState], object]
"""It gets an event of its class and the states before and after its frame, and returns whether the
claims hold (a true or a false value)."""

CHECKS: dict[str, Check] = {}
"""The checks by kind and variant of the event, or by its kind alone."""


def claims(*names: str) -> Callable[[Check], Check]:
    """Declare which sentences a check is for."""

    def declare(check: Check) -> Check:
        assert not CHECKS.keys() & set(names), "a sentence has one check"
        CHECKS.update(dict.fromkeys(names, check))
        return check

    return declare


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
