"""The requests of a follower's fetch loop, and what it does with each response: append, truncate,
or react to an error.

Every phase sends one kind of request (`buildFetch`, `maybeTruncate`). A follower truncates where
its epochs and the leader's diverge; the leader sends this point in its response to a lookup
(KIP-101, KIP-279) or to a fetch (KAFKA-10554). After OFFSET_OUT_OF_RANGE it requests the offsets of
the leader's log (`fetchOffsetAndTruncate`, `handleOffsetOutOfRange` up to 2.0).
"""

from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from sim_engine.events import fetch, log, process
from sim_engine.events.base import Event
from sim_engine.identifiers import ErrorCode, LeaderEpoch, Offset
from sim_engine.kafka_history import Rules
from sim_engine.protocol.follower.fetch_loop import (
    after_error,
    after_out_of_range,
    continue_from_log_end,
    fetcher_of,
    in_phase,
)
from sim_engine.protocol.follower.truncation import (
    TruncationPoint,
    by_common_epoch,
    by_offset_alone,
    epoch_to_ask,
    restart_log,
    truncate_log,
)
from sim_engine.protocol.log import EpochEndOffset
from sim_engine.protocol.messages import (
    FetchRequest,
    FetchResponse,
    ListOffsetsRequest,
    ListOffsetsResponse,
    OffsetsForLeaderEpochRequest,
    OffsetsForLeaderEpochResponse,
    Send,
)
from sim_engine.protocol.replica import (
    BrokerView,
    FetcherState,
    Outcome,
    ProcessEnd,
    Replica,
    append_records,
    records_subject,
)

Request = FetchRequest | OffsetsForLeaderEpochRequest | ListOffsetsRequest


def send_next(
    replica: Replica,
    view: BrokerView,
    *,
    broker_epoch: int | None,
    message_id: int,
    max_records: int | None = None,
) -> Outcome:
    """Send the next request of the fetch loop, with the id `message_id`.

    Truncations without a request come first: after a response with a divergence, and for a log
    without epochs (`AbstractFetcherThread.maybeTruncate`).
    """
    rules = view.rules
    reconciled = truncate_where_diverging(replica, view)
    if (
        fetcher_of(reconciled.replica).phase == "truncating"
        and not reconciled.replica.epoch_cache
        and rules.iterative_epoch_truncation
    ):
        reconciled = reconciled.then(_truncate_without_epochs(reconciled.replica, view))
    replica = reconciled.replica
    fetcher = fetcher_of(replica)
    current_epoch = fetcher.leader_epoch if rules.fetch_fencing else None
    request: Request
    sent: Event
    if fetcher.phase == "truncating":
        request, sent = _epoch_lookup(replica, fetcher, current_epoch)
    elif fetcher.phase == "fetching":
        request, sent = _fetch(
            replica,
            fetcher,
            current_epoch,
            rules=rules,
            broker_epoch=broker_epoch,
            max_records=max_records,
        )
    else:
        request, sent = _list_offsets(replica, fetcher, current_epoch)
    fetcher = replace(fetcher, awaiting=message_id, delayed_until_ms=None)
    asked = Outcome(
        replica=replace(replica, fetcher=fetcher),
        sends=(Send(receiver=fetcher.leader, partition=replica.partition, payload=request),),
        events=(sent,),
    )
    return reconciled.then(asked)


def _truncate_without_epochs(replica: Replica, view: BrokerView) -> Outcome:
    """There is no epoch to look up: truncate to the high watermark (`truncateToHighWatermark`)."""
    fetcher = fetcher_of(replica)
    truncated = truncate_log(
        replica,
        TruncationPoint(offset=fetcher.truncation_fallback, complete=True, variant="no_epochs"),
        view,
        rule="KIP-279",
        sources=("AbstractFetcherThread",),
    )
    end = truncated.replica.log_end_offset
    fetcher = replace(fetcher, phase="fetching", fetch_offset=end)
    return replace(truncated, replica=replace(truncated.replica, fetcher=fetcher))


def _epoch_lookup(
    replica: Replica, fetcher: FetcherState, current_epoch: LeaderEpoch | None
) -> tuple[OffsetsForLeaderEpochRequest, Event]:
    """Look up where the replica's latest epoch ends (`fetchEpochEndOffsets`)."""
    asked = epoch_to_ask(replica)
    return (
        OffsetsForLeaderEpochRequest(leader_epoch=asked, current_leader_epoch=current_epoch),
        fetch.EpochLookupSent(
            variant=None if replica.epoch_cache else "no_epoch",
            **replica.place(),
            leader=fetcher.leader,
            epoch=asked,
        ),
    )


