"""The leader's high watermark, and the produce requests that wait for it.

`Partition.maybeIncrementLeaderHW` and `DelayedProduce` in Kafka.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from sim_engine.events.base import Event, EventSubject
from sim_engine.events.log import HighWatermarkAdvanced, HighWatermarkHeld
from sim_engine.identifiers import NEVER_MS, BrokerId, ErrorCode, Offset, TimeMs, offsets_between
from sim_engine.kafka_history import Rules
from sim_engine.protocol.replica import (
    BrokerView,
    DelayedProduce,
    LeadingState,
    Outcome,
    ProduceResponse,
    RemoteReplica,
    Replica,
    leading_state,
    may_join_isr,
)


def expire_produces(replica: Replica, *, until_ms: TimeMs) -> Outcome:
    """Respond with REQUEST_TIMED_OUT to the acks=all requests whose deadline is `until_ms` or
    earlier; their records stay in the log (`DelayedProduce.onExpiration`).
    """
    leading = leading_state(replica)
    expired = tuple(waiting for waiting in leading.produces if waiting.deadline_ms <= until_ms)
    return Outcome(
        replica=replace(
            replica,
            leading=replace(
                leading,
                produces=tuple(waiting for waiting in leading.produces if waiting not in expired),
            ),
        ),
        produce_responses=tuple(
            ProduceResponse(request=waiting.request, error=ErrorCode.REQUEST_TIMED_OUT)
            for waiting in expired
        ),
    )


def maybe_increment_high_watermark(replica: Replica, view: BrokerView) -> Outcome:
    """Advance the high watermark to the lowest log end offset of the replicas that count
    (`Partition.maybeIncrementLeaderHW`).

    The maximal ISR counts. From 0.10.2 a replica outside it that was recently caught up counts too
    (KAFKA-4485), from 3.6 only if it may join: not if its broker has restarted and not fetched
    since (KIP-903). From 3.7 the high watermark does not advance while the committed ISR is below
    min.insync.replicas (KAFKA-15583). It never decreases.
    """
    leading = leading_state(replica)
    rules = view.rules
    isr, isr_rule = isr_that_counts(leading, rules)
    counting = [
        remote
        for remote in leading.remotes
        if remote.broker_id in isr
        or (
            rules.caught_up_as_of_previous_fetch
            and caught_up_in_time(remote, view.settings.replica_lag_time_max_ms, view.now_ms)
            and (not rules.outsiders_must_be_eligible or may_join_isr(remote, view))
        )
    ]
    target = min([replica.log_end_offset, *(remote.log_end_offset for remote in counting)])
    if target <= replica.high_watermark:
        return Outcome(replica=replica, events=_held_by_outsiders(replica, counting, view))
    if (
        rules.min_isr_gates_high_watermark
        and len(leading.isr) < view.settings.effective_min_insync_replicas
    ):
        return Outcome(
            replica=replica,
            events=(
                HighWatermarkHeld(
                    rule="KAFKA-15583",
                    sources=("KAFKA-15583", "KIP-966", "Partition"),
                    **replica.place(),
                    high_watermark=replica.high_watermark,
                    isr=leading.isr,
                    min_insync_replicas=view.settings.effective_min_insync_replicas,
                ),
            ),
        )
    moved = HighWatermarkAdvanced(
        rule=isr_rule,
        sources=("Partition", "KIP-497") if rules.alter_partition else ("Partition",),
        **replica.place(),
        before=replica.high_watermark,
        after=target,
        log_end_offsets=(
            f"{replica.broker_id}: {replica.log_end_offset}",
            *(f"{remote.broker_id}: {remote.log_end_offset}" for remote in counting),
        ),
        subject=EventSubject(
            partition=replica.partition,
            replicas=(replica.broker_id,),
            offsets=offsets_between(replica.high_watermark, target),
        ),
    )
    replica = replace(replica, high_watermark=target)
    return Outcome(replica=replica, events=(moved,)).then(complete_produces(replica, view))


def isr_that_counts(leading: LeadingState, rules: Rules) -> tuple[tuple[BrokerId, ...], str]:
    """The members that the high watermark waits for, and the rule that requires it.

    This is the maximal ISR. The two what-if rules are deliberately wrong: KIP-497 explains why,
    while a change is pending, neither the committed ISR nor a smaller proposed one is sufficient.
    """
    if rules.what_if_committed_isr_counts and leading.isr != leading.maximal_isr:
        return leading.isr, "WHAT-IF-HW-ON-COMMITTED-ISR"
    pending = leading.pending_isr
    if rules.what_if_proposed_shrink_counts and pending is not None and pending.kind == "shrink":
        return pending.isr, "WHAT-IF-HW-ON-PROPOSED-SHRINK"
    return leading.maximal_isr, "HIGH-WATERMARK-MIN-OF-ISR"


def _held_by_outsiders(
    replica: Replica, counting: Sequence[RemoteReplica], view: BrokerView
) -> tuple[Event, ...]:
    """The event for the case that only replicas outside the ISR hold the high watermark back."""
    leading = leading_state(replica)
    members = [remote for remote in counting if remote.broker_id in leading.maximal_isr]
    without = min([replica.log_end_offset, *(remote.log_end_offset for remote in members)])
    if without <= replica.high_watermark:
        return ()
    return (
        HighWatermarkHeld(
            variant="outsider",
            rule="KAFKA-4485",
            sources=("KAFKA-4485", "Partition"),
            **replica.place(),
            high_watermark=replica.high_watermark,
            isr=leading.isr,
            without=without,
            outsiders=tuple(remote.broker_id for remote in counting if remote not in members),
            lag_ms=view.settings.replica_lag_time_max_ms,
        ),
    )


def complete_produces(replica: Replica, view: BrokerView) -> Outcome:
    """Respond to the acks=all requests that the high watermark has reached (`DelayedProduce`).

    If the ISR has shrunk below min.insync.replicas meanwhile, the response is an error although the
    record is committed.
    """
    leading = leading_state(replica)
    rules = view.rules
    isr = leading.maximal_isr if rules.alter_partition else leading.isr
    enough = len(isr) >= view.settings.effective_min_insync_replicas
    produce_responses: list[ProduceResponse] = []
    waiting: list[DelayedProduce] = []
    for delayed in leading.produces:
        if delayed.required_offset > replica.high_watermark:
            waiting.append(delayed)
            continue
        produce_responses.append(
            ProduceResponse(
                request=delayed.request,
                error=ErrorCode.NONE if enough else ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
                offset=Offset(delayed.required_offset - 1),
            )
        )
    if not produce_responses:
        return Outcome(replica=replica)
    return Outcome(
        replica=replace(replica, leading=replace(leading, produces=tuple(waiting))),
        produce_responses=tuple(produce_responses),
    )


def caught_up_in_time(remote: RemoteReplica, lag_ms: int, now_ms: TimeMs) -> bool:
    """Whether the follower was at the leader's log end within the last `lag_ms` milliseconds."""
    return (
        remote.last_caught_up_time_ms != NEVER_MS
        and now_ms - remote.last_caught_up_time_ms <= lag_ms
    )
