"""Advances time, alone or with everything that is due.

`autoplay` determines the events that happen by themselves, and this module performs them. Events
without a visible change create no frame. If a frame reports that time has passed, it also has the
ISR checks of that time that found a member behind. All times are virtual, in ms.

Every function that takes a `StepExecution` raises `LimitReachedError` if the step would create more
frames than its execution allows, and `BudgetExceededError` if the caller's budget is used up.
"""

from collections.abc import Callable

from msgspec.structs import replace

from sim_engine.actions import Action, Advance, Run, SendFetch, Settle, Tick, Timer
from sim_engine.cluster.state import ClusterState
from sim_engine.events.run import DidNotSettle, Settled
from sim_engine.identifiers import FIRST_FRAME, BrokerId, TimeMs, TopicPartition
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.autoplay import (
    SETTLE_AT_MOST_MS,
    Due,
    due_events,
    due_timers,
    in_order_of_time,
    rewind_timer,
)
from sim_engine.simulation.fetch_loops import FetchLoops
from sim_engine.simulation.fetch_rounds import (
    awaited_response,
    delivery_of,
    long_poll,
    refresh_beliefs,
)
from sim_engine.simulation.performing.messages import why_undeliverable
from sim_engine.simulation.step_execution import StepExecution
from sim_engine.simulation.transition import perform


def advance(execution: StepExecution, step: Advance) -> None:
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
        execution.act(Tick(ms=until - execution.cluster.now_ms, since=until - last_frame_ms))


def _move_clock(execution: StepExecution, to_ms: TimeMs) -> None:
    """Advance time without a separate frame."""
    if to_ms > execution.cluster.now_ms:
        execution.cluster = replace(execution.cluster, now_ms=to_ms)


def _fire(execution: StepExecution, action: Action, *, periodic: bool) -> bool:
    """Perform a due event. It creates no frame if nothing visible changes. Returns whether it
    created one.
    """
    made = execution.act_quietly(action)
    if periodic:
        assert isinstance(action, Timer), "nothing else is periodic"
        if isinstance(action.broker, int):
            execution.cluster = rewind_timer(execution.cluster, action.broker, action.kind)
    return made


def _play_due(execution: StepExecution, due: Due) -> None:
    """Perform one event of autoplay at its time."""
    _move_clock(execution, due.due_ms)
    if isinstance(due.action, SendFetch):
        assert due.action.partition is not None, "autoplay names the partition"
        if execution.is_shown(due.action.broker, due.action.partition):
            return
    if isinstance(due.action, Timer) and due.action.kind == "isr_expiration":
        execution.cluster = refresh_beliefs(execution.cluster)
    if isinstance(due.action, Timer) and _is_idle(execution.cluster, due.action):
        _respond_quietly(execution, due.action)
        return
    _fire(execution, due.action, periodic=due.periodic)


def run(execution: StepExecution, step: Run) -> None:
    """Autoplay for `step.ms`: perform everything that becomes due, in order of time.

    If nothing visible happens, one frame reports that the time has passed.
    """
    run_for(execution, step.ms, notices=True)
    if not execution.executed:
        execution.act(Tick(ms=0, since=step.ms))


def settle_down(execution: StepExecution, step: Settle) -> None:
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
    """Whether nothing is pending except periodic timers, so that settling would not even advance
    time.
    """
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


def _is_waiting(cluster: ClusterState, action: Action) -> bool:
    """Whether settling does not wait for an event: idle long polls and timeouts of producers."""
    return isinstance(action, Timer) and (
        action.kind == "produce_timeout" or _is_idle(cluster, action)
    )


def _is_idle(cluster: ClusterState, timer: Timer) -> bool:
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


def _waiting(long_poll: Timer) -> tuple[BrokerId, TopicPartition]:
    """The follower whose long poll ends, and its partition."""
    assert long_poll.follower is not None, "a wait is one follower's"
    assert long_poll.partition is not None, "a wait is for one partition"
    return long_poll.follower, long_poll.partition


def _respond_quietly(execution: StepExecution, timer: Timer) -> None:
    """Complete a wait without new information. The difference is not visible, so no frame is
    created."""
    follower, partition = _waiting(timer)
    execution.pass_over(perform(execution.cluster, timer, execution.next_frame))
    response = awaited_response(execution.cluster, follower, partition)
    if response is not None and why_undeliverable(execution.cluster, response) is None:
        execution.pass_over(perform(execution.cluster, delivery_of(response), execution.next_frame))


def _parked_polls(cluster: ClusterState) -> list[Timer]:
    return [
        long_poll(broker.broker_id, replica.partition, parked.follower)
        for broker in cluster.brokers
        if broker.running
        for replica in broker.replicas
        if replica.leading is not None
        for parked in replica.leading.parked
    ]
