"""What happened, with what its sentence needs."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from sim_engine.documents.document import Document
from sim_engine.documents.replicas import LogRecordDocument, record_document
from sim_engine.events import Event, EventNumber
from sim_engine.identifiers import BrokerId, Offset, TopicPartition


class EvidenceDocument(Document, frozen=True, kw_only=True):
    """What to point at. What an event is not about is absent."""

    partition: TopicPartition | UnsetType = UNSET
    replicas: Annotated[tuple[BrokerId, ...] | UnsetType, Meta(description="Ids of brokers.")] = (
        UNSET
    )
    offsets: tuple[Offset, ...] | UnsetType = UNSET
    frames: Annotated[
        tuple[int, ...] | UnsetType, Meta(description="Earlier frames that led to it.")
    ] = UNSET
    records: tuple[LogRecordDocument, ...] | UnsetType = UNSET


class EventDocument(Document, frozen=True, kw_only=True):
    """Something that happened. Its sentence is in the catalogue under `kind.variant` or `kind`."""

    kind: str
    variant: Annotated[
        str | UnsetType, Meta(description="Which of several sentences; absent where there is one.")
    ] = UNSET
    numbers: Annotated[
        Mapping[str, EventNumber], Meta(description="What fills the sentence's places.")
    ]
    rule: Annotated[
        str | None,
        Meta(description="The rule of Kafka that made it so, such as KIP-279; null for none."),
    ]
    sources: Annotated[
        tuple[str, ...],
        Meta(description="Classes and methods of Kafka, or issues; addresses are in `/sources`."),
    ]
    evidence: EvidenceDocument


def event_document(happened: Event) -> EventDocument:
    """One event, with what its sentence needs."""
    evidence = happened.where()
    return EventDocument(
        kind=happened.kind,
        variant=UNSET if happened.variant is None else happened.variant,
        numbers=happened.numbers(),
        rule=happened.rule,
        sources=happened.sources,
        evidence=EvidenceDocument(
            partition=UNSET if evidence.partition is None else evidence.partition,
            replicas=evidence.replicas or UNSET,
            offsets=evidence.offsets or UNSET,
            frames=evidence.frames or UNSET,
            records=tuple(record_document(record) for record in evidence.records) or UNSET,
        ),
    )
