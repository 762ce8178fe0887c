"""A partition as its leader handles it: produce, fetch, high watermark, ISR proposals.

Guards first, then change, then output. Everything that a leader may do to a high watermark is in
`maybe_increment_high_watermark`; nothing else moves it up.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from sim_engine.identifiers import NO_LEADER, BrokerId, LeaderEpoch, Offset
from sim_engine.protocol.errors import ErrorCode
from sim_engine.protocol.events import Event, Evidence, event
from sim_engine.protocol.leader_epoch_cache import EpochEndOffset, assign, end_offset_for
from sim_engine.protocol.log import MARKER_WORDS, Marker, Record, append, read_from
from sim_engine.protocol.messages import (
    FetchRequest,
    FetchResponse,
    ListOffsetsRequest,
    ListOffsetsResponse,
    Message,
    OffsetsForLeaderEpochRequest,
    OffsetsForLeaderEpochResponse,
    Send,
)
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.protocol.outcome import Outcome, ProduceAnswer
from sim_engine.protocol.producer_state import Producing, check_sequence, last_sequence
from sim_engine.protocol.replica import (
    DelayedProduce,
    LeadingState,
    ParkedFetch,
    PendingIsr,
    RemoteReplica,
    Replica,
    flush_after_append,
)
from sim_engine.protocol.settings import PartitionSettings
from sim_engine.versions import Rules

NEVER_MS = 0

OutOfSync = Literal["late", "never", "stuck", "slow"]
"""Why a follower leaves the ISR: caught up too long ago, never caught up with this leader; in 0.8
stuck or slow."""


def leading_state(replica: Replica) -> LeadingState:
    """The leader's state of a replica that leads."""
    assert replica.leading is not None, "the replica leads"
    return replica.leading


# --- becoming leader -------------------------------------------------------------------------


def become_leader(
    replica: Replica,
    registration: PartitionRegistration,
    *,
    settings: PartitionSettings,
    now_ms: int,
    eligible: frozenset[BrokerId],
) -> Outcome:
    """Begin, or go on, to lead as the controller says (`Partition.makeLeader`).

    Nothing is truncated and nothing fetched first, in any version. With a new leader epoch the
    beliefs about followers begin anew; with only a new ISR they stay (KAFKA-13790; up to 3.2 KRaft
    brokers began anew with every change). A pending ISR change is dropped: what the controller says
    counts.
    """
    rules = settings.profile.rules
    new_epoch = registration.leader_epoch != replica.leader_epoch or replica.leading is None
    was_leader = replica.leading is not None
    before = replica.leading or LeadingState(
        leader_epoch_start_offset=replica.log_end_offset, isr=registration.isr
    )
    events: list[Event] = []
    leading = replace(before, isr=registration.isr, pending_isr=None, blocked_isr=None)
    epoch_cache = replica.epoch_cache
    if new_epoch or not rules.reset_only_on_new_epoch:
        leading = replace(
            leading,
            leader_epoch_start_offset=replica.log_end_offset,
            remotes=_fresh_remotes(before, registration, replica, was_leader, now_ms),
        )
    else:
        leading = replace(leading, remotes=_assigned_remotes(before, registration))
    if not new_epoch and not rules.reset_only_on_new_epoch:
        events.append(
            event(
                "LeaderStateReset",
                rule="KAFKA-13790",
                sources=("KAFKA-13790", "Partition"),
                broker=replica.broker_id,
                partition=replica.partition,
                leader_epoch=registration.leader_epoch,
                leader_epoch_start_offset=replica.log_end_offset,
            )
        )
    if new_epoch:
        if rules.assign_epoch_at_leader:
            epoch_cache = assign(
                epoch_cache, registration.leader_epoch, replica.log_end_offset, rules
            )
        events.append(
            event(
                "BecameLeader",
                rule="LEADER-NEVER-TRUNCATES",
                sources=("Partition",),
                broker=replica.broker_id,
                partition=replica.partition,
                leader_epoch=registration.leader_epoch,
                log_end_offset=replica.log_end_offset,
                high_watermark=replica.high_watermark,
            )
        )
        if epoch_cache != replica.epoch_cache:
            events.append(
                event(
                    "EpochAssigned",
                    variant="leader",
                    rule="KAFKA-7415",
                    sources=("KAFKA-7415", "LeaderEpochFileCache"),
                    broker=replica.broker_id,
                    partition=replica.partition,
                    epoch=registration.leader_epoch,
                    start_offset=replica.log_end_offset,
                )
            )
    replica = replace(
        replica,
        leader=replica.broker_id,
        leader_epoch=registration.leader_epoch,
        partition_epoch=registration.partition_epoch,
        epoch_cache=epoch_cache,
        leading=leading,
        fetcher=None,
        following=False,
    )
    moved = maybe_increment_high_watermark(
        replica, settings=settings, now_ms=now_ms, eligible=eligible
    )
    answered = complete_parked_fetches(moved.replica, settings=settings)
    return Outcome(
        replica=answered.replica,
        sends=answered.sends,
        answers=moved.answers,
        events=(*events, *moved.events, *answered.events),
        unparked=answered.unparked,
    )


