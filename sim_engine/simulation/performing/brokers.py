"""Actions on brokers: crash, power loss, disk loss, pause, start and stop, and the links between
endpoints, which are cut, restored and slowed down.
"""

from typing import Literal

from msgspec.structs import replace

from sim_engine.actions import steps
from sim_engine.class_tables import for_class
from sim_engine.cluster.start import start_timers
from sim_engine.cluster.state import ALIVE, Broker, ClusterState, IsrChanges, Process
from sim_engine.events.base import EventSubject
from sim_engine.events.log import LogLoaded, UnflushedRecordsLost
from sim_engine.events.network import BrokerSlowed, LinkCut, LinkHealed
from sim_engine.events.process import (
    BrokerBooted,
    BrokerCrashed,
    BrokerPaused,
    BrokerResumed,
    BrokerStopped,
    DiskLost,
    PowerLost,
    RegistrationRefused,
)
from sim_engine.identifiers import CONTROLLER, FIRST_OFFSET, BrokerId, Endpoint, Offset
from sim_engine.narration import RefusedError
from sim_engine.protocol.log import cut_to
from sim_engine.protocol.messages import COMMANDS
from sim_engine.protocol.replica import Replica, load_log, records_subject
from sim_engine.simulation.effects.brokers import (
    end_process,
    lose_contact,
    regain_contact,
    stop_cleanly,
)
from sim_engine.simulation.effects.messages import lose
from sim_engine.simulation.performing.producers import handle_waiting_produces
from sim_engine.simulation.working_copy import (
    AppliesOutcomes,
    ChangesBrokers,
    ChangesConditions,
    CutsLinks,
    EndsProcesses,
)


def require_process(cluster: ClusterState, broker_id: BrokerId, *states: Process) -> Broker:
    """The broker, whose process must be in one of these states."""
    broker = cluster.broker(broker_id)
    if broker.process not in states:
        raise RefusedError("broker_not_running", broker=broker_id, state=broker.process)
    return broker


def crash(work: EndsProcesses, action: steps.Crash) -> None:
    """Kills the process. The page cache survives, so no record is lost."""
    broker_id = action.broker
    require_process(work.cluster, broker_id, *ALIVE)
    known_alive = work.cluster.controller.broker(broker_id).active
    work.say(BrokerCrashed(variant=None if known_alive else "away", broker=broker_id))
    end_process(work, broker_id, "crashed")


def power_loss(work: EndsProcesses, action: steps.PowerLoss) -> None:
    """Kill the process and discard all unflushed data; `keep` defines how much survives.

    A power loss is also possible after a crash: the page cache is lost with the power.
    """
    broker_id = action.broker
    broker = work.cluster.broker(broker_id)
    if broker.process == "stopped":
        raise RefusedError("broker_not_running", broker=broker_id, state=broker.process)
    keep = action.keep or {}
    for replica in broker.replicas:
        kept = keep.get(replica.partition, replica.flushed)
        if kept < replica.flushed:
            raise RefusedError(
                "keep_below_flushed",
                rule="POWER-LOSS",
                broker=broker_id,
                partition=replica.partition,
                keep=kept,
                flushed=replica.flushed,
            )
        if kept > replica.log_end_offset:
            raise RefusedError(
                "keep_above_log_end",
                rule="POWER-LOSS",
                broker=broker_id,
                partition=replica.partition,
                keep=kept,
                log_end_offset=replica.log_end_offset,
            )
    work.say(PowerLost(broker=broker_id))
    if broker.alive:
        end_process(work, broker_id, "crashed")
    for replica in work.cluster.broker(broker_id).replicas:
        _lose_unflushed(work, replica, keep.get(replica.partition, replica.flushed))


def _lose_unflushed(work: ChangesBrokers, replica: Replica, kept: Offset) -> None:
    log, lost = cut_to(replica.log, kept)
    if not lost:
        return
    before = replica.log_end_offset
    work.put_replica(replace(replica, log=log, flushed=min(replica.flushed, kept)))
    work.say(
        UnflushedRecordsLost(
            **replica.place(),
            kept=kept,
            before=before,
            values=tuple(record.value for record in lost),
            subject=records_subject(replica, lost),
        )
    )


