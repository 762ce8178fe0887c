"""Ends a broker's process, in an orderly way or not, or makes it hang; deletes a replica with its
log; writes the checkpoint files of all replicas (high watermarks and recovery points).

The fetches that wait there end, and the controller loses contact.
"""

from msgspec.structs import replace

from sim_engine.cluster.state import Process, with_replicas, without_process
from sim_engine.events.log import (
    HighWatermarkCheckpointed,
    RecoveryPointCheckpointed,
    ReplicaDeleted,
)
from sim_engine.identifiers import BrokerId, TopicPartition
from sim_engine.protocol.follower.fetch_loop import disconnected, in_phase
from sim_engine.protocol.messages import COMMANDS, ZOOKEEPER_COMMANDS
from sim_engine.protocol.replica import Replica, records_subject, step_down_responses
from sim_engine.simulation.effects.clients import leave_unanswered, respond_to_producer
from sim_engine.simulation.effects.messages import lose
from sim_engine.simulation.working_copy import ChangesBrokers, EndsProcesses


def begin_to_checkpoint(work: ChangesBrokers, broker_id: BrokerId) -> None:
    """The first command starts the high watermark checkpoints without delay. A broker that has just
    started therefore writes the values that it read from the file, limited to its log
    (`ReplicaManager.startHighWatermarkCheckPointThread`, recorded on 0.10.2.2).
    """
    broker = work.cluster.broker(broker_id)
    if broker.checkpoints_high_watermarks:
        return
    work.put_broker(replace(broker, checkpoints_high_watermarks=True))
    if any(
        replica.checkpoint_high_watermark != replica.high_watermark for replica in broker.replicas
    ):
        checkpoint_high_watermarks(work, broker_id)


def checkpoint_high_watermarks(work: ChangesBrokers, broker_id: BrokerId) -> None:
    """`ReplicaManager.checkpointHighWatermarks`: every partition's high watermark, in one file."""
    broker = work.cluster.broker(broker_id)
    work.put_broker(
        with_replicas(
            broker, lambda one: replace(one, checkpoint_high_watermark=one.high_watermark)
        )
    )
    written = tuple(f"{one.partition}: {one.high_watermark}" for one in broker.replicas)
    work.say(HighWatermarkCheckpointed(broker=broker_id, high_watermarks=written))


def checkpoint_recovery_points(work: ChangesBrokers, broker_id: BrokerId) -> None:
    """`LogManager.checkpointLogRecoveryOffsets`: how far every log is flushed, in one file."""
    broker = work.cluster.broker(broker_id)
    work.put_broker(
        with_replicas(broker, lambda one: replace(one, checkpoint_recovery_point=one.flushed))
    )
    written = tuple(f"{one.partition}: {one.flushed}" for one in broker.replicas)
    work.say(RecoveryPointCheckpointed(broker=broker_id, recovery_points=written))


def delete_replica(work: EndsProcesses, replica: Replica) -> None:
    """Delete a replica that its broker no longer hosts, with its log. Its requests in flight end,
    and requests waiting at it receive an error.
    """
    broker_id, partition = replica.broker_id, replica.partition
    for response in step_down_responses(replica):
        respond_to_producer(work, response, replica)
    broker = work.cluster.broker(broker_id)
    work.put_broker(
        replace(
            broker, replicas=tuple(kept for kept in broker.replicas if kept.partition != partition)
        )
    )
    for message in work.cluster.messages:
        if (
            message.partition == partition
            and broker_id in (message.sender, message.receiver)
            and message.kind not in COMMANDS
        ):
            lose(work, message)
    forget_fetches_of(work, broker_id, partition)
    for parked in replica.parked:
        work.put_replica(
            disconnected(work.cluster.replica(parked.follower, partition), parked.message_id)
        )
    work.say(
        ReplicaDeleted(
            broker=broker_id,
            partition=partition,
            log_end_offset=replica.log_end_offset,
            subject=records_subject(replica, replica.log.records),
        )
    )


def forget_fetches_of(
    work: ChangesBrokers, follower: BrokerId, partition: TopicPartition | None = None
) -> None:
    """Remove the parked fetches of an ended process or a deleted replica from their leaders."""
    for broker in work.cluster.brokers:
        for replica in broker.replicas:
            leading = replica.leading
            if leading is None or partition not in (None, replica.partition):
                continue
            others = tuple(fetch for fetch in leading.parked if fetch.follower != follower)
            if others != leading.parked:
                work.put_replica(replace(replica, leading=replace(leading, parked=others)))


def stop_cleanly(work: EndsProcesses, broker_id: BrokerId, process: Process) -> None:
    """Shut down a process cleanly: flush the logs, write all checkpoints and the clean-shutdown
    marker.

    A broker that exits by itself does the same (recorded on 1.1.1: exiting runs the shutdown hook).
    """
    broker = work.cluster.broker(broker_id)
    work.put_broker(
        with_replicas(
            broker,
            lambda one: replace(
                one,
                flushed=one.log_end_offset,
                checkpoint_high_watermark=one.high_watermark,
                checkpoint_recovery_point=one.log_end_offset,
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
    """End a process: its memory, its messages and the requests that waited there are lost."""
    broker = work.cluster.broker(broker_id)
    waiting = [delayed.request for replica in broker.replicas for delayed in replica.produces]
    waiting.extend(
        produced.request
        for produced in work.cluster.clients.produced
        if produced.waits_at(broker_id)
    )
    parked = [
        (parked.follower, replica.partition, parked.message_id)
        for replica in broker.replicas
        for parked in replica.parked
    ]
    lose_contact(work, broker_id)
    work.put_broker(without_process(work.cluster.broker(broker_id), process, work.frame))
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

    def stopped(replica: Replica) -> Replica:
        fails = replica if replica.fetcher is None else in_phase(replica, "failed")
        return replace(fails, late_requests=())

    broker = replace(work.cluster.broker(broker_id), process="shutting_down")
    work.put_broker(with_replicas(broker, stopped))


def lose_contact(work: ChangesBrokers, broker_id: BrokerId) -> None:
    """The controller loses contact with a broker, whose session will time out."""
    broker = work.cluster.broker(broker_id)
    if broker.contact_lost_ms is not None:
        return
    order = work.count_loss_of_contact()
    work.put_broker(replace(broker, contact_lost_ms=work.cluster.now_ms, contact_lost_order=order))
