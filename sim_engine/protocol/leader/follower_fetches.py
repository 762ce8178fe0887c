"""Followers' fetches at the leader: validated, counted, answered at once or when there is news.

`ReplicaManager.fetchMessages`, `Partition.fetchRecords` and `DelayedFetch` in Kafka.
"""

from typing import Literal

from msgspec.structs import replace

from sim_engine.error_codes import ErrorCode
from sim_engine.events import Event
from sim_engine.events.fetch import (
    FetchDiverging,
    FetchHandled,
    FetchOutOfRange,
    FetchParked,
    FetchRejected,
    LongPollExpired,
)
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset
from sim_engine.kafka_history import Rules
from sim_engine.protocol.leader.high_watermark import maybe_increment_high_watermark
from sim_engine.protocol.leader.isr_membership import maybe_expand_isr, proposed_event
from sim_engine.protocol.leader.leading import (
    answered,
    epoch_error,
    leading_state,
    rejection_event,
    remote_of,
)
from sim_engine.protocol.log.leader_epoch_cache import EpochEndOffset, end_offset_for
from sim_engine.protocol.log.replica_log import read_from
from sim_engine.protocol.messages import FetchRequest, FetchResponse, Message, Send
from sim_engine.protocol.outcome import Outcome
from sim_engine.protocol.replica import LeadingState, ParkedFetch, RemoteReplica, Replica
from sim_engine.protocol.settings import PartitionSettings
from sim_engine.records import Record


