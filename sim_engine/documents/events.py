"""Events as documents, with the values for their texts."""

from collections.abc import Mapping

from msgspec import UNSET, UnsetType

from sim_engine.documents.document import Document
from sim_engine.documents.replicas import LogRecordDocument, record_document
from sim_engine.events import Event, EventNumber
from sim_engine.identifiers import BrokerId, FrameNumber, Offset, TopicPartition


class EventSubjectDocument(Document, frozen=True, kw_only=True):
    """What an event is about, to highlight it. Absent: the event is not about any."""

    partition: TopicPartition | UnsetType = UNSET
    replicas: tuple[BrokerId, ...] | UnsetType = UNSET
    """Broker ids."""
    offsets: tuple[Offset, ...] | UnsetType = UNSET
    frames: tuple[FrameNumber, ...] | UnsetType = UNSET
    """Earlier frames that led to it."""
    records: tuple[LogRecordDocument, ...] | UnsetType = UNSET


class EventDocument(Document, frozen=True, kw_only=True):
    """An event. Its text is in the catalogue under `kind.variant` or `kind`."""

    kind: str
    variant: str | UnsetType = UNSET
    """Selects one of several texts; absent if there is only one."""
    numbers: Mapping[str, EventNumber]
    """The values for the text."""
    rule: str | None
    """The rule of Kafka that caused it, such as KIP-279; null if none."""
    sources: tuple[str, ...]
    """Kafka classes, methods and issues; `/sources` has their addresses."""
    subject: EventSubjectDocument


def event_document(happened: Event) -> EventDocument:
    """One event as a document, with the values for its text."""
    about = happened.where()
    return EventDocument(
        kind=happened.kind,
        variant=UNSET if happened.variant is None else happened.variant,
        numbers=happened.numbers(),
        rule=happened.rule,
        sources=happened.sources,
        subject=EventSubjectDocument(
            partition=UNSET if about.partition is None else about.partition,
            replicas=about.replicas or UNSET,
            offsets=about.offsets or UNSET,
            frames=about.frames or UNSET,
            records=tuple(record_document(record) for record in about.records) or UNSET,
        ),
    )