def _fetch(
    replica: Replica,
    fetcher: FetcherState,
    current_epoch: LeaderEpoch | None,
    *,
    rules: Rules,
    broker_epoch: int | None,
    max_records: int | None,
) -> tuple[FetchRequest, Event]:
    """Fetch from the loop's offset; with truncation on fetch, the request has the latest epoch."""
    names_epoch = rules.truncation_on_fetch and replica.epoch_cache and not fetcher.forgot_epoch
    last_fetched_epoch = replica.latest_epoch if names_epoch else None
    return (
        FetchRequest(
            fetch_offset=fetcher.fetch_offset,
            log_start_offset=replica.log.log_start_offset,
            current_leader_epoch=current_epoch,
            last_fetched_epoch=last_fetched_epoch,
            broker_epoch=broker_epoch if rules.broker_epoch_in_isr else None,
            max_records=max_records,
        ),
        fetch.FetchSent(
            variant="with_epoch" if last_fetched_epoch is not None else None,
            **replica.place(),
            leader=fetcher.leader,
            fetch_offset=fetcher.fetch_offset,
            leader_epoch=current_epoch,
            last_fetched_epoch=last_fetched_epoch,
        ),
    )


def _list_offsets(
    replica: Replica, fetcher: FetcherState, current_epoch: LeaderEpoch | None
) -> tuple[ListOffsetsRequest, Event]:
    """Request the end or the start offset of the leader's log (`LeaderEndPoint`)."""
    which: Literal["latest", "earliest"] = (
        "latest" if fetcher.phase == "resetting_latest" else "earliest"
    )
    return (
        ListOffsetsRequest(which=which, current_leader_epoch=current_epoch),
        fetch.ListOffsetsSent(**replica.place(), leader=fetcher.leader, which=which),
    )


def handle_fetch_response(
    replica: Replica,
    response: FetchResponse,
    view: BrokerView,
    *,
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
        return after_error(replica, response.error, view, asked_in=asked_in)
    if response.diverging_epoch is not None:
        return _diverge(replica, response.diverging_epoch, response.high_watermark, view)
    return _append(replica, response, view)


def _diverge(
    replica: Replica,
    diverging_epoch: EpochEndOffset,
    response_high_watermark: Offset,
    view: BrokerView,
) -> Outcome:
    """Truncate to the leader's point of divergence.

    Up to 3.4.0 the response's high watermark is adopted first (KAFKA-14704).
    """
    fetcher = fetcher_of(replica)
    diverging = replace(
        replica, fetcher=replace(fetcher, awaiting=None, diverging_epoch=diverging_epoch)
    )
    if view.rules.diverging_response_is_only_that:
        return truncate_where_diverging(diverging, view)
    raised, moved = _with_high_watermark(diverging, response_high_watermark)
    truncated = truncate_where_diverging(raised, view)
    if raised.high_watermark <= truncated.replica.log_end_offset:
        return replace(truncated, events=(*moved, *truncated.events))
    # Until its next step, in which it truncates, the follower exposes records as committed although
    # it is about to remove them.
    heard = fetch.DivergenceHeard(
        **replica.place(),
        leader=fetcher.leader,
        diverging_epoch=diverging_epoch[0],
        end_offset=diverging_epoch[1],
        high_watermark=raised.high_watermark,
    )
    moved_by_divergence = tuple(
        replace(happened, variant="diverging", rule="KAFKA-14704") for happened in moved
    )
    return Outcome(replica=raised, events=moved_by_divergence or (heard,))


def _append(replica: Replica, response: FetchResponse, view: BrokerView) -> Outcome:
    fetcher = fetcher_of(replica)
    appended = append_records(replica, response.records, view)
    replica, high_watermark_events = _with_high_watermark(appended.replica, response.high_watermark)
    forgotten = _forgotten_epoch(replica, response, view.rules)
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
        events=(_applied(replica, response), *appended.events, *forgotten, *high_watermark_events),
    )


def _applied(replica: Replica, response: FetchResponse) -> Event:
    return fetch.FetchApplied(
        variant=None if response.records else "empty",
        **replica.place(),
        leader=fetcher_of(replica).leader,
        records=len(response.records),
        values=tuple(record.value for record in response.records),
        log_end_offset=replica.log_end_offset,
        high_watermark=response.high_watermark,
        subject=records_subject(replica, response.records),
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
        fetch.FetchedEpochForgotten(
            **replica.place(), leader=fetcher.leader, epoch=replica.latest_epoch
        ),
    )


def _with_high_watermark(
    replica: Replica, response_high_watermark: Offset
) -> tuple[Replica, tuple[log.FollowerHighWatermarkSet, ...]]:
    """Adopt the leader's high watermark, limited to the log (`UnifiedLog.updateHighWatermark`)."""
    before = replica.high_watermark
    after = max(replica.log.log_start_offset, min(response_high_watermark, replica.log_end_offset))
    if after == before:
        return replica, ()
    return replace(replica, high_watermark=after), (
        log.FollowerHighWatermarkSet(
            variant="back" if after < before else None,
            **replica.place(),
            before=before,
            after=after,
            response_high_watermark=response_high_watermark,
            log_end_offset=replica.log_end_offset,
        ),
    )


