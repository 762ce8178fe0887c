"""The controller's actions about brokers: detection, controlled shutdown, and its own failover."""

from msgspec.structs import replace

from sim_engine.actions import BeginShutdown, EndShutdown, Notice, TakeOverController
from sim_engine.cluster.start import effective
from sim_engine.cluster.state import ClusterState
from sim_engine.events import Event
from sim_engine.events.process import ShutdownStarted
from sim_engine.identifiers import BrokerId
from sim_engine.protocol.controller.state import BrokerStart
from sim_engine.protocol.messages import ZOOKEEPER_COMMANDS
from sim_engine.simulation.effects.controller_outcomes import apply_controller_outcome
from sim_engine.simulation.effects.messages import lose, remove
from sim_engine.simulation.performing.late_metadata import is_metadata_held
from sim_engine.simulation.performing.processes import stop_process
from sim_engine.simulation.performing.table import Entry, performs
from sim_engine.simulation.permissions import ActsAsController, OrdersEvents, ShutsDownBrokers
from sim_engine.simulation.refusal import RefusedError


def broker_session_has_ended(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether the controller still considers a broker alive that it has lost contact with, or that
    has restarted since it registered.
    """
    registered = cluster.controller.broker(broker_id)
    broker = cluster.broker(broker_id)
    if not registered.live or registered.fenced:
        return False
    gone = not broker.running or not cluster.reaches_controller(broker_id)
    return gone or broker.incarnation != registered.incarnation


def bounce_is_unseen(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether a broker has restarted and the controller did not detect that it was down, and will
    not detect the restart.
    """
    broker = cluster.broker(broker_id)
    registered = cluster.controller.broker(broker_id)
    return (
        broker.incarnation != registered.incarnation
        and registered.live
        and broker.running
        and cluster.reaches_controller(broker_id)
        and cluster.controller_kind.overlooks_restarts(cluster.profile.rules)
    )


def broker_is_back(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether a broker is running and reaches the controller, but is not considered alive yet."""
    registered = cluster.controller.broker(broker_id)
    broker = cluster.broker(broker_id)
    if broker.process != "running" or not cluster.reaches_controller(broker_id):
        return False
    if has_not_read_its_registration(cluster, broker_id):
        return False
    return not registered.live or registered.fenced or registered.incarnation != broker.incarnation


def has_not_read_its_registration(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether a broker has registered and the record of its registration is held: it stays fenced
    until it has read that record, whatever its heartbeats report (`BrokerHeartbeatManager`).
    """
    registered = cluster.controller.broker(broker_id)
    broker = cluster.broker(broker_id)
    return (
        is_metadata_held(cluster, broker_id)
        and registered.incarnation == broker.incarnation
        and broker.metadata_offset < registered.broker_epoch
    )


def is_unnoticed(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether the controller has not detected a broker's current state yet."""
    return broker_session_has_ended(cluster, broker_id) or broker_is_back(cluster, broker_id)


def detection_is_awaited(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether the controller will detect a broker's state by itself, and partitions wait for it:
    the broker is in an ISR, or has returned. An end of the session of a broker that is in no ISR
    changes no partition, and a restart that the controller overlooks stays undetected.
    """
    if bounce_is_unseen(cluster, broker_id):
        return False
    return not broker_session_has_ended(cluster, broker_id) or any(
        broker_id in (registration.leader, *registration.isr)
        for registration in cluster.controller.partitions
    )


def notice(work: ActsAsController, action: Notice) -> None:
    """The controller detects one change of a broker's state and reacts to it.

    An expired session comes first. A broker that has returned is registered and, under KRaft,
    unfenced by another detection after it has read the metadata log.
    """
    broker_id = action.broker
    cluster = work.cluster
    if broker_session_has_ended(cluster, broker_id):
        apply_controller_outcome(
            work,
            cluster.controller_kind.broker_session_ended(
                cluster.controller, broker_id, cluster.profile, cluster.policies()
            ),
        )
        for message in work.cluster.messages:
            if message.receiver == broker_id and message.kind in ZOOKEEPER_COMMANDS:
                remove(work, message, "lost")
    elif broker_is_back(cluster, broker_id):
        _welcome(work, broker_id)
    elif cluster.broker(broker_id).running and has_not_read_its_registration(cluster, broker_id):
        raise RefusedError("registration_unread", broker=broker_id)
    elif not cluster.reaches_controller(broker_id) and cluster.broker(broker_id).running:
        raise RefusedError("already_noticed", broker=broker_id)
    else:
        raise RefusedError("nothing_to_notice", broker=broker_id)


def _welcome(work: ActsAsController, broker_id: BrokerId) -> None:
    cluster = work.cluster
    broker = cluster.broker(broker_id)
    outcome = cluster.controller_kind.broker_returned(
        cluster.controller,
        BrokerStart(
            broker_id=broker_id,
            incarnation=broker.incarnation,
            broker_epoch=broker.broker_epoch,
            previous_broker_epoch=broker.previous_broker_epoch,
            metadata_offset=broker.metadata_offset,
        ),
        cluster.profile,
        cluster.policies(),
    )
    apply_controller_outcome(work, outcome)


def fail_controller(work: ActsAsController, action: TakeOverController) -> None:
    """The controller fails and another one takes over. It is a broker without replicas.

    Commands of the old controller in flight can still arrive; brokers that know the new one reject
    them. Requests to the old controller are lost and sent again.
    """
    cluster = work.cluster
    outcome = cluster.controller_kind.take_over(
        cluster.controller, cluster.profile, cluster.policies()
    )
    if outcome is None:
        raise RefusedError("controller_is_a_quorum", rule="CONTROLLER-EPOCH")
    apply_controller_outcome(work, outcome)
    for message in cluster.messages:
        if message.kind in ("alter_partition_request", "alter_partition_response"):
            lose(work, message)


def begin_shutdown(work: ShutsDownBrokers, action: BeginShutdown) -> None:
    """A broker requests a controlled shutdown: the controller moves its leaderships and removes it
    from every ISR.
    """
    broker_id = action.broker
    broker = work.cluster.broker(broker_id)
    if broker.process != "running":
        raise RefusedError("broker_not_running", broker=broker_id, state=broker.process)
    work.put_broker(replace(broker, process="shutting_down"))
    work.say(ShutdownStarted(broker=broker_id))
    cluster = work.cluster
    if not effective(cluster, broker=broker_id)["controlled.shutdown.enable"]:
        return
    if broker_session_has_ended(cluster, broker_id) or not cluster.reaches_controller(broker_id):
        return
    apply_controller_outcome(
        work,
        cluster.controller_kind.begin_controlled_shutdown(
            cluster.controller, broker_id, cluster.profile, cluster.policies()
        ),
    )


def end_shutdown(work: OrdersEvents, action: EndShutdown) -> None:
    """The broker writes its files and exits; the controller immediately detects that its session is
    closed.

    If a broker waits for the controller's permission to stop, the controller's decisions are
    reported first.
    """
    broker_id = action.broker
    if work.cluster.broker(broker_id).process != "shutting_down":
        raise RefusedError(
            "broker_not_running",
            broker=broker_id,
            state=work.cluster.broker(broker_id).process,
        )
    reached = work.cluster.reaches_controller(broker_id)
    before = len(work.events)
    stop_process(work, broker_id)
    cluster = work.cluster
    registered = cluster.controller.broker(broker_id)
    if not reached or not registered.live or registered.fenced:
        return
    kind = cluster.controller_kind
    stopped: tuple[Event, ...] = work.hold_back(before) if kind.grants_shutdowns else ()
    apply_controller_outcome(
        work,
        kind.end_controlled_shutdown(
            cluster.controller, broker_id, cluster.profile, cluster.policies()
        ),
    )
    work.say(*stopped)


PERFORMED: tuple[Entry, ...] = (
    performs(Notice, notice),
    performs(TakeOverController, fail_controller),
    performs(BeginShutdown, begin_shutdown),
    performs(EndShutdown, end_shutdown),
)
