"""Followers' fetches at the leader: validated, recorded, and responded to immediately, or parked
until there are records to send.

`ReplicaManager.fetchMessages`, `Partition.fetchRecords` and `DelayedFetch` in Kafka. Only
`handle_fetch` and the functions for parked fetches change the leader; building a response does not.
"""

from typing import Literal

from msgspec.structs import replace

from sim_engine.events import fetch
from sim_engine.events.base import Event
from sim_engine.identifiers import (
    NEVER_MS,
    UNDEFINED_OFFSET,
    BrokerId,
    ErrorCode,
    LeaderEpoch,
    Offset,
    TimeMs,
)
from sim_engine.kafka_history import Rules
from sim_engine.protocol.leader.high_watermark import maybe_increment_high_watermark
from sim_engine.protocol.leader.isr import maybe_expand_isr, proposed_event
from sim_engine.protocol.leader.requests import epoch_error, rejection_event, with_response
from sim_engine.protocol.log import EpochEndOffset, end_offset_for, read_from
from sim_engine.protocol.messages import FetchRequest, FetchResponse, Message, Send
from sim_engine.protocol.replica import (
    BrokerView,
    Outcome,
    ParkedFetch,
    RemoteReplica,
    Replica,
    leading_state,
    remote_of,
)
from sim_engine.records import Record


def handle_fetch(
    replica: Replica,
    message: Message,
    request: FetchRequest,
    view: BrokerView,
    *,
    known_broker_epoch: int | None = None,
    missing: ErrorCode = ErrorCode.NONE,
) -> Outcome:
    """Serve a follower's fetch and record how far it has replicated.

    The response contains the high watermark from before this fetch advanced it
    (`Partition.readRecords` takes the snapshot first), except in 1.0.0, 1.0.1 and 1.1.0
    (KAFKA-5758). A fetch that finds no records waits, and the log is read again for its response
    (`DelayedFetch`). A fetch that diverges does not update the leader's state of the follower; one
    that fails does, up to 2.3 (`_failed`).

    `known_broker_epoch` is the follower's broker epoch in the leader's metadata. From 3.7 a fetch
    from an earlier start of that broker is rejected (KAFKA-15221). In 3.5 and 3.6 it is served, and
    the epoch affects only what `may_join_isr` allows (KIP-903).

    `missing` is the error of a broker that has no replica of the partition.

    A replica that joins the ISR with this fetch counts before the high watermark advances: with
    KIP-497 as pending, which is set here. If the leader writes the znode, the high watermark is
    updated after that write.
    """
    rules = view.rules
    if missing is not ErrorCode.NONE:
        return rejected(replica, message, request, missing)
    refused = _refused(replica, message, request, rules)
    if refused is not None:
        return _failed(refused, message, view)
    why = why_unreadable(replica, request, rules)
    if why is not None:
        response = unreadable(replica, message, request, why)
        if isinstance(why, ErrorCode):
            return _failed(response, message, view)
        if rules.diverging_fetch_moves_no_state:
            return response
        counted, _ = _with_follower_progress(replica, message, request, view.now_ms, rules)
        return response.then(maybe_increment_high_watermark(counted, view))
    if (
        rules.stale_broker_epoch_refused
        and request.broker_epoch is not None
        and known_broker_epoch is not None
        and request.broker_epoch < known_broker_epoch
    ):
        return of_earlier_start(replica, message, request, known_broker_epoch)
    return _serve(replica, message, request, view)


def _refused(
    replica: Replica, message: Message, request: FetchRequest, rules: Rules
) -> Outcome | None:
    """The response to a fetch that is fenced, or from a broker that the leader does not have as a
    replica.

    The latter is an error up to 0.11 (`NotAssignedReplicaException`) and from 3.3 (KAFKA-13837).
    From 1.0 to 3.2 it gets no records, after the same checks as any other fetch (KAFKA-5758). In no
    release is anything recorded.
    """
    leading = replica.leading
    is_known = leading is not None and remote_of(leading, message.sending_broker) is not None
    if (
        rules.unknown_replica_is_an_error
        and not rules.epoch_checked_before_replica
        and not is_known
    ):
        return unknown_replica(replica, message, request, rules)
    error = epoch_error(replica, request.current_leader_epoch)
    if error is not ErrorCode.NONE:
        return rejected(replica, message, request, error)
    if is_known:
        return None
    if rules.unknown_replica_is_an_error or not rules.unknown_replica_gets_nothing:
        return unknown_replica(replica, message, request, rules)
    why = why_unreadable(replica, request, rules)
    if why is not None:
        return unreadable(replica, message, request, why)
    return with_records(replica, message, request, (), replica.high_watermark)


