"""Changes a broker: applies the outcome of a replica's transition (state, messages, responses, ISR
writes); ends the broker's process, in an orderly way or not, or makes it hang; deletes a replica
with its log; writes the checkpoint files of all replicas (high watermarks and recovery points).

Writing the ISR is part of an outcome, because a written ISR can advance the high watermark, which
is another transition. When a broker regains contact with the controller, it writes the ISRs that
waited for it. When its process ends, so do the fetches that wait there, and the controller loses
contact.
"""

from msgspec.structs import replace

from sim_engine.cluster.state import Process, with_replicas, without_process
from sim_engine.events.isr import IsrChangeBlocked, IsrChangeRejected
from sim_engine.events.log import (
    HighWatermarkCheckpointed,
    RecoveryPointCheckpointed,
    ReplicaDeleted,
)
from sim_engine.identifiers import CONTROLLER, BrokerId, TopicPartition
from sim_engine.protocol.controller.zookeeper.controller import write_isr
from sim_engine.protocol.follower.fetch_loop import disconnected, in_phase
from sim_engine.protocol.leader.high_watermark import maybe_increment_high_watermark
from sim_engine.protocol.leader.isr import proposed_event, with_pending_isr
from sim_engine.protocol.leader.leadership import with_isr
from sim_engine.protocol.messages import COMMANDS, ZOOKEEPER_COMMANDS, PartitionRegistration
from sim_engine.protocol.replica import (
    Outcome,
    PendingIsr,
    Replica,
    records_subject,
    step_down_responses,
)
from sim_engine.simulation.effects.messages import (
    apply_controller_outcome,
    leave_unanswered,
    lose,
    propose_again,
    respond_to_producer,
    send,
    send_proposal,
)
from sim_engine.simulation.working_copy import (
    ActsAsController,
    AppliesOutcomes,
    ChangesBrokers,
    ChangesNetwork,
    EndsProcesses,
)


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


def apply_outcome(work: AppliesOutcomes, outcome: Outcome) -> None:
    """Apply the outcome of a replica's transition: state, messages, responses, proposals."""
    replica = outcome.replica
    work.put_replica(replica)
    work.say(*outcome.events)
    for message in outcome.sends:
        send(work, replica.broker_id, message.receiver, message.partition, message.payload)
    for response in outcome.produce_responses:
        respond_to_producer(work, response, replica)
    if outcome.isr_write is not None:
        change_isr(work, replica.broker_id, replica.partition, outcome.isr_write)
    if outcome.process_ends == "exit":
        stop_cleanly(work, replica.broker_id, "failed")
    elif outcome.process_ends == "halt":
        end_process(work, replica.broker_id, "failed")
    elif outcome.process_ends == "hang":
        hang(work, replica.broker_id)


def change_isr(
    work: AppliesOutcomes, leader: BrokerId, partition: TopicPartition, change: PendingIsr
) -> None:
    """Change a leader's ISR, by writing the znode or by asking the controller (KIP-497).

    The high watermark is updated afterwards, whether or not the write succeeds.
    """
    replica = work.cluster.replica(leader, partition)
    if replica.leading is None:
        return
    rules = work.cluster.profile.rules
    if rules.alter_partition:
        _propose_isr(work, replica, change)
        return
    if not work.cluster.reaches_controller(leader):
        work.say(IsrChangeBlocked(broker=leader, partition=partition))
        work.put_replica(replace(replica, leading=replace(replica.leading, blocked_isr=change)))
        return
    error, written = write_isr(
        work.cluster.controller,
        partition,
        change.isr,
        replica.partition_epoch,
        recovered=rules.leader_recovery_state,
    )
    if written is None:
        work.say(
            IsrChangeRejected(
                rule="ZK-ISR-WRITE",
                sources=("Partition", "KIP-497"),
                **replica.place(),
                error=error,
            )
        )
        apply_outcome(work, maybe_increment_high_watermark(replica, work.cluster.view_of(replica)))
        return
    work.put_controller(written.controller)
    work.say(*written.events)
    take_isr(work, replica, written.controller.partition(partition))
    _note_isr_change(work, leader, partition)
    finish_reassignment(work, partition)


def _note_isr_change(work: ChangesBrokers, leader: BrokerId, partition: TopicPartition) -> None:
    """Record that the controller must be notified of an ISR that this leader has written itself."""
    cluster = work.cluster
    if cluster.controller_kind.learns_isr_changes_by_notification(cluster.profile.rules):
        broker = cluster.broker(leader)
        noted = sorted({*broker.isr_changes.partitions, partition})
        changes = replace(
            broker.isr_changes, partitions=tuple(noted), last_change_ms=cluster.now_ms
        )
        work.put_broker(replace(broker, isr_changes=changes))


def take_isr(work: AppliesOutcomes, replica: Replica, registration: PartitionRegistration) -> None:
    """A leader learns that its ISR is committed."""
    rules = work.cluster.profile.rules
    apply_outcome(
        work,
        with_isr(
            replica,
            registration.isr,
            registration.partition_epoch,
            work.cluster.view_of(replica),
            look_at_high_watermark=(
                not rules.alter_partition or rules.high_watermark_on_isr_commit
            ),
        ),
    )


def finish_reassignment(work: ActsAsController, partition: TopicPartition) -> None:
    """Complete a reassignment if the controller was waiting for this ISR change."""
    kind, situation = work.cluster.controller_kind, work.cluster.situation()
    apply_controller_outcome(work, kind.complete_reassignment(situation, partition))


def _propose_isr(work: ChangesNetwork, replica: Replica, change: PendingIsr) -> None:
    pending = with_pending_isr(replica, change)
    work.put_replica(pending)
    if change.kind == "shrink":
        # The leader's event about the joining replicas came before its update of the high
        # watermark.
        work.say(proposed_event(pending, change, work.cluster.profile.rules))
    if work.cluster.is_cut(replica.broker_id, CONTROLLER):
        work.say(
            IsrChangeBlocked(
                variant="controller", rule="KIP-497", sources=("KIP-497",), **replica.place()
            )
        )
        return
    send_proposal(work, pending, change)


def regain_contact(work: AppliesOutcomes, broker_id: BrokerId) -> None:
    """Restore the contact with a broker, if it is running and the link is not cut."""
    broker = work.cluster.broker(broker_id)
    if broker.running and work.cluster.reaches_controller(broker_id):
        work.put_broker(replace(broker, contact_lost_ms=None))
        propose_again(work, broker_id)
        _write_blocked_isrs(work, broker_id)


def _write_blocked_isrs(work: AppliesOutcomes, leader: BrokerId) -> None:
    """Perform the ISR writes that waited for ZooKeeper, unless the znode has changed since."""
    for replica in work.cluster.broker(leader).replicas:
        blocked = None if replica.leading is None else replica.leading.blocked_isr
        if blocked is not None:
            assert replica.leading is not None, "only a leader changes its ISR"
            work.put_replica(replace(replica, leading=replace(replica.leading, blocked_isr=None)))
            change_isr(work, leader, replica.partition, blocked)
