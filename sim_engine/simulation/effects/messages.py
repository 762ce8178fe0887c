"""Sends, delivers and loses messages. No other module adds messages to the network or removes them.

A lost AlterPartition is sent again immediately if possible, so sending and losing are in one
module.
"""

from msgspec.structs import replace

from sim_engine.identifiers import CONTROLLER, BrokerId, Endpoint, TopicPartition
from sim_engine.protocol.follower.fetch_loop import disconnected
from sim_engine.protocol.leader.isr import with_pending_isr
from sim_engine.protocol.messages import (
    COMMANDS,
    FOLLOWER_REQUESTS,
    KIND_OF,
    AlterPartitionRequest,
    Message,
    Payload,
)
from sim_engine.protocol.replica import PendingIsr, Replica
from sim_engine.simulation.message_moves import MessageFate, MessageMove
from sim_engine.simulation.permissions import ChangesMessages, SendsMessages


def send(
    work: SendsMessages,
    sender: Endpoint,
    receiver: Endpoint,
    partition: TopicPartition | None,
    payload: Payload,
) -> int:
    """Send a message and return its id."""
    kind = KIND_OF[type(payload)]
    message = Message(
        id=work.cluster.next_message_id,
        sender=sender,
        receiver=receiver,
        partition=partition,
        payload=payload,
        sent_ms=work.cluster.now_ms,
        held=(kind, sender, receiver) in work.cluster.network_holds,
    )
    work.add_message(message)
    work.record_move(MessageMove("sent", message, work.cluster.now_ms))
    if kind not in COMMANDS:
        _lose_if_unreachable(work, message)
    return message.id


def _lose_if_unreachable(work: SendsMessages, message: Message) -> None:
    down = isinstance(message.receiver, int) and not work.cluster.broker(message.receiver).alive
    if down or work.cluster.is_cut(message.sender, message.receiver):
        lose(work, message)


def remove(work: ChangesMessages, message: Message, fate: MessageFate = "arrived") -> None:
    """Remove a message that has arrived or is lost from the network."""
    work.record_move(MessageMove(fate, message, work.cluster.now_ms))
    work.put_messages(tuple([other for other in work.cluster.messages if other.id != message.id]))


def replace_message(work: ChangesMessages, changed: Message) -> None:
    """Update a message in flight."""
    work.put_messages(
        tuple(changed if other.id == changed.id else other for other in work.cluster.messages)
    )


def lose(work: SendsMessages, message: Message) -> None:
    """Lose a message and close its connection: a sender that waits for the response detects a
    disconnect.
    """
    remove(work, message, "lost")
    _disconnect(work, message)


def _disconnect(work: SendsMessages, message: Message) -> None:
    waiting_at = message.sender if message.kind in FOLLOWER_REQUESTS else message.receiver
    request_id = message.id if message.in_reply_to is None else message.in_reply_to
    if message.kind in ("alter_partition_request", "alter_partition_response"):
        _lose_proposal(work, message, request_id)
        return
    if isinstance(waiting_at, int) and message.partition is not None:
        replica = work.cluster.broker(waiting_at).replica(message.partition)
        if replica is not None:
            work.put_replica(disconnected(replica, request_id))


def _lose_proposal(work: SendsMessages, message: Message, request_id: int) -> None:
    """A lost AlterPartition is sent again (a network error is retried).

    The change stays pending meanwhile, because the controller may have committed it: replicas that
    may have joined must keep counting for the high watermark (KIP-497).
    """
    leader = message.sender if message.receiver == CONTROLLER else message.receiver
    assert isinstance(leader, int), "leaders propose"
    assert message.partition is not None, "a proposal is about one partition"
    replica = work.cluster.replica(leader, message.partition)
    pending = None if replica.leading is None else replica.leading.pending_isr
    if pending is None or pending.request != request_id:
        return
    work.put_replica(with_pending_isr(replica, replace(pending, request=None)))
    propose_again(work, leader)


def propose_again(work: SendsMessages, leader: BrokerId) -> None:
    """Resend the lost proposals of a leader, if it is running and can reach the controller."""
    broker = work.cluster.broker(leader)
    if not broker.running or not work.cluster.reaches_controller(leader):
        return
    for replica in broker.replicas:
        pending = None if replica.leading is None else replica.leading.pending_isr
        if pending is not None and pending.request is None and not pending.given_up:
            send_proposal(work, replica, pending)


def send_proposal(work: SendsMessages, replica: Replica, change: PendingIsr) -> None:
    """Send the AlterPartition request of a pending change."""
    replica = with_pending_isr(replica, replace(change, request=work.cluster.next_message_id))
    work.put_replica(replica)
    assert replica.leading is not None, "only a leader proposes"
    epochs: tuple[int, ...] | None = None
    rules = work.cluster.profile.rules
    known = {
        broker.broker_id: broker.broker_epoch
        for broker in work.cluster.broker(replica.broker_id).known_brokers
    }
    if rules.broker_epoch_in_isr:
        remotes = {remote.broker_id: remote.broker_epoch for remote in replica.leading.remotes}
        epochs = tuple(
            known.get(member, -1)
            if member == replica.broker_id
            else _or_unknown(remotes.get(member))
            for member in change.isr
        )
    send(
        work,
        replica.broker_id,
        CONTROLLER,
        replica.partition,
        AlterPartitionRequest(
            leader_epoch=replica.leader_epoch,
            partition_epoch=replica.partition_epoch,
            new_isr=change.isr,
            broker_epochs=epochs,
            leader_recovery_state="RECOVERED",
            broker_epoch=known.get(replica.broker_id),
        ),
    )


def _or_unknown(broker_epoch: int | None) -> int:
    return -1 if broker_epoch is None else broker_epoch