def _failed(response: Outcome, message: Message, view: BrokerView) -> Outcome:
    """A response with an error. Up to 2.3 the leader records what it read for it, also if it is an
    error: an unknown log end offset (KAFKA-8400).

    The follower does not count as caught up by it, and the high watermark does not advance. In 0.8
    any update counts against being stuck.
    """
    rules, leading = view.rules, response.replica.leading
    known = None if leading is None else remote_of(leading, message.sending_broker)
    if rules.failed_fetch_moves_no_state or leading is None or known is None:
        return response
    forgotten = replace(
        known,
        log_start_offset=UNDEFINED_OFFSET,
        log_end_offset=UNDEFINED_OFFSET,
        last_fetch_leader_log_end_offset=UNDEFINED_OFFSET,
        last_fetch_time_ms=NEVER_MS if rules.lag_by_time_only else view.now_ms,
    )
    remotes = tuple(forgotten if remote is known else remote for remote in leading.remotes)
    replica = replace(response.replica, leading=replace(leading, remotes=remotes))
    happened = fetch.FollowerEndForgotten(
        **replica.place(), follower=known.broker_id, before=known.log_end_offset
    )
    events = (happened,) if known.log_end_offset != UNDEFINED_OFFSET else ()
    return response.then(Outcome(replica=replica, events=events))


def _serve(replica: Replica, message: Message, request: FetchRequest, view: BrokerView) -> Outcome:
    """Record the follower's progress; then send the records, or park the fetch."""
    rules = view.rules
    hears_of_high_watermark = rules.wake_followers_on_high_watermark and has_news(
        replica, message.sending_broker
    )
    counted = _count(replica, message, request, view)
    records = records_for(replica, request)
    if records or hears_of_high_watermark or request.min_bytes == 0:
        high_watermark = replica.high_watermark
        if rules.responds_with_new_high_watermark:
            high_watermark = _new_high_watermark(counted, view)
        served = with_records(counted.replica, message, request, records, high_watermark)
    else:
        served = park(counted.replica, message, view)
    # The response is reported before its consequences, although the progress is recorded first.
    return wake_followers(replace(served.then(counted), replica=served.replica), view)


def _count(replica: Replica, message: Message, request: FetchRequest, view: BrokerView) -> Outcome:
    """Record the follower's progress: it may join the ISR, and the high watermark may advance
    (`Partition.updateFollowerFetchState`).
    """
    rules = view.rules
    updated, end_moved = _with_follower_progress(replica, message, request, view.now_ms, rules)
    isr_write, join_events = maybe_expand_isr(updated, message.sending_broker, view)
    if isr_write is not None and rules.alter_partition:
        # From here on the joining replica counts for the high watermark.
        updated = replace(updated, leading=replace(leading_state(updated), pending_isr=isr_write))
        join_events = (*join_events, proposed_event(updated, isr_write, rules))
    moved = Outcome(replica=updated)
    writes_znode = isr_write is not None and not rules.alter_partition
    if not writes_znode and (end_moved or not rules.high_watermark_only_on_new_end):
        moved = maybe_increment_high_watermark(updated, view)
    return replace(moved, events=(*join_events, *moved.events), isr_write=isr_write)


def _new_high_watermark(counted: Outcome, view: BrokerView) -> Offset:
    """The high watermark after this fetch (KAFKA-5758).

    If the leader writes the znode, it does so before it updates its high watermark.
    """
    leading = leading_state(counted.replica)
    isr = leading.isr if counted.isr_write is None else counted.isr_write.isr
    return maybe_increment_high_watermark(
        replace(counted.replica, leading=replace(leading, isr=isr)), view
    ).replica.high_watermark


