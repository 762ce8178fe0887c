"""The registration of brokers under KRaft: unfenced by heartbeats, fenced without them.

A broker that is down stays registered. It is removed from every ISR before the record that fences
it (`ReplicationControlManager.handleBrokerFenced`).
"""

from typing import Literal

from sim_engine.events.controller import BrokerFenced, BrokerRegistered, BrokerUnfenced
from sim_engine.events.election import ElectionCase
from sim_engine.identifiers import NO_LEADER, BrokerId, Offset
from sim_engine.kafka_history import Rules
from sim_engine.protocol.controller.kraft.elections import change_isr_and_elect
from sim_engine.protocol.controller.kraft.faults import (
    ReplicaNotAssignedError,
    controller_failed,
)
from sim_engine.protocol.controller.kraft.update import KRaftUpdate
from sim_engine.protocol.controller.state import (
    BrokerStart,
    Controller,
    ControllerOutcome,
    Policies,
)
from sim_engine.protocol.metadata import BrokerRegistration, PartitionRegistration, without
from sim_engine.versions import Profile


def first_state(
    broker_ids: tuple[BrokerId, ...],
    partitions: tuple[PartitionRegistration, ...],
    rules: Rules,
) -> Controller:
    """The controller of a new cluster. Its metadata log begins with one record for each broker,
    whose offset is the broker epoch, and one for each partition.
    """
    return Controller(
        metadata_offset=Offset(len(broker_ids) + len(partitions)),
        brokers=tuple(
            BrokerRegistration(broker_id=broker_id, broker_epoch=offset)
            for offset, broker_id in enumerate(broker_ids, start=1)
        ),
        partitions=partitions,
    )


def broker_session_ended(
    controller: Controller, broker_id: BrokerId, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """End a broker's session, which timed out: remove the broker from every ISR, elect other
    leaders, then fence it.
    """
    update = KRaftUpdate(controller, profile, policies)
    update.events.append(BrokerFenced(broker=broker_id))
    _leave_every_isr(update, broker_id, variant="clean")
    update.change_broker(broker_id, fenced=True)
    return update.outcome()


def broker_returned(
    controller: Controller, start: BrokerStart, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """Register a start that is not registered yet; unfence one that is."""
    if controller.broker(start.broker_id).incarnation != start.incarnation:
        try:
            return _register(controller, start, profile, policies)
        except ReplicaNotAssignedError as fault:
            return controller_failed(controller, fault, "registration", start.broker_id)
    try:
        return _unfence(controller, start, profile, policies)
    except ReplicaNotAssignedError as fault:
        return controller_failed(controller, fault, "unfencing", start.broker_id)


def _register(
    controller: Controller, start: BrokerStart, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """Register a started broker with a new epoch. It is fenced until it has caught up.

    With eligible leader replicas, it reports the broker epoch that it had at its last clean
    shutdown. If this is not the registered epoch, its log may have lost records, so it is first
    removed from every ISR and ELR (`handleBrokerUncleanShutdown`). From 4.0, every other start
    removes it from the ISRs as if it was fenced (`handleBrokerShutdown`).
    """
    update = KRaftUpdate(controller, profile, policies)
    before = controller.broker(start.broker_id)
    variant: Literal["clean_shutdown", "unclean_shutdown"] | None = None
    if profile.rules.eligible_leader_replicas:
        clean = start.previous_broker_epoch == before.broker_epoch
        variant = "clean_shutdown" if clean else "unclean_shutdown"
    if variant == "unclean_shutdown":
        _leave_every_isr_and_elr(update, start.broker_id)
    elif profile.rules.restart_leaves_every_isr:
        _leave_every_isr(update, start.broker_id, variant="clean")
    registered = update.register(
        BrokerRegistration(broker_id=start.broker_id, fenced=True, incarnation=start.incarnation)
    )
    update.events.insert(
        0,
        BrokerRegistered(
            variant=variant,
            rule=None if variant is None else "KIP-966",
            broker=start.broker_id,
            broker_epoch=registered.broker_epoch,
            previous_broker_epoch=start.previous_broker_epoch,
            registered_broker_epoch=before.broker_epoch,
        ),
    )
    return update.outcome()


def _unfence(
    controller: Controller, start: BrokerStart, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """Unfence a broker that sends heartbeats and has read the record of its registration
    (`BrokerHeartbeatManager.calculateNextBrokerState`). Only partitions without a leader are
    checked, and the broker joins no ISR.
    """
    broker_id = start.broker_id
    update = KRaftUpdate(controller, profile, policies)
    # A process that was never started is unfenced from the start of the run.
    again = start.incarnation == 0 or start.metadata_offset < controller.metadata_offset
    update.events.append(BrokerUnfenced(variant="again" if again else None, broker=broker_id))
    update.change_broker(broker_id, fenced=False)
    for partition in update.controller.partitions:
        if partition.leader == NO_LEADER:
            change_isr_and_elect(update, partition, partition.isr, available=broker_id)
    return update.outcome()


def begin_controlled_shutdown(
    controller: Controller, broker_id: BrokerId, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """Remove a broker that is shutting down from every ISR, and move its leaderships.

    A broker without leaderships is fenced directly (recorded on 3.9). Otherwise it is first marked
    as shutting down, so that it cannot rejoin an ISR meanwhile (KIP-841, from metadata.version
    3.3-IV3).
    """
    if not any(partition.leader == broker_id for partition in controller.partitions):
        return end_controlled_shutdown(controller, broker_id, profile, policies)
    update = KRaftUpdate(controller, profile, policies)
    if profile.rules.controlled_shutdown_is_registered:
        update.change_broker(broker_id, in_controlled_shutdown=True)
    _leave_every_isr(update, broker_id, variant="shutdown")
    return update.outcome()


def end_controlled_shutdown(
    controller: Controller, broker_id: BrokerId, profile: Profile, policies: Policies
) -> ControllerOutcome:
    """Fence a broker that no longer leads any partition, and let it stop."""
    update = KRaftUpdate(controller, profile, policies)
    _leave_every_isr(update, broker_id, variant="shutdown")
    update.events.append(
        BrokerFenced(variant="shutdown", rule="CONTROLLED-SHUTDOWN", broker=broker_id)
    )
    update.change_broker(broker_id, fenced=True)
    return update.outcome()


def take_over(controller: Controller, profile: Profile, policies: Policies) -> None:
    """Return None: the members of the quorum have the same log, and failover among them is not
    modelled.
    """


def _leave_every_isr(update: KRaftUpdate, broker_id: BrokerId, *, variant: ElectionCase) -> None:
    for partition in update.controller.partitions:
        if broker_id in partition.isr or partition.leader == broker_id:
            change_isr_and_elect(
                update,
                partition,
                without(partition.isr, broker_id),
                unavailable=broker_id,
                variant=variant,
            )


def _leave_every_isr_and_elr(update: KRaftUpdate, broker_id: BrokerId) -> None:
    for partition in update.controller.partitions:
        if broker_id in partition.isr or broker_id in partition.elr:
            change_isr_and_elect(
                update,
                partition,
                without(partition.isr, broker_id),
                unclean_shutdown=broker_id,
            )
