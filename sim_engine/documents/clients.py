"""Producers and consumers: what they sent, what they were told, what they read."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType, field

from sim_engine.cluster.clients import Fate, ProducedRecord, ProduceOutcome
from sim_engine.cluster.state import ClusterState
from sim_engine.documents.document import Document
from sim_engine.identifiers import Acks, BrokerId, FrameNumber, TopicPartition
from sim_engine.invariants.fates import brokers_that_hold

_ADDED_LATER = "Absent in what was shared before there were idempotent producers."


class ProducedDocument(Document, frozen=True, kw_only=True):
    """One record that a producer sent, and what became of it. A retry is one more."""

    id: Annotated[str | None, Meta(description="Null where no leader has appended it.")]
    as_: Annotated[str, Meta(description="The producer's name.")] = field(name="as")
    value: str
    acks: Acks
    partition: TopicPartition
    offset: Annotated[int | None, Meta(description="Null where no leader has appended it.")]
    outcome: Annotated[
        ProduceOutcome,
        Meta(description="no_answer: sent with acks=0, or the answer can no longer come."),
    ]
    error: Annotated[
        str | None, Meta(description="Kafka's name of the error; null where there is none.")
    ]
    frame: Annotated[int, Meta(description="The frame in which it was sent.")]
    acked_frame: Annotated[
        FrameNumber | None,
        Meta(description="The frame in which it was acknowledged; null where it is not."),
    ]
    lost_frame: Annotated[
        FrameNumber | None,
        Meta(
            description="The frame in which its last copy on any broker, up or down, went; null "
            "while there is one. A record can be lost before: see `fate`."
        ),
    ]
    broker: Annotated[BrokerId, Meta(description="The broker that it was sent to.")]
    producer_id: Annotated[
        int | UnsetType | None,
        Meta(description=f"The id of an idempotent producer; null for any other. {_ADDED_LATER}"),
    ] = UNSET
    sequence: Annotated[
        int | UnsetType | None,
        Meta(description=f"Its sequence; null unless the producer is idempotent. {_ADDED_LATER}"),
    ] = UNSET
    fate: Annotated[
        Fate | UnsetType | None,
        Meta(
            description="safe: the controller's leader has it at its offset or, where nobody "
            "leads, a replica that could be elected cleanly (ISR or ELR, up or down). at_risk: "
            "neither; another election can end that. lost: no replica has it, running or down, or "
            "another record is committed at its offset; for ever. Null before the acknowledgement. "
            "Absent in what was shared before there were fates."
        ),
    ] = UNSET
    fate_frame: Annotated[
        FrameNumber | UnsetType | None,
        Meta(description="The frame since which it has this fate; null and absent as `fate`."),
    ] = UNSET
    copies: Annotated[
        tuple[int, ...] | UnsetType,
        Meta(
            description="The brokers, up or down, that have it at its offset; empty before it is "
            "appended and once it is on none. Absent in what was shared before it was shown."
        ),
    ] = UNSET
    transaction: Annotated[
        int | UnsetType | None,
        Meta(
            description="Which of its producer's transactions, counted from 1; null for none. "
            f"{_ADDED_LATER}"
        ),
    ] = UNSET


class ConsumedDocument(Document, frozen=True, kw_only=True):
    """One record as a consumer saw it."""

    as_: Annotated[str, Meta(description="The consumer's name.")] = field(name="as")
    partition: TopicPartition
    offset: int
    value: str
    frame: Annotated[int, Meta(description="The frame in which it was read.")]


class ClientsDocument(Document, frozen=True, kw_only=True):
    """All clients of a run."""

    produced: Annotated[tuple[ProducedDocument, ...], Meta(description="In the order of sending.")]
    consumed: Annotated[tuple[ConsumedDocument, ...], Meta(description="In the order of reading.")]
    consumers: Annotated[
        dict[str, dict[str, int]],
        Meta(description="Consumer → partition → the offset that it reads next."),
    ]
    producers: Annotated[
        dict[str, dict[str, int]],
        Meta(description="Producer → partition → the broker that it believes to lead; -1: none."),
    ]
    transactions: Annotated[
        dict[str, tuple[str, ...]] | UnsetType,
        Meta(
            description="Producers in a transaction → the partitions that they wrote to in it. "
            f"{_ADDED_LATER}"
        ),
    ] = UNSET


def clients_document(cluster: ClusterState) -> ClientsDocument:
    """Everything that clients did, and what they believe."""
    clients = cluster.clients
    return ClientsDocument(
        produced=tuple(_produced(cluster, record) for record in clients.produced),
        consumed=tuple(
            ConsumedDocument(
                as_=record.consumer,
                partition=record.partition,
                offset=record.offset,
                value=record.value,
                frame=record.frame,
            )
            for record in clients.consumed
        ),
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
