"""Sends, delivers and loses messages, announces the controller's decisions to the brokers, and
applies what clients learn. No other module adds messages to the network or removes them.

A lost AlterPartition is sent again immediately if possible. A decision is announced by commands
(LeaderAndIsr, StopReplica, UpdateMetadata) or by records of the metadata log. A client learns the
leader and leader epoch of each partition, and the results of its requests, or that there never is
one.
"""

from typing import Literal, TypedDict

from msgspec.structs import replace

from sim_engine.cluster.state import ALIVE, Client, ClusterState, known_registration, with_known
from sim_engine.events.clients import (
    ClientMetadataRefreshed,
    ProduceAcknowledged,
    ProduceFailed,
    ProduceUnanswered,
)
from sim_engine.identifiers import (
    CONTROLLER,
    NO_LEADER,
    BrokerId,
    Endpoint,
    ErrorCode,
    TopicPartition,
)
from sim_engine.protocol import messages
from sim_engine.protocol.controller.state import Controller, ControllerOutcome
from sim_engine.protocol.follower.fetch_loop import disconnected
from sim_engine.protocol.leader.isr import with_pending_isr
from sim_engine.protocol.log import last_sequence
from sim_engine.protocol.replica import PendingIsr, ProduceResponse, Replica
from sim_engine.simulation.working_copy import (
    ActsAsController,
    ChangesClients,
    ChangesNetwork,
    MessageFate,
    MessageMove,
)


