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
from sim_engine.events import Event, Evidence
from sim_engine.events.log import LogTruncated, RecordLost, ReplicaDeleted, UnflushedRecordsLost
from sim_engine.events.process import DiskLost
from sim_engine.events.run import TimeAdvanced
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

LOSING = (LogTruncated, UnflushedRecordsLost, DiskLost, ReplicaDeleted)
"""Events after which a record may be on no broker any more."""


def perform(cluster: ClusterState, action: Action, frame: int) -> Transition:
    """Do one action; `frame` is the number of the frame that it makes.

    Raises `RefusedError` where the action cannot happen now; nothing has changed then.
    """
    turn = Turn(cluster, frame)
    PRIMITIVES[type(action)](turn, action)
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