def _with_follower_progress(
    replica: Replica, message: Message, request: FetchRequest, now_ms: TimeMs, rules: Rules
) -> tuple[Replica, bool]:
    """Record the fetch offset as the follower's log end offset (`Replica.updateFetchStateOrThrow`).

    A follower counts as caught up now if it fetches from the leader's log end offset. From 0.10.2
    it counts as caught up at the time of its previous fetch if it fetches from what was the
    leader's log end offset then (KAFKA-4485).
    """
    leading = leading_state(replica)
    follower = message.sending_broker
    leader_end = replica.log_end_offset
    old = remote_of(leading, follower) or RemoteReplica(broker_id=follower)
    caught_up = old.last_caught_up_time_ms
    if request.fetch_offset >= leader_end:
        caught_up = max(caught_up, now_ms)
    elif (
        rules.caught_up_as_of_previous_fetch
        and request.fetch_offset >= old.last_fetch_leader_log_end_offset
    ):
        caught_up = max(caught_up, old.last_fetch_time_ms)
    new = RemoteReplica(
        broker_id=follower,
        log_start_offset=request.log_start_offset,
        log_end_offset=request.fetch_offset,
        last_fetch_leader_log_end_offset=(
            max(old.last_fetch_leader_log_end_offset, leader_end)
            if rules.replica_state_is_one_value
            else leader_end
        ),
        last_fetch_time_ms=now_ms,
        last_caught_up_time_ms=caught_up,
        last_sent_high_watermark=replica.high_watermark,
        broker_epoch=request.broker_epoch,
    )
    remotes = tuple(new if remote.broker_id == follower else remote for remote in leading.remotes)
    if new not in remotes:
        remotes = (*remotes, new)
    return (
        replace(replica, leading=replace(leading, remotes=remotes)),
        old.log_end_offset != new.log_end_offset,
    )


def park(replica: Replica, message: Message, view: BrokerView) -> Outcome:
    """Park a fetch that found no records, for at most replica.fetch.wait.max.ms.

    An older parked fetch of the same follower belongs to a loop that has ended, and is dropped.
    """
    leading = leading_state(replica)
    wait_ms = view.settings.replica_fetch_wait_max_ms
    parked = ParkedFetch(message=message, deadline_ms=TimeMs(view.now_ms + wait_ms))
    others = tuple(waiting for waiting in leading.parked if waiting.follower != parked.follower)
    happened = fetch.FetchParked(
        **replica.place(),
        follower=parked.follower,
        fetch_offset=parked.request.fetch_offset,
        wait_ms=wait_ms,
    )
    waiting = replace(leading, parked=(*others, parked))
    return Outcome(replica=replace(replica, leading=waiting), events=(happened,))


def has_news(replica: Replica, follower: BrokerId) -> bool:
    """Whether the high watermark is higher than the last one sent to the follower (KIP-392)."""
    remote = remote_of(leading_state(replica), follower)
    return remote is not None and remote.last_sent_high_watermark < replica.high_watermark


def wake_followers(outcome: Outcome, view: BrokerView) -> Outcome:
    """Respond to parked fetches as soon as the high watermark advances.

    Only in 2.4 and 2.5 (KIP-392). Followers fetched so much more often that 2.6 reverted it
    (KAFKA-9952). In all other releases the outcome is returned unchanged.
    """
    if not view.rules.wake_followers_on_high_watermark:
        return outcome
    return outcome.then(complete_parked_fetches(outcome.replica, view))


def complete_parked_fetches(
    replica: Replica, view: BrokerView, *, expire: BrokerId | None = None
) -> Outcome:
    """Respond to the parked fetches that can be completed (`DelayedFetch.tryComplete`).

    The reasons: new records, a wrong leader epoch, a divergence, the loss of leadership, and in 2.4
    a high watermark that the follower has not received. If `expire` names a follower whose wait has
    ended, only its fetch is checked. The log is read again, so the response contains the current
    high watermark.
    """
    if replica.leading is None or not replica.leading.parked:
        return Outcome(replica=replica)
    still: list[ParkedFetch] = []
    sends: list[Send] = []
    events: list[Event] = []
    for parked in replica.leading.parked:
        response = None
        if expire is None or expire == parked.follower:
            response = _response_to(replica, parked, view, is_expired=expire is not None)
        if response is None:
            still.append(parked)
            continue
        sends.extend(response.sends)
        events.extend(response.events)
    return Outcome(
        replica=replace(replica, leading=replace(replica.leading, parked=tuple(still))),
        sends=tuple(sends),
        events=tuple(events),
    )


