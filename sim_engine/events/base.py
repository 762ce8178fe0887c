"""What every event has, and the shapes that most events share."""

from collections.abc import Sequence

from msgspec import Struct, to_builtins
from msgspec.structs import fields

from sim_engine.identifiers import BrokerId, FrameNumber, Offset, TopicPartition
from sim_engine.json_types import JsonObject, JsonView
from sim_engine.records import Record

EventNumber = int | str | bool | None | Sequence[int | str | JsonView]
"""A value in a sentence. Records of the metadata log are mappings: their fields by name."""


class EventSubject(Struct, frozen=True, gc=False, kw_only=True):
    """What an event is about: replicas, offsets, records and earlier frames. Documents call it
    `evidence`."""

    partition: TopicPartition | None = None
    replicas: tuple[BrokerId, ...] = ()
    offsets: tuple[Offset, ...] = ()
    records: tuple[Record, ...] = ()
    frames: tuple[FrameNumber, ...] = ()


class Event(Struct, frozen=True, gc=False, kw_only=True):
    """One thing that happened.

    `variant` names the case, where a class has several: its text is looked up by class and variant,
    then by the class alone. `rule` is the rule that made it so, null where none is named; `sources`
    are the classes, KIPs and issues of Kafka that say so. `evidence` is given where it is more than
    the event's own broker and partition. Whatever a class adds is a number of its texts: `null` is
    a number without a value, and a field that is unset is no number of that event.
    """

    variant: str | None = None
    rule: str | None = None
    sources: tuple[str, ...] = ()
    evidence: EventSubject | None = None

    @property
    def kind(self) -> str:
        """The name of its class: what documents and texts call it."""
        return type(self).__name__

    def numbers(self) -> dict[str, EventNumber]:
        """What its texts are made of, as JSON values by their names in texts."""
        values: JsonObject = to_builtins(self)
        for name in COMMON_FIELDS:
            del values[name]
        for name, value in values.items():
            if isinstance(value, NESTED):
                values[name] = _as_json(value)
        return values

    def where(self) -> EventSubject:
        """Where to look: the evidence given, or else the event's own partition and broker."""
        return self.evidence or NOWHERE


NOWHERE = EventSubject()


class BrokerEvent(Event, frozen=True, gc=False, kw_only=True):
    """Something that happened at or to a broker."""

    broker: BrokerId


class PartitionEvent(Event, frozen=True, gc=False, kw_only=True):
    """Something that happened to a partition, at no broker in particular."""

    partition: TopicPartition

    def where(self) -> EventSubject:
        """The evidence given, or else the partition."""
        return self.evidence or EventSubject(partition=self.partition)


class ReplicaEvent(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """Something that happened at a broker to its replica of a partition."""

    partition: TopicPartition

    def where(self) -> EventSubject:
        """The evidence given, or else the partition and the broker."""
        return self.evidence or EventSubject(partition=self.partition, replicas=(self.broker,))


COMMON_FIELDS = frozenset(field.name for field in fields(Event))
"""What every event has; what else a class declares are its numbers."""

NESTED = (tuple, dict)
"""What a plain value may be below which there is something to look at."""


def _as_json(value: object) -> object:
    """A value of which all below it is plain, with lists for tuples."""
    if isinstance(value, tuple):
        return [_as_json(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _as_json(item) for key, item in value.items()}
    assert value is None or isinstance(value, bool | int | str | list), "numbers are plain values"
    return value