def _fresh_remotes(
    before: LeadingState,
    registration: PartitionRegistration,
    replica: Replica,
    was_leader: bool,
    now_ms: int,
) -> tuple[RemoteReplica, ...]:
    """Beliefs at the start of a leader epoch (`Replica.resetReplicaState`)."""
    known = {remote.broker_id: remote for remote in before.remotes}
    fresh: list[RemoteReplica] = []
    for broker_id in registration.replicas:
        if broker_id == replica.broker_id:
            continue
        caught_up = now_ms if broker_id in registration.isr else NEVER_MS
        old = known.get(broker_id)
        if was_leader and old is not None:
            fresh.append(
                replace(
                    old,
                    last_fetch_leader_log_end_offset=replica.log_end_offset,
                    last_fetch_time_ms=caught_up,
                    last_caught_up_time_ms=caught_up,
                )
            )
        else:
            fresh.append(
                RemoteReplica(
                    broker_id=broker_id,
                    last_fetch_leader_log_end_offset=-1,
                    last_caught_up_time_ms=caught_up,
                )
            )
    return tuple(fresh)


def _assigned_remotes(
    before: LeadingState, registration: PartitionRegistration
) -> tuple[RemoteReplica, ...]:
    """Beliefs about who is assigned now; of a new replica there is none yet."""
    known = {remote.broker_id: remote for remote in before.remotes}
    return tuple(
        known.get(broker_id) or RemoteReplica(broker_id=broker_id)
        for broker_id in registration.replicas
        if broker_id != registration.leader
    )


# --- produce ---------------------------------------------------------------------------------


def handle_produce(
    replica: Replica,
    *,
    value: str,
    record_id: str,
    acks: str | int,
    request: int,
    deadline_ms: int,
    settings: PartitionSettings,
    now_ms: int,
    eligible: frozenset[BrokerId],
    producing: Producing | None = None,
) -> Outcome:
    """Append one record and answer as `acks` asks (`Partition.appendRecordsToLeader`).

    Only acks=all looks at min.insync.replicas, and only at the committed ISR. Nothing is appended
    when it refuses. acks=0 is never answered. `producing` is what an idempotent producer's batch
    carries: one that was written before is not written again, and waits like the first.
    """
    if replica.leading is None:
        return Outcome(
            replica=replica,
            answers=(
                ProduceAnswer(request=request, error=ErrorCode.NOT_LEADER_OR_FOLLOWER, offset=-1),
            ),
        )
    needed = settings.effective_min_insync_replicas
    if acks == "all" and len(replica.leading.isr) < needed:
        return Outcome(
            replica=replica,
            answers=(
                ProduceAnswer(request=request, error=ErrorCode.NOT_ENOUGH_REPLICAS, offset=-1),
            ),
        )
    if producing is not None:
        known = check_sequence(replica.log, producing, settings.profile.rules)
        if isinstance(known, Record):
            return _answer_duplicate(
                replica, known, request=request, deadline_ms=deadline_ms, settings=settings
            )
        if known is not ErrorCode.NONE:
            return Outcome(
                replica=replica,
                answers=(ProduceAnswer(request=request, error=known, offset=-1),),
            )
    offset = replica.log_end_offset
    record = Record(
        offset,
        replica.leader_epoch if settings.profile.has_epochs else None,
        value,
        record_id,
        producer_id=None if producing is None else producing.producer_id,
        producer_epoch=None if producing is None else producing.producer_epoch,
        sequence=None if producing is None else producing.sequence,
        transactional=producing is not None and producing.transactional,
    )
    appended = append_records(replica, (record,), settings=settings)
    replica = appended.replica
    answers: tuple[ProduceAnswer, ...] = ()
    if acks == 1:
        answers = (ProduceAnswer(request=request, error=ErrorCode.NONE, offset=offset),)
    elif acks == "all":
        replica = _awaiting(replica, request, offset, deadline_ms)
    after = _after_append(replica, settings=settings, now_ms=now_ms, eligible=eligible)
    return replace(
        after,
        answers=(*answers, *after.answers),
        events=(*appended.events, *after.events),
    )


def _awaiting(replica: Replica, request: int, offset: Offset, deadline_ms: int) -> Replica:
    """The leader with a request that is answered when the high watermark passes `offset`."""
    leading = leading_state(replica)
    waiting = DelayedProduce(request=request, required_offset=offset + 1, deadline_ms=deadline_ms)
    return replace(replica, leading=replace(leading, produces=(*leading.produces, waiting)))


