"""A cluster as one document: `state` of a frame and `final` of a run. Besides the brokers and the
controller it has producers and consumers (what they sent, the responses, and what they read), the
messages in flight, including parked fetches, and the timers that are running."""

from collections.abc import Iterator

from msgspec import UNSET, UnsetType, field

from sim_engine.actions.steps import Notice, Timer, TimerKind
from sim_engine.cluster.start import effective
from sim_engine.cluster.state import (
    ClusterState,
    ConfigValue,
    ConsumedRecord,
    Fate,
    ProducedRecord,
    ProduceOutcome,
)
from sim_engine.documents.brokers import (
    BrokerDocument,
    ControllerDocument,
    PartitionDocument,
    ReplicaDocument,
    broker_document,
    controller_document,
    partition_document,
    replica_document,
)
from sim_engine.events.controller import MetadataRecord
from sim_engine.identifiers import (
    CLOCK_START_MS,
    Acks,
    BrokerId,
    Endpoint,
    FrameNumber,
    MessageKind,
    Offset,
    TopicPartition,
)
from sim_engine.invariants.clients import record_instead
from sim_engine.invariants.fates import brokers_that_hold
from sim_engine.json_types import Document, copied
from sim_engine.protocol import messages
from sim_engine.simulation.clock import Due, due_timers
from sim_engine.simulation.performing.messages import why_undeliverable
from sim_engine.simulation.working_copy import MessageFate, MessageMove


class ProducedDocument(Document, frozen=True, kw_only=True):
    """One record that a producer sent, and its outcome. A retry is a separate entry."""

    id: str | None
    """Null if no leader has appended it."""
    as_: str = field(name="as")
    """The producer's name."""
    value: str
    acks: Acks
    partition: TopicPartition
    offset: Offset | None
    """Null if no leader has appended it."""
    outcome: ProduceOutcome
    """no_answer: sent with acks=0, or the response can no longer arrive."""
    error: str | None
    """Kafka's name of the error; null if there is none."""
    frame: FrameNumber
    """The frame in which it was sent."""
    acked_frame: FrameNumber | None
    """The frame in which it was acknowledged; null if it is not."""
    lost_frame: FrameNumber | None
    """The frame in which its last copy on any broker, up or down, disappeared; null while a copy
    exists. A record can count as lost earlier: see `fate`."""
    broker: BrokerId
    """The broker that it was sent to."""
    producer_id: int | None
    """The producer id; null unless the producer is idempotent."""
    sequence: int | None
    """Its sequence number; null unless the producer is idempotent."""
    fate: Fate | None
    """safe: the leader according to the controller has it at its offset or, if there is no leader,
    a replica that could be elected cleanly (ISR or ELR, up or down) has it. at_risk: neither;
    another election may make it safe again. lost: no replica, up or down, has it, or another record
    is committed at its offset; this is final. Null before the acknowledgement."""
    fate_frame: FrameNumber | None
    """The frame since which it has this fate; null before the acknowledgement."""
    copies: tuple[int, ...]
    """The brokers, up or down, that have it at its offset. Empty before it is appended and after
    its last copy disappears."""
    transaction: int | None
    """The number of its producer's transaction, from 1; null outside a transaction."""


class ConsumedDocument(Document, frozen=True, kw_only=True):
    """One record that a consumer read."""

    as_: str = field(name="as")
    """The consumer's name."""
    partition: TopicPartition
    offset: Offset
    value: str
    frame: FrameNumber
    """The frame in which it was read."""
    changed: str | None
    """The value of the different record that the controller's leader has at this offset; null if it
    has the record that was read or none, or if there is no leader."""


class ClientsDocument(Document, frozen=True, kw_only=True):
    """All clients of a run."""

    produced: tuple[ProducedDocument, ...]
    """In the order of sending."""
    consumed: tuple[ConsumedDocument, ...]
    """In the order of reading."""
    consumers: dict[str, dict[str, int]]
    """Consumer → partition → the offset that it fetches next."""
    producers: dict[str, dict[str, int]]
    """Producer → partition → the leader in its metadata; -1: none."""
    transactions: dict[str, tuple[str, ...]]
    """Producer with an open transaction → the partitions that it has written to in it."""


def values_with(clients: ClientsDocument, fate: Fate) -> list[str]:
    """The values of the acknowledged records with this fate, each once, in order."""
    return sorted({record.value for record in clients.produced if record.fate == fate})


