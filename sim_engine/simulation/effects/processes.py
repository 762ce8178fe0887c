"""Ends a process, in an orderly way or not, or makes it hang; the controller loses
contact with it.
"""

from msgspec.structs import replace

from sim_engine.cluster.state import IsrChanges, Process
from sim_engine.identifiers import BrokerId
from sim_engine.protocol.follower.fetch_loop import disconnected
from sim_engine.protocol.messages import ZOOKEEPER_COMMANDS
from sim_engine.protocol.replica import without_memory
from sim_engine.simulation.effects.messages import lose
from sim_engine.simulation.effects.produce_responses import leave_unanswered
from sim_engine.simulation.effects.replicas import forget_fetches_of
from sim_engine.simulation.permissions import ChangesBrokers, EndsProcesses


def stop_cleanly(work: EndsProcesses, broker_id: BrokerId, process: Process) -> None:
    """Shut down a process cleanly: flush the logs, write all checkpoints and the clean-shutdown
    marker.

    A broker that exits by itself does the same (recorded on 1.1.1: exiting runs the shutdown hook).
    """
    broker = work.cluster.broker(broker_id)
    work.put_broker(
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
    end_process(work, broker_id, process)
    registered = work.cluster.controller.broker(broker_id)
    work.put_broker(
        replace(
            work.cluster.broker(broker_id),
            clean_shutdown=True,
            clean_shutdown_epoch=(
                registered.broker_epoch if registered.incarnation == broker.incarnation else -1
            ),
        )
    )


def end_process(work: EndsProcesses, broker_id: BrokerId, process: Process) -> None:
    """End a process: its memory, its messages in flight, and the requests that waited at it are
    lost.
    """
    broker = work.cluster.broker(broker_id)
    waiting = [
        delayed.request
        for replica in broker.replicas
        if replica.leading is not None
        for delayed in replica.leading.produces
    ]
    waiting.extend(
        produced.request
        for produced in work.cluster.clients.produced
        if produced.waits_at(broker_id)
    )
    parked = [
        (parked.follower, replica.partition, parked.message_id)
        for replica in broker.replicas
        if replica.leading is not None
        for parked in replica.leading.parked
    ]
    lose_contact(work, broker_id)
    broker = work.cluster.broker(broker_id)
    work.put_broker(
        replace(
            broker,
            process=process,
            replicas=tuple(without_memory(replica) for replica in broker.replicas),
            known_brokers=(),
            known_partitions=(),
            isr_changes=IsrChanges(),
            timers=(),
            ending_fetchers=(),
            down_since_frame=work.frame,
            controller_epoch=0,
            metadata_offset=0,
        )
    )
    for message in work.cluster.messages:
        # A ZooKeeper controller keeps retrying while it considers the broker alive.
        retried = message.kind in ZOOKEEPER_COMMANDS
        if broker_id in (message.sender, message.receiver) and not retried:
            lose(work, message)
    forget_fetches_of(work, broker_id)
    for follower, partition, message_id in parked:
        work.put_replica(disconnected(work.cluster.replica(follower, partition), message_id))
    for request in waiting:
        leave_unanswered(work, request, broker_id)


def hang(work: ChangesBrokers, broker_id: BrokerId) -> None:
    """0.10.2 begins to shut down and never finishes: the process and its session stay, but its
    fetchers have stopped (recorded).
    """
    broker = work.cluster.broker(broker_id)
    work.put_broker(
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


def lose_contact(work: ChangesBrokers, broker_id: BrokerId) -> None:
    """The controller loses contact with a broker, whose session will time out."""
    broker = work.cluster.broker(broker_id)
    if broker.contact_lost_ms is not None:
        return
    order = work.count_loss_of_contact()
    work.put_broker(replace(broker, contact_lost_ms=work.cluster.now_ms, contact_lost_order=order))