def _after_append(
    replica: Replica,
    *,
    settings: PartitionSettings,
    now_ms: int,
    eligible: frozenset[BrokerId],
) -> Outcome:
    """What follows an append: the high watermark is looked at, waiting fetches are answered."""
    moved = maybe_increment_high_watermark(
        replica, settings=settings, now_ms=now_ms, eligible=eligible
    )
    woken = complete_parked_fetches(moved.replica, settings=settings)
    return Outcome(
        replica=woken.replica,
        sends=woken.sends,
        answers=moved.answers,
        events=(*moved.events, *woken.events),
        unparked=woken.unparked,
    )


def _answer_duplicate(
    replica: Replica,
    known: Record,
    *,
    request: int,
    deadline_ms: int,
    settings: PartitionSettings,
) -> Outcome:
    """A batch that the log holds already: nothing is appended, its offset is the answer (KIP-98).

    The answer waits as the first one did, until the high watermark has passed the record.
    """
    waiting = _awaiting(replica, request, known.offset, deadline_ms)
    done = complete_produces(waiting, settings=settings)
    happened = event(
        "DuplicateRecognised",
        rule="KIP-98",
        sources=("KIP-98", "ProducerStateManager"),
        broker=replica.broker_id,
        partition=replica.partition,
        value=known.value,
        producer_id=known.producer_id,
        sequence=known.sequence,
        offset=known.offset,
        last_sequence=(
            None if known.producer_id is None else last_sequence(replica.log, known.producer_id)
        ),
        evidence=Evidence(
            partition=replica.partition,
            replicas=(replica.broker_id,),
            offsets=(known.offset,),
            records=(known,),
        ),
    )
    return Outcome(
        replica=done.replica,
        answers=done.answers,
        events=(happened, *done.events),
        duplicate=known,
    )


def append_marker(
    replica: Replica,
    marker: Marker,
    *,
    producer_id: int,
    producer_epoch: int,
    record_id: str,
    settings: PartitionSettings,
    now_ms: int,
    eligible: frozenset[BrokerId],
) -> Outcome:
    """Write what became of a transaction into the log: a record with an offset of its own.

    The transaction coordinator asks for it as for acks=all (WriteTxnMarkers, KIP-98); the caller
    has seen to it that this replica leads and that its ISR is large enough.
    """
    record = Record(
        replica.log_end_offset,
        replica.leader_epoch if settings.profile.has_epochs else None,
        MARKER_WORDS[marker],
        record_id,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        transactional=True,
        control=marker,
    )
    appended = append_records(replica, (record,), settings=settings)
    after = _after_append(appended.replica, settings=settings, now_ms=now_ms, eligible=eligible)
    return replace(after, events=(*appended.events, *after.events))


def append_records(
    replica: Replica, records: tuple[Record, ...], *, settings: PartitionSettings
) -> Outcome:
    """Put records at the end of a log; each batch's epoch goes into the cache."""
    rules = settings.profile.rules
    epoch_cache = replica.epoch_cache
    events: list[Event] = []
    for record in records:
        if record.epoch is None:
            continue
        assigned = assign(epoch_cache, record.epoch, record.offset, rules)
        if assigned != epoch_cache:
            events.append(
                event(
                    "EpochAssigned",
                    variant="append",
                    rule="KIP-101",
                    sources=("KIP-101", "LeaderEpochFileCache"),
                    broker=replica.broker_id,
                    partition=replica.partition,
                    epoch=record.epoch,
                    start_offset=record.offset,
                )
            )
        epoch_cache = assigned
    replica = replace(replica, log=append(replica.log, *records), epoch_cache=epoch_cache)
    return Outcome(
        replica=flush_after_append(replica, settings.flush_messages), events=tuple(events)
    )


def expire_produces(replica: Replica, *, now_ms: int) -> Outcome:
    """Answer the acks=all requests whose time is up; their records stay."""
    leading = leading_state(replica)
    expired = tuple(waiting for waiting in leading.produces if waiting.deadline_ms <= now_ms)
    return Outcome(
        replica=replace(
            replica,
            leading=replace(
                leading,
                produces=tuple(waiting for waiting in leading.produces if waiting not in expired),
            ),
        ),
        answers=tuple(
            ProduceAnswer(request=waiting.request, error=ErrorCode.REQUEST_TIMED_OUT, offset=-1)
            for waiting in expired
        ),
    )


# --- the high watermark ----------------------------------------------------------------------


