"""Time passes and nothing else happens; or one timer fires, and no time passes."""

from msgspec.structs import replace

from sim_engine.actions import Notice, Tick, Timer
from sim_engine.events.controller import HeartbeatReceived
from sim_engine.events.fetch import BackoffEnded
from sim_engine.events.isr import IsrChangesKept, IsrChangesTold, IsrChecked
from sim_engine.events.log import LogFlushed
from sim_engine.events.run import TimeAdvanced
from sim_engine.identifiers import CONTROLLER, BrokerId, TopicPartition
from sim_engine.protocol.leader.high_watermark import expire_produces
from sim_engine.protocol.leader.isr_membership import maybe_shrink_isr, out_of_sync_events
from sim_engine.protocol.leader.leading import leading_state
from sim_engine.protocol.leader.parked_fetches import complete_parked_fetches
from sim_engine.protocol.messages import IsrChangeNotification
from sim_engine.simulation.effects.checkpoints import (
    checkpoint_high_watermarks,
    checkpoint_recovery_points,
)
from sim_engine.simulation.effects.messages import send
from sim_engine.simulation.effects.outcomes import apply_outcome, change_isr
from sim_engine.simulation.performing.controller import (
    broker_is_back,
    notice,
    session_has_ended,
)
from sim_engine.simulation.performing.partitions import (
    check_leaderless_partitions,
    check_preferred_leaders,
)
from sim_engine.simulation.performing.table import Entry, performs
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.turn import Turn

ISR_CHANGE_QUIET_MS = 5_000
ISR_CHANGE_LONGEST_MS = 60_000


def let_time_pass(turn: Turn, action: Tick) -> None:
    """The clock moves."""
    turn.cluster = replace(turn.cluster, now_ms=turn.cluster.now_ms + action.ms)
    turn.say(TimeAdvanced(ms=action.told_ms))


def fire(turn: Turn, action: Timer) -> None:
    """Fire one timer of a broker, or the controller's timer about it."""
    kind = action.kind
    if kind == "preferred_leader_check":
        check_preferred_leaders(turn)
        return
    if kind == "unclean_leader_check":
        check_leaderless_partitions(turn)
        return
    broker_id = action.broker
    assert isinstance(broker_id, int), "every other timer is a broker's"
    if kind == "session_timeout":
        if not session_has_ended(turn.cluster, broker_id):
            raise RefusedError("timer_not_running", kind=kind, broker=broker_id)
        notice(turn, Notice(broker=broker_id))
        return
    broker = turn.cluster.broker(broker_id)
    if not broker.running:
        raise RefusedError("broker_not_running", broker=broker_id, state=broker.process)
    if kind == "isr_expiration":
        _check_isr(turn, broker_id)
    elif kind == "high_watermark_checkpoint":
        checkpoint_high_watermarks(turn, broker_id)
    elif kind == "recovery_point_checkpoint":
        checkpoint_recovery_points(turn, broker_id)
    elif kind == "flush":
        _flush(turn, broker_id)
    elif kind == "isr_change_propagation":
        _propagate_isr_changes(turn, broker_id)
    elif kind == "heartbeat":
        _heartbeat(turn, broker_id)
    elif kind == "long_poll":
        _expire_long_poll(turn, broker_id, action.partition, action.follower)
    elif kind == "fetch_backoff":
        _end_backoff(turn, broker_id)
    else:
        assert kind == "produce_timeout", "every kind is above"
        _time_out_produces(turn, broker_id)


def _check_isr(turn: Turn, broker_id: BrokerId) -> None:
    for replica in turn.cluster.broker(broker_id).replicas:
        if replica.leading is None:
            continue
        change = maybe_shrink_isr(
            replica,
            settings=turn.cluster.settings_of(replica.partition),
            now_ms=turn.cluster.now_ms,
        )
        if change is not None:
            turn.say(
                *out_of_sync_events(
                    replica,
                    change,
                    settings=turn.cluster.settings_of(replica.partition),
                    now_ms=turn.cluster.now_ms,
                )
            )
            change_isr(turn, broker_id, replica.partition, change)
        elif replica.leading.pending_isr is None:
            turn.say(
                IsrChecked(
                    rule="ISR-SHRINK",
                    sources=("Partition", "ReplicaManager"),
                    broker=broker_id,
                    partition=replica.partition,
                )
            )
    if not turn.events:
        turn.say(IsrChecked(variant="nothing_led", broker=broker_id))