def diverging_epoch(
    replica: Replica, fetch_offset: Offset, last_fetched_epoch: LeaderEpoch | None, rules: Rules
) -> EpochEndOffset | ErrorCode | None:
    """Where the logs part, if they do (`Partition.readRecords`, truncation on fetch).

    Gives the end of the epoch to truncate to, OFFSET_OUT_OF_RANGE where the leader cannot tell, and
    null where nothing diverges.
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


def handle_fetch(
    replica: Replica,
    message: Message,
    request: FetchRequest,
    *,
    settings: PartitionSettings,
    now_ms: int,
    eligible: frozenset[BrokerId],
    known_broker_epoch: int | None = None,
) -> Outcome:
    """Serve a follower's fetch and record how far it has replicated.

    The response carries the high watermark as it was before this very fetch moved it
    (`Partition.readRecords` takes the snapshot first), but for 1.0.0, 1.0.1 and 1.1.0 (KAFKA-5758).
    A fetch that finds nothing waits, and its answer is read anew (`DelayedFetch`). A fetch that is
    fenced or diverges moves no belief.

    `known_broker_epoch` is the follower's broker epoch as far as the leader has read of it: a fetch
    of an earlier start of that broker is refused from 3.7 on (KAFKA-15221); in 3.5 and 3.6 it
    counts, and only the follower's joining of the ISR goes by it (KIP-903).

    Who joins by this fetch counts before the high watermark moves: as pending with KIP-497, which
    this says; where the leader writes the znode, the high watermark is looked at after that write.
    """
    assert isinstance(message.sender, int), "followers fetch"
    follower = message.sender
    rules = settings.profile.rules
    is_known = replica.leading is not None and remote_of(replica.leading, follower) is not None
    if (
        rules.unknown_replica_is_an_error
        and not rules.epoch_checked_before_replica
        and not is_known
    ):
        return _rejected(replica, message, request, _unknown_replica_error(request))
    error = epoch_error(replica, request.current_leader_epoch)
    if error is not ErrorCode.NONE:
        return _rejected(replica, message, request, error)
    assert replica.leading is not None, "the check above"
    if not is_known:
        if rules.unknown_replica_is_an_error:
            return _rejected(replica, message, request, _unknown_replica_error(request))
        sends, handled = _respond(
            replica, follower, message.id, request.fetch_offset, (), replica.high_watermark
        )
        return Outcome(replica=replica, sends=sends, events=(handled,))
    high_watermark_before = replica.high_watermark
    parting = diverging_epoch(replica, request.fetch_offset, request.last_fetched_epoch, rules)
    log = replica.log
    if parting is ErrorCode.OFFSET_OUT_OF_RANGE or (
        parting is None and not log.log_start_offset <= request.fetch_offset <= log.log_end_offset
    ):
        return _out_of_range(replica, message, request)
    if isinstance(parting, tuple):
        diverging = _diverging(replica, message, request, parting)
        if rules.diverging_fetch_moves_no_state:
            return diverging
        counted, _ = _with_follower_progress(replica, follower, request, now_ms, rules)
        moved = maybe_increment_high_watermark(
            counted, settings=settings, now_ms=now_ms, eligible=eligible
        )
        return replace(moved, sends=diverging.sends, events=(*diverging.events, *moved.events))
    if (
        rules.stale_broker_epoch_refused
        and request.broker_epoch is not None
        and known_broker_epoch is not None
        and request.broker_epoch < known_broker_epoch
    ):
        return _of_earlier_start(replica, message, request, known_broker_epoch)

    known = remote_of(replica.leading, follower)
    hears_of_high_watermark = (
        rules.wake_followers_on_high_watermark
        and known is not None
        and known.last_sent_high_watermark < high_watermark_before
    )
    updated, end_moved = _with_follower_progress(replica, follower, request, now_ms, rules)
    isr_write, join_events = maybe_expand_isr(
        updated, follower, settings=settings, eligible=eligible
    )
    if isr_write is not None and rules.alter_partition:
        # From here on the joining replica counts for the high watermark.
        updated = replace(updated, leading=replace(leading_state(updated), pending_isr=isr_write))
        join_events = (*join_events, proposed_event(updated, isr_write, rules))
    moved = Outcome(replica=updated)
    writes_znode = isr_write is not None and not rules.alter_partition
    if not writes_znode and (end_moved or not rules.high_watermark_only_on_new_end):
        moved = maybe_increment_high_watermark(
            updated, settings=settings, now_ms=now_ms, eligible=eligible
        )
    records = read_from(
        log, request.fetch_offset, up_to=log.log_end_offset, most=request.max_records
    )
    if records or hears_of_high_watermark or request.min_bytes == 0:
        high_watermark = high_watermark_before
        if rules.answers_with_new_high_watermark:
            # The leader writes the znode, if it does, before it looks at its high watermark.
            leading = leading_state(moved.replica)
            isr = leading.isr if isr_write is None else isr_write.isr
            high_watermark = maybe_increment_high_watermark(
                replace(moved.replica, leading=replace(leading, isr=isr)),
                settings=settings,
                now_ms=now_ms,
                eligible=eligible,
            ).replica.high_watermark
        sends, handled = _respond(
            moved.replica,
            follower,
            message.id,
            request.fetch_offset,
            records,
            high_watermark,
        )
        replica = moved.replica
    else:
        leading = leading_state(moved.replica)
        parked = ParkedFetch(
            message=message, deadline_ms=now_ms + settings.replica_fetch_wait_max_ms
        )
        # An older fetch of the same follower is of a loop that has ended: nobody waits for it.
        others = tuple(waiting for waiting in leading.parked if waiting.follower != follower)
        replica = replace(moved.replica, leading=replace(leading, parked=(*others, parked)))
        sends = ()
        handled = FetchParked(
            broker=replica.broker_id,
            partition=replica.partition,
            follower=follower,
            fetch_offset=request.fetch_offset,
            wait_ms=settings.replica_fetch_wait_max_ms,
        )
    return wake_followers(
        Outcome(
            replica=replica,
            sends=sends,
            answers=moved.answers,
            events=(handled, *join_events, *moved.events),
            isr_write=isr_write,
        ),
        settings=settings,
    )


def _unknown_replica_error(request: FetchRequest) -> ErrorCode:
    """What a leader tells a broker that is none of its replicas (KAFKA-13837)."""
    if request.current_leader_epoch is None:
        return ErrorCode.NOT_LEADER_OR_FOLLOWER
    return ErrorCode.UNKNOWN_LEADER_EPOCH


def wake_followers(outcome: Outcome, *, settings: PartitionSettings) -> Outcome:
    """Answer followers' waiting fetches as soon as there is a new high watermark to tell.

    Only in 2.4 and 2.5 (KIP-392): it made followers fetch so much more that 2.6 took it back
    (KAFKA-9952). Everywhere else the outcome is given back as it is.
    """
    if not settings.profile.rules.wake_followers_on_high_watermark:
        return outcome
    woken = complete_parked_fetches(outcome.replica, settings=settings)
    return replace(
        outcome,
        replica=woken.replica,
        sends=(*outcome.sends, *woken.sends),
        events=(*outcome.events, *woken.events),
    )


def _with_follower_progress(
    replica: Replica, follower: BrokerId, request: FetchRequest, now_ms: int, rules: Rules
) -> tuple[Replica, bool]:
    """Take the fetch offset as the follower's log end (`Replica.updateFetchStateOrThrow`).

    A follower counts as caught up now if it asks for the leader's end, and from 0.10.2 as of its
    previous fetch if it asks for what was the leader's end then (KAFKA-4485).
    """
    leading = leading_state(replica)
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
            if rules.remembered_end_never_falls
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


def _respond(
    replica: Replica,
    follower: BrokerId,
    message_id: int,
    fetch_offset: Offset,
    records: tuple[Record, ...],
    high_watermark: Offset,
) -> tuple[tuple[Send, ...], Event]:
    response = FetchResponse(
        in_reply_to=message_id,
        fetch_offset=fetch_offset,
        records=records,
        high_watermark=high_watermark,
        log_start_offset=replica.log.log_start_offset,
        log_end_offset=replica.log_end_offset,
    )
    handled = FetchHandled(
        variant=None if records else "empty",
        broker=replica.broker_id,
        partition=replica.partition,
        follower=follower,
        fetch_offset=fetch_offset,
        records=len(records),
        high_watermark=high_watermark,
        log_end_offset=replica.log_end_offset,
    )
    return (Send(receiver=follower, partition=replica.partition, payload=response),), handled


def _rejected(
    replica: Replica, message: Message, request: FetchRequest, error: ErrorCode
) -> Outcome:
    return answered(
        replica,
        message,
        FetchResponse(in_reply_to=message.id, fetch_offset=request.fetch_offset, error=error),
        rejection_event(replica, message, error, request.current_leader_epoch),
    )


def _of_earlier_start(
    replica: Replica, message: Message, request: FetchRequest, known_broker_epoch: int
) -> Outcome:
    """Refuse a fetch that carries an older broker epoch (`Replica.updateFetchStateOrThrow`)."""
    error = ErrorCode.NOT_LEADER_OR_FOLLOWER
    return replace(
        _rejected(replica, message, request, error),
        events=(
            FetchRejected(
                variant="stale_broker_epoch",
                rule="KAFKA-15221",
                sources=("KAFKA-15221", "Replica"),
                broker=replica.broker_id,
                partition=replica.partition,
                follower=message.sender,
                error=error,
                request_broker_epoch=request.broker_epoch,
                broker_epoch=known_broker_epoch,
            ),
        ),
    )


def _out_of_range(replica: Replica, message: Message, request: FetchRequest) -> Outcome:
    return answered(
        replica,
        message,
        FetchResponse(
            in_reply_to=message.id,
            fetch_offset=request.fetch_offset,
            error=ErrorCode.OFFSET_OUT_OF_RANGE,
        ),
        FetchOutOfRange(
            variant=_range_case(replica, request),
            broker=replica.broker_id,
            partition=replica.partition,
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
    return answered(
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
        FetchDiverging(
            broker=replica.broker_id,
            partition=replica.partition,
            follower=message.sender,
            fetch_offset=request.fetch_offset,
            last_fetched_epoch=request.last_fetched_epoch,
            diverging_epoch=parting[0],
            end_offset=parting[1],
        ),
    )


def complete_parked_fetches(
    replica: Replica, *, settings: PartitionSettings, expire: BrokerId | None = None
) -> Outcome:
    """Answer the waiting fetches that have a reason to be answered (`DelayedFetch.tryComplete`).

    New records, a wrong leader epoch, a divergence, no longer leading, in 2.4 a high watermark that
    the follower has not been sent; `expire` names a follower whose wait is over, and then nobody
    else's is looked at. The log is read anew, so the answer carries the high watermark of now.
    """
    if replica.leading is None or not replica.leading.parked:
        return Outcome(replica=replica)
    leading = replica.leading
    rules = settings.profile.rules
    still: list[ParkedFetch] = []
    sends: list[Send] = []
    events: list[Event] = []
    expired = False
    for parked in leading.parked:
        if expire not in (None, parked.follower):
            still.append(parked)
            continue
        message, request = parked.message, parked.request
        error = epoch_error(replica, request.current_leader_epoch)
        parting = (
            diverging_epoch(replica, request.fetch_offset, request.last_fetched_epoch, rules)
            if error is ErrorCode.NONE
            else None
        )
        log = replica.log
        records = read_from(
            log, request.fetch_offset, up_to=log.log_end_offset, most=request.max_records
        )
        out_of_range = not log.log_start_offset <= request.fetch_offset <= log.log_end_offset
        is_expired = parked.follower == expire and not expired
        hears = rules.wake_followers_on_high_watermark and _has_news(replica, leading, parked)
        is_ready = parting or records or out_of_range or is_expired or hears
        if error is ErrorCode.NONE and not is_ready:
            still.append(parked)
            continue
        expired = expired or is_expired
        if error is not ErrorCode.NONE:
            answer = _rejected(replica, message, request, error)
        elif parting is ErrorCode.OFFSET_OUT_OF_RANGE or (parting is None and out_of_range):
            answer = _out_of_range(replica, message, request)
        elif isinstance(parting, tuple):
            answer = _diverging(replica, message, request, parting)
        else:
            sent, handled = _respond(
                replica,
                parked.follower,
                parked.message_id,
                request.fetch_offset,
                records,
                replica.high_watermark,
            )
            if is_expired and not records:
                handled = LongPollExpired(
                    broker=replica.broker_id,
                    partition=replica.partition,
                    follower=parked.follower,
                    high_watermark=replica.high_watermark,
                )
            answer = Outcome(replica=replica, sends=sent, events=(handled,))
        sends.extend(answer.sends)
        events.extend(answer.events)
    return Outcome(
        replica=replace(replica, leading=replace(leading, parked=tuple(still))),
        sends=tuple(sends),
        events=tuple(events),
    )


def _has_news(replica: Replica, leading: LeadingState, parked: ParkedFetch) -> bool:
    remote = remote_of(leading, parked.follower)
    return remote is not None and remote.last_sent_high_watermark < replica.high_watermark