def maybe_increment_high_watermark(
    replica: Replica,
    *,
    settings: PartitionSettings,
    now_ms: int,
    eligible: frozenset[BrokerId],
) -> Outcome:
    """Commit what every replica that counts holds (`Partition.maybeIncrementLeaderHW`).

    The maximal ISR counts; from 0.10.2 so does a replica outside it that was caught up recently
    (KAFKA-4485), from 3.6 only if it could join. From 3.7 nothing moves while the committed ISR is
    below min.insync.replicas (KAFKA-15583). Never goes down.
    """
    leading = leading_state(replica)
    rules = settings.profile.rules
    isr, isr_rule = isr_that_counts(leading, rules)
    counting = [
        remote
        for remote in leading.remotes
        if remote.broker_id in isr
        or (
            rules.caught_up_as_of_previous_fetch
            and _caught_up_in_time(remote, settings.replica_lag_time_max_ms, now_ms)
            and (not rules.no_epoch_bump_on_shrink or remote.broker_id in eligible)
        )
    ]
    target = min([replica.log_end_offset, *(remote.log_end_offset for remote in counting)])
    if target <= replica.high_watermark:
        return Outcome(
            replica=replica, events=_held_by_outsiders(replica, counting, settings=settings)
        )
    if (
        rules.min_isr_gates_high_watermark
        and len(leading.isr) < settings.effective_min_insync_replicas
    ):
        return Outcome(
            replica=replica,
            events=(
                event(
                    "HighWatermarkHeld",
                    rule="KAFKA-15583",
                    sources=("KAFKA-15583", "KIP-966", "Partition"),
                    broker=replica.broker_id,
                    partition=replica.partition,
                    high_watermark=replica.high_watermark,
                    isr=list(leading.isr),
                    min_insync_replicas=settings.effective_min_insync_replicas,
                ),
            ),
        )
    moved = event(
        "HighWatermarkAdvanced",
        rule=isr_rule,
        sources=("Partition", "KIP-497") if rules.alter_partition else ("Partition",),
        broker=replica.broker_id,
        partition=replica.partition,
        before=replica.high_watermark,
        after=target,
        log_end_offsets=[
            f"{replica.broker_id}: {replica.log_end_offset}",
            *(f"{remote.broker_id}: {remote.log_end_offset}" for remote in counting),
        ],
        evidence=Evidence(
            partition=replica.partition,
            replicas=(replica.broker_id,),
            offsets=tuple(range(replica.high_watermark, target)),
        ),
    )
    replica = replace(replica, high_watermark=target)
    done = complete_produces(replica, settings=settings)
    return Outcome(replica=done.replica, answers=done.answers, events=(moved, *done.events))


def isr_that_counts(leading: LeadingState, rules: Rules) -> tuple[tuple[BrokerId, ...], str]:
    """The members that the high watermark waits for, and the rule that says so.

    That is the maximal ISR. The two what-ifs are wrong on purpose: KIP-497 says why while a change
    is pending neither the committed ISR alone nor a smaller one that was only asked for will do.
    """
    if rules.what_if_committed_isr_counts and leading.isr != leading.maximal_isr:
        return leading.isr, "WHAT-IF-HW-ON-COMMITTED-ISR"
    pending = leading.pending_isr
    if rules.what_if_proposed_shrink_counts and pending is not None and pending.kind == "shrink":
        return pending.isr, "WHAT-IF-HW-ON-PROPOSED-SHRINK"
    return leading.maximal_isr, "HIGH-WATERMARK-MIN-OF-ISR"


def _held_by_outsiders(
    replica: Replica, counting: Sequence[RemoteReplica], *, settings: PartitionSettings
) -> tuple[Event, ...]:
    """Say so where only replicas outside the ISR keep the high watermark where it is."""
    leading = leading_state(replica)
    members = [remote for remote in counting if remote.broker_id in leading.maximal_isr]
    without = min([replica.log_end_offset, *(remote.log_end_offset for remote in members)])
    if without <= replica.high_watermark:
        return ()
    return (
        event(
            "HighWatermarkHeld",
            variant="outsider",
            rule="KAFKA-4485",
            sources=("KAFKA-4485", "Partition"),
            broker=replica.broker_id,
            partition=replica.partition,
            high_watermark=replica.high_watermark,
            isr=list(leading.isr),
            without=without,
            outsiders=[remote.broker_id for remote in counting if remote not in members],
            lag_ms=settings.replica_lag_time_max_ms,
        ),
    )


def complete_produces(replica: Replica, *, settings: PartitionSettings) -> Outcome:
    """Answer the acks=all requests that the high watermark has reached (`DelayedProduce`).

    Where the ISR has shrunk below min.insync.replicas meanwhile, the answer is an error although
    the record is committed.
    """
    leading = leading_state(replica)
    rules = settings.profile.rules
    isr = leading.maximal_isr if rules.alter_partition else leading.isr
    enough = len(isr) >= settings.effective_min_insync_replicas
    answers: list[ProduceAnswer] = []
    waiting: list[DelayedProduce] = []
    for delayed in leading.produces:
        if delayed.required_offset > replica.high_watermark:
            waiting.append(delayed)
            continue
        answers.append(
            ProduceAnswer(
                request=delayed.request,
                error=ErrorCode.NONE if enough else ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
                offset=delayed.required_offset - 1,
            )
        )
    if not answers:
        return Outcome(replica=replica)
    return Outcome(
        replica=replace(replica, leading=replace(leading, produces=tuple(waiting))),
        answers=tuple(answers),
    )


