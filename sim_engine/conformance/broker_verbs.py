"""Replays the verbs about brokers' processes and disks."""

from typing import Literal

from msgspec.structs import replace

from sim_engine.actions import Boot, Crash, Pause, Resume, Shutdown
from sim_engine.actions import PowerLoss as LosePower
from sim_engine.cluster.state import with_broker, with_replica
from sim_engine.conformance.recording import TOPIC
from sim_engine.conformance.replay_state import (
    SOON_MS,
    Replay,
    notice,
    pass_time,
    stop_own_timers,
)
from sim_engine.conformance.verbs import (
    DeleteFile,
    Freeze,
    Kill,
    PowerLoss,
    SessionEnd,
    Start,
    Stop,
    Thaw,
)
from sim_engine.identifiers import BrokerId, Offset
from sim_engine.simulation.performing.controller import (
    bounce_is_unseen,
    broker_is_back,
    broker_session_has_ended,
    is_unnoticed,
)
from sim_engine.simulation.step_expansion import execute_step


def kill(replay: Replay, verb: Kill) -> None:
    """Kill the process (SIGKILL). With `session: ended`, the controller has detected it by the end
    of the step.
    """
    replay.execution.act(Crash(broker=verb.broker))
    if verb.session == "ended":
        _end_broker_session(replay, verb.broker)


def session_end(replay: Replay, verb: SessionEnd) -> None:
    """Remove the znode of a dead or frozen broker. A frozen controller detects this later."""
    _end_broker_session(replay, verb.broker)


def _end_broker_session(replay: Replay, broker_id: BrokerId) -> None:
    if not replay.controller_frozen:
        notice(replay, broker_id)


def power_loss(replay: Replay, verb: PowerLoss) -> None:
    """Kill the process (SIGKILL) and truncate the log to its first records. The checkpoint files
    stay unchanged.

    Consecutive power losses count as one: all processes are killed first, and then each log is
    truncated.
    """
    if not replay.step.settled:
        for following in replay.next_steps:
            if not isinstance(following.verb, PowerLoss):
                break
            if replay.cluster.broker(following.verb.broker).alive:
                replay.execution.act(Crash(broker=following.verb.broker))
    replica = replay.cluster.replica(verb.broker, TOPIC)
    keep = Offset(replica.log.log_start_offset + verb.keep)
    # The loss was emulated by truncating the file, whether or not it had been flushed.
    flushed = replace(replica, flushed=min(replica.flushed, keep))
    replay.put(with_replica(replay.cluster, flushed))
    replay.execution.act(LosePower(broker=verb.broker, keep={TOPIC: keep}))
    if verb.session == "ended":
        _end_broker_session(replay, verb.broker)


def delete_file(replay: Replay, verb: DeleteFile) -> None:
    """Delete the high watermark checkpoint file of a dead broker."""
    broker = replay.cluster.broker(verb.broker)
    replicas = tuple(
        replace(replica, checkpoint_high_watermark=None) for replica in broker.replicas
    )
    replay.put(with_broker(replay.cluster, replace(broker, replicas=replicas)))


def stop(replay: Replay, verb: Stop) -> None:
    """Perform a controlled shutdown (SIGTERM), to its end."""
    execute_step(replay.execution, Shutdown(broker=verb.broker))


def start(replay: Replay, verb: Start) -> None:
    """Start the process, which registers immediately. If the broker is still fenced then (KRaft),
    the recording contains the further steps.
    """
    broker_ids = verb.broker_ids()
    for broker_id in broker_ids:
        replay.execution.act(Boot(broker=broker_id, session=_old_broker_session(replay, broker_id)))
    stop_own_timers(replay)
    if replay.cluster.controller_kind.fences_brokers or replay.controller_frozen:
        return
    for broker_id in _in_order_of_coming_up(replay, broker_ids):
        if replay.cluster.broker(broker_id).broker_session_kept:
            continue
        while broker_is_back(replay.cluster, broker_id) or broker_session_has_ended(
            replay.cluster, broker_id
        ):
            notice(replay, broker_id)
        if len(broker_ids) > 1:
            pass_time(replay, SOON_MS)


def _old_broker_session(replay: Replay, broker_id: BrokerId) -> Literal["kept"] | None:
    """Under ZooKeeper, a session that was not recorded as ended still exists."""
    lives = (
        replay.cluster.controller_kind.registers_in_znodes
        and not replay.controller_frozen
        and broker_session_has_ended(replay.cluster, broker_id)
    )
    return "kept" if lives else None


def _in_order_of_coming_up(replay: Replay, broker_ids: list[BrokerId]) -> list[BrokerId]:
    """Order brokers that start at the same time. Which one is up first is random, so the recorded
    ISR decides.
    """
    saw = replay.step.saw
    isr = [] if saw is None or saw.isr is None else saw.isr
    return sorted(
        broker_ids,
        key=lambda broker_id: isr.index(broker_id) if broker_id in isr else len(isr),
    )


def freeze(replay: Replay, verb: Freeze) -> None:
    """Pause the process (SIGSTOP), after the messages in flight have arrived."""
    pass_time(replay, SOON_MS)
    if verb.broker == replay.recording.controller_broker:
        replay.controller_frozen = True
        return
    replay.execution.act(Pause(broker=verb.broker))


def thaw(replay: Replay, verb: Thaw) -> None:
    """Resume the process (SIGCONT). A ZooKeeper broker whose session has ended opens a new one.

    The controller detects which brokers are registered now. It can distinguish a broker that
    restarted meanwhile from one that did not only by the broker epoch (KIP-380, from 2.2).
    """
    if verb.broker == replay.recording.controller_broker:
        replay.controller_frozen = False
        for broker in replay.cluster.brokers:
            while is_unnoticed(replay.cluster, broker.broker_id) and not bounce_is_unseen(
                replay.cluster, broker.broker_id
            ):
                notice(replay, broker.broker_id)
        return
    replay.execution.act(Resume(broker=verb.broker))
    open_broker_session(replay, verb.broker)


def open_broker_session(replay: Replay, broker_id: BrokerId) -> None:
    """Open a new session for a ZooKeeper broker whose session has ended, as soon as it can."""
    if replay.cluster.controller_kind.registers_in_znodes and broker_is_back(
        replay.cluster, broker_id
    ):
        notice(replay, broker_id)
