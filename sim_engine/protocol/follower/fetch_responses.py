"""A follower applies fetch responses.

`AbstractFetcherThread.processFetchRequest` and `ReplicaFetcherThread.processPartitionData` in
Kafka.
"""

from msgspec.structs import replace

from sim_engine.error_codes import ErrorCode
from sim_engine.events import Event, EventSubject
from sim_engine.events.fetch import DivergenceHeard, FetchApplied, FetchedEpochForgotten
from sim_engine.events.high_watermark import FollowerHighWatermarkSet
from sim_engine.identifiers import LeaderEpoch, Offset, TimeMs
from sim_engine.kafka_history import Rules
from sim_engine.protocol.appending import append_records
from sim_engine.protocol.follower.epoch_truncation import truncate_where_diverging
from sim_engine.protocol.follower.fetch_state import after_error, after_out_of_range, fetcher_of
from sim_engine.protocol.log.leader_epoch_cache import EpochEndOffset
from sim_engine.protocol.messages import FetchResponse
from sim_engine.protocol.outcome import Outcome
from sim_engine.protocol.replica import Replica
from sim_engine.protocol.settings import PartitionSettings


def handle_fetch_response(
    replica: Replica,
    response: FetchResponse,
    *,
    settings: PartitionSettings,
    now_ms: TimeMs,
    asked_in: LeaderEpoch | None = None,
) -> Outcome:
    """Append the records and adopt the leader's high watermark, or truncate, or handle the error.

    `asked_in` is the epoch in the request if an earlier fetch loop sent it; otherwise None.

    The high watermark is set, so it may also decrease (see
    `ReplicaFetcherThread.processPartitionData`). It never truncates the log.
    """
    if response.error is ErrorCode.OFFSET_OUT_OF_RANGE:
        return after_out_of_range(replica)
    if response.error is not ErrorCode.NONE:
        return after_error(
            replica, response.error, settings=settings, now_ms=now_ms, asked_in=asked_in
        )
    if response.diverging_epoch is not None:
        return _diverge(
            replica, response.diverging_epoch, response.high_watermark, settings=settings
        )
    return _append(replica, response, settings=settings)


def _diverge(
    replica: Replica,
    diverging_epoch: EpochEndOffset,
    response_high_watermark: Offset,
    *,
    settings: PartitionSettings,
) -> Outcome:
    """Truncate to the leader's point of divergence.

    Up to 3.4.0 the response's high watermark is adopted first (KAFKA-14704).
    """
    fetcher = fetcher_of(replica)
    diverging = replace(
        replica, fetcher=replace(fetcher, awaiting=None, diverging_epoch=diverging_epoch)
    )
    if settings.profile.rules.diverging_response_is_only_that:
        return truncate_where_diverging(diverging, settings=settings)
    raised, moved = _with_high_watermark(diverging, response_high_watermark)
    truncated = truncate_where_diverging(raised, settings=settings)
    if raised.high_watermark <= truncated.replica.log_end_offset:
        return replace(truncated, events=(*moved, *truncated.events))
    # Until its next step, in which it truncates, the follower exposes records as committed although
    # it is about to remove them.
    heard = DivergenceHeard(
        broker=replica.broker_id,
        partition=replica.partition,
        leader=fetcher.leader,
        diverging_epoch=diverging_epoch[0],
        end_offset=diverging_epoch[1],
        high_watermark=raised.high_watermark,
    )
    moved_by_divergence = tuple(
        replace(happened, variant="diverging", rule="KAFKA-14704") for happened in moved
    )
    return Outcome(replica=raised, events=moved_by_divergence or (heard,))


def _append(replica: Replica, response: FetchResponse, *, settings: PartitionSettings) -> Outcome:
    fetcher = fetcher_of(replica)
    appended = append_records(replica, response.records, settings=settings)
    replica, high_watermark_events = _with_high_watermark(appended.replica, response.high_watermark)
    forgotten = _forgotten_epoch(replica, response, settings.profile.rules)
    return Outcome(
        replica=replace(
            replica,
            fetcher=replace(
                fetcher,
                awaiting=None,
                has_fetched=True,
                forgot_epoch=bool(forgotten) or (fetcher.forgot_epoch and not response.records),
                fetch_offset=replica.log_end_offset,
            ),
        ),
        events=(
            _applied(replica, response),
            *appended.events,
            *forgotten,
            *high_watermark_events,
        ),
    )


def _applied(replica: Replica, response: FetchResponse) -> Event:
    return FetchApplied(
        variant=None if response.records else "empty",
        broker=replica.broker_id,
        partition=replica.partition,
        leader=fetcher_of(replica).leader,
        records=len(response.records),
        values=tuple(record.value for record in response.records),
        log_end_offset=replica.log_end_offset,
        high_watermark=response.high_watermark,
        subject=EventSubject(
            partition=replica.partition,
            replicas=(replica.broker_id,),
            offsets=tuple(record.offset for record in response.records),
            records=response.records,
        ),
    )


def _forgotten_epoch(replica: Replica, response: FetchResponse, rules: Rules) -> tuple[Event, ...]:
    """The event of a first response without records that clears the loop's latest epoch: from 3.5.1
    to 3.6 (KAFKA-15080, fixed by KAFKA-15510).
    """
    fetcher = fetcher_of(replica)
    forgets = (
        rules.empty_first_response_forgets_epoch
        and not fetcher.has_fetched
        and not response.records
        and bool(replica.epoch_cache)
    )
    if not forgets:
        return ()
    return (
        FetchedEpochForgotten(
            broker=replica.broker_id,
            partition=replica.partition,
            leader=fetcher.leader,
            epoch=replica.latest_epoch,
        ),
    )


def _with_high_watermark(
    replica: Replica, response_high_watermark: Offset
) -> tuple[Replica, tuple[FollowerHighWatermarkSet, ...]]:
    """Adopt the leader's high watermark, limited to the log (`UnifiedLog.updateHighWatermark`)."""
    before = replica.high_watermark
    after = max(replica.log.log_start_offset, min(response_high_watermark, replica.log_end_offset))
    if after == before:
        return replica, ()
    return replace(replica, high_watermark=after), (
        FollowerHighWatermarkSet(
            variant="back" if after < before else None,
            broker=replica.broker_id,
            partition=replica.partition,
            before=before,
            after=after,
            response_high_watermark=response_high_watermark,
            log_end_offset=replica.log_end_offset,
        ),
    )