def disk_loss(work: EndsProcesses, action: steps.DiskLoss) -> None:
    """Destroys the broker's disk: logs, epoch files and checkpoints. The broker restarts with empty
    logs."""
    broker_id = action.broker
    broker = work.cluster.broker(broker_id)
    lost = tuple(record for replica in broker.replicas for record in replica.log.records)
    work.say(DiskLost(broker=broker_id, subject=EventSubject(replicas=(broker_id,), records=lost)))
    if broker.alive:
        end_process(work, broker_id, "crashed")
    broker = work.cluster.broker(broker_id)
    work.put_broker(
        replace(
            broker,
            clean_shutdown=False,
            replicas=tuple(
                Replica(partition=replica.partition, broker_id=broker_id)
                for replica in broker.replicas
            ),
        )
    )


def pause(work: ChangesBrokers, action: steps.Pause) -> None:
    """Pauses the process, which keeps its state (a long garbage collection, SIGSTOP)."""
    broker_id = action.broker
    require_process(work.cluster, broker_id, "running")
    lose_contact(work, broker_id)
    work.put_broker(replace(work.cluster.broker(broker_id), process="paused"))
    work.say(BrokerPaused(broker=broker_id))


def resume(work: AppliesOutcomes, action: steps.Resume) -> None:
    """Resumes a paused process."""
    broker_id = action.broker
    broker = work.cluster.broker(broker_id)
    if broker.process != "paused":
        raise RefusedError("broker_not_paused", broker=broker_id)
    now_ms = work.cluster.now_ms
    work.put_broker(
        replace(
            broker,
            process="running",
            timers=tuple(
                replace(timer, due_ms=max(timer.due_ms, now_ms)) for timer in broker.timers
            ),
        )
    )
    regain_contact(work, broker_id)
    work.say(BrokerResumed(broker=broker_id))
    handle_waiting_produces(work, broker_id)


def boot(work: AppliesOutcomes, action: steps.Boot) -> None:
    """Starts a broker's process, which opens its logs. It has received no metadata yet.

    After an unclean shutdown, every log is recovered from its recovery point. The high watermark is
    read from its checkpoint; nothing is truncated to it.

    With `session: kept` its old znode still exists, so it cannot register under ZooKeeper and exits
    in an orderly way (recorded on 0.10.2.2).
    """
    broker_id = action.broker
    broker = work.cluster.broker(broker_id)
    if broker.alive:
        raise RefusedError("broker_already_running", broker=broker_id, state=broker.process)
    broker_session_kept = action.session == "kept"
    if broker_session_kept and not broker_session_lives(work.cluster, broker_id):
        raise RefusedError("no_session_left", rule="SESSION-TIMEOUT", broker=broker_id)
    work.say(BrokerBooted(broker=broker_id))
    rules = work.cluster.profile.rules
    replicas: list[Replica] = []
    for replica in broker.replicas:
        loaded = load_log(replica, recover=not broker.clean_shutdown, rules=rules)
        replicas.append(loaded)
        checkpointed = replica.checkpoint_high_watermark or FIRST_OFFSET
        recovered: Literal["recovered", "recovered_outside_log"] = (
            "recovered" if loaded.high_watermark == checkpointed else "recovered_outside_log"
        )
        work.say(
            LogLoaded(
                variant="clean" if broker.clean_shutdown else recovered,
                broker=broker_id,
                partition=replica.partition,
                recovery_point=replica.checkpoint_recovery_point or FIRST_OFFSET,
                log_end_offset=loaded.log_end_offset,
                high_watermark=loaded.high_watermark,
                checkpoint_high_watermark=checkpointed,
            )
        )
    work.put_broker(
        replace(
            broker,
            process="running",
            replicas=tuple(replicas),
            clean_shutdown=False,
            previous_broker_epoch=broker.clean_shutdown_epoch if broker.clean_shutdown else -1,
            incarnation=broker.incarnation + 1,
            broker_epoch=_next_broker_epoch(work.cluster),
            timers=start_timers(work.cluster, broker.broker_id),
            isr_changes=IsrChanges(
                last_change_ms=work.cluster.now_ms, last_propagation_ms=work.cluster.now_ms
            ),
            checkpoints_high_watermarks=False,
            down_since_frame=None,
            broker_session_kept=broker_session_kept,
        )
    )
    if not broker_session_kept:
        regain_contact(work, broker_id)
        return
    work.say(RegistrationRefused(broker=broker_id))
    stop_cleanly(work, broker_id, "failed")