def clients_document(cluster: ClusterState) -> ClientsDocument:
    """The document of all clients: what they sent and read, and their metadata."""
    clients = cluster.clients
    return ClientsDocument(
        produced=tuple(_produced(cluster, record) for record in clients.produced),
        consumed=tuple(_consumed(cluster, record) for record in clients.consumed),
        consumers={
            client.name: {
                known.partition: known.position
                for known in client.partitions
                if known.position is not None
            }
            for client in clients.clients
            if client.kind == "consumer"
        },
        producers={
            client.name: {
                known.partition: known.leader
                for known in client.partitions
                if known.leader is not None
            }
            for client in clients.clients
            if client.kind == "producer"
        },
        transactions={
            client.name: client.writes_to for client in clients.clients if client.in_transaction
        },
    )


def _produced(cluster: ClusterState, record: ProducedRecord) -> ProducedDocument:
    return copied(
        ProducedDocument,
        record,
        as_=record.producer,
        copies=() if record.id is None else brokers_that_hold(cluster, record),
    )


def _consumed(cluster: ClusterState, record: ConsumedRecord) -> ConsumedDocument:
    instead = record_instead(cluster, record)
    return ConsumedDocument(
        as_=record.consumer,
        partition=record.partition,
        offset=record.offset,
        value=record.value,
        frame=record.frame,
        changed=None if instead is None else instead.value,
    )


MessageNumbers = dict[str, int | str | tuple[int | str, ...] | None]


class MessageDocument(Document, frozen=True, kw_only=True):
    """One message in flight."""

    id: int
    """Its number, in sending order."""
    kind: MessageKind
    from_: Endpoint = field(name="from")
    to: Endpoint
    partition: str | None
    """Null if it is about several partitions, or none."""
    held: bool
    """Whether it is held."""
    parked: bool
    """Whether it is a fetch that is parked at the leader (long poll)."""
    deliverable: bool
    """Whether the receiver would process it if it arrived now."""
    numbers: MessageNumbers
    """Its contents, with Kafka's field names. A value is null if the message's field is null. A
    field that the release's protocol does not have is null or absent."""
    metadata_records: tuple[MetadataRecord, ...] | UnsetType = UNSET
    """The records of the metadata log in it, each with only what it changes. Empty if a broker that
    has just registered reads the whole log. Only for a metadata_record."""


class SentMessageDocument(Document, frozen=True, kw_only=True):
    """A message as it was sent."""

    kind: MessageKind
    from_: Endpoint = field(name="from")
    to: Endpoint
    partition: str | None
    """Null if it is about several partitions, or none."""
    numbers: MessageNumbers
    """Its contents, with Kafka's field names. A value is null if the message's field is null. A
    field that the release's protocol does not have is null or absent."""
    offsets: tuple[Offset, ...]
    """The offsets of the records that it carries or requests."""
    metadata_records: tuple[MetadataRecord, ...] | UnsetType = UNSET
    """The records of the metadata log in it, each with only what it changes. Empty if a broker that
    has just registered reads the whole log. Only for a metadata_record."""


class MessageMoveDocument(Document, frozen=True, kw_only=True):
    """A message was sent, delivered or lost. A fetch that a leader has parked counts as delivered;
    `in_flight` lists it as parked."""

    id: int
    """Its number, in sending order."""
    fate: MessageFate
    """arrived_unseen: it was delivered between two frames and had no visible effect. replaced: its
    sender merged it into a newer message."""
    time_ms: int
    """Virtual time since the start of the run, in ms."""
    message: SentMessageDocument | UnsetType = UNSET
    """Only if it was sent in this frame."""


def message_moves(
    moves: tuple[MessageMove, ...], cluster: ClusterState
) -> tuple[MessageMoveDocument, ...]:
    """The messages that were sent, delivered or lost in a frame, in order. `cluster` is the state
    after it."""
    return tuple(
        MessageMoveDocument(
            id=move.message.id,
            fate=move.fate,
            time_ms=move.time_ms - CLOCK_START_MS,
            message=_sent(move.message, cluster) if move.fate == "sent" else UNSET,
        )
        for move in moves
    )


def _sent(message: messages.Message, cluster: ClusterState) -> SentMessageDocument:
    return SentMessageDocument(
        kind=message.kind,
        from_=message.sender,
        to=message.receiver,
        partition=message.partition,
        numbers=_numbers(message.payload, message.sender, message.partition, cluster),
        offsets=_offsets(message),
        metadata_records=_metadata_records(message),
    )


def _offsets(message: messages.Message) -> tuple[Offset, ...]:
    payload = message.payload
    if isinstance(payload, messages.FetchResponse):
        return tuple(record.offset for record in payload.records)
    return (payload.fetch_offset,) if isinstance(payload, messages.FetchRequest) else ()


def _metadata_records(message: messages.Message) -> tuple[MetadataRecord, ...] | UnsetType:
    payload = message.payload
    return payload.records if isinstance(payload, messages.MetadataRecords) else UNSET