def _caught_up_in_time(remote: RemoteReplica, lag_ms: int, now_ms: int) -> bool:
    return (
        remote.last_caught_up_time_ms != NEVER_MS
        and now_ms - remote.last_caught_up_time_ms <= lag_ms
    )


def why_out_of_sync(
    remote: RemoteReplica,
    leader_log_end_offset: Offset,
    *,
    settings: PartitionSettings,
    now_ms: int,
) -> OutOfSync | None:
    """Why an ISR member may not stay, null where it may (`Partition.getOutOfSyncReplicas`).

    By the time since it was caught up (`Replica.isCaughtUp`). In 0.8, before KIP-16: stuck where it
    has not fetched for replica.lag.time.max.ms, slow where it is more than replica.lag.max.messages
    behind.
    """
    rules = settings.profile.rules
    lag_ms = settings.replica_lag_time_max_ms
    if not rules.lag_by_time_only:
        heard_ms = max(remote.last_fetch_time_ms, remote.last_caught_up_time_ms)
        if now_ms - heard_ms > lag_ms:
            return "stuck"
        behind = leader_log_end_offset - remote.log_end_offset
        has_fetched = remote.log_end_offset >= 0
        return "slow" if has_fetched and behind > settings.replica_lag_max_messages else None
    if rules.log_end_is_caught_up and remote.log_end_offset == leader_log_end_offset:
        return None
    if _caught_up_in_time(remote, lag_ms, now_ms):
        return None
    return "never" if remote.last_caught_up_time_ms == NEVER_MS else "late"


# --- the ISR ---------------------------------------------------------------------------------


def maybe_expand_isr(
    replica: Replica,
    follower: BrokerId,
    *,
    settings: PartitionSettings,
    eligible: frozenset[BrokerId],
) -> tuple[PendingIsr | None, tuple[Event, ...]]:
    """Whether a follower that just fetched may join the ISR (`Partition.maybeExpandIsr`).

    It has reached the high watermark and, from 2.0.1, the start of the leader's epoch (KAFKA-7128);
    from 3.3 it must not be fenced or shutting down (KIP-841). Time plays no part.
    """
    leading = leading_state(replica)
    rules = settings.profile.rules
    remote = remote_of(leading, follower)
    if remote is None or follower in leading.isr or leading.changes_isr:
        return None, ()
    if remote.log_end_offset < replica.high_watermark:
        return None, ()
    if rules.join_needs_epoch_start and remote.log_end_offset < leading.leader_epoch_start_offset:
        return None, (
            event(
                "IsrJoinRefused",
                rule="KAFKA-7128",
                sources=("KAFKA-7128", "Partition"),
                broker=replica.broker_id,
                partition=replica.partition,
                replica=follower,
                log_end_offset=remote.log_end_offset,
                high_watermark=replica.high_watermark,
                leader_epoch_start_offset=leading.leader_epoch_start_offset,
            ),
        )
    if rules.fenced_brokers_stay_out and follower not in eligible:
        return None, ()
    return (
        PendingIsr(kind="expand", isr=(*leading.isr, follower), replicas=(follower,)),
        (),
    )


def maybe_shrink_isr(
    replica: Replica, *, settings: PartitionSettings, now_ms: int
) -> PendingIsr | None:
    """Who fell out of sync by now, if anybody (`Partition.maybeShrinkIsr`). Never the leader."""
    leading = leading_state(replica)
    if leading.changes_isr:
        return None
    lagging = tuple(
        broker_id
        for broker_id in leading.isr
        if broker_id != replica.broker_id
        and why_out_of_sync(
            remote_of(leading, broker_id) or RemoteReplica(broker_id=broker_id),
            replica.log_end_offset,
            settings=settings,
            now_ms=now_ms,
        )
    )
    if not lagging:
        return None
    return PendingIsr(
        kind="shrink",
        isr=tuple(broker_id for broker_id in leading.isr if broker_id not in lagging),
        replicas=lagging,
    )


def out_of_sync_events(
    replica: Replica, change: PendingIsr, *, settings: PartitionSettings, now_ms: int
) -> tuple[Event, ...]:
    """Say of each follower that a shrink would drop why it is out of sync."""
    leading = leading_state(replica)
    events: list[Event] = []
    for broker_id in change.replicas:
        remote = remote_of(leading, broker_id) or RemoteReplica(broker_id=broker_id)
        why = why_out_of_sync(remote, replica.log_end_offset, settings=settings, now_ms=now_ms)
        heard_ms = (
            max(remote.last_fetch_time_ms, remote.last_caught_up_time_ms)
            if why == "stuck"
            else remote.last_caught_up_time_ms
        )
        events.append(
            event(
                "FollowerOutOfSync",
                variant=None if why == "late" else why,
                rule="KIP-16" if why in ("stuck", "slow") else "ISR-SHRINK",
                sources=("KIP-16", "Partition") if why in ("stuck", "slow") else ("Partition",),
                broker=replica.broker_id,
                partition=replica.partition,
                replica=broker_id,
                log_end_offset=remote.log_end_offset,
                leader_log_end_offset=replica.log_end_offset,
                behind=replica.log_end_offset - remote.log_end_offset,
                elapsed_ms=None if why == "never" else now_ms - heard_ms,
                lag_ms=settings.replica_lag_time_max_ms,
                lag_messages=settings.replica_lag_max_messages,
            )
        )
    return tuple(events)