def send(
    work: ChangesNetwork,
    sender: Endpoint,
    receiver: Endpoint,
    partition: TopicPartition | None,
    payload: messages.Payload,
) -> int:
    """Send a message and return its id."""
    kind = messages.KIND_OF[type(payload)]
    message = messages.Message(
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
    if kind not in messages.COMMANDS:
        _lose_if_unreachable(work, message)
    return message.id


def _lose_if_unreachable(work: ChangesNetwork, message: messages.Message) -> None:
    receiver = message.receiver
    down = isinstance(receiver, int) and work.cluster.process_of(receiver) not in ALIVE
    if down or work.cluster.is_cut(message.sender, message.receiver):
        lose(work, message)


def remove(work: ChangesNetwork, message: messages.Message, fate: MessageFate = "arrived") -> None:
    """Remove a message that has arrived or is lost from the network."""
    work.record_move(MessageMove(fate, message, work.cluster.now_ms))
    work.put_messages(tuple([other for other in work.cluster.messages if other.id != message.id]))


def replace_message(work: ChangesNetwork, changed: messages.Message) -> None:
    """Update a message in flight."""
    work.put_messages(
        tuple(changed if other.id == changed.id else other for other in work.cluster.messages)
    )


def lose(work: ChangesNetwork, message: messages.Message) -> None:
    """Lose a message and its connection: a sender that waits for the response is disconnected."""
    remove(work, message, "lost")
    _disconnect(work, message)


def _disconnect(work: ChangesNetwork, message: messages.Message) -> None:
    waiting_at = message.sender if message.kind in messages.FOLLOWER_REQUESTS else message.receiver
    request_id = message.id if message.in_reply_to is None else message.in_reply_to
    if message.kind in ("alter_partition_request", "alter_partition_response"):
        _lose_proposal(work, message, request_id)
        return
    if isinstance(waiting_at, int) and message.partition is not None:
        replica = work.cluster.broker(waiting_at).replica(message.partition)
        if replica is not None:
            work.put_replica(disconnected(replica, request_id))


def _lose_proposal(work: ChangesNetwork, message: messages.Message, request_id: int) -> None:
    """A lost AlterPartition is sent again (a network error is retried).

    The change stays pending meanwhile, because the controller may have committed it: replicas that
    may have joined must keep counting for the high watermark (KIP-497).
    """
    is_request = message.receiver == CONTROLLER
    leader = message.sending_broker if is_request else message.receiving_broker
    replica = work.cluster.replica(leader, message.only_partition)
    pending = replica.pending_isr
    if pending is None or pending.request != request_id:
        return
    work.put_replica(with_pending_isr(replica, replace(pending, request=None)))
    propose_again(work, leader)


def propose_again(work: ChangesNetwork, leader: BrokerId) -> None:
    """Resend the lost proposals of a leader, if it is running and can reach the controller."""
    broker = work.cluster.broker(leader)
    if not broker.running or not work.cluster.reaches_controller(leader):
        return
    for replica in broker.replicas:
        pending = replica.pending_isr
        if pending is not None and pending.request is None and not pending.given_up:
            send_proposal(work, replica, pending)


def send_proposal(work: ChangesNetwork, replica: Replica, change: PendingIsr) -> None:
    """Send the AlterPartition request of a pending change."""
    replica = with_pending_isr(replica, replace(change, request=work.cluster.next_message_id))
    work.put_replica(replica)
    assert replica.leading is not None, "only a leader proposes"
    leader = replica.broker_id
    known_brokers = work.cluster.broker(leader).known_brokers
    own_epoch = next((one.broker_epoch for one in known_brokers if one.broker_id == leader), None)
    epochs: list[int] | None = None
    if work.cluster.profile.rules.broker_epoch_in_isr:
        known = {remote.broker_id: remote.broker_epoch for remote in replica.leading.remotes}
        of_members = [{**known, leader: own_epoch}.get(member) for member in change.isr]
        epochs = [-1 if epoch is None else epoch for epoch in of_members]
    proposal = messages.AlterPartitionRequest(
        leader_epoch=replica.leader_epoch,
        partition_epoch=replica.partition_epoch,
        new_isr=change.isr,
        broker_epochs=None if epochs is None else tuple(epochs),
        leader_recovery_state="RECOVERED",
        broker_epoch=own_epoch,
    )
    send(work, leader, CONTROLLER, replica.partition, proposal)


def tell_metadata(
    work: ChangesNetwork,
    broker_id: BrokerId,
    partitions: tuple[messages.PartitionRegistration, ...],
) -> None:
    """Queue an UpdateMetadata. If the last message in the queue is one, it is merged with it."""
    controller = work.cluster.controller
    queued = _last_sent_to(work.cluster, broker_id)
    if (
        queued is not None
        and isinstance(queued.payload, messages.UpdateMetadata)
        and queued.payload.controller_epoch == controller.controller_epoch
        and not queued.held
    ):
        remove(work, queued, "replaced")
        newer = {registration.partition for registration in partitions}
        older = [one for one in queued.payload.partitions if one.partition not in newer]
        partitions = (*older, *partitions)
    update = messages.UpdateMetadata(
        **_epochs(work.cluster, broker_id),
        partitions=partitions,
        brokers=tuple(broker for broker in controller.brokers if broker.live),
    )
    send(work, CONTROLLER, broker_id, None, update)


def publish(work: ChangesNetwork, broker_id: BrokerId, outcome: ControllerOutcome) -> None:
    """Let a broker read the records that the controller has just written to the metadata log.

    Records that are only about brokers are read together with the next ones, as in one fetch of the
    log.
    """
    registered_now = work.cluster.controller.broker(broker_id)
    if registered_now.incarnation != work.cluster.incarnation_of(broker_id):
        # A process that has not registered yet reads the log after it has.
        return
    records = messages.MetadataRecords(
        offset=work.cluster.controller.metadata_offset,
        partitions=outcome.changed_partitions,
        brokers=outcome.changed_brokers,
        records=outcome.records,
    )
    concerned = _single(outcome.changed_partitions)
    last = _last_sent_to(work.cluster, broker_id)
    before = None if last is None else last.payload
    if last is None or not isinstance(before, messages.MetadataRecords) or before.partitions:
        send(work, CONTROLLER, broker_id, concerned, records)
        return
    merged = replace(
        records,
        brokers=messages.with_newer(before.brokers, records.brokers),
        records=(*before.records, *records.records),
    )
    replace_message(work, replace(last, payload=merged, partition=concerned))


def _single(partitions: tuple[messages.PartitionRegistration, ...]) -> TopicPartition | None:
    """The partition of a message; None if it is about several or none."""
    return partitions[0].partition if len(partitions) == 1 else None


def publish_everything(work: ChangesNetwork, broker_id: BrokerId) -> None:
    """Let a broker that has just registered read the whole metadata log."""
    broker = work.cluster.broker(broker_id)
    controller = work.cluster.controller
    for message in work.cluster.messages:
        if message.receiver == broker_id and message.kind == "metadata_record":
            remove(work, message, "replaced")
    records = messages.MetadataRecords(
        offset=controller.metadata_offset,
        partitions=tuple(
            partition
            for partition in controller.partitions
            if broker_id in partition.replicas or broker.replica(partition.partition) is not None
        ),
        brokers=controller.brokers,
    )
    send(work, CONTROLLER, broker_id, None, records)


def _last_sent_to(cluster: ClusterState, broker_id: BrokerId) -> messages.Message | None:
    return next(
        (
            message
            for message in reversed(cluster.messages)
            if message.receiver == broker_id and message.sender == CONTROLLER
        ),
        None,
    )


class _Epochs(TypedDict):
    controller_epoch: int
    broker_epoch: int | None


def _epochs(cluster: ClusterState, broker_id: BrokerId) -> _Epochs:
    """The epochs in a ZooKeeper controller's command. From 2.2 a later start of the process rejects
    it by the broker epoch (KIP-380).
    """
    controller, has_generations = cluster.controller, cluster.profile.rules.broker_generations
    broker_epoch = controller.broker(broker_id).broker_epoch if has_generations else None
    return {"controller_epoch": controller.controller_epoch, "broker_epoch": broker_epoch}


def apply_controller_outcome(work: ActsAsController, outcome: ControllerOutcome | None) -> None:
    """Store the controller's decision and send it to the brokers concerned. None has no effect."""
    if outcome is None:
        return
    before = work.cluster.controller
    work.put_controller(outcome.controller)
    if any(
        was.replicas != now.replicas
        for was, now in zip(before.partitions, outcome.controller.partitions, strict=True)
    ):
        work.create_assigned_replicas()
    if outcome.unclean:
        work.record_unclean_election()
    work.say(*outcome.events)
    _update_metadata(work, before, joined=True)
    for broker_id, partitions in outcome.commands:
        command = messages.LeaderAndIsr(**_epochs(work.cluster, broker_id), partitions=partitions)
        send(work, CONTROLLER, broker_id, _single(partitions), command)
    for broker_id, partition, leader_epoch in outcome.stops:
        epochs = _epochs(work.cluster, broker_id)
        stop = messages.StopReplica(**epochs, leader_epoch=leader_epoch)
        send(work, CONTROLLER, broker_id, partition, stop)
    _update_metadata(work, before, joined=False)
    if outcome.changed_partitions or outcome.changed_brokers:
        for broker_id in work.cluster.broker_ids:
            if work.cluster.process_of(broker_id) in ALIVE:
                publish(work, broker_id, outcome)
    if outcome.registered is not None:
        publish_everything(work, outcome.registered)


def _update_metadata(work: ChangesNetwork, before: Controller, *, joined: bool) -> None:
    """Without a metadata log, send UpdateMetadata to live brokers: to those that have `joined`,
    everything, before their commands; to the others, the changes, after their commands.
    """
    after = work.cluster.controller
    if work.cluster.controller_kind.has_metadata_log:
        return
    took_over = before.controller_epoch != after.controller_epoch
    changed = tuple(
        now
        for was, now in zip(before.partitions, after.partitions, strict=True)
        if was is not now or took_over
    )
    for was_known, registered in zip(before.brokers, after.brokers, strict=True):
        has_joined = not was_known.live or was_known.incarnation != registered.incarnation
        if not registered.live or has_joined is not joined:
            continue
        if joined:
            tell_metadata(work, registered.broker_id, after.partitions)
        elif changed or before.brokers is not after.brokers:
            tell_metadata(work, registered.broker_id, changed)


def client_named(work: ChangesClients, name: str, kind: Literal["producer", "consumer"]) -> Client:
    """A client; a new one if the name is not in use yet."""
    client = work.cluster.clients.find(name)
    if client is None:
        client = Client(name=name, kind=kind)
        clients = work.cluster.clients
        work.put_clients(replace(clients, clients=(*clients.clients, client)))
    return client


def believed_leader(work: ChangesClients, client: Client, partition: TopicPartition) -> BrokerId:
    """The leader that a client sends to, with new metadata if it has none or is disconnected."""
    believed = client.leader_of(partition)
    if believed is None or believed == NO_LEADER or not work.cluster.broker(believed).alive:
        return refresh_metadata(work, client.name, partition, quiet=believed is None)
    return believed


def refresh_metadata(
    work: ChangesClients,
    name: str,
    partition: TopicPartition,
    *,
    quiet: bool = False,
    asked_for: bool = False,
) -> BrokerId:
    """Refresh a client's metadata of a partition and return it.

    A change creates an event, unless `quiet`; a refresh that was `asked_for` always creates one.
    """
    client = work.cluster.clients.client(name)
    registration = known_registration(work.cluster, partition)
    leader, epoch = registration.leader, registration.leader_epoch
    known = client.knows(partition)
    work.put_client(with_known(client, replace(known, leader=leader, leader_epoch=epoch)))
    if asked_for or (known.leader != leader and not quiet):
        work.say(ClientMetadataRefreshed(client=name, partition=partition, leader=leader))
    return leader


def respond_to_producer(work: ChangesClients, response: ProduceResponse, replica: Replica) -> None:
    """Send a producer the result of its request. Later results of the same request are ignored."""
    produced = work.cluster.clients.produced[response.request]
    if produced.outcome != "pending":
        return
    settings = work.cluster.settings_at(replica.broker_id, replica.partition)
    if response.error is ErrorCode.NONE:
        work.put_produced(
            replace(produced, outcome="acked", acked_frame=work.frame, offset=response.offset)
        )
        work.say(
            ProduceAcknowledged(
                variant="all" if produced.acks == "all" else "1",
                producer=produced.producer,
                value=produced.value,
                partition=produced.partition,
                offset=response.offset,
                acks=produced.acks,
                broker=replica.broker_id,
                high_watermark=replica.high_watermark,
            )
        )
        return
    work.put_produced(replace(produced, outcome="failed", error=str(response.error)))
    work.say(
        ProduceFailed(
            variant=response.error,
            rule=_produce_rule(response.error),
            sources=("Partition", "ReplicaManager"),
            producer=produced.producer,
            value=produced.value,
            partition=produced.partition,
            broker=replica.broker_id,
            error=response.error,
            isr=replica.leading.isr if replica.leading is not None else (),
            min_insync_replicas=settings.effective_min_insync_replicas,
            producer_id=produced.producer_id,
            sequence=produced.sequence,
            last_sequence=None
            if produced.producer_id is None
            else last_sequence(replica.log, produced.producer_id),
        )
    )


def leave_unanswered(work: ChangesClients, request: int, broker_id: BrokerId) -> None:
    """The connection of a produce request is closed, so its producer never learns the result."""
    produced = work.cluster.clients.produced[request]
    if produced.outcome != "pending":
        return
    work.put_produced(replace(produced, outcome="no_answer"))
    work.say(
        ProduceUnanswered(
            producer=produced.producer,
            value=produced.value,
            partition=produced.partition,
            broker=broker_id,
        )
    )


def _produce_rule(error: ErrorCode) -> str | None:
    if error in (ErrorCode.NOT_ENOUGH_REPLICAS, ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND):
        return "MIN-INSYNC-REPLICAS"
    if error in (ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, ErrorCode.UNKNOWN_PRODUCER_ID):
        return "KIP-98"
    return "PRODUCE-ACKS"