def in_flight(cluster: ClusterState) -> tuple[MessageDocument, ...]:
    """Every message in flight and every fetch that is parked at a leader, in sending order."""
    listed = [
        MessageDocument(
            id=message.id,
            kind=message.kind,
            from_=message.sender,
            to=message.receiver,
            partition=message.partition,
            held=message.held,
            parked=False,
            deliverable=why_undeliverable(cluster, message) is None,
            numbers=_numbers(message.payload, message.sender, message.partition, cluster),
            metadata_records=_metadata_records(message),
        )
        for message in cluster.messages
    ]
    listed.extend(_parked(cluster))
    return tuple(sorted(listed, key=lambda message: message.id))


def _parked(cluster: ClusterState) -> Iterator[MessageDocument]:
    for broker in cluster.brokers:
        for replica in broker.replicas:
            for parked in () if replica.leading is None else replica.leading.parked:
                yield MessageDocument(
                    id=parked.message_id,
                    kind="fetch_request",
                    from_=parked.follower,
                    to=broker.broker_id,
                    partition=replica.partition,
                    held=False,
                    parked=True,
                    deliverable=False,
                    numbers=_numbers(parked.request, parked.follower, replica.partition, cluster),
                )


def _numbers(
    payload: messages.Payload,
    sender: Endpoint,
    partition: TopicPartition | None,
    cluster: ClusterState,
) -> MessageNumbers:
    """The fields of a message. One that the protocol of the release does not have is absent or
    null."""
    if isinstance(payload, messages.FetchRequest):
        assert isinstance(sender, int), "a follower sends it"
        assert partition is not None, "it is about one partition"
        settings = cluster.settings_at(sender, partition)
        return {
            "fetch_offset": payload.fetch_offset,
            "leader_epoch": payload.current_leader_epoch,
            "last_fetched_epoch": payload.last_fetched_epoch,
            "max_wait_ms": settings.replica_fetch_wait_max_ms,
            **_broker_epoch(payload.broker_epoch),
        }
    if isinstance(payload, messages.FetchResponse):
        diverging = payload.diverging_epoch
        return {
            "error": str(payload.error),
            "records": len(payload.records),
            "values": tuple(record.value for record in payload.records),
            "high_watermark": payload.high_watermark,
            "diverging_epoch": None if diverging is None else diverging[0],
            "end_offset": None if diverging is None else diverging[1],
        }
    if isinstance(payload, messages.OffsetsForLeaderEpochRequest):
        return {"epoch": payload.leader_epoch, "leader_epoch": payload.current_leader_epoch}
    if isinstance(payload, messages.OffsetsForLeaderEpochResponse):
        names_epoch = cluster.profile.rules.iterative_epoch_truncation
        return {
            "error": str(payload.error),
            "epoch": payload.requested_epoch,
            "answer_epoch": payload.end_offset[0] if names_epoch else None,
            "end_offset": payload.end_offset[1],
        }
    if isinstance(payload, messages.ListOffsetsRequest):
        return {"which": payload.which, "leader_epoch": payload.current_leader_epoch}
    if isinstance(payload, messages.ListOffsetsResponse):
        return {"which": payload.which, "offset": payload.offset, "error": str(payload.error)}
    if isinstance(payload, messages.IsrChangeNotification):
        return {"partitions": payload.partitions}
    if isinstance(
        payload, messages.LeaderAndIsr | messages.MetadataRecords | messages.UpdateMetadata
    ):
        first = payload.partitions[0] if payload.partitions else None
        return {
            **_of_controller(payload),
            "partitions": tuple(
                f"{registration.partition}: leader {registration.leader}, epoch "
                f"{registration.leader_epoch}, ISR {list(registration.isr)}"
                for registration in payload.partitions
            ),
            "leader": None if first is None else first.leader,
            "leader_epoch": None if first is None else first.leader_epoch,
            "isr": None if first is None else first.isr,
        }
    if isinstance(payload, messages.StopReplica):
        return {**_of_controller(payload), "leader_epoch": payload.leader_epoch}
    if isinstance(payload, messages.AlterPartitionRequest):
        return {
            "isr": payload.new_isr,
            "leader_epoch": payload.leader_epoch,
            "partition_epoch": payload.partition_epoch,
            **_broker_epoch(payload.broker_epoch),
        }
    assert isinstance(payload, messages.AlterPartitionResponse), "every other kind is handled above"
    registration = payload.registration
    return {
        "error": str(payload.error),
        "isr": None if registration is None else registration.isr,
        "leader_epoch": None if registration is None else registration.leader_epoch,
        "partition_epoch": None if registration is None else registration.partition_epoch,
    }


