"""Events as documents, with the values for their texts."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from sim_engine.documents.document import Document
from sim_engine.documents.replicas import LogRecordDocument, record_document
from sim_engine.events import Event, EventNumber
from sim_engine.identifiers import BrokerId, FrameNumber, Offset, TopicPartition


class EventSubjectDocument(Document, frozen=True, kw_only=True):
    """What an event is about, to highlight it. Absent: the event is not about any."""

    partition: TopicPartition | UnsetType = UNSET
    replicas: Annotated[tuple[BrokerId, ...] | UnsetType, Meta(description="Broker ids.")] = UNSET
    offsets: tuple[Offset, ...] | UnsetType = UNSET
    frames: Annotated[
        tuple[FrameNumber, ...] | UnsetType, Meta(description="Earlier frames that led to it.")
    ] = UNSET
    records: tuple[LogRecordDocument, ...] | UnsetType = UNSET


class EventDocument(Document, frozen=True, kw_only=True):
    """An event. Its text is in the catalogue under `kind.variant` or `kind`."""

    kind: str
    variant: Annotated[
        str | UnsetType,
        Meta(description="Selects one of several texts; absent if there is only one."),
    ] = UNSET
    numbers: Annotated[Mapping[str, EventNumber], Meta(description="The values for the text.")]
    rule: Annotated[
        str | None,
        Meta(description="The rule of Kafka that caused it, such as KIP-279; null if none."),
    ]
    sources: Annotated[
        tuple[str, ...],
        Meta(description="Kafka classes, methods and issues; `/sources` has their addresses."),
    ]
    evidence: EventSubjectDocument


def event_document(happened: Event) -> EventDocument:
    """One event as a document, with the values for its text."""
    subject = happened.where()
    return EventDocument(
        kind=happened.kind,
        variant=UNSET if happened.variant is None else happened.variant,
        numbers=happened.numbers(),
        rule=happened.rule,
        sources=happened.sources,
        evidence=EventSubjectDocument(
            partition=UNSET if subject.partition is None else subject.partition,
            replicas=subject.replicas or UNSET,
            offsets=subject.offsets or UNSET,
            frames=subject.frames or UNSET,
            records=tuple(record_document(record) for record in subject.records) or UNSET,
        ),
    )
