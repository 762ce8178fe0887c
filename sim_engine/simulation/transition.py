"""The one function of the engine: a cluster and an action give the next cluster, and events."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.cluster.state import ClusterState
from sim_engine.events import Event, Evidence
from sim_engine.events.log import LogTruncated, RecordLost, ReplicaDeleted, UnflushedRecordsLost
from sim_engine.events.process import DiskLost
from sim_engine.events.run import TimeAdvanced
from sim_engine.simulation import (
    broker_actions,
    client_actions,
    consumer_actions,
    controller_actions,
    delivery,
    timer_actions,
    transaction_actions,
)
from sim_engine.simulation.turn import Turn

Arguments = Mapping[str, Any]


class Action(Struct, frozen=True, gc=False):
    """One thing that happens: its name and arguments, written as a step of a scenario."""

    kind: str
    arguments: dict[str, Any]

    def as_step(self) -> dict[str, Any]:
        """The action in the syntax of a scenario file."""
        if self.kind == "tick":
            return {"advance": {"ms": self.arguments.get("since", self.arguments["ms"])}}
        return {STEP_OF.get(self.kind, self.kind): self.arguments}


class Transition(Struct, frozen=True, gc=False):
    """What an action comes to. Its events stand in the order in which one led to the next."""

    cluster: ClusterState
    events: tuple[Event, ...]
    unclean_election: bool = False


def _let_time_pass(turn: Turn, arguments: Arguments) -> None:
    turn.cluster = replace(turn.cluster, now_ms=turn.cluster.now_ms + arguments["ms"])
    turn.say(TimeAdvanced(ms=arguments.get("since", arguments["ms"])))


PRIMITIVES: Mapping[str, Callable[[Turn, Arguments], None]] = {
    "produce": client_actions.produce,
    "retry": client_actions.retry,
    "refresh": client_actions.refresh,
    "transaction": transaction_actions.transaction,
    "consume": consumer_actions.consume,
    "send_fetch": broker_actions.send_fetch,
    "deliver": delivery.deliver,
    "drop": delivery.drop,
    "hold": delivery.hold,
    "release": delivery.release,
    "timer": timer_actions.fire,
    "crash": broker_actions.crash,
    "power_loss": broker_actions.power_loss,
    "disk_loss": broker_actions.disk_loss,
    "pause": broker_actions.pause,
    "resume": broker_actions.resume,
    "boot": broker_actions.boot,
    "cut": broker_actions.cut,
    "heal": broker_actions.heal,
    "isolate": broker_actions.isolate,
    "slow": broker_actions.slow,
    "notice": controller_actions.notice,
    "take_over_controller": controller_actions.fail_controller,
    "ask_election": controller_actions.elect,
    "reassign_replicas": controller_actions.reassign,
    "begin_shutdown": controller_actions.begin_shutdown,
    "end_shutdown": controller_actions.end_shutdown,
    "config": controller_actions.change_config,
    "tick": _let_time_pass,
}
"""Every action there is. Steps of a scenario that are not here are macros of these."""

STEP_OF: Mapping[str, str] = {
    "notice": "detect",
    "take_over_controller": "fail_controller",
    "ask_election": "elect",
    "reassign_replicas": "reassign",
    "begin_shutdown": "shutdown",
    "end_shutdown": "shutdown",
}
"""The step of the scenario file that an action is part of, where it has another name."""

LOSING = (LogTruncated, UnflushedRecordsLost, DiskLost, ReplicaDeleted)
"""Events after which a record may be on no broker any more."""


def perform(cluster: ClusterState, action: Action, frame: int) -> Transition:
    """Do one action; `frame` is the number of the frame that it makes.

    Raises `RefusedError` where the action cannot happen now; nothing has changed then.
    """
    turn = Turn(cluster, frame)
    PRIMITIVES[action.kind](turn, action.arguments)
    after, lost = _with_lost_records(turn)
    return Transition(
        cluster=after, events=(*turn.events, *lost), unclean_election=turn.unclean_election
    )


def _with_lost_records(turn: Turn) -> tuple[ClusterState, tuple[Event, ...]]:
    """Mark the produced records whose last copy on any broker, up or down, has just gone."""
    cluster = turn.cluster
    if not any(isinstance(happened, LOSING) for happened in turn.events):
        return cluster, ()
    copies = {
        record.id
        for broker in cluster.brokers
        for replica in broker.replicas
        for record in replica.log.records
    }
    events: list[Event] = []
    produced = list(cluster.clients.produced)
    # Retries of an idempotent producer are about one record: it is lost once, and was promised if
    # any of them was.
    promised = {
        record.id: record.acked_frame
        for record in reversed(produced)
        if record.acked_frame is not None
    }
    told: set[str] = set()
    for index, record in enumerate(produced):
        if record.id is None or record.lost_frame is not None or record.id in copies:
            continue
        produced[index] = replace(record, lost_frame=turn.frame)
        if record.id in told:
            continue
        told.add(record.id)
        acked = promised.get(record.id)
        events.append(
            RecordLost(
                variant="acked" if acked is not None else None,
                partition=record.partition,
                value=record.value,
                offset=record.offset,
                acks=record.acks,
                acked_frame=acked,
                evidence=Evidence(
                    partition=record.partition,
                    offsets=() if record.offset is None else (record.offset,),
                    frames=() if acked is None else (acked,),
                ),
            )
        )
    if not events:
        return cluster, ()
    return (
        replace(cluster, clients=replace(cluster.clients, produced=tuple(produced))),
        tuple(events),
    )
