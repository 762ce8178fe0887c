"""The steps with which a planned fault begins and ends, in a given state of the cluster."""

from collections.abc import Iterator, Set
from typing import cast

from sim_engine.actions import (
    Cut,
    Deliver,
    FailController,
    Happening,
    Heal,
    Hold,
    Isolate,
    Pause,
    PowerLoss,
    Release,
    Resume,
    Slow,
)
from sim_engine.campaign.cell_scenario import PARTITION
from sim_engine.campaign.fault_kinds import FAULT_TYPES
from sim_engine.campaign.plan import Fault
from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import CONTROLLER, METADATA_RECORD, BrokerId, Endpoint, Offset
from sim_engine.simulation.performing.late_metadata import waiting_records


def beginning(
    fault: Fault, cluster: ClusterState, *, latency_ms: int, written_back: Set[str]
) -> Iterator[Happening]:
    """The steps with which a fault begins, one for each of its brokers.

    `latency_ms` is the delay that the run adds to every broker's messages. `written_back` are the
    values of the records that the operating system has written to disk: a power loss keeps them
    even if Kafka has not flushed them.
    """
    step = FAULT_TYPES[fault.kind].step
    if step is FailController:
        yield FailController()
    for broker in fault.brokers:
        if step is Isolate:
            yield Isolate(broker=broker, from_=fault.isolated_from)
        elif step is Cut:
            sender, receiver = _link(fault, cluster)
            yield Cut(from_=sender, to=receiver)
        elif step is Slow:
            yield Slow(broker=broker, ms=latency_ms + fault.slow_ms)
        elif step is Hold:
            yield Hold(kind=METADATA_RECORD, from_=CONTROLLER, to=broker)
        elif step is PowerLoss:
            yield _power_loss(broker, cluster, written_back)
        else:
            yield cast("Happening", step(broker=broker))


def ending(fault: Fault, cluster: ClusterState, *, latency_ms: int) -> Iterator[Happening]:
    """The steps with which a fault ends; none for an outage, whose brokers are restarted, and for
    a fault without a duration.

    `latency_ms` is the delay that the run adds to every broker's messages.
    """
    step = FAULT_TYPES[fault.kind].step
    for broker in fault.brokers:
        if step is Pause:
            yield Resume(broker=broker)
        elif step is Isolate:
            yield Heal(broker=broker)
        elif step is Cut:
            sender, receiver = _link(fault, cluster)
            yield Heal(from_=sender, to=receiver)
        elif step is Slow:
            yield Slow(broker=broker, ms=latency_ms)
        elif step is Hold:
            yield from _late_delivery(broker, cluster)


def _link(fault: Fault, cluster: ClusterState) -> tuple[Endpoint, Endpoint]:
    """A random direction of a link between the broker and another broker or the controller."""
    broker = fault.brokers[0]
    others: list[Endpoint] = [
        other.broker_id for other in cluster.brokers if other.broker_id != broker
    ]
    others.append(CONTROLLER)
    other = others[(fault.choice >> 1) % len(others)]
    return (broker, other) if fault.choice & 1 else (other, broker)


def _power_loss(broker_id: BrokerId, cluster: ClusterState, written_back: Set[str]) -> PowerLoss:
    replica = cluster.replica(broker_id, PARTITION)
    kept = replica.flushed
    for record in replica.log.records:
        if record.value not in written_back:
            break
        kept = max(kept, Offset(record.offset + 1))
    return PowerLoss(broker=broker_id, keep={PARTITION: kept})


def _late_delivery(broker: BrokerId, cluster: ClusterState) -> Iterator[Happening]:
    """The broker catches up in one delivery, so it may never apply the states in between."""
    waiting = len(waiting_records(cluster, broker))
    if waiting > 1:
        yield Deliver(kind=METADATA_RECORD, from_=CONTROLLER, to=broker, records=waiting)
    yield Release(kind=METADATA_RECORD, from_=CONTROLLER, to=broker)