def _response_to(
    replica: Replica, parked: ParkedFetch, view: BrokerView, *, is_expired: bool
) -> Outcome | None:
    """The response to a parked fetch; None if it stays parked."""
    rules = view.rules
    message, request = parked.message, parked.request
    error = epoch_error(replica, request.current_leader_epoch)
    if error is not ErrorCode.NONE:
        return rejected(replica, message, request, error)
    why = why_unreadable(replica, request, rules)
    if why is not None:
        return unreadable(replica, message, request, why)
    records = records_for(replica, request)
    hears = rules.wake_followers_on_high_watermark and has_news(replica, parked.follower)
    if not (records or is_expired or hears):
        return None
    response = with_records(replica, message, request, records, replica.high_watermark)
    if records or not is_expired:
        return response
    expired = fetch.LongPollExpired(
        **replica.place(), follower=parked.follower, high_watermark=replica.high_watermark
    )
    return replace(response, events=(expired,))


def diverging_epoch(
    replica: Replica, fetch_offset: Offset, last_fetched_epoch: LeaderEpoch | None, rules: Rules
) -> EpochEndOffset | ErrorCode | None:
    """The point where the logs diverge, if they do (`Partition.readRecords`, truncation on fetch).

    Returns the epoch and end offset to truncate to, OFFSET_OUT_OF_RANGE if the leader cannot
    determine them, or None if nothing diverges.
    """
    if last_fetched_epoch is None:
        return None
    epoch, end = end_offset_for(
        replica.epoch_cache, last_fetched_epoch, replica.log_end_offset, rules
    )
    is_below_start = fetch_offset < replica.log.log_start_offset
    if end == -1 or (is_below_start and rules.below_start_is_out_of_range):
        return ErrorCode.OFFSET_OUT_OF_RANGE
    if epoch < last_fetched_epoch or end < fetch_offset:
        return (epoch, end)
    return None


def why_unreadable(
    replica: Replica, request: FetchRequest, rules: Rules
) -> EpochEndOffset | ErrorCode | None:
    """Why a fetch cannot read this log: the point of divergence, or OFFSET_OUT_OF_RANGE if its
    offset is outside the log; None if it can.
    """
    parting = diverging_epoch(replica, request.fetch_offset, request.last_fetched_epoch, rules)
    if parting is not None:
        return parting
    log = replica.log
    is_in_range = log.log_start_offset <= request.fetch_offset <= log.log_end_offset
    return None if is_in_range else ErrorCode.OFFSET_OUT_OF_RANGE


def records_for(replica: Replica, request: FetchRequest) -> tuple[Record, ...]:
    """The records that a fetch reads: followers read to the end of the log."""
    return read_from(
        replica.log,
        request.fetch_offset,
        up_to=replica.log.log_end_offset,
        most=request.max_records,
    )


def with_records(
    replica: Replica,
    message: Message,
    request: FetchRequest,
    records: tuple[Record, ...],
    high_watermark: Offset,
) -> Outcome:
    """A response with the given records, possibly none, and the high watermark at the time of the
    read. From 1.0 to 3.2 it is also the response to a broker that is not a replica.
    """
    leading, follower = replica.leading, message.sending_broker
    is_known = leading is not None and remote_of(leading, follower) is not None
    none: Literal["empty", "no_replica"] = "empty" if is_known else "no_replica"
    return with_response(
        replica,
        message,
        FetchResponse(
            in_reply_to=message.id,
            fetch_offset=request.fetch_offset,
            records=records,
            high_watermark=high_watermark,
            log_start_offset=replica.log.log_start_offset,
            log_end_offset=replica.log_end_offset,
        ),
        fetch.FetchHandled(
            variant=None if records else none,
            **replica.place(),
            follower=follower,
            fetch_offset=request.fetch_offset,
            records=len(records),
            high_watermark=high_watermark,
            log_end_offset=replica.log_end_offset,
        ),
    )


