"""Determines the fate of each acknowledged record, and why a run lost some. This is the only place
that does: for every state, for the runs of campaigns, and for shared runs and their stored events.

An acknowledged record is *safe* while the leader according to the controller has it at its offset.
If there is no leader, it is safe while a replica that could be elected cleanly has it. Otherwise it
is *at risk*; this ends by itself when a replica with the record becomes leader. It is *lost* when
no replica, running or down, has it any more, or when a leader has committed another record at its
offset. This is permanent.

A fate is determined from the whole state, which no broker knows, and never affects a transition.
"""

import copy
from collections.abc import Callable, Sequence
from itertools import compress
from operator import is_not
from typing import Annotated, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from sim_engine.actions.base import name_of
from sim_engine.actions.steps import DiskLoss, PowerLoss
from sim_engine.cluster.state import Clients, ClusterState, Fate, ProducedRecord
from sim_engine.events import controller, log, metadata, process
from sim_engine.events.base import Event, EventSubject
from sim_engine.identifiers import NO_LEADER, BrokerId, FrameNumber, TopicPartition
from sim_engine.invariants.observation import holds, legitimate_leader
from sim_engine.protocol.log import record_at
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.protocol.replica import Replica
from sim_engine.records import Record

_NONE: frozenset[TopicPartition] = frozenset()
_Sent = tuple[str, TopicPartition, str]
"""A producer, a partition and a value. Sent twice, it can be two records."""


class _Turned(Struct, frozen=True):
    """A record as it was before its fate changed, and its new fate."""

    record: ProducedRecord
    fate: Fate
    instead: Record | None
    """The record that is committed at its offset, if it is a different one."""


def judge_fates(
    before: ClusterState, after: ClusterState, frame: FrameNumber
) -> tuple[ClusterState, tuple[Event, ...]]:
    """The state with the updated fate of each produced record, and the events of the changes.

    One action led from `before` to `after` and created `frame`. The same object is returned if no
    fate changes.
    """
    if not after.clients.produced:
        return after, ()
    has_shrunk = before.brokers is not after.brokers and _has_shrunk(before, after)
    moved = _moved(before, after)
    # A safe record stays safe until its leader changes or a log shrinks.
    if has_shrunk or moved:
        judged: Sequence[int] = range(len(after.clients.produced))
    elif after.clients is before.clients and not after.clients.at_risk:
        return after, ()
    else:
        judged = sorted({*after.clients.at_risk, *_changed(before.clients, after.clients)})
    produced = _with_last_copies(after, frame) if has_shrunk else list(after.clients.produced)
    gone = _differing(after.clients.produced, produced) if has_shrunk else []
    turned: list[_Turned] = []
    for index in judged:
        record = produced[index]
        if record.outcome != "acked" or record.fate == "lost":
            continue
        if record.fate == "safe" and not has_shrunk and record.partition not in moved:
            continue
        fate, instead = _fate_of(after, record)
        if fate != record.fate:
            turned.append(_Turned(record, fate, instead))
            produced[index] = replace(record, fate=fate, fate_frame=frame)
    if not turned and not gone:
        return after, ()
    clients = replace(
        after.clients, produced=tuple(produced), at_risk=_at_risk(after.clients.at_risk, turned)
    )
    result = replace(after, clients=clients)
    return result, (*_losses(produced, gone, turned), *_told_by_partition(result, turned))


def clean_candidates(registration: PartitionRegistration) -> tuple[BrokerId, ...]:
    """The replicas that the controller could elect cleanly once they are up: the members of its ISR
    and, with KIP-966, of its ELR.
    """
    eligible = (*registration.isr, *registration.elr)
    return tuple(broker_id for broker_id in registration.replicas if broker_id in eligible)


def brokers_that_hold(cluster: ClusterState, record: ProducedRecord) -> tuple[BrokerId, ...]:
    """The brokers, up or down, that have an acknowledged record at its offset."""
    return tuple(
        broker.broker_id
        for broker in cluster.brokers
        if _has(broker.replica(record.partition), record)
    )


def _at_risk(before: Sequence[int], turned: Sequence[_Turned]) -> tuple[int, ...]:
    """The requests that are at risk after these records have turned, in order."""
    now = {change.record.request for change in turned if change.fate == "at_risk"}
    ended = {change.record.request for change in turned} - now
    return tuple(sorted({*before, *now} - ended))


def _moved(before: ClusterState, after: ClusterState) -> frozenset[TopicPartition]:
    """The partitions whose registration at the controller has changed."""
    was, now = before.controller.partitions, after.controller.partitions
    if was is now:
        return _NONE
    return frozenset(new.partition for old, new in zip(was, now, strict=True) if old is not new)


def _changed(before: Clients, after: Clients) -> list[int]:
    """The requests that are new or whose outcome has changed."""
    if before.produced is after.produced:
        return []
    changed = [record.request for record in _differing(before.produced, after.produced)]
    return [*changed, *range(len(before.produced), len(after.produced))]


