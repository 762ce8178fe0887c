"""Autoplay: due timers fire, messages arrive after their latency, and followers keep fetching.

Events happen in the order of their due times, ties broken by kind and number, with latencies from
the scenario's seed. A fetch round that would change nothing is not played (`fetch_rounds`), and
rounds that repeat are played once in a step (`fetch_loops`). All times are virtual, in ms.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions import Action, Notice, SendFetch, Timer
from sim_engine.actions.steps import TimerKind
from sim_engine.budget import go_on
from sim_engine.cluster.start import effective
from sim_engine.cluster.state import ClusterState, PeriodicTimer, with_broker
from sim_engine.identifiers import CLOCK_START_MS, BrokerId, TimeMs
from sim_engine.protocol.messages import Message
from sim_engine.simulation.fetch_loops import FetchLoops
from sim_engine.simulation.fetch_rounds import delivery_of, long_poll
from sim_engine.simulation.performing.controller import (
    bounce_is_unseen,
    broker_is_back,
    broker_session_has_ended,
)
from sim_engine.simulation.performing.fetching import why_no_fetch
from sim_engine.simulation.performing.messages import why_undeliverable
from sim_engine.simulation.performing.partitions import may_elect_uncleanly

SETTLE_AT_MOST_MS = 120_000
"""The longest time that settling takes, in ms."""
LATENCY_MIN_MS = 1
"""The lowest latency of a message, in ms."""
LATENCY_SPREAD_MS = 4
"""The number of different latencies, from the lowest on, each 1 ms more."""


class Due(Struct, frozen=True, gc=False):
    """An event that will happen by itself, with its time. Ties are broken by rank, then
    by number.

    Ranks: 0 a message arrives, 1 a long poll ends, 2 a produce request times out, 3 a follower
    sends, 4 the controller detects a broker's state, 5 a periodic timer fires. `number` is a
    message id or a broker id; for a periodic timer, the broker id and the timer's place, or -1 for
    the controller's.
    """

    due_ms: TimeMs
    rank: int
    number: int
    action: Action
    periodic: bool = False


def latency_ms(cluster: ClusterState, message: Message) -> int:
    """The latency of a message, in ms: 1 to 4 ms, and the delay of a slow sender and receiver.

    It is derived from the scenario's seed and the message's id, so every run has the same
    latencies.
    """
    mixed = (cluster.seed * 0x9E3779B97F4A7C15 + message.id * 0xBF58476D1CE4E5B9) & (2**64 - 1)
    mixed ^= mixed >> 31
    travels = LATENCY_MIN_MS + mixed % LATENCY_SPREAD_MS
    return travels + sum(
        cluster.broker(end).slow_ms
        for end in (message.sender, message.receiver)
        if isinstance(end, int)
    )


# --- what is due -----------------------------------------------------------------------------


def due_events(cluster: ClusterState, loops: FetchLoops, *, notices: bool = True) -> list[Due]:
    """Every event that will happen by itself if nothing else does, in order of time; none is
    before now. `loops` are the rounds that the step has begun. Without `notices`, the controller
    detects nothing by itself.
    """
    dues = [
        *_arrivals(cluster),
        *_sends(cluster, loops),
        *_waits(cluster),
        *_periodic(cluster),
    ]
    if notices:
        dues.extend(_notices(cluster))
        dues.extend(_checks(cluster))
    return sorted(dues, key=in_order_of_time)


def in_order_of_time(due: Due) -> tuple[int, int, int]:
    """The sort key that determines which of two due events happens first."""
    return due.due_ms, due.rank, due.number


def due_timers(cluster: ClusterState) -> list[Due]:
    """The timers that fire by themselves, with their times, in no particular order of time: of
    brokers' periodic tasks, of parked requests, of sessions that end, and of the controller.
    """
    notices = [
        due
        for due in _notices(cluster)
        if isinstance(due.action, Notice) and broker_session_has_ended(cluster, due.action.broker)
    ]
    return [*_periodic(cluster), *_waits(cluster), *notices, *_checks(cluster)]


def _arrivals(cluster: ClusterState) -> Iterator[Due]:
    for message in cluster.messages:
        if why_undeliverable(cluster, message) is None:
            yield Due(
                max(cluster.now_ms, TimeMs(message.sent_ms + latency_ms(cluster, message))),
                0,
                message.id,
                delivery_of(message),
            )


def _sends(cluster: ClusterState, loops: FetchLoops) -> Iterator[Due]:
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
            go_on()
            if loops.is_due(cluster, broker.broker_id, replica.partition):
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


def _periodic(cluster: ClusterState) -> Iterator[Due]:
    for broker in cluster.brokers:
        if not broker.running:
            continue
        for rank, timer in enumerate(broker.timers):
            if timer.kind == "high_watermark_checkpoint" and not broker.checkpoints_high_watermarks:
                continue
            if timer.kind == "isr_change_propagation" and not (
                # The thread that writes to ZooKeeper blocks until the connection returns.
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
    """The next time, in ms, at which a periodic timer fires.

    A timer whose time has passed, for example while its broker was paused, fires now, and once.
    `isr_change_propagation` keeps its schedule instead, because the times at which there was no
    change to propagate were not played: it fires at the next time of that schedule after now.
    """
    if timer.kind != "isr_change_propagation" or timer.due_ms >= now_ms:
        return max(now_ms, timer.due_ms)
    missed = (now_ms - timer.due_ms) // timer.period_ms + 1
    return TimeMs(timer.due_ms + missed * timer.period_ms)


def _notices(cluster: ClusterState) -> Iterator[Due]:
    for broker in cluster.brokers:
        broker_id = broker.broker_id
        action = Notice(broker=broker_id)
        if bounce_is_unseen(cluster, broker_id):
            continue
        if broker_session_has_ended(cluster, broker_id):
            lost = broker.contact_lost_ms
            # A process that exits in an orderly way closes its session; otherwise the session times
            # out.
            closed = (broker.clean_shutdown and not broker.broker_session_kept) or lost is None
            due_ms = cluster.now_ms if closed else TimeMs((lost or 0) + cluster.session_timeout_ms)
            yield Due(max(cluster.now_ms, due_ms), 4, broker_id, action)
        elif (
            broker_is_back(cluster, broker_id)
            # The broker tries again and again, and the controller fails each time.
            and broker_id not in cluster.controller.failed_for
            and not any(
                message.receiver == broker_id
                and message.kind == "metadata_record"
                and not message.held
                for message in cluster.messages
            )
        ):
            yield Due(cluster.now_ms, 4, broker_id, action)


def _checks(cluster: ClusterState) -> Iterator[Due]:
    """The next check of a KRaft controller for leaderless partitions, if it would elect a leader
    (`QuorumController.maybeScheduleNextElectUncleanLeaders`, from 3.9). The first one is due one
    interval after the cluster's start.
    """
    if not may_elect_uncleanly(cluster):
        return
    period_ms = effective(cluster)["unclean.leader.election.interval.ms"]
    assert isinstance(period_ms, int), "the reader checked the type"
    periods = max(1, -(-(cluster.now_ms - CLOCK_START_MS) // period_ms))
    yield Due(
        TimeMs(CLOCK_START_MS + periods * period_ms),
        5,
        -1,
        Timer(kind="unclean_leader_check"),
        periodic=True,
    )


def rewind_timer(cluster: ClusterState, broker_id: BrokerId, kind: TimerKind) -> ClusterState:
    """The cluster in which a broker's periodic timer, which has just fired, is due one period
    later.
    """
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