def unreadable(
    replica: Replica, message: Message, request: FetchRequest, why: EpochEndOffset | ErrorCode
) -> Outcome:
    """A response without records, for the reason from `why_unreadable`."""
    if isinstance(why, ErrorCode):
        return _out_of_range(replica, message, request)
    return _diverging(replica, message, request, why)


def _out_of_range(replica: Replica, message: Message, request: FetchRequest) -> Outcome:
    return with_response(
        replica,
        message,
        FetchResponse(
            in_reply_to=message.id,
            fetch_offset=request.fetch_offset,
            error=ErrorCode.OFFSET_OUT_OF_RANGE,
        ),
        fetch.FetchOutOfRange(
            variant=_range_case(replica, request),
            **replica.place(),
            follower=message.sender,
            fetch_offset=request.fetch_offset,
            log_start_offset=replica.log.log_start_offset,
            log_end_offset=replica.log_end_offset,
        ),
    )


def _range_case(
    replica: Replica, request: FetchRequest
) -> Literal["below_start", "undefined"] | None:
    """How a fetch misses the log: beyond its end, before its start, or by an unknown epoch."""
    if request.fetch_offset > replica.log_end_offset:
        return None
    return "below_start" if request.fetch_offset < replica.log.log_start_offset else "undefined"


def _diverging(
    replica: Replica, message: Message, request: FetchRequest, parting: EpochEndOffset
) -> Outcome:
    return with_response(
        replica,
        message,
        FetchResponse(
            in_reply_to=message.id,
            fetch_offset=request.fetch_offset,
            high_watermark=replica.high_watermark,
            log_start_offset=replica.log.log_start_offset,
            log_end_offset=replica.log_end_offset,
            diverging_epoch=parting,
        ),
        fetch.FetchDiverging(
            **replica.place(),
            follower=message.sender,
            fetch_offset=request.fetch_offset,
            last_fetched_epoch=request.last_fetched_epoch,
            diverging_epoch=parting[0],
            end_offset=parting[1],
        ),
    )


def rejected(
    replica: Replica, message: Message, request: FetchRequest, error: ErrorCode
) -> Outcome:
    """A response with an error: because of the leader epoch, or because this is not the leader."""
    return with_response(
        replica,
        message,
        FetchResponse(in_reply_to=message.id, fetch_offset=request.fetch_offset, error=error),
        rejection_event(replica, message, error, request.current_leader_epoch),
    )


def unknown_replica(
    replica: Replica, message: Message, request: FetchRequest, rules: Rules
) -> Outcome:
    """Reject a fetch from a broker that is not one of the partition's replicas (KAFKA-13837; up to
    0.11 the exception fails the whole request).
    """
    error = ErrorCode.UNKNOWN_SERVER_ERROR
    if rules.unknown_replica_is_an_error:
        names_epoch = request.current_leader_epoch is not None
        error = ErrorCode.UNKNOWN_LEADER_EPOCH if names_epoch else ErrorCode.NOT_LEADER_OR_FOLLOWER
    outcome = rejected(replica, message, request, error)
    if replica.leading is None:
        return outcome
    event = _rejected_because(
        "unknown_replica", "KAFKA-13837", "Partition", replica, message, error
    )
    if not rules.unknown_replica_is_an_error:
        event = replace(event, rule="KAFKA-5758-NO-REPLICA", sources=("KAFKA-5758", "Partition"))
    return replace(outcome, events=(event,))


def of_earlier_start(
    replica: Replica, message: Message, request: FetchRequest, known_broker_epoch: int
) -> Outcome:
    """Reject a fetch with an older broker epoch (`Replica.updateFetchStateOrThrow`)."""
    error = ErrorCode.NOT_LEADER_OR_FOLLOWER
    event = replace(
        _rejected_because("stale_broker_epoch", "KAFKA-15221", "Replica", replica, message, error),
        request_broker_epoch=request.broker_epoch,
        broker_epoch=known_broker_epoch,
    )
    return replace(rejected(replica, message, request, error), events=(event,))


def _rejected_because(
    variant: str, issue: str, place: str, replica: Replica, message: Message, error: ErrorCode
) -> fetch.FetchRejected:
    return fetch.FetchRejected(
        variant=variant,
        rule=issue,
        sources=(issue, place),
        **replica.place(),
        follower=message.sender,
        error=error,
    )