def _of_controller(
    payload: messages.LeaderAndIsr
    | messages.UpdateMetadata
    | messages.StopReplica
    | messages.MetadataRecords,
) -> MessageNumbers:
    if isinstance(payload, messages.MetadataRecords):
        return {"metadata_offset": payload.offset}
    return {"controller_epoch": payload.controller_epoch, **_broker_epoch(payload.broker_epoch)}


def _broker_epoch(epoch: int | None) -> MessageNumbers:
    return {} if epoch is None else {"broker_epoch": epoch}


class DueTimerDocument(Document, frozen=True, kw_only=True):
    """A timer. An `advance` up to its time fires it."""

    kind: TimerKind
    broker: int | UnsetType = UNSET
    """The broker that it runs on; for a session timeout, the owner of the session. Absent for a
    timer of the controller."""
    due_ms: int
    """When it fires, in ms of virtual time since the start of the run."""
    partition: str | UnsetType = UNSET
    """For a long poll: the partition of the fetch."""
    follower: int | UnsetType = UNSET
    """For a long poll: the follower that fetched."""


def timers_document(cluster: ClusterState) -> tuple[DueTimerDocument, ...]:
    """Every running timer, grouped by broker; the controller's check comes last, while it would
    elect a leader.
    """
    return tuple(_timer(due) for due in due_timers(cluster))


def _timer(due: Due) -> DueTimerDocument:
    due_ms = due.due_ms - CLOCK_START_MS
    action = due.action
    if isinstance(action, Timer):
        return DueTimerDocument(
            kind=action.kind,
            broker=action.broker if isinstance(action.broker, int) else UNSET,
            due_ms=due_ms,
            partition=UNSET if action.partition is None else action.partition,
            follower=UNSET if action.follower is None else action.follower,
        )
    assert isinstance(action, Notice), "the controller detects an expired session"
    return DueTimerDocument(kind="session_timeout", broker=action.broker, due_ms=due_ms)


class StateDocument(Document, frozen=True, kw_only=True):
    """The complete state of a cluster at one moment."""

    time_ms: int
    """Virtual time since the start of the run, in ms."""
    partitions: dict[str, PartitionDocument]
    """Partition → its state according to the controller."""
    replicas: dict[str, dict[str, ReplicaDocument]]
    """Partition → broker id → replica."""
    brokers: dict[str, BrokerDocument]
    """Broker id → broker."""
    controller: ControllerDocument
    clients: ClientsDocument
    in_flight: tuple[MessageDocument, ...]
    """In sending order."""
    links_cut: tuple[tuple[Endpoint, Endpoint], ...]
    """[from, to] pairs: messages from `from` do not reach `to`."""
    metadata_version: str | None
    """The metadata.version of the cluster; null under ZooKeeper."""
    inter_broker_protocol_version: str | None
    """The inter.broker.protocol.version of the cluster; null under KRaft."""
    configs: dict[str, ConfigValue]
    """The effective settings of the cluster, including the release's defaults."""
    topic_configs: dict[str, dict[str, ConfigValue]] | UnsetType = UNSET
    """Topic → its effective settings that differ from the cluster's; absent if no topic has any."""
    acks: tuple[str, ...]
    """The acks that producers have used, as text; `all` if no producer has sent anything."""
    timers: tuple[DueTimerDocument, ...]
    """The timers that are running, grouped by broker."""


def _topic_configs(cluster: ClusterState) -> dict[str, dict[str, ConfigValue]] | UnsetType:
    own = effective(cluster)
    differing = {
        topic: {
            name: value for name, value in effective(cluster, topic).items() if own[name] != value
        }
        for topic, configs in cluster.topic_configs
        if configs
    }
    return {topic: configs for topic, configs in differing.items() if configs} or UNSET


def state_document(cluster: ClusterState) -> StateDocument:
    """The document of a cluster's state, which the stage draws and expectations read."""
    return StateDocument(
        time_ms=cluster.now_ms - CLOCK_START_MS,
        partitions={
            registration.partition: partition_document(cluster, registration)
            for registration in cluster.controller.partitions
        },
        replicas={
            registration.partition: {
                str(broker_id): replica_document(cluster, registration, broker_id)
                for broker_id in sorted(registration.replicas)
            }
            for registration in cluster.controller.partitions
        },
        brokers={
            str(broker.broker_id): broker_document(cluster, broker) for broker in cluster.brokers
        },
        controller=controller_document(cluster),
        clients=clients_document(cluster),
        in_flight=in_flight(cluster),
        links_cut=cluster.links_cut,
        metadata_version=cluster.profile.metadata_version,
        inter_broker_protocol_version=cluster.profile.inter_broker_protocol_version,
        configs=effective(cluster),
        topic_configs=_topic_configs(cluster),
        acks=tuple(sorted({str(record.acks) for record in cluster.clients.produced})) or ("all",),
        timers=timers_document(cluster),
    )
