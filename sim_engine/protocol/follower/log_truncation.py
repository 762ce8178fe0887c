"""A follower truncates its log and reports the removed records.

`AbstractFetcherThread.doTruncate` and `UnifiedLog.truncateTo` in Kafka. `truncation_points.py`
determines the point.
"""

from collections.abc import Mapping
from typing import TypedDict

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from sim_engine.events import Event, EventSubject
from sim_engine.events.log import EpochsDropped, LogTruncated, TruncationCase, TruncationNotNeeded
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset, TopicPartition
from sim_engine.protocol.follower.truncation_points import TruncationPoint
from sim_engine.protocol.log.leader_epoch_cache import EpochEndOffset, EpochEntries
from sim_engine.protocol.log.replica_log import ReplicaLog
from sim_engine.protocol.replica import Replica, truncate_to
from sim_engine.protocol.settings import PartitionSettings
from sim_engine.records import Record

_ON_FETCH: Mapping[TruncationCase, TruncationCase] = {
    "kip_279": "on_fetch",
    "kip_279_again": "on_fetch_again",
    "kip_279_alone": "on_fetch_alone",
}
"""The names of KIP-279's cases if a fetch response determines the truncation point."""


class _TruncationNumbers(TypedDict):
    """The values of a truncation's event, whether or not it removes anything."""

    broker: BrokerId
    partition: TopicPartition
    to: Offset
    high_watermark: Offset
    next_epoch: LeaderEpoch
    leader_epoch_answered: LeaderEpoch | UnsetType
    diverging_epoch: LeaderEpoch | UnsetType
    leader_end_offset: Offset | UnsetType
    own_end_offset: Offset | UnsetType
    leader_log_end_offset: Offset | UnsetType


def truncate_log(
    replica: Replica,
    point: TruncationPoint,
    settings: PartitionSettings,
    *,
    rule: str,
    sources: tuple[str, ...],
    on_fetch: bool = False,
    leader_end: EpochEndOffset | None = None,
    leader_log_end_offset: Offset | UnsetType = UNSET,
) -> tuple[Replica, tuple[Event, ...]]:
    """Truncate the log to `point`, with an event that names the rule and the removed records.

    `leader_end` is the leader's epoch and its end offset if the point is derived from them, and
    `on_fetch` is whether a fetch response contained them. `leader_log_end_offset` is given only
    after OFFSET_OUT_OF_RANGE.
    """
    before = replica.log_end_offset
    own_end = before if point.own_end_offset is None else point.own_end_offset
    high_watermark = replica.high_watermark
    replica, removed, dropped = truncate_to(replica, point.offset, settings.profile.rules)
    variant = _ON_FETCH.get(point.variant, point.variant) if on_fetch else point.variant
    common: _TruncationNumbers = {
        "broker": replica.broker_id,
        "partition": replica.partition,
        "to": point.offset,
        "high_watermark": high_watermark,
        "next_epoch": replica.latest_epoch,
        "leader_epoch_answered": UNSET if leader_end is None else leader_end[0],
        "diverging_epoch": UNSET if leader_end is None else leader_end[0],
        "leader_end_offset": UNSET if leader_end is None else leader_end[1],
        "own_end_offset": UNSET if leader_end is None else own_end,
        "leader_log_end_offset": leader_log_end_offset,
    }
    happened: Event
    if removed:
        happened = LogTruncated(
            variant=variant,
            rule=rule,
            sources=sources,
            subject=_removed_subject(replica, removed),
            **common,
            before=before,
            values=tuple(record.value for record in removed),
        )
    else:
        happened = TruncationNotNeeded(
            variant=variant, rule=rule, sources=sources, **common, log_end_offset=before
        )
    return replica, (happened, *_dropped_event(replica, dropped))


def restart_log(replica: Replica, log_start_offset: Offset) -> tuple[Replica, Event]:
    """Delete the whole log and start an empty one (`UnifiedLog.truncateFullyAndStartAt`)."""
    removed = replica.log.records
    before = replica.log_end_offset
    replica = replace(
        replica,
        log=ReplicaLog((), log_start_offset),
        flushed=log_start_offset,
        epoch_cache=(),
        high_watermark=log_start_offset,
    )
    return replica, LogTruncated(
        variant="full",
        rule="OFFSET-OUT-OF-RANGE",
        sources=("AbstractFetcherThread",),
        broker=replica.broker_id,
        partition=replica.partition,
        to=log_start_offset,
        before=before,
        high_watermark=replica.high_watermark,
        values=tuple(record.value for record in removed),
        log_start_offset=log_start_offset,
        subject=_removed_subject(replica, removed),
    )


def _removed_subject(replica: Replica, removed: tuple[Record, ...]) -> EventSubject:
    return EventSubject(
        partition=replica.partition,
        replicas=(replica.broker_id,),
        offsets=tuple(record.offset for record in removed),
        records=removed,
    )


def _dropped_event(replica: Replica, dropped: EpochEntries) -> tuple[Event, ...]:
    if not dropped:
        return ()
    return (
        EpochsDropped(
            broker=replica.broker_id,
            partition=replica.partition,
            epochs=tuple(f"{epoch}→{start}" for epoch, start in dropped),
        ),
    )
