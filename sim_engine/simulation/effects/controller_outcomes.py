"""Applies the controller's decisions and sends them to the brokers."""

from sim_engine.identifiers import CONTROLLER
from sim_engine.protocol.controller.state import Controller, ControllerOutcome
from sim_engine.protocol.messages import LeaderAndIsr, StopReplica
from sim_engine.simulation.effects.messages import send
from sim_engine.simulation.effects.metadata_publishing import (
    publish,
    publish_everything,
    tell_metadata,
    told_broker_epoch,
)
from sim_engine.simulation.permissions import ActsAsController, SendsMessages


def apply_controller_outcome(work: ActsAsController, outcome: ControllerOutcome) -> None:
    """Store the controller's decision and send it to the brokers concerned."""
    before = work.cluster.controller
    work.put_controller(outcome.controller)
    if any(
        was.replicas != now.replicas
        for was, now in zip(before.partitions, outcome.controller.partitions, strict=True)
    ):
        work.create_assigned_replicas()
    if outcome.unclean:
        work.record_unclean_election()
    work.say(*outcome.events)
    controller = outcome.controller
    _update_metadata(work, before, joined=True)
    for broker_id, partitions in outcome.commands:
        send(
            work,
            CONTROLLER,
            broker_id,
            partitions[0].partition if len(partitions) == 1 else None,
            LeaderAndIsr(
                controller_epoch=controller.controller_epoch,
                broker_epoch=told_broker_epoch(work.cluster, broker_id),
                partitions=partitions,
            ),
        )
    for broker_id, partition in outcome.stops:
        send(
            work,
            CONTROLLER,
            broker_id,
            partition,
            StopReplica(
                controller_epoch=controller.controller_epoch,
                broker_epoch=told_broker_epoch(work.cluster, broker_id),
            ),
        )
    _update_metadata(work, before, joined=False)
    if outcome.changed_partitions or outcome.changed_brokers:
        for broker in work.cluster.brokers:
            if broker.alive:
                publish(work, broker, outcome)
    if outcome.registered is not None:
        publish_everything(work, outcome.registered)


def _update_metadata(work: SendsMessages, before: Controller, *, joined: bool) -> None:
    """Without a metadata log, send UpdateMetadata to live brokers: to those that have `joined`,
    everything, before their commands; to the others, the changes, after their commands.
    """
    after = work.cluster.controller
    if work.cluster.controller_kind.has_metadata_log:
        return
    took_over = before.controller_epoch != after.controller_epoch
    changed = tuple(
        now
        for was, now in zip(before.partitions, after.partitions, strict=True)
        if was is not now or took_over
    )
    for was_known, registered in zip(before.brokers, after.brokers, strict=True):
        has_joined = not was_known.live or was_known.incarnation != registered.incarnation
        if not registered.live or has_joined is not joined:
            continue
        if joined:
            tell_metadata(work, registered.broker_id, after.partitions)
        elif changed or before.brokers is not after.brokers:
            tell_metadata(work, registered.broker_id, changed)
