"""What a replica's transition returned is taken over: state, messages, responses, ISR writes.

Writing the ISR is part of it, because a written ISR moves the high watermark, which is a transition
of its own.
"""

from msgspec.structs import replace

from sim_engine.cluster.knowledge import eligible_for_isr
from sim_engine.error_codes import ErrorCode
from sim_engine.events import Event
from sim_engine.events.isr import IsrChangeBlocked, IsrChangeRejected
from sim_engine.identifiers import CONTROLLER, BrokerId, TopicPartition
from sim_engine.protocol.controller.zookeeper.isr_changes import write_isr
from sim_engine.protocol.leader.high_watermark import maybe_increment_high_watermark
from sim_engine.protocol.leader.isr_membership import proposed_event, with_pending_isr
from sim_engine.protocol.leader.leadership import with_isr
from sim_engine.protocol.metadata import PartitionRegistration
from sim_engine.protocol.outcome import Outcome
from sim_engine.protocol.replica import PendingIsr, Replica
from sim_engine.simulation.effects.controller_outcomes import apply_controller_outcome
from sim_engine.simulation.effects.messages import send, send_proposal
from sim_engine.simulation.effects.processes import end_process, hang, stop_cleanly
from sim_engine.simulation.effects.produce_responses import answer_producer
from sim_engine.simulation.turn import Turn


def apply_outcome(turn: Turn, outcome: Outcome) -> None:
    """Take over what a replica's transition returned: state, messages, answers, proposals."""
    replica = outcome.replica
    turn.put_replica(replica)
    turn.say(*outcome.events)
    for message in outcome.sends:
        send(turn, replica.broker_id, message.receiver, message.partition, message.payload)
    for answer in outcome.answers:
        answer_producer(turn, answer, replica)
    if outcome.isr_write is not None:
        change_isr(turn, replica.broker_id, replica.partition, outcome.isr_write)
    if outcome.process_ends == "exit":
        stop_cleanly(turn, replica.broker_id, "failed")
    elif outcome.process_ends == "halt":
        end_process(turn, replica.broker_id, "failed")
    elif outcome.process_ends == "hang":
        hang(turn, replica.broker_id)


def change_isr(turn: Turn, leader: BrokerId, partition: TopicPartition, change: PendingIsr) -> None:
    """A leader changes its ISR: by writing the znode, or by asking the controller (KIP-497).

    Whether the write succeeds or not, the high watermark is looked at after it.
    """
    replica = turn.cluster.replica(leader, partition)
    if replica.leading is None:
        return
    rules = turn.cluster.profile.rules
    if rules.alter_partition:
        _propose_isr(turn, replica, change)
        return
    if not turn.cluster.reaches_controller(leader):
        turn.say(IsrChangeBlocked(broker=leader, partition=partition))
        turn.put_replica(replace(replica, leading=replace(replica.leading, blocked_isr=change)))
        return
    error, written = write_isr(
        turn.cluster.controller,
        partition,
        change.isr,
        replica.partition_epoch,
        recovered=rules.leader_recovery_state,
    )
    if written is None:
        turn.say(_isr_rejected(replica, error))
        _look_at_high_watermark(turn, replica)
        return
    turn.put_controller(written.controller)
    turn.say(*written.events)
    take_isr(turn, replica, written.controller.partition(partition))
    _note_isr_change(turn, leader, partition)
    finish_reassignment(turn, partition)


def _note_isr_change(turn: Turn, leader: BrokerId, partition: TopicPartition) -> None:
    """Remember to tell the controller of an ISR that this leader has written itself."""
    cluster = turn.cluster
    if cluster.controller_kind.hears_of_isr_changes_later(cluster.profile.rules):
        broker = cluster.broker(leader)
        noted = sorted({*broker.isr_changes.partitions, partition})
        changes = replace(
            broker.isr_changes, partitions=tuple(noted), last_change_ms=cluster.now_ms
        )
        turn.put_broker(replace(broker, isr_changes=changes))


def take_isr(turn: Turn, replica: Replica, registration: PartitionRegistration) -> None:
    """A leader learns that its ISR is committed."""
    rules = turn.cluster.profile.rules
    apply_outcome(
        turn,
        with_isr(
            replica,
            registration.isr,
            registration.partition_epoch,
            settings=turn.cluster.settings_of(replica.partition),
            now_ms=turn.cluster.now_ms,
            eligible=eligible_for_isr(turn.cluster, replica.broker_id),
            look_at_high_watermark=(
                not rules.alter_partition or rules.high_watermark_on_isr_commit
            ),
        ),
    )


def _look_at_high_watermark(turn: Turn, replica: Replica) -> None:
    apply_outcome(
        turn,
        maybe_increment_high_watermark(
            replica,
            settings=turn.cluster.settings_of(replica.partition),
            now_ms=turn.cluster.now_ms,
            eligible=eligible_for_isr(turn.cluster, replica.broker_id),
        ),
    )


def finish_reassignment(turn: Turn, partition: TopicPartition) -> None:
    """A controller that watches the ISR of a partition that moves may end the move."""
    cluster = turn.cluster
    outcome = cluster.controller_kind.complete_reassignment(
        cluster.controller, partition, cluster.profile, cluster.policies()
    )
    if outcome is not None:
        apply_controller_outcome(turn, outcome)


def _propose_isr(turn: Turn, replica: Replica, change: PendingIsr) -> None:
    pending = with_pending_isr(replica, change)
    turn.put_replica(pending)
    if change.kind == "shrink":
        # Of who is to join the leader has said so before it looked at the high watermark.
        turn.say(proposed_event(pending, change, turn.cluster.profile.rules))
    if turn.cluster.is_cut(replica.broker_id, CONTROLLER):
        turn.say(
            IsrChangeBlocked(
                variant="controller",
                rule="KIP-497",
                sources=("KIP-497",),
                broker=replica.broker_id,
                partition=replica.partition,
            )
        )
        return
    send_proposal(turn, pending, change)


def _isr_rejected(replica: Replica, error: ErrorCode) -> Event:
    return IsrChangeRejected(
        rule="ZK-ISR-WRITE",
        sources=("Partition", "KIP-497"),
        broker=replica.broker_id,
        partition=replica.partition,
        error=error,
    )