def broker_session_lives(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether the znode of a broker that is down can still exist."""
    return cluster.controller_kind.registers_in_znodes and cluster.controller.broker(broker_id).live


def _next_broker_epoch(cluster: ClusterState) -> int:
    """The transaction id that ZooKeeper gives to a new znode; only the order matters."""
    if not cluster.profile.rules.broker_generations:
        return -1
    return 1 + max(broker.broker_epoch for broker in cluster.brokers)


def stop_process(work: EndsProcesses, broker_id: BrokerId) -> None:
    """End a clean shutdown: flush, write the checkpoints and the clean-shutdown marker, exit."""
    work.say(BrokerStopped(broker=broker_id))
    stop_cleanly(work, broker_id, "stopped")


def cut(work: CutsLinks, action: steps.Cut) -> None:
    """Cut one direction of a link: its messages in flight are lost with their connections."""
    link = (action.from_, action.to)
    if work.cluster.is_cut(*link):
        raise RefusedError("already_cut", link=link)
    _cut(work, (link,))


def _cut(work: CutsLinks, links: tuple[tuple[Endpoint, Endpoint], ...]) -> None:
    work.put_links_cut(tuple(sorted({*work.cluster.links_cut, *links}, key=_link_order)))
    for sender, receiver in links:
        work.say(LinkCut(from_=sender, to=receiver))
    for message in work.cluster.messages:
        if (message.sender, message.receiver) in links and message.kind not in COMMANDS:
            lose(work, message)
    for broker in work.cluster.brokers:
        if not work.cluster.reaches_controller(broker.broker_id):
            lose_contact(work, broker.broker_id)


def _link_order(link: tuple[Endpoint, Endpoint]) -> tuple[str, str]:
    return str(link[0]), str(link[1])


def heal(work: ChangesConditions, action: steps.Heal) -> None:
    """Restore one direction of a link, or all links of a broker."""
    if action.broker is not None:
        broker_id = action.broker
        healed = tuple(link for link in work.cluster.links_cut if broker_id in link)
        if not healed:
            raise RefusedError("no_link_cut", broker=broker_id)
    else:
        assert action.from_ is not None, "it says a broker or a link"
        assert action.to is not None, "it says a broker or a link"
        link = (action.from_, action.to)
        if not work.cluster.is_cut(*link):
            raise RefusedError("not_cut", link=link)
        healed = (link,)
    work.put_links_cut(tuple(link for link in work.cluster.links_cut if link not in healed))
    for sender, receiver in healed:
        work.say(LinkHealed(from_=sender, to=receiver))
    for broker in work.cluster.brokers:
        regain_contact(work, broker.broker_id)
        handle_waiting_produces(work, broker.broker_id)


def isolate(work: CutsLinks, action: steps.Isolate) -> None:
    """Cut a broker off, in both directions, from the controller, the other brokers, or both."""
    broker_id = action.broker
    whom = action.from_
    others: list[Endpoint] = []
    if whom in ("controller", "all"):
        others.append(CONTROLLER)
    if whom in ("brokers", "all"):
        others.extend(
            broker.broker_id for broker in work.cluster.brokers if broker.broker_id != broker_id
        )
    links = tuple(
        link
        for other in others
        for link in ((broker_id, other), (other, broker_id))
        if not work.cluster.is_cut(*link)
    )
    if not others:
        raise RefusedError("no_other_broker", broker=broker_id)
    if not links:
        raise RefusedError("already_cut", link=(broker_id, whom))
    _cut(work, links)


def slow(work: ChangesBrokers, action: steps.Slow) -> None:
    """Delay every message that a broker sends or receives by `action.ms` of virtual time."""
    broker = work.cluster.broker(action.broker)
    work.put_broker(replace(broker, slow_ms=action.ms))
    work.say(BrokerSlowed(broker=broker.broker_id, ms=action.ms))


PERFORMED = (
    for_class(steps.Crash, crash),
    for_class(steps.PowerLoss, power_loss),
    for_class(steps.DiskLoss, disk_loss),
    for_class(steps.Pause, pause),
    for_class(steps.Resume, resume),
    for_class(steps.Boot, boot),
    for_class(steps.Cut, cut),
    for_class(steps.Heal, heal),
    for_class(steps.Isolate, isolate),
    for_class(steps.Slow, slow),
)