def with_isr(
    replica: Replica,
    isr: tuple[BrokerId, ...],
    partition_epoch: int,
    *,
    settings: PartitionSettings,
    now_ms: int,
    eligible: frozenset[BrokerId],
    look_at_high_watermark: bool,
) -> Outcome:
    """The ISR is committed: take it over, and look at the high watermark where the version does."""
    leading = leading_state(replica)
    replica = replace(
        replica,
        partition_epoch=partition_epoch,
        leading=replace(leading, isr=isr, pending_isr=None),
    )
    if not look_at_high_watermark:
        return Outcome(replica=replica)
    return wake_followers(
        maybe_increment_high_watermark(
            replica, settings=settings, now_ms=now_ms, eligible=eligible
        ),
        settings=settings,
    )


def remote_of(leading: LeadingState, broker_id: BrokerId) -> RemoteReplica | None:
    """What the leader believes of one follower."""
    for remote in leading.remotes:
        if remote.broker_id == broker_id:
            return remote
    return None


# --- fetches ---------------------------------------------------------------------------------


def epoch_error(replica: Replica, request_epoch: LeaderEpoch | None) -> ErrorCode:
    """Fence a request of another leader epoch (KIP-320); then, only the leader answers."""
    if request_epoch is not None:
        if request_epoch < replica.leader_epoch:
            return ErrorCode.FENCED_LEADER_EPOCH
        if request_epoch > replica.leader_epoch:
            return ErrorCode.UNKNOWN_LEADER_EPOCH
    return ErrorCode.NONE if replica.leading is not None else ErrorCode.NOT_LEADER_OR_FOLLOWER


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
    if end == -1 or fetch_offset < replica.log.log_start_offset:
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
    (`Partition.readRecords` takes the snapshot first); a fetch that finds nothing waits, and its
    answer is read anew (`DelayedFetch`). A fetch that is fenced or diverges moves no belief.

    `known_broker_epoch` is the follower's broker epoch as far as the leader has read of it: a fetch
    of an earlier start of that broker is refused (KIP-903).

    Who joins by this fetch counts before the high watermark moves: as pending with KIP-497; where
    the leader writes the znode, the high watermark is looked at after that write.
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
        rules.broker_epoch_in_isr
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
        sends, handled = _respond(
            moved.replica,
            follower,
            message.id,
            request.fetch_offset,
            records,
            high_watermark_before,
        )
        replica = moved.replica
    else:
        leading = leading_state(moved.replica)
        parked = ParkedFetch(
            message_id=message.id,
            follower=follower,
            fetch_offset=request.fetch_offset,
            current_leader_epoch=request.current_leader_epoch,
            last_fetched_epoch=request.last_fetched_epoch,
            max_records=request.max_records,
            deadline_ms=now_ms + settings.replica_fetch_wait_max_ms,
        )
        # An older fetch of the same follower is of a loop that has ended: nobody waits for it.
        others = tuple(waiting for waiting in leading.parked if waiting.follower != follower)
        replica = replace(moved.replica, leading=replace(leading, parked=(*others, parked)))
        sends = ()
        handled = event(
            "FetchParked",
            rule="LONG-POLL-REREAD",
            sources=("DelayedFetch",),
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
            events=(handled, *moved.events, *join_events),
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
        unparked=(*outcome.unparked, *woken.unparked),
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
    handled = event(
        "FetchHandled",
        rule="RESPONSE-SNAPSHOT",
        sources=("Partition", "ReplicaManager"),
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
    return Outcome(
        replica=replica,
        sends=(
            Send(
                receiver=message.sender,
                partition=replica.partition,
                payload=FetchResponse(
                    in_reply_to=message.id, fetch_offset=request.fetch_offset, error=error
                ),
            ),
        ),
        events=(_rejection_event(replica, message, error, request.current_leader_epoch),),
    )


def _of_earlier_start(
    replica: Replica, message: Message, request: FetchRequest, known_broker_epoch: int
) -> Outcome:
    """Refuse a fetch that carries an older broker epoch (`Replica.updateFetchStateOrThrow`)."""
    error = ErrorCode.NOT_LEADER_OR_FOLLOWER
    return replace(
        _rejected(replica, message, request, error),
        events=(
            event(
                "FetchRejected",
                variant="stale_broker_epoch",
                rule="KIP-903",
                sources=("KIP-903", "Replica"),
                broker=replica.broker_id,
                partition=replica.partition,
                follower=message.sender,
                error=str(error),
                request_broker_epoch=request.broker_epoch,
                broker_epoch=known_broker_epoch,
            ),
        ),
    )


def _rejection_event(
    replica: Replica, message: Message, error: ErrorCode, request_epoch: LeaderEpoch | None
) -> Event:
    fenced = error in (ErrorCode.FENCED_LEADER_EPOCH, ErrorCode.UNKNOWN_LEADER_EPOCH)
    return event(
        "FetchRejected",
        variant=str(error),
        rule="KIP-320" if fenced else None,
        sources=("KIP-320", "Partition") if fenced else ("Partition",),
        broker=replica.broker_id,
        partition=replica.partition,
        follower=message.sender,
        error=str(error),
        request_epoch=request_epoch,
        leader_epoch=replica.leader_epoch,
    )


def _out_of_range(replica: Replica, message: Message, request: FetchRequest) -> Outcome:
    return Outcome(
        replica=replica,
        sends=(
            Send(
                receiver=message.sender,
                partition=replica.partition,
                payload=FetchResponse(
                    in_reply_to=message.id,
                    fetch_offset=request.fetch_offset,
                    error=ErrorCode.OFFSET_OUT_OF_RANGE,
                ),
            ),
        ),
        events=(
            event(
                "FetchOutOfRange",
                variant=_range_case(replica, request),
                rule="OFFSET-OUT-OF-RANGE",
                sources=("ReplicaManager", "ReplicaFetcherThread"),
                broker=replica.broker_id,
                partition=replica.partition,
                follower=message.sender,
                fetch_offset=request.fetch_offset,
                log_start_offset=replica.log.log_start_offset,
                log_end_offset=replica.log_end_offset,
            ),
        ),
    )


def _range_case(replica: Replica, request: FetchRequest) -> str | None:
    """How a fetch misses the log: beyond its end, before its start, or by an unknown epoch."""
    if request.fetch_offset > replica.log_end_offset:
        return None
    return "below_start" if request.fetch_offset < replica.log.log_start_offset else "undefined"


def _diverging(
    replica: Replica, message: Message, request: FetchRequest, parting: EpochEndOffset
) -> Outcome:
    return Outcome(
        replica=replica,
        sends=(
            Send(
                receiver=message.sender,
                partition=replica.partition,
                payload=FetchResponse(
                    in_reply_to=message.id,
                    fetch_offset=request.fetch_offset,
                    high_watermark=replica.high_watermark,
                    log_start_offset=replica.log.log_start_offset,
                    log_end_offset=replica.log_end_offset,
                    diverging_epoch=parting,
                ),
            ),
        ),
        events=(
            event(
                "FetchDiverging",
                rule="KAFKA-10554",
                sources=("KAFKA-10554", "KIP-595", "Partition"),
                broker=replica.broker_id,
                partition=replica.partition,
                follower=message.sender,
                fetch_offset=request.fetch_offset,
                last_fetched_epoch=request.last_fetched_epoch,
                diverging_epoch=parting[0],
                end_offset=parting[1],
            ),
        ),
    )


def complete_parked_fetches(
    replica: Replica, *, settings: PartitionSettings, expire: BrokerId | None = None
) -> Outcome:
    """Answer the waiting fetches that have a reason to be answered (`DelayedFetch.tryComplete`).

    New records, a wrong leader epoch, a divergence, no longer leading, in 2.4 a high watermark that
    the follower has not been sent; `expire` names a follower whose wait is over. The log is read
    anew, so the answer carries the high watermark of now.
    """
    if replica.leading is None or not replica.leading.parked:
        return Outcome(replica=replica)
    leading = replica.leading
    rules = settings.profile.rules
    still: list[ParkedFetch] = []
    sends: list[Send] = []
    events: list[Event] = []
    unparked: list[BrokerId] = []
    expired = False
    for parked in leading.parked:
        error = epoch_error(replica, parked.current_leader_epoch)
        parting = (
            diverging_epoch(replica, parked.fetch_offset, parked.last_fetched_epoch, rules)
            if error is ErrorCode.NONE
            else None
        )
        log = replica.log
        records = read_from(
            log, parked.fetch_offset, up_to=log.log_end_offset, most=parked.max_records
        )
        out_of_range = not log.log_start_offset <= parked.fetch_offset <= log.log_end_offset
        is_expired = parked.follower == expire and not expired
        hears = rules.wake_followers_on_high_watermark and _has_news(replica, leading, parked)
        is_ready = parting or records or out_of_range or is_expired or hears
        if error is ErrorCode.NONE and not is_ready:
            still.append(parked)
            continue
        expired = expired or is_expired
        unparked.append(parked.follower)
        message = Message(
            id=parked.message_id,
            sender=parked.follower,
            receiver=replica.broker_id,
            partition=replica.partition,
            payload=FetchRequest(fetch_offset=parked.fetch_offset, log_start_offset=0),
            sent_ms=0,
        )
        request = FetchRequest(
            fetch_offset=parked.fetch_offset,
            log_start_offset=0,
            current_leader_epoch=parked.current_leader_epoch,
            last_fetched_epoch=parked.last_fetched_epoch,
        )
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
                parked.fetch_offset,
                records,
                replica.high_watermark,
            )
            if is_expired and not records:
                handled = event(
                    "LongPollExpired",
                    rule="LONG-POLL-REREAD",
                    sources=("DelayedFetch",),
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
        unparked=tuple(unparked),
    )


def _has_news(replica: Replica, leading: LeadingState, parked: ParkedFetch) -> bool:
    remote = remote_of(leading, parked.follower)
    return remote is not None and remote.last_sent_high_watermark < replica.high_watermark


def step_down_answers(replica: Replica) -> tuple[ProduceAnswer, ...]:
    """What a deposed leader tells the producers that still wait."""
    if replica.leading is None:
        return ()
    return tuple(
        ProduceAnswer(request=waiting.request, error=ErrorCode.NOT_LEADER_OR_FOLLOWER, offset=-1)
        for waiting in replica.leading.produces
    )


# --- lookups ---------------------------------------------------------------------------------


def handle_offsets_for_leader_epoch(
    replica: Replica,
    message: Message,
    request: OffsetsForLeaderEpochRequest,
    *,
    settings: PartitionSettings,
) -> Outcome:
    """Tell a follower where an epoch ends here (KIP-101; fenced from 2.1)."""
    error = epoch_error(replica, request.current_leader_epoch)
    end: EpochEndOffset = (-1, -1)
    if error is ErrorCode.NONE:
        end = end_offset_for(
            replica.epoch_cache,
            request.leader_epoch,
            replica.log_end_offset,
            settings.profile.rules,
        )
        happened = event(
            "EpochLookupAnswered",
            variant="undefined" if end[1] == -1 else "offset_only" if end[0] == -1 else None,
            rule="KIP-279" if settings.profile.rules.iterative_epoch_truncation else "KIP-101",
            sources=("KIP-101", "LeaderEpochFileCache"),
            broker=replica.broker_id,
            partition=replica.partition,
            follower=message.sender,
            epoch=request.leader_epoch,
            answer_epoch=end[0],
            end_offset=end[1],
        )
    else:
        happened = _rejection_event(replica, message, error, request.current_leader_epoch)
    return Outcome(
        replica=replica,
        sends=(
            Send(
                receiver=message.sender,
                partition=replica.partition,
                payload=OffsetsForLeaderEpochResponse(
                    in_reply_to=message.id,
                    requested_epoch=request.leader_epoch,
                    error=error,
                    end_offset=end,
                ),
            ),
        ),
        events=(happened,),
    )


def handle_list_offsets(replica: Replica, message: Message, request: ListOffsetsRequest) -> Outcome:
    """Tell a follower the log's end or start, as a replica sees them."""
    error = epoch_error(replica, request.current_leader_epoch)
    offset = -1
    if error is ErrorCode.NONE:
        offset = (
            replica.log_end_offset if request.which == "latest" else replica.log.log_start_offset
        )
        happened = event(
            "ListOffsetsAnswered",
            rule="OFFSET-OUT-OF-RANGE",
            sources=("ReplicaFetcherThread",),
            broker=replica.broker_id,
            partition=replica.partition,
            follower=message.sender,
            which=request.which,
            offset=offset,
        )
    else:
        happened = _rejection_event(replica, message, error, request.current_leader_epoch)
    return Outcome(
        replica=replica,
        sends=(
            Send(
                receiver=message.sender,
                partition=replica.partition,
                payload=ListOffsetsResponse(
                    in_reply_to=message.id, which=request.which, error=error, offset=offset
                ),
            ),
        ),
        events=(happened,),
    )


def end_offset_for_clients(replica: Replica, rules: Rules) -> Offset | ErrorCode:
    """The end that ListOffsets tells a client (`Partition.fetchOffsetForTimestamp`).

    It is the high watermark. From 2.2 a new leader says OFFSET_NOT_AVAILABLE until its high
    watermark has reached the start of its epoch, lest the end go backwards (KIP-207).
    """
    leading = replica.leading
    if leading is None:
        return ErrorCode.NOT_LEADER_OR_FOLLOWER
    if (
        rules.end_offset_waits_for_epoch_start
        and replica.high_watermark < leading.leader_epoch_start_offset
    ):
        return ErrorCode.OFFSET_NOT_AVAILABLE
    return replica.high_watermark


def leaderless(replica: Replica) -> bool:
    """Whether this replica has been told that nobody leads."""
    return replica.leader == NO_LEADER
