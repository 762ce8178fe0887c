"""What the controller does about brokers: notice them, see them off, and fail itself."""

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
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.turn import Turn


def session_has_ended(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether the controller still takes a broker for live that it does not hear of any more, or
    that has started anew since it registered."""
    registered = cluster.controller.broker(broker_id)
    broker = cluster.broker(broker_id)
    if not registered.live or registered.fenced:
        return False
    gone = not broker.running or not cluster.reaches_controller(broker_id)
    return gone or broker.incarnation != registered.incarnation


def bounce_is_unseen(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether a broker has started anew and the controller, which never saw it gone, will not see
    it by itself."""
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
    """Whether a broker runs and reaches the controller, which does not count on it yet."""
    registered = cluster.controller.broker(broker_id)
    broker = cluster.broker(broker_id)
    if broker.process != "running" or not cluster.reaches_controller(broker_id):
        return False
    if has_not_read_its_registration(cluster, broker_id):
        return False
    return not registered.live or registered.fenced or registered.incarnation != broker.incarnation


def has_not_read_its_registration(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether a broker has registered and the record of it is held back: it stays fenced until it
    has read that far, whatever its heartbeats say (`BrokerHeartbeatManager`)."""
    registered = cluster.controller.broker(broker_id)
    broker = cluster.broker(broker_id)
    return (
        is_metadata_held(cluster, broker_id)
        and registered.incarnation == broker.incarnation
        and broker.metadata_offset < registered.broker_epoch
    )


def is_unnoticed(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether there is anything about a broker that the controller has yet to notice."""
    return session_has_ended(cluster, broker_id) or broker_is_back(cluster, broker_id)


def notice(turn: Turn, action: Notice) -> None:
    """The controller detects one change of a broker's state and reacts to it.

    A session that has ended comes first; a broker that came back is registered, and under KRaft
    unfenced by a further notice, once it has read the metadata log.
    """
    broker_id = action.broker
    cluster = turn.cluster
    if session_has_ended(cluster, broker_id):
        apply_controller_outcome(
            turn,
            cluster.controller_kind.session_ended(
                cluster.controller, broker_id, cluster.profile, cluster.policies()
            ),
        )
        for message in turn.cluster.messages:
            if message.receiver == broker_id and message.kind in ZOOKEEPER_COMMANDS:
                remove(turn, message, "lost")
    elif broker_is_back(cluster, broker_id):
        _welcome(turn, broker_id)
    elif has_not_read_its_registration(cluster, broker_id):
        raise RefusedError("registration_unread", broker=broker_id)
    elif not cluster.reaches_controller(broker_id) and cluster.broker(broker_id).running:
        raise RefusedError("already_noticed", broker=broker_id)
    else:
        raise RefusedError("nothing_to_notice", broker=broker_id)


def _welcome(turn: Turn, broker_id: BrokerId) -> None:
    cluster = turn.cluster
    broker = cluster.broker(broker_id)
    outcome = cluster.controller_kind.broker_returned(
        cluster.controller,
        BrokerStart(
            broker_id=broker_id,
            incarnation=broker.incarnation,
            broker_epoch=broker.broker_epoch,
            previous_broker_epoch=broker.previous_broker_epoch,
        ),
        cluster.profile,
        cluster.policies(),
    )
    apply_controller_outcome(turn, outcome)


def fail_controller(turn: Turn, action: TakeOverController) -> None:
    """The controller fails and another one takes over. It is a broker without replicas.

    Commands of the old one that are on their way can still arrive, and are refused by whoever has
    heard of the new one; requests to it are lost and sent anew.
    """
    cluster = turn.cluster
    outcome = cluster.controller_kind.take_over(
        cluster.controller, cluster.profile, cluster.policies()
    )
    if outcome is None:
        raise RefusedError("controller_is_a_quorum", rule="CONTROLLER-EPOCH")
    apply_controller_outcome(turn, outcome)
    for message in cluster.messages:
        if message.kind in ("alter_partition_request", "alter_partition_response"):
            lose(turn, message)


def begin_shutdown(turn: Turn, action: BeginShutdown) -> None:
    """A broker asks to stop: the controller moves its leaderships and takes it out of every ISR."""
    broker_id = action.broker
    broker = turn.cluster.broker(broker_id)
    if broker.process != "running":
        raise RefusedError("broker_not_running", broker=broker_id, state=broker.process)
    turn.put_broker(replace(broker, process="shutting_down"))
    turn.say(ShutdownStarted(broker=broker_id))
    cluster = turn.cluster
    if not effective(cluster)["controlled.shutdown.enable"]:
        return
    if session_has_ended(cluster, broker_id) or not cluster.reaches_controller(broker_id):
        return
    apply_controller_outcome(
        turn,
        cluster.controller_kind.begin_controlled_shutdown(
            cluster.controller, broker_id, cluster.profile, cluster.policies()
        ),
    )


def end_shutdown(turn: Turn, action: EndShutdown) -> None:
    """The broker writes its files and ends; the controller sees its session close at once.

    Where a broker waits for the controller to let it stop, what the controller decides is told
    first.
    """
    broker_id = action.broker
    if turn.cluster.broker(broker_id).process != "shutting_down":
        raise RefusedError(
            "broker_not_running",
            broker=broker_id,
            state=turn.cluster.broker(broker_id).process,
        )
    reached = turn.cluster.reaches_controller(broker_id)
    before = len(turn.events)
    stop_process(turn, broker_id)
    cluster = turn.cluster
    registered = cluster.controller.broker(broker_id)
    if not reached or not registered.live or registered.fenced:
        return
    kind = cluster.controller_kind
    stopped: list[Event] = []
    if kind.grants_shutdowns:
        stopped = turn.events[before:]
        del turn.events[before:]
    apply_controller_outcome(
        turn,
        kind.end_controlled_shutdown(
            cluster.controller, broker_id, cluster.profile, cluster.policies()
        ),
    )
    turn.say(*stopped)


PERFORMED: tuple[Entry, ...] = (
    performs(Notice, notice),
    performs(TakeOverController, fail_controller),
    performs(BeginShutdown, begin_shutdown),
    performs(EndShutdown, end_shutdown),
)
