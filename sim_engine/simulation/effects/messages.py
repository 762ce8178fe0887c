"""Messages are sent, arrive and are lost; nothing else puts one on the network or takes it off.

An AlterPartition that is lost is sent anew at once where that is possible, so that losing and
sending belong together.
"""

from msgspec.structs import replace

from sim_engine.identifiers import CONTROLLER, BrokerId, Endpoint, TopicPartition
from sim_engine.protocol.follower.late_responses import disconnected
from sim_engine.protocol.leader.isr_membership import with_pending_isr
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
from sim_engine.simulation.turn import Turn


def send(
    turn: Turn,
    sender: Endpoint,
    receiver: Endpoint,
    partition: TopicPartition | None,
    payload: Payload,
) -> int:
    """Put a message on its way; give its id."""
    kind = KIND_OF[type(payload)]
    message = Message(
        id=turn.cluster.next_message_id,
        sender=sender,
        receiver=receiver,
        partition=partition,
        payload=payload,
        sent_ms=turn.cluster.now_ms,
        held=(kind, sender, receiver) in turn.cluster.network_holds,
    )
    turn.cluster = replace(
        turn.cluster,
        messages=(*turn.cluster.messages, message),
        next_message_id=message.id + 1,
    )
    turn.moves.append(MessageMove("sent", message, turn.cluster.now_ms))
    if kind not in COMMANDS:
        _lose_if_unreachable(turn, message)
    return message.id


def _lose_if_unreachable(turn: Turn, message: Message) -> None:
    down = isinstance(message.receiver, int) and not turn.cluster.broker(message.receiver).alive
    if down or turn.cluster.is_cut(message.sender, message.receiver):
        lose(turn, message)


def remove(turn: Turn, message: Message, fate: MessageFate = "arrived") -> None:
    """Remove a message from the network: it has arrived, or is lost."""
    turn.moves.append(MessageMove(fate, message, turn.cluster.now_ms))
    turn.put_messages(tuple([other for other in turn.cluster.messages if other.id != message.id]))


def replace_message(turn: Turn, changed: Message) -> None:
    """Replace a message in flight with itself as it is now."""
    turn.put_messages(
        tuple(changed if other.id == changed.id else other for other in turn.cluster.messages)
    )


def lose(turn: Turn, message: Message) -> None:
    """A message is lost with its connection: who waits for an answer sees a disconnect."""
    remove(turn, message, "lost")
    _disconnect(turn, message)


def _disconnect(turn: Turn, message: Message) -> None:
    waiting_at = message.sender if message.kind in FOLLOWER_REQUESTS else message.receiver
    request_id = message.id if message.in_reply_to is None else message.in_reply_to
    if message.kind in ("alter_partition_request", "alter_partition_response"):
        _lose_proposal(turn, message, request_id)
        return
    if isinstance(waiting_at, int) and message.partition is not None:
        replica = turn.cluster.broker(waiting_at).replica(message.partition)
        if replica is not None:
            turn.put_replica(disconnected(replica, request_id))


def _lose_proposal(turn: Turn, message: Message, request_id: int) -> None:
    """A lost AlterPartition is sent again (a network error is retried).

    The change stays pending all the while, for the controller may have made it: who may have
    joined must go on counting for the high watermark (KIP-497).
    """
    leader = message.sender if message.receiver == CONTROLLER else message.receiver
    assert isinstance(leader, int), "leaders propose"
    assert message.partition is not None, "a proposal is about one partition"
    replica = turn.cluster.replica(leader, message.partition)
    pending = None if replica.leading is None else replica.leading.pending_isr
    if pending is None or pending.request != request_id:
        return
    turn.put_replica(with_pending_isr(replica, replace(pending, request=None)))
    propose_again(turn, leader)


def propose_again(turn: Turn, leader: BrokerId) -> None:
    """Send the proposals of a leader that were lost, if it runs and nothing is cut."""
    broker = turn.cluster.broker(leader)
    if not broker.running or not turn.cluster.reaches_controller(leader):
        return
    for replica in broker.replicas:
        pending = None if replica.leading is None else replica.leading.pending_isr
        if pending is not None and pending.request is None and not pending.given_up:
            send_proposal(turn, replica, pending)


def send_proposal(turn: Turn, replica: Replica, change: PendingIsr) -> None:
    """Send the AlterPartition request of a pending change."""
    replica = with_pending_isr(replica, replace(change, request=turn.cluster.next_message_id))
    turn.put_replica(replica)
    assert replica.leading is not None, "only a leader proposes"
    epochs: tuple[int, ...] | None = None
    rules = turn.cluster.profile.rules
    known = {
        broker.broker_id: broker.broker_epoch
        for broker in turn.cluster.broker(replica.broker_id).known_brokers
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
        turn,
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