def _differing(
    before: Sequence[ProducedRecord], after: Sequence[ProducedRecord]
) -> list[ProducedRecord]:
    """The records that are other ones after. A long run has hundreds, nearly all of them the same,
    so that no Python code looks at each.
    """
    return list(compress(after, map(is_not, before, after)))


def _has_shrunk(before: ClusterState, after: ClusterState) -> bool:
    """Whether a replica lacks a record that it had before. Logs only grow at their end and are
    truncated there, so a log that still has its previous last record has all records before it too.
    """
    for was, now in zip(before.brokers, after.brokers, strict=True):
        if was.replicas is now.replicas:
            continue
        for replica in was.replicas:
            changed = now.replica(replica.partition)
            if changed is not None and changed.log is replica.log:
                continue
            if not replica.log.records:
                continue
            last = replica.log.records[-1]
            if changed is None or not holds(changed.log, last.offset, last.id):
                return True
    return False


def _fate_of(cluster: ClusterState, record: ProducedRecord) -> tuple[Fate, Record | None]:
    if record.lost_frame is not None:
        return "lost", None
    registration = cluster.controller.partition(record.partition)
    instead = _committed_instead(legitimate_leader(cluster, registration), record)
    if instead is not None:
        return "lost", instead
    leads = registration.leader != NO_LEADER
    counting = (registration.leader,) if leads else clean_candidates(registration)
    is_there = any(
        _has(cluster.broker(broker_id).replica(record.partition), record) for broker_id in counting
    )
    return ("safe" if is_there else "at_risk"), None


def _has(replica: Replica | None, record: ProducedRecord) -> bool:
    assert record.id is not None, "an acknowledged record was appended"
    assert record.offset is not None, "an acknowledged record was appended"
    return replica is not None and holds(replica.log, record.offset, record.id)


def _committed_instead(leader: Replica | None, record: ProducedRecord) -> Record | None:
    assert record.offset is not None, "an acknowledged record was appended"
    if leader is None or leader.high_watermark <= record.offset:
        return None
    committed = record_at(leader.log, record.offset)
    return None if committed is None or committed.id == record.id else committed


def _with_last_copies(cluster: ClusterState, frame: FrameNumber) -> list[ProducedRecord]:
    """The produced records, with `lost_frame` set for those whose last copy has just been lost."""
    copies = {
        record.id
        for broker in cluster.brokers
        for replica in broker.replicas
        for record in replica.log.records
    }
    return [
        record
        if record.id is None or record.lost_frame is not None or record.id in copies
        else replace(record, lost_frame=frame)
        for record in cluster.clients.produced
    ]


# --- events ----------------------------------------------------------------------------------


def _losses(
    produced: Sequence[ProducedRecord], gone: Sequence[ProducedRecord], turned: Sequence[_Turned]
) -> list[Event]:
    """One event for each record that is lost or whose last copy is lost.

    Retries of an idempotent producer are about one record: it counts as acknowledged if any of them
    was.
    """
    lost_now = [change for change in turned if change.fate == "lost"]
    if not lost_now and not gone:
        return []
    acked_frames = {
        record.id: record.acked_frame
        for record in reversed(produced)
        if record.acked_frame is not None
    }
    events: dict[str | None, Event] = {}
    for change in lost_now:
        record, instead = change.record, change.instead
        replaced = None if instead is None else instead.value
        variant: log.LossCase = "acked" if replaced is None else "replaced"
        events.setdefault(record.id, _lost(record, variant, acked_frames[record.id], replaced))
    left = _sent_and_left(produced) if gone else {}
    for record in gone:
        acked = acked_frames.get(record.id)
        # A plain producer's retry is appended as another record.
        is_elsewhere = not left.get(_sent(record), set()) <= {record.id}
        case: log.LossCase | None = (
            "last_copy" if acked is not None else "sent_again" if is_elsewhere else None
        )
        events.setdefault(record.id, _lost(record, case, acked, None))
    return list(events.values())


def _lost(
    record: ProducedRecord,
    variant: log.LossCase | None,
    acked_frame: FrameNumber | None,
    instead: str | None,
) -> Event:
    return log.RecordLost(
        variant=variant,
        partition=record.partition,
        value=record.value,
        offset=record.offset,
        acks=record.acks,
        acked_frame=acked_frame,
        instead=instead,
        subject=EventSubject(
            partition=record.partition,
            offsets=() if record.offset is None else (record.offset,),
            frames=() if acked_frame is None else (acked_frame,),
        ),
    )


def _sent_and_left(produced: Sequence[ProducedRecord]) -> dict[_Sent, set[str]]:
    """For what was sent, the ids of its records that still exist."""
    left: dict[_Sent, set[str]] = {}
    for record in produced:
        if record.id is not None and record.lost_frame is None:
            left.setdefault(_sent(record), set()).add(record.id)
    return left


def _sent(record: ProducedRecord) -> _Sent:
    return record.producer, record.partition, record.value


