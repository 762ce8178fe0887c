"""What happens to brokers: they fetch, crash, lose power, stop, pause, start, and are cut off."""

from typing import Literal

from msgspec.structs import replace

from sim_engine.actions import (
    Boot,
    Crash,
    Cut,
    DiskLoss,
    Heal,
    Isolate,
    Pause,
    PowerLoss,
    Resume,
    SendFetch,
    Slow,
)
from sim_engine.cluster.start import start_timers
from sim_engine.cluster.state import Broker, ClusterState, IsrChanges
from sim_engine.events import Evidence
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
from sim_engine.identifiers import CONTROLLER, NO_LEADER, BrokerId, Endpoint
from sim_engine.protocol.follower.fetch_loop import send_next
from sim_engine.protocol.log.replica_log import cut_to
from sim_engine.protocol.messages import COMMANDS
from sim_engine.protocol.replica import Replica, late_request_to, load_log
from sim_engine.simulation.effects.messages import lose
from sim_engine.simulation.effects.outcomes import apply_outcome
from sim_engine.simulation.effects.processes import end_process, lose_contact, stop_cleanly
from sim_engine.simulation.effects.reconnection import regain_contact
from sim_engine.simulation.performing.producers import handle_waiting_produces
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.turn import Turn

# --- fetching --------------------------------------------------------------------------------


def why_no_fetch(cluster: ClusterState, broker_id: BrokerId, partition: str) -> RefusedError | None:
    """Why a follower's next request cannot go out now; null where it can."""
    broker = cluster.broker(broker_id)
    if not broker.running:
        return RefusedError("broker_not_running", broker=broker_id, state=broker.process)
    replica = broker.replica(partition)
    if replica is None:
        return RefusedError("not_a_replica", broker=broker_id, partition=partition)
    if replica.leading is not None:
        return RefusedError("is_leader", broker=broker_id, partition=partition)
    fetcher = replica.fetcher
    if fetcher is None or fetcher.leader == NO_LEADER:
        return RefusedError("leader_unknown", broker=broker_id, partition=partition)
    if fetcher.phase == "failed":
        return RefusedError("fetcher_failed", broker=broker_id, partition=partition)
    if fetcher.awaiting is not None or late_request_to(replica, fetcher.leader) is not None:
        return RefusedError("request_in_flight", broker=broker_id, partition=partition)
    if not cluster.broker(fetcher.leader).alive:
        return RefusedError(
            "receiver_down",
            broker=fetcher.leader,
            state=cluster.broker(fetcher.leader).process,
        )
    if cluster.is_cut(broker_id, fetcher.leader):
        return RefusedError("link_cut", rule="TCP-ORDER", link=(broker_id, fetcher.leader))
    return None


def send_fetch(turn: Turn, action: SendFetch) -> None:
    """The next request of a follower's fetch loop goes out, whatever it is."""
    broker_id = action.broker
    partition = followed_partition(turn.cluster, broker_id, action.partition)
    refused = why_no_fetch(turn.cluster, broker_id, partition)
    if refused is not None:
        raise refused
    outcome = send_next(
        turn.cluster.replica(broker_id, partition),
        settings=turn.cluster.settings_of(partition),
        broker_epoch=turn.cluster.controller.broker(broker_id).broker_epoch,
        message_id=turn.cluster.next_message_id,
        max_records=action.records,
    )
    apply_outcome(turn, outcome)


def followed_partition(cluster: ClusterState, broker_id: BrokerId, asked: str | None) -> str:
    """The partition a fetch step means: the one named, else the first that the broker follows."""
    if asked is not None:
        return asked
    replicas = cluster.broker(broker_id).replicas
    for replica in replicas:
        if replica.fetcher is not None:
            return replica.partition
    if not replicas:
        raise RefusedError("not_a_replica", broker=broker_id, partition=cluster.partitions[0])
    return replicas[0].partition


# --- processes -------------------------------------------------------------------------------


def _require_alive(turn: Turn, broker_id: BrokerId) -> Broker:
    broker = turn.cluster.broker(broker_id)
    if not broker.alive:
        raise RefusedError("broker_not_running", broker=broker_id, state=broker.process)
    return broker


def crash(turn: Turn, action: Crash) -> None:
    """The process is gone; its page cache stays, so no record is lost."""
    broker_id = action.broker
    _require_alive(turn, broker_id)
    turn.say(BrokerCrashed(broker=broker_id))
    end_process(turn, broker_id, "crashed")


