"""One frame of a run: the events with the values for their texts, the differences from the frame
before, for readers, the state afterwards, and the verdicts of the properties so far."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Literal

from msgspec import UNSET, UnsetType

from sim_engine.cluster.state import ClusterState, ProducedRecord
from sim_engine.documents.brokers import LogRecordDocument, broker_state, record_document
from sim_engine.documents.state import (
    MessageMoveDocument,
    StateDocument,
    message_moves,
    state_document,
)
from sim_engine.events.base import Event, EventNumber
from sim_engine.identifiers import UNDEFINED_OFFSET, BrokerId, FrameNumber, Offset, TopicPartition
from sim_engine.invariants.fates import brokers_that_hold
from sim_engine.invariants.observation import Verdicts
from sim_engine.json_types import Document, Step
from sim_engine.protocol.log import last_stable_offset
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.timeline import Timeline
from sim_engine.story.event_groups import cause_of

ChangedField = Literal[
    "role",
    "log_end_offset",
    "high_watermark",
    "last_stable_offset",
    "epoch_cache",
    "leader_epoch",
    "flushed",
    "checkpoint_high_watermark",
    "checkpoint_recovery_point",
    "follower_log_end_offset",
    "leader",
    "controller_leader_epoch",
    "isr",
    "elr",
    "last_known_elr",
    "partition_epoch",
    "leader_recovery_state",
    "replicas",
    "adding_replicas",
    "removing_replicas",
    "controller_epoch",
    "broker_state",
    "outcome",
    "copies",
    "position",
]
ChangedValue = int | str | tuple[int | str, ...] | None


class ChangeDocument(Document, frozen=True, kw_only=True):
    """One value, before and after a frame's action."""

    what: ChangedField
    """Its text is in the message catalogue."""
    partition: TopicPartition | None
    """Null if the change is not about one partition."""
    broker: BrokerId | None
    """The broker that the value belongs to; null for values of the controller and of clients."""
    subject: str | None
    """For a follower's log end offset: the follower's id. For an outcome or a number of copies: the
    record's value. For a position: the consumer. Otherwise null."""
    before: ChangedValue
    """Null if there was no value. An epoch cache is a list of epoch→start."""
    after: ChangedValue
    """Null if there is no value any more."""


def list_changes(before: ClusterState, after: ClusterState) -> tuple[ChangeDocument, ...]:
    """Return every visible change: the replicas' first, then the controller's and the clients'."""
    return (
        *_replica_changes(before, after),
        *_partition_changes(before, after),
        *_controller_changes(before, after),
        *_broker_changes(before, after),
        *_client_changes(before, after),
    )


def _change(
    what: ChangedField,
    old: ChangedValue,
    new: ChangedValue,
    *,
    partition: TopicPartition | None = None,
    broker: BrokerId | None = None,
    subject: str | None = None,
) -> Iterator[ChangeDocument]:
    if old != new:
        yield ChangeDocument(
            what=what, partition=partition, broker=broker, subject=subject, before=old, after=new
        )


def _replica_changes(before: ClusterState, after: ClusterState) -> Iterator[ChangeDocument]:
    for old_broker, new_broker in zip(before.brokers, after.brokers, strict=True):
        if old_broker is new_broker:
            continue
        for new in new_broker.replicas:
            old = old_broker.replica(new.partition) or Replica(
                partition=new.partition, broker_id=new.broker_id
            )
            if old is new:
                continue
            change = partial(_change, partition=new.partition, broker=new.broker_id)
            yield from change("role", old.role, new.role)
            yield from change("log_end_offset", old.log_end_offset, new.log_end_offset)
            yield from change("high_watermark", _seen(old), _seen(new))
            if old.log is not new.log or old.high_watermark != new.high_watermark:
                yield from change("last_stable_offset", *_held_back(old, new))
            if after.profile.has_epochs:
                yield from change("epoch_cache", _epochs(old), _epochs(new))
            if old.role != "none" and new.role != "none":
                yield from change("leader_epoch", old.leader_epoch, new.leader_epoch)
            yield from change("flushed", old.flushed, new.flushed)
            yield from change(
                "checkpoint_high_watermark",
                old.checkpoint_high_watermark,
                new.checkpoint_high_watermark,
            )
            yield from change(
                "checkpoint_recovery_point",
                old.checkpoint_recovery_point,
                new.checkpoint_recovery_point,
            )
            yield from _belief_changes(old, new)


