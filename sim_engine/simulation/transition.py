"""The one function of the engine: a cluster and an action give the next cluster, and events."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions import (
    Action,
    AskElection,
    BeginShutdown,
    Boot,
    Config,
    Consume,
    Crash,
    Cut,
    Deliver,
    DiskLoss,
    Drop,
    EndShutdown,
    Heal,
    Hold,
    Isolate,
    Notice,
    Pause,
    PowerLoss,
    Produce,
    ReassignReplicas,
    Refresh,
    Release,
    Resume,
    Retry,
    SendFetch,
    Slow,
    StepStruct,
    TakeOverController,
    Tick,
    Timer,
    Transaction,
)
from sim_engine.cluster.state import ClusterState
from sim_engine.events import Event
from sim_engine.events.election import LeaderElected
from sim_engine.events.run import TimeAdvanced
from sim_engine.invariants.fates import judge_fates
from sim_engine.simulation.message_moves import MessageMove
from sim_engine.simulation.performing import (
    consumers,
    controller,
    fetching,
    messages,
    network,
    partitions,
    processes,
    producers,
    settings,
    timers,
    transactions,
)
from sim_engine.simulation.turn import Turn


class Transition(Struct, frozen=True, gc=False):
    """What an action comes to. Its events stand in the order in which one led to the next."""

    cluster: ClusterState
    events: tuple[Event, ...]
    unclean_election: bool = False
    moves: tuple[MessageMove, ...] = ()
    """What became of messages, in order."""


def _let_time_pass(turn: Turn, action: Tick) -> None:
    turn.cluster = replace(turn.cluster, now_ms=turn.cluster.now_ms + action.ms)
    turn.say(TimeAdvanced(ms=action.told_ms))


PRIMITIVES: Mapping[type[StepStruct], Callable[[Turn, Any], None]] = {
    Produce: producers.produce,
    Retry: producers.retry,
    Refresh: producers.refresh,
    Transaction: transactions.transaction,
    Consume: consumers.consume,
    SendFetch: fetching.send_fetch,
    Deliver: messages.deliver,
    Drop: messages.drop,
    Hold: messages.hold,
    Release: messages.release,
    Timer: timers.fire,
    Crash: processes.crash,
    PowerLoss: processes.power_loss,
    DiskLoss: processes.disk_loss,
    Pause: processes.pause,
    Resume: processes.resume,
    Boot: processes.boot,
    Cut: network.cut,
    Heal: network.heal,
    Isolate: network.isolate,
    Slow: network.slow,
    Notice: controller.notice,
    TakeOverController: controller.fail_controller,
    AskElection: partitions.elect,
    ReassignReplicas: partitions.reassign,
    BeginShutdown: controller.begin_shutdown,
    EndShutdown: controller.end_shutdown,
    Config: settings.change_config,
    Tick: _let_time_pass,
}
"""The function of every action. Steps of a scenario that are not here are several of these."""


def perform(cluster: ClusterState, action: Action, frame: int) -> Transition:
    """Do one action; `frame` is the number of the frame that it makes.

    Raises `RefusedError` where the action cannot happen now; nothing has changed then.
    """
    turn = Turn(cluster, frame)
    PRIMITIVES[type(action)](turn, action)
    events = tuple(_as_it_is(turn.cluster, happened) for happened in turn.events)
    after, fates = judge_fates(cluster, turn.cluster, frame)
    return Transition(
        cluster=after,
        events=(*events, *fates),
        unclean_election=turn.unclean_election,
        moves=tuple(turn.moves),
    )


def _as_it_is(cluster: ClusterState, happened: Event) -> Event:
    """An election tells how the elected broker really is: the controller may not know."""
    if not isinstance(happened, LeaderElected):
        return happened
    broker = cluster.broker(happened.leader)
    if not broker.alive:
        return replace(happened, leader_is="down")
    if broker.process == "paused":
        return replace(happened, leader_is="paused")
    if not cluster.reaches_controller(happened.leader):
        return replace(happened, leader_is="cut_off")
    return happened
