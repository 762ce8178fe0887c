"""States for tests: a test sets only the relevant parts."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from sim_engine.cluster.start import start_cluster
from sim_engine.cluster.state import (
    Client,
    ClientPartition,
    ClusterState,
    ConsumedRecord,
    ProducedRecord,
    with_broker,
    with_replica,
)
from sim_engine.events.base import Event
from sim_engine.identifiers import BrokerId, FrameNumber, LeaderEpoch, Offset, TopicPartition
from sim_engine.kafka_history import Rules
from sim_engine.protocol.log import EpochEntries, ReplicaLog, assign
from sim_engine.protocol.replica import LeadingState, Replica, without_memory
from sim_engine.records import Record
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import resolve_profile

Kind = TypeVar("Kind", bound=Event)


PARTITION = TopicPartition("t-0")
B1, B2, B3, B4 = map(BrokerId, (1, 2, 3, 4))


def log(text: str, *, start: int = 0) -> ReplicaLog:
    """`"m1/0 m2/1"`: values with their epochs, from offset `start`; `"m1"` has no epoch.

    The same text at the same offset is the same record.
    """
    return ReplicaLog(
        tuple(_record(word, start + index) for index, word in enumerate(text.split())),
        Offset(start),
    )


def _record(word: str, offset: int) -> Record:
    value, _, epoch = word.partition("/")
    return Record(
        Offset(offset), LeaderEpoch(int(epoch)) if epoch else None, value, f"{word}@{offset}"
    )


def epoch_cache(of: ReplicaLog, rules: Rules) -> EpochEntries:
    """The epoch cache after appending these records."""
    entries: EpochEntries = ()
    for record in of.records:
        if record.epoch is not None:
            entries = assign(entries, record.epoch, record.offset, rules)
    return entries


def cluster(
    logs: Mapping[int, str] | None = None,
    *,
    kafka: str = "3.9",
    brokers: Sequence[int] = (1, 2, 3),
    leader: int = 1,
    leader_epoch: int = 0,
    isr: Sequence[int] | None = None,
    high_watermarks: Mapping[int, int] | None = None,
    start: int = 0,
) -> ClusterState:
    """A running cluster with one partition, `t-0`, on every broker. Logs are empty unless given.

    Followers have fetched from their leader before.
    """
    about: dict[str, Any] = {
        "replicas": list(brokers),
        "leader": leader,
        "leader_epoch": leader_epoch,
        "isr": list(isr if isr is not None else brokers),
    }
    scenario = read_scenario_document(
        {
            "id": "built",
            "kafka": kafka,
            "brokers": list(brokers),
            "topics": [{"name": "t", "partitions": [about]}],
            "steps": [],
        }
    )
    profile = resolve_profile(kafka)
    built = start_cluster(scenario, profile)
    for broker_id in brokers:
        replica = built.replica(BrokerId(broker_id), PARTITION)
        own = log((logs or {}).get(broker_id, ""), start=start)
        built = with_replica(
            built,
            replace(
                replica,
                log=own,
                flushed=start,
                high_watermark=max(start, (high_watermarks or {}).get(broker_id, 0)),
                epoch_cache=epoch_cache(own, profile.rules),
                fetcher=(
                    None if replica.fetcher is None else replace(replica.fetcher, has_fetched=True)
                ),
            ),
        )
    return built


def with_second_partition(state: ClusterState) -> ClusterState:
    """The cluster with a partition `t-1` equal to `t-0`."""
    registration = state.controller.partition(PARTITION)
    return replace(
        state,
        brokers=tuple(
            replace(
                broker, replicas=(*broker.replicas, replace(broker.replicas[0], partition="t-1"))
            )
            for broker in state.brokers
        ),
        controller=replace(
            state.controller, partitions=(registration, replace(registration, partition="t-1"))
        ),
    )


def change_replica(state: ClusterState, broker_id: int, **changes: Any) -> ClusterState:
    """The cluster with fields of one broker's replica of `t-0` replaced; `log` may be text."""
    if isinstance(changes.get("log"), str):
        changes["log"] = log(changes["log"])
    return with_replica(state, replace(state.replica(BrokerId(broker_id), PARTITION), **changes))


def change_registration(state: ClusterState, **changes: Any) -> ClusterState:
    """The cluster with fields of the controller's view of `t-0` replaced."""
    partitions = tuple(
        replace(known, **changes) if known.partition == PARTITION else known
        for known in state.controller.partitions
    )
    return replace(state, controller=replace(state.controller, partitions=partitions))