def _seen(replica: Replica) -> int | None:
    return replica.high_watermark if replica.role != "none" else None


def _held_back(old: Replica, new: Replica) -> tuple[int | None, int | None]:
    """The last stable offsets, if an open transaction keeps one of them below the high
    watermark."""
    before, after = (
        None if replica.role == "none" else last_stable_offset(replica.log, replica.high_watermark)
        for replica in (old, new)
    )
    if (before, after) == (_seen(old), _seen(new)):
        return None, None
    return before, after


def _epochs(replica: Replica) -> tuple[str, ...]:
    return tuple(f"{epoch}→{start}" for epoch, start in replica.epoch_cache)


def _belief_changes(old: Replica, new: Replica) -> Iterator[ChangeDocument]:
    if old.leading is None or new.leading is None:
        return
    believed = {remote.broker_id: remote.log_end_offset for remote in old.leading.remotes}
    for remote in new.leading.remotes:
        yield from _change(
            "follower_log_end_offset",
            _known(believed.get(remote.broker_id, UNDEFINED_OFFSET)),
            _known(remote.log_end_offset),
            partition=new.partition,
            broker=new.broker_id,
            subject=str(remote.broker_id),
        )


def _known(offset: Offset) -> int | None:
    return None if offset < 0 else offset


def _partition_changes(before: ClusterState, after: ClusterState) -> Iterator[ChangeDocument]:
    for old, new in zip(before.controller.partitions, after.controller.partitions, strict=True):
        change = partial(_change, partition=new.partition)
        yield from change("leader", old.leader, new.leader)
        yield from change("controller_leader_epoch", old.leader_epoch, new.leader_epoch)
        yield from change("isr", old.isr, new.isr)
        yield from change("elr", old.elr, new.elr)
        yield from change("last_known_elr", old.last_known_elr, new.last_known_elr)
        yield from change("partition_epoch", old.partition_epoch, new.partition_epoch)
        yield from change(
            "leader_recovery_state", old.leader_recovery_state, new.leader_recovery_state
        )
        yield from change("replicas", old.replicas, new.replicas)
        yield from change("adding_replicas", old.adding_replicas, new.adding_replicas)
        yield from change("removing_replicas", old.removing_replicas, new.removing_replicas)


def _controller_changes(before: ClusterState, after: ClusterState) -> Iterator[ChangeDocument]:
    yield from _change(
        "controller_epoch", before.controller.controller_epoch, after.controller.controller_epoch
    )


def _broker_changes(before: ClusterState, after: ClusterState) -> Iterator[ChangeDocument]:
    for broker in after.brokers:
        yield from _change(
            "broker_state",
            broker_state(before, broker.broker_id),
            broker_state(after, broker.broker_id),
            broker=broker.broker_id,
        )


def _client_changes(before: ClusterState, after: ClusterState) -> Iterator[ChangeDocument]:
    for index, record in enumerate(after.clients.produced):
        old = before.clients.produced[index] if index < len(before.clients.produced) else None
        yield from _change(
            "outcome", None if old is None else old.outcome, record.outcome, subject=record.value
        )
        if old is not None and record.outcome == "acked" and before.brokers is not after.brokers:
            yield from _copies_gone(before, after, old, record)
    if before.clients.clients is after.clients.clients:
        return
    for client in after.clients.clients:
        was = before.clients.find(client.name)
        for known in client.partitions:
            if known.position is not None:
                yield from _change(
                    "position",
                    0 if was is None else was.position_in(known.partition),
                    known.position,
                    partition=known.partition,
                    subject=client.name,
                )


