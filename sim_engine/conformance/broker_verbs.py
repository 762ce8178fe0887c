"""What befell brokers' processes and disks."""

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
    is_unnoticed,
    session_has_ended,
)
from sim_engine.simulation.step_expansion import play_step


def kill(replay: Replay, verb: Kill) -> None:
    """SIGKILL; with `session: ended` the controller has noticed when the step is over."""
    replay.play.act(Crash(broker=verb.broker))
    if verb.session == "ended":
        _end_session(replay, verb.broker)


def session_end(replay: Replay, verb: SessionEnd) -> None:
    """The znode of a dead or frozen broker is removed; a frozen controller sees it later."""
    _end_session(replay, verb.broker)


def _end_session(replay: Replay, broker_id: BrokerId) -> None:
    if not replay.controller_frozen:
        notice(replay, broker_id)


def power_loss(replay: Replay, verb: PowerLoss) -> None:
    """SIGKILL, and the log cut to its first records; the checkpoint files stay as they were.

    Where one power loss follows another at once they are one: all processes die first, and then
    each log is cut.
    """
    if not replay.step.settled:
        for following in replay.next_steps:
            if not isinstance(following.verb, PowerLoss):
                break
            if replay.cluster.broker(following.verb.broker).alive:
                replay.play.act(Crash(broker=following.verb.broker))
    replica = replay.cluster.replica(verb.broker, TOPIC)
    keep = Offset(replica.log.log_start_offset + verb.keep)
    # The loss is emulated by cutting the file, whatever of it had been flushed.
    flushed = replace(replica, flushed=min(replica.flushed, keep))
    replay.put(with_replica(replay.cluster, flushed))
    replay.play.act(LosePower(broker=verb.broker, keep={TOPIC: keep}))
    if verb.session == "ended":
        _end_session(replay, verb.broker)


def delete_file(replay: Replay, verb: DeleteFile) -> None:
    """The file with the high watermarks of a dead broker is deleted."""
    broker = replay.cluster.broker(verb.broker)
    replicas = tuple(
        replace(replica, checkpoint_high_watermark=None) for replica in broker.replicas
    )
    replay.put(with_broker(replay.cluster, replace(broker, replicas=replicas)))


def stop(replay: Replay, verb: Stop) -> None:
    """SIGTERM: a controlled shutdown, to its end."""
    play_step(replay.play, Shutdown(broker=verb.broker))


def start(replay: Replay, verb: Start) -> None:
    """The process starts. It registers at once, unless it is then still fenced: those steps are
    recorded (KRaft)."""
    broker_ids = verb.broker_ids()
    for broker_id in broker_ids:
        replay.play.act(Boot(broker=broker_id, session=_old_session(replay, broker_id)))
    stop_own_timers(replay)
    if replay.cluster.controller_kind.fences_brokers or replay.controller_frozen:
        return
    for broker_id in _in_order_of_coming_up(replay, broker_ids):
        if replay.cluster.broker(broker_id).session_kept:
            continue
        while broker_is_back(replay.cluster, broker_id) or session_has_ended(
            replay.cluster, broker_id
        ):
            notice(replay, broker_id)
        if len(broker_ids) > 1:
            pass_time(replay, SOON_MS)


def _old_session(replay: Replay, broker_id: BrokerId) -> Literal["kept"] | None:
    """Under ZooKeeper a session that was not said to have ended lives on."""
    lives = (
        replay.cluster.controller_kind.registers_in_znodes
        and not replay.controller_frozen
        and session_has_ended(replay.cluster, broker_id)
    )
    return "kept" if lives else None


def _in_order_of_coming_up(replay: Replay, broker_ids: list[BrokerId]) -> list[BrokerId]:
    """Who of several that start at once is up first is chance: the recorded ISR tells."""
    saw = replay.step.saw
    isr = [] if saw is None or saw.isr is None else saw.isr
    return sorted(
        broker_ids,
        key=lambda broker_id: isr.index(broker_id) if broker_id in isr else len(isr),
    )


def freeze(replay: Replay, verb: Freeze) -> None:
    """SIGSTOP, once what is in flight has arrived."""
    pass_time(replay, SOON_MS)
    if verb.broker == replay.recording.controller_broker:
        replay.controller_frozen = True
        return
    replay.play.act(Pause(broker=verb.broker))


def thaw(replay: Replay, verb: Thaw) -> None:
    """SIGCONT. A ZooKeeper broker whose session has ended opens a new one.

    The controller sees who is there now and who is not. A broker that went and came back meanwhile
    it tells from one that stayed by its broker epoch alone (KIP-380, from 2.2).
    """
    if verb.broker == replay.recording.controller_broker:
        replay.controller_frozen = False
        for broker in replay.cluster.brokers:
            while is_unnoticed(replay.cluster, broker.broker_id) and not bounce_is_unseen(
                replay.cluster, broker.broker_id
            ):
                notice(replay, broker.broker_id)
        return
    replay.play.act(Resume(broker=verb.broker))
    open_session(replay, verb.broker)


def open_session(replay: Replay, broker_id: BrokerId) -> None:
    """A ZooKeeper broker whose session has ended opens a new one as soon as it can."""
    if replay.cluster.controller_kind.registers_in_znodes and broker_is_back(
        replay.cluster, broker_id
    ):
        notice(replay, broker_id)
