"""A follower truncates its log: to which point, for each family of rules, and with which loss.

HW           truncate to the follower's own high watermark on becoming a follower (up to 0.10.2)
KIP101       look up the end of the follower's latest epoch at the leader, and truncate there, once
KIP279_200   the response contains an epoch: truncate to the lower of the two logs' ends of that
             epoch, and repeat
KIP279       the same, with caches that also contain epochs without records
KIP320       the same, with requests fenced by the leader epoch
TOF          truncation on fetch: each fetch contains the latest epoch, and its response contains
             the result of the lookup

The functions that compute a point change nothing. Those that truncate report the removed records
(`AbstractFetcherThread.doTruncate` and `UnifiedLog.truncateTo` in Kafka).
"""

from collections.abc import Mapping
from typing import TypedDict

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from sim_engine.events.base import Event
from sim_engine.events.log import EpochsDropped, LogTruncated, TruncationCase, TruncationNotNeeded
from sim_engine.identifiers import (
    UNDEFINED_EPOCH,
    UNDEFINED_OFFSET,
    BrokerId,
    LeaderEpoch,
    Offset,
    TopicPartition,
)
from sim_engine.kafka_history import Rules
from sim_engine.protocol.log import EpochEndOffset, EpochEntries, ReplicaLog, end_offset_for
from sim_engine.protocol.replica import BrokerView, Outcome, Replica, records_subject, truncate_to


class TruncationPoint(Struct, frozen=True, gc=False, kw_only=True):
    """The truncation point, and whether it is final or needs another lookup.

    `variant` is the rule's case for the narration; `own_end_offset` is the follower's own end of
    the epoch in the response, if it has one.
    """

    offset: Offset
    complete: bool
    variant: TruncationCase
    own_end_offset: Offset | None = None


def by_offset_alone(
    replica: Replica, fallback: Offset, leader_end: EpochEndOffset
) -> TruncationPoint:
    """KIP-101: the leader's end of the follower's latest epoch, or the follower's high watermark if
    there is none.

    A follower without an epoch looks up -1, which a leader without an epoch treats as its latest.
    """
    offset = leader_end[1]
    if offset == UNDEFINED_OFFSET:
        return TruncationPoint(
            offset=fallback,
            complete=True,
            variant="undefined" if replica.epoch_cache else "no_answer",
        )
    return TruncationPoint(
        offset=min(offset, replica.log_end_offset),
        complete=True,
        variant="kip_101" if replica.epoch_cache else "no_epoch_either",
    )


def by_common_epoch(
    replica: Replica, fallback: Offset, leader_end: EpochEndOffset, rules: Rules
) -> TruncationPoint:
    """KIP-279: the end of the common epoch on both logs.

    Kafka: `AbstractFetcherThread.getOffsetTruncationState`.
    """
    leader_epoch, leader_offset = leader_end
    own_log_end = replica.log_end_offset
    if leader_offset == UNDEFINED_OFFSET:
        return TruncationPoint(offset=fallback, complete=True, variant="undefined")
    if leader_epoch == UNDEFINED_EPOCH:
        return TruncationPoint(
            offset=min(leader_offset, own_log_end), complete=True, variant="kip_101"
        )
    own_epoch, own_offset = end_offset_for(replica.epoch_cache, leader_epoch, own_log_end, rules)
    if own_offset == UNDEFINED_OFFSET:
        return TruncationPoint(
            offset=min(leader_offset, own_log_end),
            complete=True,
            variant="kip_279_alone",
            own_end_offset=own_log_end,
        )
    if own_epoch != leader_epoch:
        return TruncationPoint(
            offset=min(own_offset, own_log_end),
            complete=False,
            variant="kip_279_again",
            own_end_offset=own_offset,
        )
    return TruncationPoint(
        offset=min(own_offset, leader_offset, own_log_end),
        complete=True,
        variant="kip_279",
        own_end_offset=own_offset,
    )


def epoch_to_ask(replica: Replica) -> LeaderEpoch:
    """The epoch that a truncating follower looks up: the latest in its cache, -1 if it is empty."""
    return replica.latest_epoch


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
    view: BrokerView,
    *,
    rule: str,
    sources: tuple[str, ...],
    on_fetch: bool = False,
    leader_end: EpochEndOffset | None = None,
    leader_log_end_offset: Offset | UnsetType = UNSET,
) -> Outcome:
    """Truncate the log to `point`, with an event that names the rule and the removed records.

    `leader_end` is the leader's epoch and its end offset if the point is derived from them, and
    `on_fetch` is whether a fetch response contained them. `leader_log_end_offset` is given only
    after OFFSET_OUT_OF_RANGE.
    """
    before = replica.log_end_offset
    own_end = before if point.own_end_offset is None else point.own_end_offset
    high_watermark = replica.high_watermark
    replica, removed, dropped = truncate_to(replica, point.offset, view.rules)
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
            subject=records_subject(replica, removed),
            **common,
            before=before,
            values=tuple(record.value for record in removed),
        )
    else:
        happened = TruncationNotNeeded(
            variant=variant, rule=rule, sources=sources, **common, log_end_offset=before
        )
    events = (happened, *_dropped_event(replica, dropped))
    return Outcome(replica=replica, events=events)


def restart_log(replica: Replica, log_start_offset: Offset) -> Outcome:
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
    happened = LogTruncated(
        variant="full",
        rule="OFFSET-OUT-OF-RANGE",
        sources=("AbstractFetcherThread",),
        **replica.place(),
        to=log_start_offset,
        before=before,
        high_watermark=replica.high_watermark,
        values=tuple(record.value for record in removed),
        log_start_offset=log_start_offset,
        subject=records_subject(replica, removed),
    )
    return Outcome(replica=replica, events=(happened,))


def _dropped_event(replica: Replica, dropped: EpochEntries) -> tuple[Event, ...]:
    if not dropped:
        return ()
    return (
        EpochsDropped(
            **replica.place(), epochs=tuple(f"{epoch}→{start}" for epoch, start in dropped)
        ),
    )