def power_loss(turn: Turn, action: PowerLoss) -> None:
    """The process and every byte that was not flushed are gone; `keep` says how much survived.

    A power loss may also befall a process that crashed already: its page cache goes with the power.
    """
    broker_id = action.broker
    broker = turn.cluster.broker(broker_id)
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
    turn.say(PowerLost(broker=broker_id))
    if broker.alive:
        end_process(turn, broker_id, "crashed")
    for replica in turn.cluster.broker(broker_id).replicas:
        _lose_unflushed(turn, replica, keep.get(replica.partition, replica.flushed))


def _lose_unflushed(turn: Turn, replica: Replica, kept: int) -> None:
    log, lost = cut_to(replica.log, kept)
    if not lost:
        return
    before = replica.log_end_offset
    turn.put_replica(replace(replica, log=log, flushed=min(replica.flushed, kept)))
    turn.say(
        UnflushedRecordsLost(
            broker=replica.broker_id,
            partition=replica.partition,
            kept=kept,
            before=before,
            values=tuple(record.value for record in lost),
            evidence=Evidence(
                partition=replica.partition,
                replicas=(replica.broker_id,),
                offsets=tuple(record.offset for record in lost),
                records=lost,
            ),
        )
    )


def disk_loss(turn: Turn, action: DiskLoss) -> None:
    """The broker's disk is gone: logs, epoch files, checkpoints. It comes back empty."""
    broker_id = action.broker
    broker = turn.cluster.broker(broker_id)
    lost = tuple(record for replica in broker.replicas for record in replica.log.records)
    turn.say(DiskLost(broker=broker_id, evidence=Evidence(replicas=(broker_id,), records=lost)))
    if broker.alive:
        end_process(turn, broker_id, "crashed")
    broker = turn.cluster.broker(broker_id)
    turn.put_broker(
        replace(
            broker,
            clean_shutdown=False,
            replicas=tuple(
                Replica(partition=replica.partition, broker_id=broker_id)
                for replica in broker.replicas
            ),
        )
    )


def pause(turn: Turn, action: Pause) -> None:
    """The process stands still and keeps everything (a long garbage collection, SIGSTOP)."""
    broker_id = action.broker
    broker = _require_alive(turn, broker_id)
    if broker.process != "running":
        raise RefusedError("broker_not_running", broker=broker_id, state=broker.process)
    lose_contact(turn, broker_id)
    turn.put_broker(replace(turn.cluster.broker(broker_id), process="paused"))
    turn.say(BrokerPaused(broker=broker_id))


def resume(turn: Turn, action: Resume) -> None:
    """The process goes on where it stood."""
    broker_id = action.broker
    broker = turn.cluster.broker(broker_id)
    if broker.process != "paused":
        raise RefusedError("broker_not_paused", broker=broker_id)
    now_ms = turn.cluster.now_ms
    turn.put_broker(
        replace(
            broker,
            process="running",
            timers=tuple(
                replace(timer, due_ms=max(timer.due_ms, now_ms)) for timer in broker.timers
            ),
        )
    )
    regain_contact(turn, broker_id)
    turn.say(BrokerResumed(broker=broker_id))
    handle_waiting_produces(turn, broker_id)


def boot(turn: Turn, action: Boot) -> None:
    """The process starts and opens its logs; nobody has told it anything yet.

    After an unclean stop every log is recovered from its recovery point. The high watermark comes
    from its checkpoint; nothing is truncated to it.

    With `session: kept` its old znode is still there, so that it cannot register under ZooKeeper
    and ends itself in order (recorded on 0.10.2.2).
    """
    broker_id = action.broker
    broker = turn.cluster.broker(broker_id)
    if broker.alive:
        raise RefusedError("broker_already_running", broker=broker_id)
    session_kept = action.session == "kept"
    if session_kept and not session_lives(turn.cluster, broker_id):
        raise RefusedError("no_session_left", rule="SESSION-TIMEOUT", broker=broker_id)
    turn.say(BrokerBooted(broker=broker_id))
    rules = turn.cluster.profile.rules
    replicas: list[Replica] = []
    for replica in broker.replicas:
        loaded = load_log(replica, recover=not broker.clean_shutdown, rules=rules)
        replicas.append(loaded)
        checkpointed = replica.checkpoint_high_watermark or 0
        recovered: Literal["recovered", "recovered_outside_log"] = (
            "recovered" if loaded.high_watermark == checkpointed else "recovered_outside_log"
        )
        turn.say(
            LogLoaded(
                variant="clean" if broker.clean_shutdown else recovered,
                broker=broker_id,
                partition=replica.partition,
                recovery_point=replica.checkpoint_recovery_point or 0,
                log_end_offset=loaded.log_end_offset,
                high_watermark=loaded.high_watermark,
                checkpoint_high_watermark=checkpointed,
            )
        )
    turn.put_broker(
        replace(
            broker,
            process="running",
            replicas=tuple(replicas),
            clean_shutdown=False,
            previous_broker_epoch=broker.clean_shutdown_epoch if broker.clean_shutdown else -1,
            incarnation=broker.incarnation + 1,
            broker_epoch=_next_broker_epoch(turn.cluster),
            timers=start_timers(turn.cluster),
            isr_changes=IsrChanges(
                last_change_ms=turn.cluster.now_ms, last_propagation_ms=turn.cluster.now_ms
            ),
            checkpoints_high_watermarks=False,
            down_since_frame=None,
            session_kept=session_kept,
        )
    )
    if not session_kept:
        regain_contact(turn, broker_id)
        return
    turn.say(RegistrationRefused(broker=broker_id))
    stop_cleanly(turn, broker_id, "failed")