def _propagate_isr_changes(turn: Turn, broker_id: BrokerId) -> None:
    """`ReplicaManager.maybePropagateIsrChanges`: tell the controller of ISRs that this broker has
    written, once none has changed for 5 s, or where it has told nothing for 60 s."""
    cluster = turn.cluster
    if not cluster.controller_kind.hears_of_isr_changes_later(cluster.profile.rules):
        raise RefusedError("no_isr_notifications", rule="KIP-497", broker=broker_id)
    broker = turn.cluster.broker(broker_id)
    changes = broker.isr_changes
    now_ms = turn.cluster.now_ms
    since_change = now_ms - changes.last_change_ms
    since_propagation = now_ms - changes.last_propagation_ms
    quiet = since_change > ISR_CHANGE_QUIET_MS
    overdue = since_propagation > ISR_CHANGE_LONGEST_MS
    if not changes.partitions or not (quiet or overdue):
        turn.say(
            IsrChangesKept(
                variant=None if changes.partitions else "none",
                broker=broker_id,
                partitions=changes.partitions,
                since_change_ms=since_change,
                since_propagation_ms=since_propagation,
            )
        )
        return
    if not turn.cluster.reaches_controller(broker_id):
        raise RefusedError("cannot_reach_controller", broker=broker_id)
    turn.put_broker(
        replace(broker, isr_changes=replace(changes, partitions=(), last_propagation_ms=now_ms))
    )
    turn.say(
        IsrChangesTold(
            variant=None if quiet else "overdue",
            broker=broker_id,
            partitions=changes.partitions,
            since_change_ms=since_change,
            since_propagation_ms=since_propagation,
        )
    )
    send(turn, broker_id, CONTROLLER, None, IsrChangeNotification(partitions=changes.partitions))


def _flush(turn: Turn, broker_id: BrokerId) -> None:
    broker = turn.cluster.broker(broker_id)
    for replica in broker.replicas:
        turn.put_replica(replace(replica, flushed=replica.log_end_offset))
        turn.say(
            LogFlushed(
                broker=broker_id,
                partition=replica.partition,
                before=replica.flushed,
                flushed=replica.log_end_offset,
            )
        )


def _heartbeat(turn: Turn, broker_id: BrokerId) -> None:
    """A heartbeat arrives: a fenced broker that has caught up is unfenced by it."""
    if not turn.cluster.reaches_controller(broker_id):
        raise RefusedError("cannot_reach_controller", broker=broker_id)
    turn.say(HeartbeatReceived(broker=broker_id))
    if turn.cluster.controller_kind.fences_brokers and broker_is_back(turn.cluster, broker_id):
        notice(turn, Notice(broker=broker_id))


def _expire_long_poll(
    turn: Turn, broker_id: BrokerId, partition: TopicPartition | None, follower: BrokerId | None
) -> None:
    parked = [
        (parked.message_id, parked.follower, replica)
        for replica in turn.cluster.broker(broker_id).replicas
        if replica.leading is not None and partition in (None, replica.partition)
        for parked in replica.leading.parked
        if follower in (None, parked.follower)
    ]
    if not parked:
        raise RefusedError("timer_not_running", kind="long_poll", broker=broker_id)
    _, who, replica = min(parked, key=lambda waiting: waiting[0])
    apply_outcome(
        turn,
        complete_parked_fetches(
            replica, settings=turn.cluster.settings_of(replica.partition), expire=who
        ),
    )


def _end_backoff(turn: Turn, broker_id: BrokerId) -> None:
    waiting = [
        replica
        for replica in turn.cluster.broker(broker_id).replicas
        if replica.fetcher is not None and replica.fetcher.delayed_until_ms is not None
    ]
    if not waiting:
        raise RefusedError("timer_not_running", kind="fetch_backoff", broker=broker_id)
    for replica in waiting:
        assert replica.fetcher is not None, "filtered above"
        turn.put_replica(replace(replica, fetcher=replace(replica.fetcher, delayed_until_ms=None)))
        turn.say(BackoffEnded(broker=broker_id, partition=replica.partition))


def _time_out_produces(turn: Turn, broker_id: BrokerId) -> None:
    """The time of the producer that has waited longest runs out, and of every other whose time is
    up by then (`DelayedProduce.onExpiration`)."""
    leading = [
        replica
        for replica in turn.cluster.broker(broker_id).replicas
        if replica.leading is not None and replica.leading.produces
    ]
    if not leading:
        raise RefusedError("timer_not_running", kind="produce_timeout", broker=broker_id)
    first_ms = min(
        waiting.deadline_ms for replica in leading for waiting in leading_state(replica).produces
    )
    for replica in leading:
        apply_outcome(turn, expire_produces(replica, until_ms=max(first_ms, turn.cluster.now_ms)))


PERFORMED: tuple[Entry, ...] = (
    performs(Timer, fire),
    performs(Tick, let_time_pass),
)