def change_registered_broker(state: ClusterState, broker_id: int, **changes: Any) -> ClusterState:
    """The cluster with fields of the controller's view of one broker replaced."""
    brokers = tuple(
        replace(broker, **changes) if broker.broker_id == broker_id else broker
        for broker in state.controller.brokers
    )
    return replace(state, controller=replace(state.controller, brokers=brokers))


def change_process(state: ClusterState, broker_id: int, **changes: Any) -> ClusterState:
    """The cluster with fields of one broker replaced."""
    return with_broker(state, replace(state.broker(BrokerId(broker_id)), **changes))


def crash(state: ClusterState, broker_id: int) -> ClusterState:
    """The cluster with one crashed broker; the controller has not detected it yet."""
    broker = state.broker(BrokerId(broker_id))
    return with_broker(
        state,
        replace(
            broker,
            process="crashed",
            replicas=tuple(without_memory(replica) for replica in broker.replicas),
        ),
    )


def lead(
    state: ClusterState, broker_id: int, leader_epoch: int, isr: Sequence[int]
) -> ClusterState:
    """The cluster with one broker acting as leader of `t-0`."""
    return change_replica(
        state,
        broker_id,
        leader=broker_id,
        leader_epoch=leader_epoch,
        leading=LeadingState(
            leader_epoch_start_offset=state.replica(BrokerId(broker_id), PARTITION).log_end_offset,
            isr=tuple(map(BrokerId, isr)),
        ),
        fetcher=None,
        following=False,
    )


def follow(state: ClusterState, broker_id: int, leader: int, leader_epoch: int) -> ClusterState:
    """The cluster with one broker following another in `t-0`; it has not fetched yet."""
    return change_replica(
        state, broker_id, leader=leader, leader_epoch=leader_epoch, leading=None, following=True
    )


def elect(
    state: ClusterState, broker_id: int, leader_epoch: int, isr: Sequence[int]
) -> ClusterState:
    """The cluster whose controller has just elected a leader of `t-0`; no broker knows it yet."""
    return change_registration(state, leader=broker_id, leader_epoch=leader_epoch, isr=tuple(isr))


def acknowledged(
    state: ClusterState, replica: Replica, offset: int, *, frame: int, acks: Any = "all"
) -> ClusterState:
    """The cluster in which a record of this replica was acknowledged to a producer."""
    record = replica.log.records[offset - replica.log.log_start_offset]
    produced = ProducedRecord(
        request=len(state.clients.produced),
        id=record.id,
        producer="p1",
        value=record.value,
        acks=acks,
        partition=replica.partition,
        broker=replica.broker_id,
        offset=Offset(offset),
        outcome="acked",
        error=None,
        frame=FrameNumber(frame),
        acked_frame=FrameNumber(frame),
    )
    return replace(
        state, clients=replace(state.clients, produced=(*state.clients.produced, produced))
    )


def read_by(
    state: ClusterState, consumer: str, replica: Replica, *offsets: int, frame: int
) -> ClusterState:
    """The cluster in which a consumer has read these offsets from this replica."""
    state = stand_at(state, consumer, replica, offsets[-1] + 1)
    consumed = tuple(
        ConsumedRecord(
            consumer=consumer,
            partition=replica.partition,
            offset=record.offset,
            value=record.value,
            id=record.id,
            frame=FrameNumber(frame),
        )
        for record in replica.log.records
        if record.offset in offsets
    )
    return replace(
        state, clients=replace(state.clients, consumed=(*state.clients.consumed, *consumed))
    )


def stand_at(state: ClusterState, consumer: str, replica: Replica, offset: int) -> ClusterState:
    """The cluster in which a consumer reads next at `offset`, from this replica's broker."""
    known = ClientPartition(
        partition=replica.partition, leader=replica.broker_id, position=Offset(offset)
    )
    client = Client(name=consumer, kind="consumer", partitions=(known,))
    others = tuple(other for other in state.clients.clients if other.name != consumer)
    return replace(state, clients=replace(state.clients, clients=(*others, client)))


def told(timeline: Timeline, kind: type[Kind]) -> list[Kind]:
    """Every event of a class, in all frames of a run."""
    return [
        happened
        for frame in timeline.frames
        for happened in frame.events
        if isinstance(happened, kind)
    ]