def _copies_gone(
    before: ClusterState, after: ClusterState, old: ProducedRecord, record: ProducedRecord
) -> Iterator[ChangeDocument]:
    """The number of brokers that have an acknowledged record, if it has decreased."""
    if old.id is None:
        return
    had, has = len(brokers_that_hold(before, old)), len(brokers_that_hold(after, record))
    if has < had:
        yield from _change("copies", had, has, subject=record.value)


class EventSubjectDocument(Document, frozen=True, kw_only=True):
    """What an event is about, to highlight it. Absent: the event is not about any."""

    partition: TopicPartition | UnsetType = UNSET
    replicas: tuple[BrokerId, ...] | UnsetType = UNSET
    """Broker ids."""
    offsets: tuple[Offset, ...] | UnsetType = UNSET
    frames: tuple[FrameNumber, ...] | UnsetType = UNSET
    """Earlier frames that led to it."""
    records: tuple[LogRecordDocument, ...] | UnsetType = UNSET


class EventDocument(Document, frozen=True, kw_only=True):
    """An event. Its text is in the catalogue under `kind.variant` or `kind`."""

    kind: str
    variant: str | UnsetType = UNSET
    """Selects one of several texts; absent if there is only one."""
    numbers: Mapping[str, EventNumber]
    """The values for the text."""
    rule: str | None
    """The rule of Kafka that caused it, such as KIP-279; null if none."""
    sources: tuple[str, ...]
    """Kafka classes, methods and issues; `/sources` has their addresses."""
    subject: EventSubjectDocument


def event_document(happened: Event) -> EventDocument:
    """One event as a document, with the values for its text."""
    about = happened.where()
    return EventDocument(
        kind=happened.kind,
        variant=UNSET if happened.variant is None else happened.variant,
        numbers=happened.numbers(),
        rule=happened.rule,
        sources=happened.sources,
        subject=EventSubjectDocument(
            partition=UNSET if about.partition is None else about.partition,
            replicas=about.replicas or UNSET,
            offsets=about.offsets or UNSET,
            frames=about.frames or UNSET,
            records=tuple(record_document(record) for record in about.records) or UNSET,
        ),
    )


class FrameContent(Document, frozen=True, kw_only=True):
    """The fields of a frame, apart from its state."""

    frame: FrameNumber
    """Its number. Frames are numbered in the order of their creation."""
    parent: FrameNumber | None
    """The frame before it; null for the first."""
    depth: int
    """The number of actions from the start of the run, along its branch."""
    item: int | None
    """The entry of the scenario's steps that it belongs to; null for a user's action."""
    step: int
    """The story step that it belongs to; 0 is the start."""
    action: Step | None
    """The action, as a step; null for the first frame."""
    events: tuple[EventDocument, ...]
    """In causal order."""
    headline: int
    """The index in `events` of the most important one."""
    cause: int | UnsetType = UNSET
    """The index in `events` of the one whose rule explains that, if it names none itself."""
    changes: tuple[ChangeDocument, ...]
    """The differences from the previous frame."""
    moves: tuple[MessageMoveDocument, ...]
    """The messages that were sent, delivered or lost, in order."""


class FrameDocument(FrameContent, frozen=True, kw_only=True):
    """What one action did, and the complete state after it."""

    state: StateDocument
    properties: Verdicts
    """Property name → verdict up to this frame."""


def frame_document(timeline: Timeline, number: FrameNumber) -> FrameDocument:
    """One frame. Raises `IndexError` if no frame has this number."""
    frame = timeline.frames[number]
    parent = None if frame.parent is None else timeline.frames[frame.parent]
    cause = cause_of(frame.events, frame.headline)
    return FrameDocument(
        frame=frame.frame,
        parent=frame.parent,
        depth=frame.depth,
        item=frame.item,
        step=frame.place.step,
        action=frame.action,
        events=tuple(event_document(happened) for happened in frame.events),
        headline=frame.headline,
        cause=UNSET if cause is None else cause,
        changes=() if parent is None else list_changes(parent.cluster, frame.cluster),
        moves=message_moves(frame.moves, frame.cluster),
        state=state_document(frame.cluster),
        properties=frame.verdicts,
    )
