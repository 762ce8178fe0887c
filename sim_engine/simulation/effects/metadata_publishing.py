"""Publishes the controller's decisions to brokers: UpdateMetadata, and records of the
metadata log.
"""

from msgspec.structs import replace

from sim_engine.cluster.state import Broker, ClusterState
from sim_engine.identifiers import CONTROLLER, BrokerId
from sim_engine.protocol.controller.state import ControllerOutcome
from sim_engine.protocol.messages import (
    Message,
    MetadataRecords,
    PartitionRegistration,
    UpdateMetadata,
)
from sim_engine.simulation.effects.messages import remove, replace_message, send
from sim_engine.simulation.permissions import SendsMessages


def tell_metadata(
    work: SendsMessages, broker_id: BrokerId, partitions: tuple[PartitionRegistration, ...]
) -> None:
    """Queue an UpdateMetadata. If the last message in the queue is one, it is merged with it."""
    controller = work.cluster.controller
    queued = _last_sent_to(work.cluster, broker_id)
    if (
        queued is not None
        and isinstance(queued.payload, UpdateMetadata)
        and queued.payload.controller_epoch == controller.controller_epoch
        and not queued.held
    ):
        remove(work, queued, "replaced")
        newer = {registration.partition for registration in partitions}
        partitions = (
            *(told for told in queued.payload.partitions if told.partition not in newer),
            *partitions,
        )
    send(
        work,
        CONTROLLER,
        broker_id,
        None,
        UpdateMetadata(
            controller_epoch=controller.controller_epoch,
            broker_epoch=told_broker_epoch(work.cluster, broker_id),
            partitions=partitions,
            brokers=tuple(broker for broker in controller.brokers if broker.live),
        ),
    )


def publish(work: SendsMessages, broker: Broker, outcome: ControllerOutcome) -> None:
    """Let a broker read the records that the controller has just written to the metadata log.

    Records that are only about brokers are read together with the next ones, as in one fetch of the
    log.
    """
    offset = work.cluster.controller.metadata_offset
    partitions = outcome.changed_partitions
    registered_now = work.cluster.controller.broker(broker.broker_id)
    if registered_now.incarnation != broker.incarnation:
        # A process that has not registered yet reads the log after it has.
        return
    concerned = partitions[0].partition if len(partitions) == 1 else None
    last = _last_sent_to(work.cluster, broker.broker_id)
    if (
        last is not None
        and isinstance(last.payload, MetadataRecords)
        and not last.payload.partitions
    ):
        known = {registered.broker_id: registered for registered in last.payload.brokers}
        known.update({registered.broker_id: registered for registered in outcome.changed_brokers})
        records = MetadataRecords(
            offset=offset,
            partitions=partitions,
            brokers=tuple(known[broker_id] for broker_id in sorted(known)),
            records=(*last.payload.records, *outcome.records),
        )
        replace_message(work, replace(last, payload=records, partition=concerned))
        return
    send(
        work,
        CONTROLLER,
        broker.broker_id,
        concerned,
        MetadataRecords(
            offset=offset,
            partitions=partitions,
            brokers=outcome.changed_brokers,
            records=outcome.records,
        ),
    )


def publish_everything(work: SendsMessages, broker_id: BrokerId) -> None:
    """Let a broker that has just registered read the whole metadata log."""
    broker = work.cluster.broker(broker_id)
    controller = work.cluster.controller
    for message in work.cluster.messages:
        if message.receiver == broker_id and message.kind == "metadata_record":
            remove(work, message, "replaced")
    send(
        work,
        CONTROLLER,
        broker.broker_id,
        None,
        MetadataRecords(
            offset=controller.metadata_offset,
            partitions=tuple(
                partition
                for partition in controller.partitions
                if broker_id in partition.replicas
                or broker.replica(partition.partition) is not None
            ),
            brokers=controller.brokers,
        ),
    )


def _last_sent_to(cluster: ClusterState, broker_id: BrokerId) -> Message | None:
    return next(
        (
            message
            for message in reversed(cluster.messages)
            if message.receiver == broker_id and message.sender == CONTROLLER
        ),
        None,
    )


def told_broker_epoch(cluster: ClusterState, broker_id: BrokerId) -> int | None:
    """The broker epoch in a ZooKeeper controller's command, so that a later start of the process
    rejects it; None up to 2.1 (KIP-380).
    """
    if not cluster.profile.rules.broker_generations:
        return None
    return cluster.controller.broker(broker_id).broker_epoch
