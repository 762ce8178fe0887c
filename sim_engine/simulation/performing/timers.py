"""Advances time without other events, or fires one timer without advancing time."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from sim_engine.actions.steps import Notice, Tick, Timer, TimerKind
from sim_engine.class_tables import for_class
from sim_engine.cluster.state import RUNNING, IsrChanges
from sim_engine.events.controller import HeartbeatReceived
from sim_engine.events.fetch import BackoffEnded
from sim_engine.events.isr import IsrChangesKept, IsrChangesTold, IsrChecked
from sim_engine.events.log import LogFlushed
from sim_engine.events.run import TimeAdvanced
from sim_engine.identifiers import CLOCK_START_MS, CONTROLLER, BrokerId, TimeMs, TopicPartition
from sim_engine.narration import RefusedError
from sim_engine.protocol.leader.fetches import complete_parked_fetches
from sim_engine.protocol.leader.high_watermark import expire_produces
from sim_engine.protocol.leader.isr import check_events, maybe_shrink_isr, out_of_sync_events
from sim_engine.protocol.messages import IsrChangeNotification
from sim_engine.simulation.effects.brokers import (
    apply_outcome,
    change_isr,
    checkpoint_high_watermarks,
    checkpoint_recovery_points,
)
from sim_engine.simulation.effects.messages import send
from sim_engine.simulation.performing.brokers import require_process
from sim_engine.simulation.performing.controller import (
    broker_is_back,
    broker_session_has_ended,
    check_leaderless_partitions,
    check_preferred_leaders,
    notice,
)
from sim_engine.simulation.working_copy import (
    ActsAsController,
    AdvancesClock,
    AppliesOutcomes,
    ChangesBrokers,
    ChangesNetwork,
)

ISR_CHANGE_QUIET_MS = 5_000

ISR_CHANGE_LONGEST_MS = 60_000


def let_time_pass(work: AdvancesClock, action: Tick) -> None:
    """Advance the clock."""
    work.advance_clock(action.ms)
    work.say(TimeAdvanced(ms=action.told_ms))


def fire(work: AppliesOutcomes, action: Timer) -> None:
    """Fire one timer of a broker, or the controller's timer about it."""
    kind = action.kind
    if kind == "preferred_leader_check":
        check_preferred_leaders(work)
        return
    if kind == "unclean_leader_check":
        check_leaderless_partitions(work)
        return
    broker_id = action.broker
    assert isinstance(broker_id, int), "every other timer is a broker's"
    if kind == "session_timeout":
        if not broker_session_has_ended(work.cluster, broker_id):
            raise RefusedError("timer_not_running", kind=kind, broker=broker_id)
        notice(work, Notice(broker=broker_id))
        return
    require_process(work.cluster, broker_id, *RUNNING)
    if kind == "long_poll":
        _expire_long_poll(work, broker_id, action.partition, action.follower)
    else:
        _TASKS[kind](work, broker_id)


def _check_isr(work: AppliesOutcomes, broker_id: BrokerId) -> None:
    for replica in work.cluster.broker(broker_id).replicas:
        if replica.leading is None:
            continue
        view = work.cluster.view_of(replica)
        change = maybe_shrink_isr(replica, view)
        if change is None:
            work.say(*check_events(replica, view))
        else:
            work.say(*out_of_sync_events(replica, change, view))
            change_isr(work, broker_id, replica.partition, change)
    if not work.events:
        work.say(IsrChecked(variant="nothing_led", broker=broker_id))


def _propagate_isr_changes(work: ChangesNetwork, broker_id: BrokerId) -> None:
    """`ReplicaManager.maybePropagateIsrChanges`: notify the controller of the ISRs that this broker
    has written, if none has changed for 5 s, or if the last notification was 60 s ago.
    """
    cluster = work.cluster
    if not cluster.controller_kind.learns_isr_changes_by_notification(cluster.profile.rules):
        raise RefusedError("no_isr_notifications", rule="KIP-497", broker=broker_id)
    broker = work.cluster.broker(broker_id)
    changes = broker.isr_changes
    now_ms = work.cluster.now_ms
    since_change = now_ms - changes.last_change_ms
    since_propagation = now_ms - changes.last_propagation_ms
    if not isr_changes_are_due(changes, now_ms):
        work.say(
            IsrChangesKept(
                variant=None if changes.partitions else "none",
                broker=broker_id,
                partitions=changes.partitions,
                since_change_ms=since_change,
                since_propagation_ms=since_propagation,
                checked_ms=now_ms - CLOCK_START_MS,
            )
        )
        return
    if not work.cluster.reaches_controller(broker_id):
        raise RefusedError("cannot_reach_zookeeper", broker=broker_id)
    work.put_broker(
        replace(broker, isr_changes=replace(changes, partitions=(), last_propagation_ms=now_ms))
    )
    work.say(
        IsrChangesTold(
            variant=None if since_change > ISR_CHANGE_QUIET_MS else "overdue",
            broker=broker_id,
            partitions=changes.partitions,
            since_change_ms=since_change,
            since_propagation_ms=since_propagation,
        )
    )
    send(work, broker_id, CONTROLLER, None, IsrChangeNotification(partitions=changes.partitions))


