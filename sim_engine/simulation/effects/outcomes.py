"""Applies the outcome of a replica's transition: state, messages, responses, ISR writes.

Writing the ISR is part of it, because a written ISR can advance the high watermark, which is
another transition. When a broker regains contact with the controller, it writes the ISRs that
waited for it.
"""

from msgspec.structs import replace

from sim_engine.events.isr import IsrChangeBlocked, IsrChangeRejected
from sim_engine.identifiers import CONTROLLER, BrokerId, TopicPartition
from sim_engine.protocol.controller.zookeeper.controller import write_isr
from sim_engine.protocol.leader.high_watermark import maybe_increment_high_watermark
from sim_engine.protocol.leader.isr import proposed_event, with_pending_isr
from sim_engine.protocol.leader.leadership import with_isr
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.protocol.replica import Outcome, PendingIsr, Replica
from sim_engine.simulation.effects.brokers import end_process, hang, stop_cleanly
from sim_engine.simulation.effects.clients import respond_to_producer
from sim_engine.simulation.effects.messages import (
    apply_controller_outcome,
    propose_again,
    send,
    send_proposal,
)
from sim_engine.simulation.working_copy import (
    ActsAsController,
    AppliesOutcomes,
    ChangesBrokers,
    ChangesNetwork,
)


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
