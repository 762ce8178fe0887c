"""The engine's central function: a cluster and an action give the next cluster, and events."""

from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions.steps import Action
from sim_engine.cluster.state import ClusterState
from sim_engine.events.base import Event
from sim_engine.events.controller import LeaderElected
from sim_engine.identifiers import FrameNumber
from sim_engine.invariants.fates import judge_fates
from sim_engine.narration import RefusedError
from sim_engine.simulation.performing import (
    brokers,
    consumers,
    controller,
    messages,
    producers,
    timers,
)
from sim_engine.simulation.working_copy import MessageMove, WorkingCopy


class Transition(Struct, frozen=True, gc=False):
    """The result of an action. Its events are in causal order."""

    cluster: ClusterState
    events: tuple[Event, ...]
    unclean_election: bool = False
    moves: tuple[MessageMove, ...] = ()
    """The message moves, in order."""


PERFORMED: tuple[tuple[type[object], Callable[[WorkingCopy, object], None]], ...] = (
    *producers.PERFORMED,
    *consumers.PERFORMED,
    *messages.PERFORMED,
    *timers.PERFORMED,
    *brokers.PERFORMED,
    *controller.PERFORMED,
)
PRIMITIVES: Mapping[type[object], Callable[[WorkingCopy, object], None]] = dict(PERFORMED)
"""The function for every action. Steps of a scenario that are not listed expand to
several actions.
"""


def perform(cluster: ClusterState, action: Action, frame: FrameNumber) -> Transition:
    """Perform one action; `frame` is the number of the frame that it creates.

    Raises `RefusedError` if the action is not possible now; nothing has changed then.
    """
    work = WorkingCopy(cluster, frame)
    try:
        PRIMITIVES[type(action)](work, action)
    except RefusedError as refused:
        # The frame that raises an error also refers to it. With its traceback it would keep the
        # states of the cluster until a full garbage collection.
        raise refused.with_traceback(None) from None
    events = [
        _as_it_is(work.cluster, happened) if isinstance(happened, LeaderElected) else happened
        for happened in work.events
    ]
    after, fates = judge_fates(cluster, work.cluster, frame)
    return Transition(
        cluster=after,
        events=(*events, *fates),
        unclean_election=work.unclean_election,
        moves=tuple(work.moves),
    )


def _as_it_is(cluster: ClusterState, happened: LeaderElected) -> LeaderElected:
    """Add the actual state of the elected broker to an election's event, because the controller may
    not know it.

    4.0 elects the last known leader even if it has fenced it (KAFKA-19522).
    """
    broker = cluster.broker(happened.leader)
    if cluster.controller.broker(happened.leader).fenced:
        return replace(happened, leader_is="fenced")
    if not broker.alive:
        return replace(happened, leader_is="down")
    if broker.process == "paused":
        return replace(happened, leader_is="paused")
    if not cluster.reaches_controller(happened.leader):
        return replace(happened, leader_is="cut_off")
    return happened
