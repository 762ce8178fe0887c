"""Producers and consumers: what they sent, the responses, and what they read."""

from msgspec import field

from sim_engine.cluster.state import (
    ClusterState,
    ConsumedRecord,
    Fate,
    ProducedRecord,
    ProduceOutcome,
)
from sim_engine.documents.document import Document
from sim_engine.identifiers import Acks, BrokerId, FrameNumber, Offset, TopicPartition
from sim_engine.invariants.clients import record_instead
from sim_engine.invariants.fates import brokers_that_hold


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
