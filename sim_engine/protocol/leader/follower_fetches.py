"""Followers' fetches at the leader: validated, recorded, and responded to immediately or later.

`ReplicaManager.fetchMessages` and `Partition.fetchRecords` in Kafka.
"""

from msgspec.structs import replace

from sim_engine.error_codes import ErrorCode
from sim_engine.identifiers import BrokerId, Offset, TimeMs
from sim_engine.kafka_history import Rules
from sim_engine.protocol.leader.fetch_responses import (
    follower_of,
    of_earlier_start,
    records_for,
    rejected,
    unknown_replica,
    unreadable,
    why_unreadable,
    with_records,
)
from sim_engine.protocol.leader.high_watermark import maybe_increment_high_watermark
from sim_engine.protocol.leader.isr_membership import maybe_expand_isr, proposed_event
from sim_engine.protocol.leader.leader_state import epoch_error, leading_state, remote_of
from sim_engine.protocol.leader.parked_fetches import has_news, park, wake_followers
from sim_engine.protocol.messages import FetchRequest, Message
from sim_engine.protocol.outcome import Outcome
from sim_engine.protocol.replica import RemoteReplica, Replica
from sim_engine.protocol.settings import PartitionSettings


def handle_fetch(
    replica: Replica,
    message: Message,
    request: FetchRequest,
    *,
    settings: PartitionSettings,
    now_ms: TimeMs,
    eligible: frozenset[BrokerId],
    known_broker_epoch: int | None = None,
    missing: ErrorCode = ErrorCode.NONE,
) -> Outcome:
    """Serve a follower's fetch and record how far it has replicated.

    The response contains the high watermark from before this fetch advanced it
    (`Partition.readRecords` takes the snapshot first), except in 1.0.0, 1.0.1 and 1.1.0
    (KAFKA-5758). A fetch that finds no records waits, and the log is read again for its response
    (`DelayedFetch`). A fetch that is fenced or diverges does not update the leader's state of the
    follower.

    `known_broker_epoch` is the follower's broker epoch in the leader's metadata. From 3.7 a fetch
    from an earlier start of that broker is rejected (KAFKA-15221). In 3.5 and 3.6 it is served, and
    the epoch affects only whether the follower may join the ISR (KIP-903).

    `missing` is the error of a broker that has no replica of the partition.

    A replica that joins the ISR with this fetch counts before the high watermark advances: with
    KIP-497 as pending, which is set here. If the leader writes the znode, the high watermark is
    updated after that write.
    """
    rules = settings.profile.rules
    if missing is not ErrorCode.NONE:
        return rejected(replica, message, request, missing)
    refused = _refused(replica, message, request, rules)
    if refused is not None:
        return refused
    why = why_unreadable(replica, request, rules)
    if why is not None:
        response = unreadable(replica, message, request, why)
        if isinstance(why, ErrorCode) or rules.diverging_fetch_moves_no_state:
            return response
        counted, _ = _with_follower_progress(replica, message, request, now_ms, rules)
        moved = maybe_increment_high_watermark(
            counted, settings=settings, now_ms=now_ms, eligible=eligible
        )
        return replace(moved, sends=response.sends, events=(*response.events, *moved.events))
    if (
        rules.stale_broker_epoch_refused
        and request.broker_epoch is not None
        and known_broker_epoch is not None
        and request.broker_epoch < known_broker_epoch
    ):
        return of_earlier_start(replica, message, request, known_broker_epoch)
    return _serve(replica, message, request, settings=settings, now_ms=now_ms, eligible=eligible)


def _refused(
    replica: Replica, message: Message, request: FetchRequest, rules: Rules
) -> Outcome | None:
    """The response to a fetch that is fenced, or from a broker without a replica.

    In releases without an error for the latter, the response has no records and nothing is
    recorded.
    """
    leading = replica.leading
    is_known = leading is not None and remote_of(leading, follower_of(message)) is not None
    if (
        rules.unknown_replica_is_an_error
        and not rules.epoch_checked_before_replica
        and not is_known
    ):
        return unknown_replica(replica, message, request)
    error = epoch_error(replica, request.current_leader_epoch)
    if error is not ErrorCode.NONE:
        return rejected(replica, message, request, error)
    if is_known:
        return None
    if rules.unknown_replica_is_an_error:
        return unknown_replica(replica, message, request)
    return with_records(replica, message, request, (), replica.high_watermark)


def _serve(
    replica: Replica,
    message: Message,
    request: FetchRequest,
    *,
    settings: PartitionSettings,
    now_ms: TimeMs,
    eligible: frozenset[BrokerId],
) -> Outcome:
    """Record the follower's progress; then send the records, or park the fetch."""
    rules = settings.profile.rules
    hears_of_high_watermark = rules.wake_followers_on_high_watermark and has_news(
        replica, follower_of(message)
    )
    counted = _count(replica, message, request, settings=settings, now_ms=now_ms, eligible=eligible)
    records = records_for(replica, request)
    if records or hears_of_high_watermark or request.min_bytes == 0:
        high_watermark = replica.high_watermark
        if rules.responds_with_new_high_watermark:
            high_watermark = _new_high_watermark(
                counted, settings=settings, now_ms=now_ms, eligible=eligible
            )
        response = with_records(counted.replica, message, request, records, high_watermark)
        served = replace(counted, sends=response.sends, events=(*response.events, *counted.events))
    else:
        waiting, parked = park(counted.replica, message, settings=settings, now_ms=now_ms)
        served = replace(counted, replica=waiting, events=(parked, *counted.events))
    return wake_followers(served, settings=settings)


def _count(
    replica: Replica,
    message: Message,
    request: FetchRequest,
    *,
    settings: PartitionSettings,
    now_ms: TimeMs,
    eligible: frozenset[BrokerId],
) -> Outcome:
    """Record the follower's progress: it may join the ISR, and the high watermark may advance
    (`Partition.updateFollowerFetchState`).
    """
    rules = settings.profile.rules
    updated, end_moved = _with_follower_progress(replica, message, request, now_ms, rules)
    isr_write, join_events = maybe_expand_isr(
        updated, follower_of(message), settings=settings, eligible=eligible
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
    return replace(moved, events=(*join_events, *moved.events), isr_write=isr_write)


def _new_high_watermark(
    counted: Outcome,
    *,
    settings: PartitionSettings,
    now_ms: TimeMs,
    eligible: frozenset[BrokerId],
) -> Offset:
    """The high watermark after this fetch (KAFKA-5758).

    If the leader writes the znode, it does so before it updates its high watermark.
    """
    leading = leading_state(counted.replica)
    isr = leading.isr if counted.isr_write is None else counted.isr_write.isr
    return maybe_increment_high_watermark(
        replace(counted.replica, leading=replace(leading, isr=isr)),
        settings=settings,
        now_ms=now_ms,
        eligible=eligible,
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
    follower = follower_of(message)
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
