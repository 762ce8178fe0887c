"""Producers and consumers: what they sent, the responses, and what they read."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType, field

from sim_engine.cluster.clients import ConsumedRecord, Fate, ProducedRecord, ProduceOutcome
from sim_engine.cluster.state import ClusterState
from sim_engine.documents.document import Document
from sim_engine.identifiers import Acks, BrokerId, FrameNumber, Offset, TopicPartition
from sim_engine.invariants.fates import brokers_that_hold
from sim_engine.invariants.reads import record_instead

_ADDED_LATER = "Absent from shares made before idempotent producers were supported."


class ProducedDocument(Document, frozen=True, kw_only=True):
    """One record that a producer sent, and its outcome. A retry is a separate entry."""

    id: Annotated[str | None, Meta(description="Null if no leader has appended it.")]
    as_: Annotated[str, Meta(description="The producer's name.")] = field(name="as")
    value: str
    acks: Acks
    partition: TopicPartition
    offset: Annotated[Offset | None, Meta(description="Null if no leader has appended it.")]
    outcome: Annotated[
        ProduceOutcome,
        Meta(description="no_answer: sent with acks=0, or the response can no longer arrive."),
    ]
    error: Annotated[
        str | None, Meta(description="Kafka's name of the error; null if there is none.")
    ]
    frame: Annotated[FrameNumber, Meta(description="The frame in which it was sent.")]
    acked_frame: Annotated[
        FrameNumber | None,
        Meta(description="The frame in which it was acknowledged; null if it is not."),
    ]
    lost_frame: Annotated[
        FrameNumber | None,
        Meta(
            description="The frame in which its last copy on any broker, up or down, disappeared; "
            "null while a copy exists. A record can count as lost earlier: see `fate`."
        ),
    ]
    broker: Annotated[BrokerId, Meta(description="The broker that it was sent to.")]
    producer_id: Annotated[
        int | UnsetType | None,
        Meta(
            description=f"The producer id; null unless the producer is idempotent. {_ADDED_LATER}"
        ),
    ] = UNSET
    sequence: Annotated[
        int | UnsetType | None,
        Meta(
            description=f"Its sequence number; null unless the producer is idempotent. "
            f"{_ADDED_LATER}"
        ),
    ] = UNSET
    fate: Annotated[
        Fate | UnsetType | None,
        Meta(
            description="safe: the leader according to the controller has it at its offset or, if "
            "there is no leader, a replica that could be elected cleanly (ISR or ELR, up or down) "
            "has it. at_risk: neither; another election may make it safe again. lost: no replica, "
            "up or down, has it, or another record is committed at its offset; this is final. Null "
            "before the acknowledgement. Absent from shares made before this field existed."
        ),
    ] = UNSET
    fate_frame: Annotated[
        FrameNumber | UnsetType | None,
        Meta(
            description="The frame since which it has this fate. Null or absent exactly when "
            "`fate` is."
        ),
    ] = UNSET
    copies: Annotated[
        tuple[int, ...] | UnsetType,
        Meta(
            description="The brokers, up or down, that have it at its offset. Empty before it is "
            "appended and after its last copy disappears. Absent from shares made before this "
            "field existed."
        ),
    ] = UNSET
    transaction: Annotated[
        int | UnsetType | None,
        Meta(
            description=f"The number of its producer's transaction, from 1; null outside a "
            f"transaction. {_ADDED_LATER}"
        ),
    ] = UNSET


class ConsumedDocument(Document, frozen=True, kw_only=True):
    """One record that a consumer read."""

    as_: Annotated[str, Meta(description="The consumer's name.")] = field(name="as")
    partition: TopicPartition
    offset: Offset
    value: str
    frame: Annotated[FrameNumber, Meta(description="The frame in which it was read.")]
    changed: Annotated[
        str | UnsetType | None,
        Meta(
            description="The value of the different record that the controller's leader has at "
            "this offset; null if it has the record that was read or none, or if there is no "
            "leader. Shares made before this field existed have it only if a record is different."
        ),
    ] = UNSET


class ClientsDocument(Document, frozen=True, kw_only=True):
    """All clients of a run."""

    produced: Annotated[tuple[ProducedDocument, ...], Meta(description="In the order of sending.")]
    consumed: Annotated[tuple[ConsumedDocument, ...], Meta(description="In the order of reading.")]
    consumers: Annotated[
        dict[str, dict[str, int]],
        Meta(description="Consumer → partition → the offset that it fetches next."),
    ]
    producers: Annotated[
        dict[str, dict[str, int]],
        Meta(description="Producer → partition → the leader in its metadata; -1: none."),
    ]
    transactions: Annotated[
        dict[str, tuple[str, ...]] | UnsetType,
        Meta(
            description=f"Producer with an open transaction → the partitions that it has written "
            f"to in it. {_ADDED_LATER}"
        ),
    ] = UNSET


def clients_document(cluster: ClusterState) -> ClientsDocument:
    """The document of all clients: what they sent and read, and their metadata."""
    clients = cluster.clients
    return ClientsDocument(
        produced=tuple(_produced(cluster, record) for record in clients.produced),
        consumed=tuple(_consumed(cluster, record) for record in clients.consumed),
        consumers={
            client.name: dict(client.positions)
            for client in clients.clients
            if client.kind == "consumer"
        },
        producers={
            client.name: dict(client.leaders)
            for client in clients.clients
            if client.kind == "producer"
        },
        transactions={
            client.name: client.writes_to for client in clients.clients if client.in_transaction
        },
    )


def _produced(cluster: ClusterState, record: ProducedRecord) -> ProducedDocument:
    return ProducedDocument(
        id=record.id,
        as_=record.producer,
        value=record.value,
        acks=record.acks,
        partition=record.partition,
        offset=record.offset,
        outcome=record.outcome,
        error=record.error,
        frame=record.frame,
        acked_frame=record.acked_frame,
        lost_frame=record.lost_frame,
        fate=record.fate,
        fate_frame=record.fate_frame,
        copies=() if record.id is None else brokers_that_hold(cluster, record),
        broker=record.broker,
        producer_id=record.producer_id,
        sequence=record.sequence,
        transaction=record.transaction,
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