def session_lives(cluster: ClusterState, broker_id: BrokerId) -> bool:
    """Whether the znode of a broker that is gone can still be there (ZooKeeper)."""
    return cluster.profile.control == "zookeeper" and cluster.controller.broker(broker_id).live


def _next_broker_epoch(cluster: ClusterState) -> int:
    """What ZooKeeper gives a znode made now; the order is all that counts."""
    if not cluster.profile.rules.broker_generations:
        return -1
    return 1 + max(broker.broker_epoch for broker in cluster.brokers)


def stop_process(turn: Turn, broker_id: BrokerId) -> None:
    """The end of a clean stop: flush, write the checkpoints and the clean-shutdown marker, end."""
    turn.say(BrokerStopped(broker=broker_id))
    stop_cleanly(turn, broker_id, "stopped")


# --- links -----------------------------------------------------------------------------------


def cut(turn: Turn, action: Cut) -> None:
    """One direction of one link: what is in flight there is lost with its connection."""
    link = (action.from_, action.to)
    if turn.cluster.is_cut(*link):
        raise RefusedError("already_cut", link=link)
    _cut(turn, (link,))


def _cut(turn: Turn, links: tuple[tuple[Endpoint, Endpoint], ...]) -> None:
    turn.cluster = replace(
        turn.cluster,
        links_cut=tuple(sorted({*turn.cluster.links_cut, *links}, key=_link_order)),
    )
    for sender, receiver in links:
        turn.say(LinkCut(from_=sender, to=receiver))
    for message in turn.cluster.messages:
        if (message.sender, message.receiver) in links and message.kind not in COMMANDS:
            lose(turn, message)
    for broker in turn.cluster.brokers:
        if not turn.cluster.reaches_controller(broker.broker_id):
            lose_contact(turn, broker.broker_id)


def _link_order(link: tuple[Endpoint, Endpoint]) -> tuple[str, str]:
    return str(link[0]), str(link[1])


def heal(turn: Turn, action: Heal) -> None:
    """One direction of one link, or all links of a broker, carry messages again."""
    if action.broker is not None:
        broker_id = action.broker
        healed = tuple(link for link in turn.cluster.links_cut if broker_id in link)
        if not healed:
            raise RefusedError("not_cut", link=(broker_id, broker_id))
    else:
        assert action.from_ is not None, "it says a broker or a link"
        assert action.to is not None, "it says a broker or a link"
        link = (action.from_, action.to)
        if not turn.cluster.is_cut(*link):
            raise RefusedError("not_cut", link=link)
        healed = (link,)
    turn.cluster = replace(
        turn.cluster,
        links_cut=tuple(link for link in turn.cluster.links_cut if link not in healed),
    )
    for sender, receiver in healed:
        turn.say(LinkHealed(from_=sender, to=receiver))
    for broker in turn.cluster.brokers:
        regain_contact(turn, broker.broker_id)
        handle_waiting_produces(turn, broker.broker_id)


def isolate(turn: Turn, action: Isolate) -> None:
    """Cut a broker off both ways from the controller, the other brokers, or everybody."""
    broker_id = action.broker
    whom = action.from_
    others: list[Endpoint] = []
    if whom in ("controller", "all"):
        others.append(CONTROLLER)
    if whom in ("brokers", "all"):
        others.extend(
            broker.broker_id for broker in turn.cluster.brokers if broker.broker_id != broker_id
        )
    links = tuple(
        link
        for other in others
        for link in ((broker_id, other), (other, broker_id))
        if not turn.cluster.is_cut(*link)
    )
    if not links:
        raise RefusedError("already_cut", link=(broker_id, whom))
    _cut(turn, links)


def slow(turn: Turn, action: Slow) -> None:
    """A broker's messages take that much longer whenever time passes."""
    broker = turn.cluster.broker(action.broker)
    turn.put_broker(replace(broker, slow_ms=action.ms))
    turn.say(BrokerSlowed(broker=broker.broker_id, ms=action.ms))