def handle_offsets_for_leader_epoch_response(
    replica: Replica, response: OffsetsForLeaderEpochResponse, view: BrokerView
) -> Outcome:
    """Truncate to the leader's point of divergence, or look up another epoch (KIP-101, KIP-279)."""
    rules = view.rules
    fallback = fetcher_of(replica).truncation_fallback
    if response.error is not ErrorCode.NONE:
        return after_error(replica, response.error, view)
    if rules.iterative_epoch_truncation:
        point = by_common_epoch(replica, fallback, response.end_offset, rules)
        rule = "KIP-279"
    else:
        point = by_offset_alone(replica, fallback, response.end_offset)
        rule = "KIP-101"
    return _truncate_and_continue(
        replica, point, response.end_offset, view, rule=rule, on_fetch=False
    )


def truncate_where_diverging(replica: Replica, view: BrokerView) -> Outcome:
    """Truncate the log to the point of divergence in the leader's last fetch response, if there is
    one (`AbstractFetcherThread.truncateOnFetchResponse`).
    """
    fetcher = replica.fetcher
    if fetcher is None or fetcher.diverging_epoch is None:
        return Outcome(replica=replica)
    point = by_common_epoch(
        replica, fetcher.truncation_fallback, fetcher.diverging_epoch, view.rules
    )
    return _truncate_and_continue(
        replace(replica, fetcher=replace(fetcher, diverging_epoch=None)),
        point,
        fetcher.diverging_epoch,
        view,
        rule="KAFKA-10554",
        on_fetch=True,
    )


def _truncate_and_continue(
    replica: Replica,
    point: TruncationPoint,
    leader_end: EpochEndOffset,
    view: BrokerView,
    *,
    rule: str,
    on_fetch: bool,
) -> Outcome:
    """Truncate, and then fetch, unless the response requires another lookup."""
    truncated = truncate_log(
        replica,
        point,
        view,
        rule=rule,
        sources=(rule, "AbstractFetcherThread"),
        on_fetch=on_fetch,
        leader_end=leader_end,
    )
    is_done = point.complete or on_fetch
    return continue_from_log_end(truncated, "fetching" if is_done else "truncating")


_ENDS: Mapping[ProcessEnd, type[process.LongerThanLeader]] = {
    "exit": process.BrokerExited,
    "halt": process.BrokerHalted,
    "hang": process.BrokerHung,
}


def handle_list_offsets_response(
    replica: Replica, response: ListOffsetsResponse, view: BrokerView
) -> Outcome:
    """After OFFSET_OUT_OF_RANGE: truncate to the leader's end, or restart the log at the leader's
    start.

    Up to 2.0.0, if unclean election is disabled, a broker with a longer log than its leader
    terminates instead (`ReplicaFetcherThread.handleOffsetOutOfRange`, KAFKA-7414).
    """
    if response.error is not ErrorCode.NONE:
        return after_error(replica, response.error, view)
    if response.which == "earliest":
        return _after_earliest(replica, response.offset, view.rules)
    return _after_latest(replica, response.offset, view)


def _after_latest(replica: Replica, leader_end: Offset, view: BrokerView) -> Outcome:
    """Truncate a log longer than the leader's; otherwise the offset was below its start."""
    if leader_end >= replica.log_end_offset:
        return Outcome(
            replica=in_phase(replica, "resetting_earliest"),
            events=(_leader_offset_heard(replica, "latest", leader_end),),
        )
    ends = view.settings.profile.out_of_range_exit
    if ends != "none" and not view.settings.unclean_leader_election_enable:
        return _end_process(replica, leader_end, ends)
    truncated = truncate_log(
        replica,
        TruncationPoint(offset=leader_end, complete=True, variant="out_of_range"),
        view,
        rule="OFFSET-OUT-OF-RANGE",
        sources=("AbstractFetcherThread", "ReplicaFetcherThread"),
        leader_log_end_offset=leader_end,
    )
    return continue_from_log_end(truncated)


def _end_process(replica: Replica, leader_end: Offset, ends: ProcessEnd) -> Outcome:
    """The log is longer than the leader's, so records would be lost: the broker terminates."""
    return Outcome(
        replica=in_phase(replica, "failed"),
        process_ends=ends,
        events=(
            _ENDS[ends](
                **replica.place(),
                leader_log_end_offset=leader_end,
                log_end_offset=replica.log_end_offset,
            ),
        ),
    )


def _after_earliest(replica: Replica, leader_start: Offset, rules: Rules) -> Outcome:
    """Restart the log at the leader's start if it ends below that; in 0.8 always (KAFKA-2143)."""
    if leader_start > replica.log_end_offset or not rules.keep_log_within_leaders_range:
        return continue_from_log_end(restart_log(replica, leader_start))
    heard = _leader_offset_heard(replica, None, leader_start)
    return continue_from_log_end(Outcome(replica=replica, events=(heard,)))


def _leader_offset_heard(
    replica: Replica, variant: Literal["latest"] | None, offset: Offset
) -> Event:
    return fetch.LeaderOffsetHeard(
        variant=variant,
        **replica.place(),
        leader=fetcher_of(replica).leader,
        offset=offset,
        log_end_offset=replica.log_end_offset,
    )
