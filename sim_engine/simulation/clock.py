"""Time: what happens by itself and when, and how time advances, alone or with everything that is
due.

Due timers fire, messages arrive after their latency, and followers keep fetching, in the order of
their due times, ties broken by kind and number, with latencies from the scenario's seed. Events
without a visible change create no frame, and rounds that repeat are played once in a step. If a
frame reports that time has passed, it also has the ISR checks of that time that found a member
behind. All times are virtual, in ms.

Every function that takes a `StepExecution` raises `LimitReachedError` if the step would create more
frames than its execution allows, and `BudgetExceededError` if the caller's budget is used up.
"""

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions import steps
from sim_engine.budget import go_on
from sim_engine.cluster.start import effective
from sim_engine.cluster.state import ClusterState, PeriodicTimer, with_broker
from sim_engine.events.run import DidNotSettle, Settled
from sim_engine.identifiers import CLOCK_START_MS, FIRST_FRAME, BrokerId, TimeMs, TopicPartition
from sim_engine.protocol.messages import Message
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.fetch_rounds import (
    FetchLoops,
    awaited_response,
    delivery_of,
    long_poll,
    refresh_beliefs,
)
from sim_engine.simulation.performing.controller import (
    bounce_is_unseen,
    broker_is_back,
    broker_session_has_ended,
    may_elect_uncleanly,
)
from sim_engine.simulation.performing.messages import why_no_fetch, why_undeliverable
from sim_engine.simulation.step_execution import StepExecution
from sim_engine.simulation.transition import perform

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
    action: steps.Action
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
    dues = [*_arrivals(cluster), *_sends(cluster, loops), *_waits(cluster), *_periodic(cluster)]
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
        if isinstance(due.action, steps.Notice)
        and broker_session_has_ended(cluster, due.action.broker)
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
                    steps.SendFetch(broker=broker.broker_id, partition=replica.partition),
                )


def _waits(cluster: ClusterState) -> Iterator[Due]:
    for broker in cluster.brokers:
        if not broker.running:
            continue
        for replica in broker.replicas:
            for parked in replica.parked:
                yield Due(
                    max(cluster.now_ms, parked.deadline_ms),
                    1,
                    parked.message_id,
                    long_poll(broker.broker_id, replica.partition, parked.follower),
                )
            deadlines = [waiting.deadline_ms for waiting in replica.produces]
            if deadlines:
                yield Due(
                    max(cluster.now_ms, min(deadlines)),
                    2,
                    broker.broker_id,
                    steps.Timer(broker=broker.broker_id, kind="produce_timeout"),
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
                steps.Timer(broker=broker.broker_id, kind=timer.kind),
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
        action = steps.Notice(broker=broker_id)
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
        steps.Timer(kind="unclean_leader_check"),
        periodic=True,
    )


def rewind_timer(cluster: ClusterState, broker_id: BrokerId, kind: steps.TimerKind) -> ClusterState:
    """The cluster in which a broker's timer that has just fired is due one period later."""
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


def advance(execution: StepExecution, step: steps.Advance) -> None:
    """Advance the clock by `step.ms` and fire the timers that become due, in order of their times.
    No message is delivered and no follower sends.

    A last frame reports the time since the previous one, if any has passed.
    """
    until = execution.cluster.now_ms + step.ms
    last_frame_ms = execution.cluster.now_ms
    while True:
        due = min(due_timers(execution.cluster), key=in_order_of_time, default=None)
        if due is None or due.due_ms > until:
            break
        _move_clock(execution, due.due_ms)
        if _fire(execution, due.action, periodic=due.periodic):
            last_frame_ms = execution.cluster.now_ms
    if until > last_frame_ms:
        execution.act(steps.Tick(ms=until - execution.cluster.now_ms, since=until - last_frame_ms))


def _move_clock(execution: StepExecution, to_ms: TimeMs) -> None:
    """Advance time without a separate frame."""
    if to_ms > execution.cluster.now_ms:
        execution.cluster = replace(execution.cluster, now_ms=to_ms)


def _fire(execution: StepExecution, action: steps.Action, *, periodic: bool) -> bool:
    """Perform a due event. Returns whether it created a frame: if something visible changed."""
    made = execution.act_quietly(action)
    if periodic:
        assert isinstance(action, steps.Timer), "nothing else is periodic"
        if isinstance(action.broker, int):
            execution.cluster = rewind_timer(execution.cluster, action.broker, action.kind)
    return made


def _play_due(execution: StepExecution, due: Due) -> None:
    """Perform one event of autoplay at its time."""
    _move_clock(execution, due.due_ms)
    if isinstance(due.action, steps.SendFetch):
        assert due.action.partition is not None, "autoplay names the partition"
        if execution.is_shown(due.action.broker, due.action.partition):
            return
    if isinstance(due.action, steps.Timer) and due.action.kind == "isr_expiration":
        execution.cluster = refresh_beliefs(execution.cluster)
    if isinstance(due.action, steps.Timer) and _is_idle(execution.cluster, due.action):
        _respond_quietly(execution, due.action)
        return
    _fire(execution, due.action, periodic=due.periodic)


def run(execution: StepExecution, step: steps.Run) -> None:
    """Autoplay for `step.ms`: perform everything that becomes due, in order of time.

    If nothing visible happens, one frame reports that the time has passed.
    """
    run_for(execution, step.ms, notices=True)
    if not execution.executed:
        execution.act(steps.Tick(ms=0, since=step.ms))


