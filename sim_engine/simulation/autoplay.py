"""Time passes: due timers fire, messages arrive after their latency, followers go on fetching.

Events happen in the order of their due times, ties broken by kind and number, with latencies from
the scenario's seed. A fetch round in which nothing would change is not played: only the leader's
notes about it are kept (`_refresh_beliefs`), so an idle cluster makes no frames.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions import Action, Deliver, Notice, SendFetch, Timer
from sim_engine.actions.time import TimerKind
from sim_engine.cluster.state import Broker, ClusterState, PeriodicTimer, with_broker, with_replica
from sim_engine.identifiers import FIRST_FRAME, BrokerId, TimeMs, TopicPartition
from sim_engine.protocol.leader.leading import remote_of
from sim_engine.protocol.messages import Message
from sim_engine.protocol.replica import PendingIsr, late_request_to
from sim_engine.simulation.performing.controller import (
    bounce_is_unseen,
    broker_is_back,
    session_has_ended,
)
from sim_engine.simulation.performing.fetching import why_no_fetch
from sim_engine.simulation.performing.messages import why_undeliverable
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.transition import perform

SETTLE_AT_MOST_MS = 120_000
LATENCY_MIN_MS = 1
LATENCY_SPREAD_MS = 4


class Due(Struct, frozen=True, gc=False):
    """Something that will happen by itself, and when; ties are broken by rank, then by number."""

    due_ms: TimeMs
    rank: int
    number: int
    action: Action
    periodic: bool = False


def latency_ms(cluster: ClusterState, message: Message) -> int:
    """How long a message travels: from the seed and its number, so every run is the same."""
    mixed = (cluster.seed * 0x9E3779B97F4A7C15 + message.id * 0xBF58476D1CE4E5B9) & (2**64 - 1)
    mixed ^= mixed >> 31
    travels = LATENCY_MIN_MS + mixed % LATENCY_SPREAD_MS
    return travels + sum(
        cluster.broker(end).slow_ms
        for end in (message.sender, message.receiver)
        if isinstance(end, int)
    )


def observable(cluster: ClusterState) -> tuple[object, ...]:
    """What a person could tell two moments apart by: everything but times and message numbers."""
    return (
        tuple(
            (
                broker.process,
                broker.clean_shutdown,
                tuple(
                    (
                        replica.log,
                        replica.flushed,
                        replica.epoch_cache,
                        replica.checkpoint_high_watermark,
                        replica.checkpoint_recovery_point,
                        replica.leader,
                        replica.leader_epoch,
                        replica.partition_epoch,
                        replica.high_watermark,
                        replica.following,
                        None
                        if replica.leading is None
                        else (
                            replica.leading.isr,
                            _without_request(replica.leading.pending_isr),
                            replica.leading.blocked_isr,
                            tuple(
                                (remote.broker_id, remote.log_end_offset)
                                for remote in replica.leading.remotes
                            ),
                            tuple(waiting.request for waiting in replica.leading.produces),
                        ),
                        None
                        if replica.fetcher is None
                        else (
                            replica.fetcher.phase,
                            replica.fetcher.fetch_offset,
                            replica.fetcher.has_fetched,
                            replica.fetcher.diverging_epoch,
                        ),
                    )
                    for replica in broker.replicas
                ),
                broker.known_brokers,
            )
            for broker in cluster.brokers
        ),
        cluster.controller,
        cluster.clients,
        tuple(
            (message.kind, message.sender, message.receiver, message.partition)
            for message in cluster.messages
        ),
    )


def _without_request(pending: PendingIsr | None) -> tuple[PendingIsr, bool] | None:
    if pending is None:
        return None
    return replace(pending, request=None), pending.request is None


# --- what is due -----------------------------------------------------------------------------


def due_events(cluster: ClusterState, *, notices: bool = True) -> list[Due]:
    """Everything that will happen by itself, each with its time; without `notices`, the controller
    notices nothing by itself."""
    dues = [
        *_arrivals(cluster),
        *_sends(cluster),
        *_waits(cluster),
        *_periodic(cluster),
    ]
    if notices:
        dues.extend(_notices(cluster))
    return sorted(dues, key=in_order_of_time)


def in_order_of_time(due: Due) -> tuple[int, int, int]:
    """By what it is decided which of two things that are due happens first."""
    return due.due_ms, due.rank, due.number


def due_timers(cluster: ClusterState) -> list[Due]:
    """The timers that time alone fires, each with its time: of brokers, of waits at a leader, and
    of sessions that have ended. Those of one broker stand together."""
    notices = [
        due
        for due in _notices(cluster)
        if isinstance(due.action, Notice) and session_has_ended(cluster, due.action.broker)
    ]
    return [*_periodic(cluster), *_waits(cluster), *notices]


def _arrivals(cluster: ClusterState) -> Iterator[Due]:
    for message in cluster.messages:
        if why_undeliverable(cluster, message) is None:
            yield Due(
                max(cluster.now_ms, TimeMs(message.sent_ms + latency_ms(cluster, message))),
                0,
                message.id,
                delivery_of(message),
            )


def _sends(cluster: ClusterState) -> Iterator[Due]:
    for broker in cluster.brokers:
        for replica in broker.replicas:
            fetcher = replica.fetcher
            if fetcher is None or why_no_fetch(cluster, broker.broker_id, replica.partition):
                continue
            if not cluster.broker(fetcher.leader).running or cluster.is_cut(
                fetcher.leader, broker.broker_id
            ):
                continue
            due_ms = max(cluster.now_ms, fetcher.delayed_until_ms or cluster.now_ms)
            if round_changes_something(cluster, broker.broker_id, replica.partition):
                yield Due(
                    due_ms,
                    3,
                    broker.broker_id,
                    SendFetch(broker=broker.broker_id, partition=replica.partition),
                )


def _waits(cluster: ClusterState) -> Iterator[Due]:
    for broker in cluster.brokers:
        if not broker.running:
            continue
        for replica in broker.replicas:
            if replica.leading is None:
                continue
            for parked in replica.leading.parked:
                yield Due(
                    max(cluster.now_ms, parked.deadline_ms),
                    1,
                    parked.message_id,
                    long_poll(broker.broker_id, replica.partition, parked.follower),
                )
            deadlines = [waiting.deadline_ms for waiting in replica.leading.produces]
            if deadlines:
                yield Due(
                    max(cluster.now_ms, min(deadlines)),
                    2,
                    broker.broker_id,
                    Timer(broker=broker.broker_id, kind="produce_timeout"),
                )


def delivery_of(message: Message) -> Deliver:
    """The arrival of a message."""
    return Deliver(
        kind=message.kind,
        from_=message.sender,
        to=message.receiver,
        partition=message.partition,
    )


def long_poll(leader: BrokerId, partition: TopicPartition, follower: BrokerId) -> Timer:
    """The end of one follower's wait at its leader."""
    return Timer(broker=leader, kind="long_poll", partition=partition, follower=follower)


