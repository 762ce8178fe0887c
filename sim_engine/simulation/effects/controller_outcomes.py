"""What the controller decided is taken over, and told to the brokers that it concerns."""

from sim_engine.cluster.start import with_settings
from sim_engine.cluster.state import with_assigned_replicas
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
from sim_engine.simulation.turn import Turn


def apply_controller_outcome(turn: Turn, outcome: ControllerOutcome) -> None:
    """Take over what the controller decided, and send word of it."""
    before = turn.cluster.controller
    turn.put_controller(outcome.controller)
    if any(
        was.replicas != now.replicas
        for was, now in zip(before.partitions, outcome.controller.partitions, strict=True)
    ):
        turn.cluster = with_settings(with_assigned_replicas(turn.cluster))
    turn.unclean_election = turn.unclean_election or outcome.unclean
    turn.say(*outcome.events)
    controller = outcome.controller
    _update_metadata(turn, before, joined=True)
    for broker_id, partitions in outcome.commands:
        send(
            turn,
            CONTROLLER,
            broker_id,
            partitions[0].partition if len(partitions) == 1 else None,
            LeaderAndIsr(
                controller_epoch=controller.controller_epoch,
                broker_epoch=told_broker_epoch(turn.cluster, broker_id),
                partitions=partitions,
            ),
        )
    for broker_id, partition in outcome.stops:
        send(
            turn,
            CONTROLLER,
            broker_id,
            partition,
            StopReplica(
                controller_epoch=controller.controller_epoch,
                broker_epoch=told_broker_epoch(turn.cluster, broker_id),
            ),
        )
    _update_metadata(turn, before, joined=False)
    if outcome.changed_partitions or outcome.changed_brokers:
        for broker in turn.cluster.brokers:
            if broker.alive:
                publish(turn, broker, outcome.changed_partitions, outcome.changed_brokers)
    if outcome.registered is not None:
        publish_everything(turn, outcome.registered)


def _update_metadata(turn: Turn, before: Controller, *, joined: bool) -> None:
    """Without a metadata log, tell live brokers what changed: those that have `joined` everything,
    ahead of their commands; the others what is new, behind theirs."""
    after = turn.cluster.controller
    if turn.cluster.controller_kind.has_metadata_log:
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
            tell_metadata(turn, registered.broker_id, after.partitions)
        elif changed or before.brokers is not after.brokers:
            tell_metadata(turn, registered.broker_id, changed)