def settle_down(execution: StepExecution, step: steps.Settle) -> None:
    """Autoplay until nothing is pending, for `SETTLE_AT_MOST_MS` at most. Then the last long polls
    end with empty responses.

    Creates no frame if nothing is pending. If something was, and nothing visible happened, one
    frame reports that the cluster has settled.
    """
    at_rest = is_at_rest(execution.cluster)
    settle(execution, notices=True)
    if not at_rest and not execution.executed:
        execution.note(Settled())


def is_at_rest(cluster: ClusterState) -> bool:
    """Whether nothing but periodic timers is pending, so that settling would not advance time."""
    awaited = _awaited(cluster, FetchLoops(), notices=True)
    return all(due.periodic for due in awaited) and not _parked_polls(cluster)


def settle(execution: StepExecution, *, notices: bool) -> None:
    """Perform everything that is pending. Without `notices`, the controller detects nothing by
    itself.

    After `SETTLE_AT_MOST_MS` it stops, and a frame reports that the cluster did not settle.

    A follower whose long poll returns nothing new may still join the ISR with its next fetch, if
    its last one was handled while another ISR change was pending.
    """
    deadline = execution.cluster.now_ms + SETTLE_AT_MOST_MS
    polls_completed = False
    while True:
        dues = _awaited(execution.cluster, execution.loops, notices=notices)
        awaited = next((due for due in dues if not due.periodic), None)
        if awaited is None:
            if polls_completed:
                return
            for action in _parked_polls(execution.cluster):
                _respond_quietly(execution, action)
            polls_completed = True
            continue
        if awaited.due_ms > deadline:
            execution.note(DidNotSettle(ms=SETTLE_AT_MOST_MS))
            break
        polls_completed = False
        _play_due(execution, dues[0])
    for action in _parked_polls(execution.cluster):
        _respond_quietly(execution, action)


def run_for(execution: StepExecution, ms: int, *, notices: bool) -> None:
    """Advance time by `ms` and perform everything that becomes due. Without `notices`, the
    controller detects nothing by itself.

    What is not due by then stays pending: unlike `settle`, this ends no long poll early.
    """
    run_until(execution, ms, lambda: False, notices=notices)


def run_until(
    execution: StepExecution, ms: int, reached: Callable[[], bool], *, notices: bool
) -> bool:
    """Advance time event by event, by `ms` at most, until `reached` returns true. Return whether it
    did.

    Without `notices`, the controller detects nothing by itself. If the condition is true already,
    nothing happens.
    """
    until = TimeMs(execution.cluster.now_ms + ms)
    while not reached():
        dues = due_events(execution.cluster, execution.loops, notices=notices)
        if not dues or dues[0].due_ms > until:
            execution.cluster = refresh_beliefs(execution.cluster)
            _move_clock(execution, until)
            return reached()
        _play_due(execution, dues[0])
    return True


def _awaited(cluster: ClusterState, loops: FetchLoops, *, notices: bool) -> list[Due]:
    return [
        due
        for due in due_events(cluster, loops, notices=notices)
        if due.periodic or not _is_waiting(cluster, due.action)
    ]


def _is_waiting(cluster: ClusterState, action: steps.Action) -> bool:
    """Whether settling does not wait for an event: idle long polls and timeouts of producers."""
    return isinstance(action, steps.Timer) and (
        action.kind == "produce_timeout" or _is_idle(cluster, action)
    )


def _is_idle(cluster: ClusterState, timer: steps.Timer) -> bool:
    """Whether an event is the end of a follower's long poll that will return nothing new."""
    if timer.kind != "long_poll":
        return False
    follower, partition = _waiting(timer)
    after = perform(cluster, timer, FIRST_FRAME).cluster
    response = awaited_response(after, follower, partition)
    if response is None or why_undeliverable(after, response) is not None:
        return True
    delivered = perform(after, delivery_of(response), FIRST_FRAME).cluster
    before_replica = cluster.replica(follower, partition)
    after_replica = delivered.replica(follower, partition)
    return (
        before_replica.high_watermark == after_replica.high_watermark
        and before_replica.log == after_replica.log
        and _fetching(before_replica) == _fetching(after_replica)
    )


def _fetching(replica: Replica) -> tuple[str, bool] | None:
    """The state of a fetch loop, and whether it has received a response. Either may change with a
    response without records, such as the first one or one that fences the follower.
    """
    fetcher = replica.fetcher
    return None if fetcher is None else (fetcher.phase, fetcher.has_fetched)


def _waiting(long_poll: steps.Timer) -> tuple[BrokerId, TopicPartition]:
    """The follower whose long poll ends, and its partition."""
    assert long_poll.follower is not None, "a wait is one follower's"
    assert long_poll.partition is not None, "a wait is for one partition"
    return long_poll.follower, long_poll.partition


def _respond_quietly(execution: StepExecution, timer: steps.Timer) -> None:
    """Complete a wait without new information. The difference is not visible, so no frame is
    created."""
    follower, partition = _waiting(timer)
    execution.pass_over(perform(execution.cluster, timer, execution.next_frame))
    response = awaited_response(execution.cluster, follower, partition)
    if response is not None and why_undeliverable(execution.cluster, response) is None:
        execution.pass_over(perform(execution.cluster, delivery_of(response), execution.next_frame))


def _parked_polls(cluster: ClusterState) -> list[steps.Timer]:
    return [
        long_poll(broker.broker_id, replica.partition, parked.follower)
        for broker in cluster.brokers
        if broker.running
        for replica in broker.replicas
        for parked in replica.parked
    ]
