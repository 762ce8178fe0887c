"""The base of every event, and the shapes that most events share."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec import Struct, json
from msgspec.structs import fields

from sim_engine.events.telling import NO_BELIEFS, Beliefs, Case, Drawings, Mark, Rank, by_variant
from sim_engine.identifiers import BrokerId, FrameNumber, Offset, TopicPartition
from sim_engine.json_types import PublishedJson
from sim_engine.records import Record

EventNumber = int | str | bool | None | Sequence[int | str | PublishedJson]
"""A value of an event for its texts. Records of the metadata log are mappings of their fields by
name.
"""


class EventSubject(Struct, frozen=True, gc=False, kw_only=True):
    """What an event is about: replicas, offsets, records and earlier frames."""

    partition: TopicPartition | None = None
    replicas: tuple[BrokerId, ...] = ()
    offsets: tuple[Offset, ...] = ()
    records: tuple[Record, ...] = ()
    frames: tuple[FrameNumber, ...] = ()


class Event(Struct, frozen=True, gc=False, kw_only=True):
    """Something that happened in the cluster.

    `variant` distinguishes the cases of a class. A text is looked up by class and variant, then by
    class alone. `rule` is the rule that was applied, null if none is named. `sources` are the Kafka
    classes, KIPs and issues that document it. `subject` is given only if it is more than the
    event's own broker and partition. Every field that a subclass adds is a value for its texts:
    null means that there is no value, and an unset field is absent from that event.

    The class variables say what is true of every event of a class; `cases` what is different for a
    variant.
    """

    rank: ClassVar[Rank] = Rank.UNRANKED
    mark: ClassVar[Mark | None] = None
    """The notable kind of its frame and its step on the timeline."""
    implied_by: ClassVar[tuple[type["Event"], ...]] = ()
    """A summary omits it next to one of these."""
    overtaken_by: ClassVar[tuple[type["Event"], str] | None] = None
    """A summary omits it before this event in the same step, if both have the same partition and
    the same value of this name."""
    explains: ClassVar[bool] = True
    """Whether its rule, if it names one, may explain another event of its frame."""
    of_replicas: ClassVar[bool] = False
    """A summary describes it as an event of its replicas instead of its broker."""
    reports: ClassVar[Beliefs] = NO_BELIEFS
    """The beliefs of its broker or its replicas whose change it reports."""
    drawn: ClassVar[Drawings] = ()
    """Its dots and arrows in the diagram of messages over time."""
    cases: ClassVar[Mapping[str, Case]] = by_variant()

    variant: str | None = None
    rule: str | None = None
    sources: tuple[str, ...] = ()
    subject: EventSubject | None = None

    @property
    def kind(self) -> str:
        """The class name. Documents and texts identify an event by it."""
        return type(self).__name__

    def numbers(self) -> dict[str, EventNumber]:
        """The values for its texts: name in the text → JSON value."""
        values: dict[str, EventNumber] = json.decode(json.encode(self))
        for name in COMMON_FIELDS:
            del values[name]
        return values

    def where(self) -> EventSubject:
        """What to highlight: the subject given, otherwise the event's own partition and broker."""
        return self.subject or NOWHERE


NOWHERE = EventSubject()


class BrokerEvent(Event, frozen=True, gc=False, kw_only=True):
    """An event of a broker."""

    broker: BrokerId


class PartitionEvent(Event, frozen=True, gc=False, kw_only=True):
    """An event of a partition, not tied to one broker."""

    partition: TopicPartition

    def where(self) -> EventSubject:
        """The subject given, otherwise the partition."""
        return self.subject or EventSubject(partition=self.partition)


class ReplicaEvent(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """An event of one replica: a broker and a partition."""

    partition: TopicPartition

    def where(self) -> EventSubject:
        """The subject given, otherwise the partition and the broker."""
        return self.subject or EventSubject(partition=self.partition, replicas=(self.broker,))


COMMON_FIELDS = frozenset(field.name for field in fields(Event))
"""The fields that every event has. All other fields of a class are its numbers."""