def isr_changes_are_due(changes: IsrChanges, now_ms: TimeMs) -> bool:
    """Whether the check would notify the controller of ISR changes now."""
    quiet = now_ms - changes.last_change_ms > ISR_CHANGE_QUIET_MS
    overdue = now_ms - changes.last_propagation_ms > ISR_CHANGE_LONGEST_MS
    return bool(changes.partitions) and (quiet or overdue)


def _flush(work: ChangesBrokers, broker_id: BrokerId) -> None:
    broker = work.cluster.broker(broker_id)
    for replica in broker.replicas:
        work.put_replica(replace(replica, flushed=replica.log_end_offset))
        work.say(
            LogFlushed(
                broker=broker_id,
                partition=replica.partition,
                before=replica.flushed,
                flushed=replica.log_end_offset,
            )
        )


def _heartbeat(work: ActsAsController, broker_id: BrokerId) -> None:
    """A heartbeat arrives. At a KRaft controller it unfences a fenced broker that has caught up;
    under ZooKeeper it keeps the broker's session.
    """
    in_znodes = work.cluster.controller_kind.registers_in_znodes
    if not work.cluster.reaches_controller(broker_id):
        raise RefusedError(
            "cannot_reach_zookeeper" if in_znodes else "cannot_reach_controller", broker=broker_id
        )
    if in_znodes:
        work.say(
            HeartbeatReceived(variant="zookeeper", sources=("KafkaController",), broker=broker_id)
        )
        return
    work.say(HeartbeatReceived(broker=broker_id))
    if broker_is_back(work.cluster, broker_id):
        notice(work, Notice(broker=broker_id))


def _expire_long_poll(
    work: AppliesOutcomes,
    broker_id: BrokerId,
    partition: TopicPartition | None,
    follower: BrokerId | None,
) -> None:
    parked = [
        (parked.message_id, parked.follower, replica)
        for replica in work.cluster.broker(broker_id).replicas
        if partition in (None, replica.partition)
        for parked in replica.parked
        if follower in (None, parked.follower)
    ]
    if not parked:
        raise RefusedError("no_parked_fetch", broker=broker_id)
    _, who, replica = min(parked, key=lambda waiting: waiting[0])
    view = work.cluster.view_of(replica)
    apply_outcome(work, complete_parked_fetches(replica, view, expire=who))


def _end_backoff(work: ChangesBrokers, broker_id: BrokerId) -> None:
    waiting = [
        replica
        for replica in work.cluster.broker(broker_id).replicas
        if replica.fetcher is not None and replica.fetcher.delayed_until_ms is not None
    ]
    if not waiting:
        raise RefusedError("timer_not_running", kind="fetch_backoff", broker=broker_id)
    for replica in waiting:
        assert replica.fetcher is not None, "filtered above"
        work.put_replica(replace(replica, fetcher=replace(replica.fetcher, delayed_until_ms=None)))
        work.say(BackoffEnded(broker=broker_id, partition=replica.partition))


def _time_out_produces(work: AppliesOutcomes, broker_id: BrokerId) -> None:
    """The oldest waiting produce request times out, with every other whose deadline has passed by
    then (`DelayedProduce.onExpiration`).
    """
    leading = [one for one in work.cluster.broker(broker_id).replicas if one.produces]
    if not leading:
        raise RefusedError("timer_not_running", kind="produce_timeout", broker=broker_id)
    first_ms = min(waiting.deadline_ms for replica in leading for waiting in replica.produces)
    for replica in leading:
        apply_outcome(work, expire_produces(replica, until_ms=max(first_ms, work.cluster.now_ms)))


_TASKS: Mapping[TimerKind, Callable[[AppliesOutcomes, BrokerId], None]] = {
    "isr_expiration": _check_isr,
    "high_watermark_checkpoint": checkpoint_high_watermarks,
    "recovery_point_checkpoint": checkpoint_recovery_points,
    "flush": _flush,
    "isr_change_propagation": _propagate_isr_changes,
    "heartbeat": _heartbeat,
    "fetch_backoff": _end_backoff,
    "produce_timeout": _time_out_produces,
}

PERFORMED = (for_class(Timer, fire), for_class(Tick, let_time_pass))
