"""A process ends, in order or not, or hangs; the controller no longer hears of it."""

from msgspec.structs import replace

from sim_engine.cluster.state import IsrChanges, Process
from sim_engine.identifiers import BrokerId
from sim_engine.protocol.follower.late_responses import disconnected
from sim_engine.protocol.messages import ZOOKEEPER_COMMANDS
from sim_engine.protocol.replica import without_memory
from sim_engine.simulation.effects.messages import lose
from sim_engine.simulation.effects.produce_responses import leave_unanswered
from sim_engine.simulation.effects.replicas import forget_fetches_of
from sim_engine.simulation.turn import Turn


def stop_cleanly(turn: Turn, broker_id: BrokerId, process: Process) -> None:
    """A process ends in order: flushed logs, every checkpoint, the clean-shutdown marker.

    A broker that ends itself does so too (recorded on 1.1.1: exiting runs the shutdown hook).
    """
    broker = turn.cluster.broker(broker_id)
    turn.put_broker(
        replace(
            broker,
            replicas=tuple(
                replace(
                    replica,
                    flushed=replica.log_end_offset,
                    checkpoint_high_watermark=replica.high_watermark,
                    checkpoint_recovery_point=replica.log_end_offset,
                )
                for replica in broker.replicas
            ),
        )
    )
    end_process(turn, broker_id, process)
    registered = turn.cluster.controller.broker(broker_id)
    turn.put_broker(
        replace(
            turn.cluster.broker(broker_id),
            clean_shutdown=True,
            clean_shutdown_epoch=(
                registered.broker_epoch if registered.incarnation == broker.incarnation else -1
            ),
        )
    )


def end_process(turn: Turn, broker_id: BrokerId, process: Process) -> None:
    """A process is gone: its memory, what was under way to and from it, who waited on it."""
    broker = turn.cluster.broker(broker_id)
    waiting = [
        delayed.request
        for replica in broker.replicas
        if replica.leading is not None
        for delayed in replica.leading.produces
    ]
    waiting.extend(
        produced.request
        for produced in turn.cluster.clients.produced
        if produced.waits_at(broker_id)
    )
    parked = [
        (parked.follower, replica.partition, parked.message_id)
        for replica in broker.replicas
        if replica.leading is not None
        for parked in replica.leading.parked
    ]
    lose_contact(turn, broker_id)
    broker = turn.cluster.broker(broker_id)
    turn.put_broker(
        replace(
            broker,
            process=process,
            replicas=tuple(without_memory(replica) for replica in broker.replicas),
            known_brokers=(),
            known_partitions=(),
            isr_changes=IsrChanges(),
            timers=(),
            ending_fetchers=(),
            down_since_frame=turn.frame,
            controller_epoch=0,
            metadata_offset=0,
        )
    )
    for message in turn.cluster.messages:
        # A ZooKeeper controller goes on trying while it takes the broker for live.
        retried = message.kind in ZOOKEEPER_COMMANDS
        if broker_id in (message.sender, message.receiver) and not retried:
            lose(turn, message)
    forget_fetches_of(turn, broker_id)
    for follower, partition, message_id in parked:
        turn.put_replica(disconnected(turn.cluster.replica(follower, partition), message_id))
    for request in waiting:
        leave_unanswered(turn, request, broker_id)


def hang(turn: Turn, broker_id: BrokerId) -> None:
    """0.10.2 begins to shut down and never ends: the process and its session stay, its fetchers
    are gone (recorded)."""
    broker = turn.cluster.broker(broker_id)
    turn.put_broker(
        replace(
            broker,
            process="shutting_down",
            replicas=tuple(
                replace(
                    replica,
                    fetcher=(
                        None
                        if replica.fetcher is None
                        else replace(replica.fetcher, phase="failed", awaiting=None)
                    ),
                    late_requests=(),
                )
                for replica in broker.replicas
            ),
        )
    )


def lose_contact(turn: Turn, broker_id: BrokerId) -> None:
    """From now on the controller does not hear of a broker; its session runs out."""
    broker = turn.cluster.broker(broker_id)
    if broker.contact_lost_ms is not None:
        return
    order = turn.cluster.losses_of_contact + 1
    turn.cluster = replace(turn.cluster, losses_of_contact=order)
    turn.put_broker(replace(broker, contact_lost_ms=turn.cluster.now_ms, contact_lost_order=order))
