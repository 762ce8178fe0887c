"""The end of a step: the cluster runs undisturbed until it is read, like the real one."""

from sim_engine.actions import Timer
from sim_engine.cluster.state import Broker
from sim_engine.conformance.recording import TOPIC, RecordedStep
from sim_engine.conformance.replay_state import SOON_MS, Replay, notice, pass_time
from sim_engine.conformance.verbs import Elect, Network
from sim_engine.protocol.leader.isr import maybe_shrink_isr
from sim_engine.simulation.fetch_rounds import observable
from sim_engine.simulation.performing.controller import broker_session_has_ended

SETTLED_MS = 2_000
"""Checkpoints with at most this interval (ms) have been written when a cluster has settled."""

READS_APART_MS = 700
"""A cluster had settled if two reads this far apart (ms) agreed."""

LAG_THAT_NEVER_PASSES_MS = 300_000
"""With a replica.lag.time.max.ms of at least this, recordings do not wait for the ISR to shrink."""

MOST_READS = 200


def wait_until_idle(replay: Replay) -> None:
    """Let the cluster run until two reads agree and no ISR change is due, as in the recording.

    Time passes as on the real cluster: a long poll that takes longer stays parked.
    """
    if _was_over_at_once(replay.step):
        return
    pass_time(replay, SOON_MS)
    if not replay.step.settled:
        _close_broker_sessions(replay)
        return
    for _ in range(MOST_READS):
        before = observable(replay.cluster)
        pass_time(replay, READS_APART_MS)
        closed = _close_broker_sessions(replay)
        if not closed and observable(replay.cluster) == before and not _isr_is_overdue(replay):
            break
    _write_checkpoints(replay)


def _was_over_at_once(step: RecordedStep) -> bool:
    """Whether the next step or read followed before anything else could happen.

    This is the case if nothing was read, unless the step waited for parked requests to expire. An
    unsettled election was read after the controller's response, which it sends after writing its
    records; the brokers had not read them yet.
    """
    if step.saw is None:
        return not (isinstance(step.verb, Network) and step.verb.hold is not None)
    return isinstance(step.verb, Elect) and not step.settled


def _isr_is_overdue(replay: Replay) -> bool:
    """Whether a leader that can change its ISR is about to remove a lagging member."""
    cluster = replay.cluster
    return any(
        replica.leading is not None
        and settings.replica_lag_time_max_ms < LAG_THAT_NEVER_PASSES_MS
        and maybe_shrink_isr(replica, settings=settings, now_ms=cluster.now_ms) is not None
        for broker in cluster.brokers
        if broker.running and cluster.reaches_controller(broker.broker_id)
        for replica in broker.replicas
        for settings in (cluster.settings_at(replica.broker_id, replica.partition),)
    )


def _close_broker_sessions(replay: Replay) -> bool:
    """Close the sessions of processes that ended by themselves; the controller detects this."""
    closed = False
    for broker in replay.cluster.brokers:
        ended_itself = broker.process == "failed" and not broker.broker_session_kept
        if ended_itself and broker_session_has_ended(replay.cluster, broker.broker_id):
            notice(replay, broker.broker_id)
            closed = True
    return closed


def _write_checkpoints(replay: Replay) -> None:
    """Write the checkpoint files that the real cluster had written by then."""
    for broker in replay.cluster.brokers:
        for timer in broker.timers if broker.running else ():
            if timer.period_ms <= SETTLED_MS and timer.kind.endswith("checkpoint"):
                replay.execution.act(Timer(broker=broker.broker_id, kind=timer.kind))
        if broker.running and broker.broker_id in replay.recording.own_checkpoint_times:
            _write_if_recorded(replay, broker)


def _write_if_recorded(replay: Replay, broker: Broker) -> None:
    """Write a checkpoint if the recorded file changed; its contents are compared later."""
    saw = replay.step.saw
    seen = None if saw is None else saw.brokers.get(broker.broker_id)
    recorded = None if seen is None else seen.high_watermark_checkpoint
    replica = broker.replica(TOPIC)
    if recorded is None or replica is None or recorded == replica.checkpoint_high_watermark:
        return
    replay.execution.act(Timer(broker=broker.broker_id, kind="high_watermark_checkpoint"))