def _told_by_partition(cluster: ClusterState, turned: Sequence[_Turned]) -> list[Event]:
    """The records that are newly at risk, and those that are safe again, with one event for each
    partition.
    """
    events: list[Event] = []
    for registration in cluster.controller.partitions:
        here = [change for change in turned if change.record.partition == registration.partition]
        at_risk = [change.record for change in here if change.fate == "at_risk"]
        safe = [
            change.record
            for change in here
            if (change.record.fate, change.fate) == ("at_risk", "safe")
        ]
        if at_risk:
            events.append(_turned_event(log.RecordsAtRisk, cluster, registration, at_risk))
        if safe:
            events.append(_turned_event(log.RecordsSafeAgain, cluster, registration, safe))
    return events


def _turned_event(
    kind: type[log.FateTurned],
    cluster: ClusterState,
    registration: PartitionRegistration,
    records: Sequence[ProducedRecord],
) -> Event:
    by_id = {record.id: record for record in records}
    named = sorted(by_id.values(), key=lambda record: (record.offset, record.request))
    leads = registration.leader != NO_LEADER
    candidates = () if leads else clean_candidates(registration)
    offsets = tuple(record.offset for record in named if record.offset is not None)
    frames = {record.acked_frame for record in named if record.acked_frame is not None}
    return kind(
        variant=None if leads else "leaderless" if candidates else "no_candidate",
        partition=registration.partition,
        values=tuple(record.value for record in named),
        offsets=offsets,
        leader=registration.leader,
        candidates=candidates,
        holders=tuple(
            sorted({broker for record in named for broker in brokers_that_hold(cluster, record)})
        ),
        subject=EventSubject(
            partition=registration.partition,
            replicas=(registration.leader,) if leads else candidates,
            offsets=offsets,
            frames=tuple(sorted(frames)),
        ),
    )


POWER_LOSS = name_of(PowerLoss)

DISK_LOSS = name_of(DiskLoss)

LOSS_CAUSES = (
    POWER_LOSS,
    DISK_LOSS,
    "unclean_election",
    "missed_metadata",
    "leader_only",
    "protocol_rule",
)

Cause = Annotated[str, Meta(extra_json_schema={"enum": list(LOSS_CAUSES)})]
"""The causes of the first loss of an acknowledged record.

The first of these that applies: a power loss or a disk loss destroyed a copy of that record; its
partition elected a leader from outside the ISR; a leader of its partition did not learn that it was
deposed; the record was acknowledged with acks=1, by the leader alone. Otherwise replication itself
lost it, according to the version's rules.
"""


_Seen = TypeVar("_Seen", bound=Event)


class Losses:
    """Tracks the first loss of an acknowledged record and its cause. Events must be passed in
    order.
    """

    EVENTS: tuple[type[Event], ...] = (
        log.UnflushedRecordsLost,
        process.DiskLost,
        log.LogTruncated,
        controller.LeaderElected,
        metadata.DepositionMissed,
        log.RecordLost,
    )
    """The events on which a cause depends; `see` ignores all others."""

    def __init__(self) -> None:
        self.first: log.RecordLost | None = None
        self.cause: Cause | None = None
        self.rule: str | None = None
        """The rule that last truncated a copy of the first lost record; None if none was."""
        self._before: list[Event] = []

    def copy(self) -> "Losses":
        """A copy of the state so far, for a run that continues differently."""
        other = copy.copy(self)
        other._before = [*self._before]
        return other

    def see(self, happened: Event) -> None:
        """Update the state with the next event."""
        if self.first is not None or not isinstance(happened, self.EVENTS):
            return
        if not isinstance(happened, log.RecordLost):
            self._before.append(happened)
        elif happened.variant in ("acked", "replaced"):
            self.first = happened
            self.cause = self._cause_of(happened)
            truncated = (
                event.rule
                for event in reversed(self._before)
                if isinstance(event, log.LogTruncated) and _removes(event, happened)
            )
            self.rule = next(truncated, None)

    def _cause_of(self, lost: log.RecordLost) -> Cause:
        place = lost.partition

        def seen(kind: type[_Seen], when: Callable[[_Seen], bool]) -> bool:
            return any(isinstance(event, kind) and when(event) for event in self._before)

        if seen(log.UnflushedRecordsLost, lambda event: _removes(event, lost)):
            return POWER_LOSS
        if seen(process.DiskLost, lambda event: _is_on(event, lost)):
            return DISK_LOSS
        if seen(
            controller.LeaderElected,
            lambda one: one.variant == "unclean" and one.partition == place,
        ):
            return "unclean_election"
        if seen(metadata.DepositionMissed, lambda event: event.partition == place):
            return "missed_metadata"
        return "leader_only" if lost.acks == 1 else "protocol_rule"


def _removes(event: log.LogTruncated | log.UnflushedRecordsLost, lost: log.RecordLost) -> bool:
    return event.partition == lost.partition and lost.value in event.values


def _is_on(event: process.DiskLost, lost: log.RecordLost) -> bool:
    return any(record.value == lost.value for record in event.where().records)
