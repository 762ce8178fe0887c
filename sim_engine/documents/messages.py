"""Messages in flight, including parked fetches."""

from collections.abc import Iterator

from msgspec import UNSET, UnsetType, field

from sim_engine.cluster.state import ClusterState
from sim_engine.documents.document import Document
from sim_engine.events.metadata_records import MetadataRecord
from sim_engine.identifiers import CLOCK_START_MS, Endpoint, MessageKind, Offset
from sim_engine.protocol.messages import (
    AlterPartitionRequest,
    AlterPartitionResponse,
    FetchRequest,
    FetchResponse,
    IsrChangeNotification,
    LeaderAndIsr,
    ListOffsetsRequest,
    ListOffsetsResponse,
    Message,
    MetadataRecords,
    OffsetsForLeaderEpochRequest,
    OffsetsForLeaderEpochResponse,
    StopReplica,
    UpdateMetadata,
)
from sim_engine.simulation.message_moves import MessageFate, MessageMove
from sim_engine.simulation.performing.messages import why_undeliverable

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
    """Its contents, with Kafka's field names. A value is null if the message's field is null."""
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
    """Its contents, with Kafka's field names. A value is null if the message's field is null."""
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


def message_moves(moves: tuple[MessageMove, ...]) -> tuple[MessageMoveDocument, ...]:
    """The messages that were sent, delivered or lost in a frame, in order."""
    return tuple(
        MessageMoveDocument(
            id=move.message.id,
            fate=move.fate,
            time_ms=move.time_ms - CLOCK_START_MS,
            message=_sent(move.message) if move.fate == "sent" else UNSET,
        )
        for move in moves
    )


def _sent(message: Message) -> SentMessageDocument:
    return SentMessageDocument(
        kind=message.kind,
        from_=message.sender,
        to=message.receiver,
        partition=message.partition,
        numbers=message_numbers(message),
        offsets=_offsets(message),
        metadata_records=_metadata_records(message),
    )


def _offsets(message: Message) -> tuple[Offset, ...]:
    payload = message.payload
    if isinstance(payload, FetchResponse):
        return tuple(record.offset for record in payload.records)
    return (payload.fetch_offset,) if isinstance(payload, FetchRequest) else ()


def _metadata_records(message: Message) -> tuple[MetadataRecord, ...] | UnsetType:
    payload = message.payload
    return payload.records if isinstance(payload, MetadataRecords) else UNSET


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
            numbers=message_numbers(message),
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
                    numbers={"fetch_offset": parked.request.fetch_offset},
                )


def message_numbers(message: Message) -> MessageNumbers:
    """The fields of a message that its label shows."""
    payload = message.payload
    if isinstance(payload, FetchRequest):
        return {
            "fetch_offset": payload.fetch_offset,
            "leader_epoch": payload.current_leader_epoch,
            "last_fetched_epoch": payload.last_fetched_epoch,
        }
    if isinstance(payload, FetchResponse):
        diverging = payload.diverging_epoch
        return {
            "error": str(payload.error),
            "records": len(payload.records),
            "values": tuple(record.value for record in payload.records),
            "high_watermark": payload.high_watermark,
            "diverging_epoch": None if diverging is None else diverging[0],
            "end_offset": None if diverging is None else diverging[1],
        }
    if isinstance(payload, OffsetsForLeaderEpochRequest):
        return {"epoch": payload.leader_epoch, "leader_epoch": payload.current_leader_epoch}
    if isinstance(payload, OffsetsForLeaderEpochResponse):
        return {
            "error": str(payload.error),
            "epoch": payload.requested_epoch,
            "answer_epoch": payload.end_offset[0],
            "end_offset": payload.end_offset[1],
        }
    if isinstance(payload, ListOffsetsRequest):
        return {"which": payload.which}
    if isinstance(payload, ListOffsetsResponse):
        return {"which": payload.which, "offset": payload.offset, "error": str(payload.error)}
    if isinstance(payload, IsrChangeNotification):
        return {"partitions": payload.partitions}
    if isinstance(payload, LeaderAndIsr | MetadataRecords | UpdateMetadata):
        first = payload.partitions[0] if payload.partitions else None
        offset = {"metadata_offset": payload.offset} if isinstance(payload, MetadataRecords) else {}
        return {
            **offset,
            "partitions": tuple(
                f"{registration.partition}: leader {registration.leader}, epoch "
                f"{registration.leader_epoch}, ISR {list(registration.isr)}"
                for registration in payload.partitions
            ),
            "leader": None if first is None else first.leader,
            "leader_epoch": None if first is None else first.leader_epoch,
            "isr": None if first is None else first.isr,
        }
    if isinstance(payload, StopReplica):
        return {"controller_epoch": payload.controller_epoch}
    if isinstance(payload, AlterPartitionRequest):
        return {"isr": payload.new_isr, "partition_epoch": payload.partition_epoch}
    assert isinstance(payload, AlterPartitionResponse), "every other kind is handled above"
    return {
        "error": str(payload.error),
        "isr": None if payload.registration is None else payload.registration.isr,
    }
