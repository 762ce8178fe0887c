"""Time passes, alone or with everything that is due.

What happens by itself, and when, `autoplay` says; here it is played. What changes nothing that one
can see makes no frame.
"""

from collections.abc import Callable

from msgspec.structs import replace

from sim_engine.actions import Action, Advance, Run, Settle, Tick, Timer
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
from sim_engine.simulation.fetch_rounds import (
    awaited_answer,
    delivery_of,
    long_poll,
    refresh_beliefs,
)
from sim_engine.simulation.performing.messages import why_undeliverable
from sim_engine.simulation.play import Play
from sim_engine.simulation.transition import perform


def advance(play: Play, step: Advance) -> None:
    """Advances the clock and fires due timers. No message is delivered and no follower sends."""
    until = play.cluster.now_ms + step.ms
    last_frame_ms = play.cluster.now_ms
    while True:
        due = min(due_timers(play.cluster), key=in_order_of_time, default=None)
        if due is None or due.due_ms > until:
            break
        _move_clock(play, due.due_ms)
        if _fire(play, due.action, periodic=due.periodic):
            last_frame_ms = play.cluster.now_ms
    if until > last_frame_ms:
        play.act(Tick(ms=until - play.cluster.now_ms, since=until - last_frame_ms))


def _move_clock(play: Play, to_ms: TimeMs) -> None:
    """Let time pass without a frame of its own."""
    if to_ms > play.cluster.now_ms:
        play.cluster = replace(play.cluster, now_ms=to_ms)


def _fire(play: Play, action: Action, *, periodic: bool) -> bool:
    """Do what is due; what changes nothing that one can see makes no frame. Whether it made one."""
    made = play.act_quietly(action)
    if periodic:
        assert isinstance(action, Timer), "nothing else is periodic"
        assert isinstance(action.broker, int), "the controller's timers are not played"
        play.cluster = rewind_timer(play.cluster, action.broker, action.kind)
    return made


def _play_due(play: Play, due: Due) -> None:
    """One event of autoplay, at its time."""
    _move_clock(play, due.due_ms)
    if isinstance(due.action, Timer) and due.action.kind == "isr_expiration":
        play.cluster = refresh_beliefs(play.cluster)
    if isinstance(due.action, Timer) and _is_idle(play.cluster, due.action):
        _answer_quietly(play, due.action)
        return
    _fire(play, due.action, periodic=due.periodic)


def run(play: Play, step: Run) -> None:
    """Autoplay: everything that is due happens, in the order of time."""
    run_for(play, step.ms, notices=True)
    if not play.played:
        play.act(Tick(ms=0, since=step.ms))


def settle_down(play: Play, step: Settle) -> None:
    """Autoplay until nothing is pending. Then the last long polls end with empty responses.

    Where nothing is pending it makes no frame.
    """
    at_rest = is_at_rest(play.cluster)
    settle(play, notices=True)
    if not at_rest and not play.played:
        play.note(Settled())


def is_at_rest(cluster: ClusterState) -> bool:
    """Whether nothing is pending: to settle would not even let time pass."""
    return all(due.periodic for due in _awaited(cluster, notices=True)) and not _parked_polls(
        cluster
    )


def settle(play: Play, *, notices: bool) -> None:
    """Let everything that can happen happen. Without `notices` the controller notices nothing.

    A follower whose wait tells it nothing new may still join the ISR by its next fetch, where its
    last one was handled while another change of the ISR was open.
    """
    deadline = play.cluster.now_ms + SETTLE_AT_MOST_MS
    polls_answered = False
    while True:
        dues = _awaited(play.cluster, notices=notices)
        awaited = next((due for due in dues if not due.periodic), None)
        if awaited is None:
            if polls_answered:
                return
            for action in _parked_polls(play.cluster):
                _answer_quietly(play, action)
            polls_answered = True
            continue
        if awaited.due_ms > deadline:
            play.note(DidNotSettle(ms=SETTLE_AT_MOST_MS))
            break
        polls_answered = False
        _play_due(play, dues[0])
    for action in _parked_polls(play.cluster):
        _answer_quietly(play, action)


def run_for(play: Play, ms: int, *, notices: bool) -> None:
    """Let time pass with everything that is due; nothing is hurried at its end."""
    run_until(play, ms, lambda: False, notices=notices)


def run_until(play: Play, ms: int, reached: Callable[[], bool], *, notices: bool) -> bool:
    """Let at most this much time pass, event by event, until a condition is true. Returns whether
    it is."""
    until = TimeMs(play.cluster.now_ms + ms)
    while not reached():
        dues = due_events(play.cluster, notices=notices)
        if not dues or dues[0].due_ms > until:
            play.cluster = refresh_beliefs(play.cluster)
            _move_clock(play, until)
            return reached()
        _play_due(play, dues[0])
    return True


def _awaited(cluster: ClusterState, *, notices: bool) -> list[Due]:
    return [
        due
        for due in due_events(cluster, notices=notices)
        if due.periodic or not _is_waiting(cluster, due.action)
    ]


def _is_waiting(cluster: ClusterState, action: Action) -> bool:
    """What settling does not wait for: idle polls, and the patience of producers."""
    return isinstance(action, Timer) and (
        action.kind == "produce_timeout" or _is_idle(cluster, action)
    )


def _is_idle(cluster: ClusterState, timer: Timer) -> bool:
    """Whether this is the end of a follower's wait that will tell it nothing new."""
    if timer.kind != "long_poll":
        return False
    follower, partition = _waiting(timer)
    after = perform(cluster, timer, FIRST_FRAME).cluster
    answer = awaited_answer(after, follower, partition)
    if answer is None or why_undeliverable(after, answer) is not None:
        return True
    answered = perform(after, delivery_of(answer), FIRST_FRAME).cluster
    before_replica = cluster.replica(follower, partition)
    after_replica = answered.replica(follower, partition)
    return (
        before_replica.high_watermark == after_replica.high_watermark
        and before_replica.log == after_replica.log
        and _fetching(before_replica) == _fetching(after_replica)
    )


def _fetching(replica: Replica) -> tuple[str, bool] | None:
    """What a fetch loop does and whether it has had an answer: either may change by one that
    brings no record, such as the first, or one that fences the follower."""
    fetcher = replica.fetcher
    return None if fetcher is None else (fetcher.phase, fetcher.has_fetched)


def _waiting(long_poll: Timer) -> tuple[BrokerId, TopicPartition]:
    """The follower whose wait ends, and its partition."""
    assert long_poll.follower is not None, "a wait is one follower's"
    assert long_poll.partition is not None, "a wait is for one partition"
    return long_poll.follower, long_poll.partition


def _answer_quietly(play: Play, timer: Timer) -> None:
    """Complete a wait without new information. The difference is not visible, so no frame is
    created."""
    follower, partition = _waiting(timer)
    play.pass_over(perform(play.cluster, timer, play.next_frame))
    answer = awaited_answer(play.cluster, follower, partition)
    if answer is not None and why_undeliverable(play.cluster, answer) is None:
        play.pass_over(perform(play.cluster, delivery_of(answer), play.next_frame))


def _parked_polls(cluster: ClusterState) -> list[Timer]:
    return [
        long_poll(broker.broker_id, replica.partition, parked.follower)
        for broker in cluster.brokers
        if broker.running
        for replica in broker.replicas
        if replica.leading is not None
        for parked in replica.leading.parked
    ]