def _periodic(cluster: ClusterState) -> Iterator[Due]:
    for broker in cluster.brokers:
        if not broker.running:
            continue
        for rank, timer in enumerate(broker.timers):
            if timer.kind == "high_watermark_checkpoint" and not broker.checkpoints_high_watermarks:
                continue
            if timer.kind == "isr_change_propagation" and not (
                # The write to ZooKeeper waits for the connection, and its thread with it.
                broker.isr_changes.partitions and cluster.reaches_controller(broker.broker_id)
            ):
                continue
            yield Due(
                next_tick_ms(timer, cluster.now_ms),
                5,
                broker.broker_id * 10 + rank,
                Timer(broker=broker.broker_id, kind=timer.kind),
                periodic=True,
            )


def next_tick_ms(timer: PeriodicTimer, now_ms: TimeMs) -> TimeMs:
    """When a timer fires next: a tick that has passed in silence is not made up for."""
    if timer.kind != "isr_change_propagation" or timer.due_ms >= now_ms:
        return max(now_ms, timer.due_ms)
    missed = -((timer.due_ms - now_ms) // timer.period_ms)
    return TimeMs(timer.due_ms + missed * timer.period_ms)


def _notices(cluster: ClusterState) -> Iterator[Due]:
    for broker in cluster.brokers:
        broker_id = broker.broker_id
        action = Notice(broker=broker_id)
        if bounce_is_unseen(cluster, broker_id):
            continue
        if session_has_ended(cluster, broker_id):
            lost = broker.contact_lost_ms
            # A process that ends in order closes its session; one that does not lets it run out.
            closed = (broker.clean_shutdown and not broker.session_kept) or lost is None
            due_ms = cluster.now_ms if closed else TimeMs((lost or 0) + cluster.session_timeout_ms)
            yield Due(max(cluster.now_ms, due_ms), 4, broker_id, action)
        elif broker_is_back(cluster, broker_id) and not any(
            message.receiver == broker_id and message.kind == "metadata_record" and not message.held
            for message in cluster.messages
        ):
            yield Due(cluster.now_ms, 4, broker_id, action)


# --- fetch rounds ----------------------------------------------------------------------------


def round_changes_something(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition
) -> bool:
    """Whether a follower's next round, played to its end, would change anything one can see."""
    try:
        after = play_round(cluster, broker_id, partition)
    except RefusedError:
        return True
    return observable(after) != observable(cluster)


def play_round(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition
) -> ClusterState:
    """A follower's next round on the side: request, handling, wait, answer, application."""
    fetcher = cluster.replica(broker_id, partition).fetcher
    assert fetcher is not None, "the broker follows"
    leader = fetcher.leader
    cluster = perform(
        cluster, SendFetch(broker=broker_id, partition=partition), FIRST_FRAME
    ).cluster
    cluster = _deliver_newest(cluster, broker_id, leader, partition)
    leading = cluster.replica(leader, partition).leading
    if leading is not None and any(parked.follower == broker_id for parked in leading.parked):
        cluster = perform(cluster, long_poll(leader, partition, broker_id), FIRST_FRAME).cluster
    return _deliver_newest(cluster, leader, broker_id, partition)


def _deliver_newest(
    cluster: ClusterState, sender: BrokerId, receiver: BrokerId, partition: TopicPartition
) -> ClusterState:
    message = _newest(cluster, sender, receiver, partition)
    return perform(cluster, delivery_of(message), FIRST_FRAME).cluster


def _newest(
    cluster: ClusterState, sender: BrokerId, receiver: BrokerId, partition: TopicPartition
) -> Message:
    for message in reversed(cluster.messages):
        if (message.sender, message.receiver, message.partition) == (sender, receiver, partition):
            return message
    raise RefusedError("no_such_message", kind="fetch_response", link=(sender, receiver))


def awaited_answer(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition
) -> Message | None:
    """The answer on its way that a follower's fetcher thread waits for."""
    awaited = request_under_way(cluster, broker_id, partition)
    for message in cluster.messages:
        if awaited is not None and message.receiver == broker_id and message.in_reply_to == awaited:
            return message
    return None


def request_under_way(
    cluster: ClusterState, broker_id: BrokerId, partition: TopicPartition
) -> int | None:
    """The message id of the request that a follower's fetcher thread waits for, which may be one
    of an earlier fetch loop."""
    replica = cluster.replica(broker_id, partition)
    if replica.fetcher is None:
        return None
    late = late_request_to(replica, replica.fetcher.leader)
    return replica.fetcher.awaiting if late is None else late.message_id


def refresh_beliefs(cluster: ClusterState) -> ClusterState:
    """Let every follower that fetches in vain be noted as fetching now.

    An idle follower's rounds change nothing that one can see, but they keep its leader's
    `last_caught_up_time_ms` fresh; without that an idle partition would lose its ISR.
    """
    for broker in cluster.brokers:
        for replica in broker.replicas:
            fetcher = replica.fetcher
            if (
                fetcher is None
                or fetcher.phase != "fetching"
                or not broker.running
                or fetcher.delayed_until_ms is not None
                or cluster.is_cut(broker.broker_id, fetcher.leader)
                or cluster.is_cut(fetcher.leader, broker.broker_id)
                or _is_held_back(cluster, broker, fetcher.leader)
                or not cluster.broker(fetcher.leader).running
            ):
                continue
            cluster = _note_fetch(cluster, broker, fetcher.leader, replica.partition)
    return cluster


def _is_held_back(cluster: ClusterState, broker: Broker, leader: BrokerId) -> bool:
    return any(
        message.held and {message.sender, message.receiver} == {broker.broker_id, leader}
        for message in cluster.messages
    )


def _note_fetch(
    cluster: ClusterState, broker: Broker, leader: BrokerId, partition: TopicPartition
) -> ClusterState:
    led = cluster.replica(leader, partition)
    follower = cluster.replica(broker.broker_id, partition)
    if led.leading is None or led.leader_epoch != follower.leader_epoch:
        return cluster
    remote = remote_of(led.leading, broker.broker_id)
    if remote is None or remote.log_end_offset != led.log_end_offset:
        return cluster
    if follower.log_end_offset != led.log_end_offset:
        return cluster
    fresh = replace(
        remote, last_fetch_time_ms=cluster.now_ms, last_caught_up_time_ms=cluster.now_ms
    )
    return with_replica(
        cluster,
        replace(
            led,
            leading=replace(
                led.leading,
                remotes=tuple(
                    fresh if other.broker_id == fresh.broker_id else other
                    for other in led.leading.remotes
                ),
            ),
        ),
    )


def rewind_timer(cluster: ClusterState, broker_id: BrokerId, kind: TimerKind) -> ClusterState:
    """Set a periodic timer that has just fired to its next time."""
    broker = cluster.broker(broker_id)
    return with_broker(
        cluster,
        replace(
            broker,
            timers=tuple(
                replace(timer, due_ms=max(timer.due_ms, cluster.now_ms) + timer.period_ms)
                if timer.kind == kind
                else timer
                for timer in broker.timers
            ),
        ),
    )
