"""The base of every event and the shapes that most events share; and what is true of every event of
a class: how telling it is, and how the story and the diagram of messages over time show it: as dots
on lanes, and arrows.
"""

from collections.abc import Mapping, Sequence
from enum import IntEnum, auto
from types import MappingProxyType
from typing import ClassVar, Literal, TypeAlias, get_args

from msgspec import Struct, json
from msgspec.structs import fields

from sim_engine.identifiers import BrokerId, FrameNumber, Offset, TopicPartition
from sim_engine.json_types import PublishedJson
from sim_engine.records import Record

Lane = Literal["broker", "controller", "producers", "consumers", "client"]
"""Of the event's broker, the controller, all producers or consumers, or the kind of the event's
client."""
Tone = Literal["plain", "accent", "good", "warn", "bad"]
Form = Literal["isr", "link"]
"""A drawing that depends on the rest of the frame: of a written ISR, and of one direction of a
link."""


class Drawing(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A dot, or an arrow if it has a `to`. `label` is its text in the languages'
    `interface/diagram.ftl`.
    """

    label: str
    at: Lane = "broker"
    to: Lane | None = None
    tone: Tone = "plain"
    before: bool = False
    """It is a request, which precedes its effects; other arrows follow them."""
    lost: bool = False
    values: Mapping[str, str] = {}
    """A value of its label → the number of the event that it is; "variant" is the variant."""
    needs: str | None = None
    """It is drawn only if the event has this number."""
    if_moved: bool = False
    """It is drawn only if the numbers `before` and `after` differ."""
    unless: str | None = None
    """It is not drawn if the frame has an event of this kind."""
    form: Form | None = None


Drawings = tuple[Drawing, ...]


def dot(
    label: str,
    tone: Tone = "plain",
    *,
    at: Lane = "broker",
    values: Mapping[str, str] | None = None,
    needs: str | None = None,
    if_moved: bool = False,
    unless: str | None = None,
) -> Drawings:
    """A dot on a lane."""
    return (
        Drawing(
            label=label,
            at=at,
            tone=tone,
            values=values or {},
            needs=needs,
            if_moved=if_moved,
            unless=unless,
        ),
    )


def request(label: str, tone: Tone = "plain", *, to: Lane, lost: bool = False) -> Drawings:
    """An arrow of a request: of producers to the event's broker, or of the broker to a lane."""
    at: Lane = "producers" if to == "broker" else "broker"
    return (Drawing(label=label, at=at, to=to, tone=tone, before=True, lost=lost),)


def response(label: str, tone: Tone = "plain", *, to: Lane, lost: bool = False) -> Drawings:
    """An arrow of the broker's response to clients; a dot on their lane if no broker sends it."""
    return (Drawing(label=label, to=to, tone=tone, lost=lost),)


def special(form: Form, label: str, tone: Tone = "plain") -> Drawings:
    """A drawing that depends on the rest of the frame."""
    return (Drawing(label=label, tone=tone, form=form),)


# --- what is true of a class ----------------------------------------------------------------------


class Rank(IntEnum):
    """The one order of events, the most telling first.

    It decides which event is the headline of a frame, which frame of a step is its most important
    one, and which events a summary names. A frame shows the first of equal events; of equal frames,
    the last is the step's.
    """

    REFUSED = auto()
    """A step is refused: nothing else happens."""
    LOSS = auto()
    """An acknowledged record is lost. The truncation or the election beside it says why."""
    RISK = auto()
    WRONG_READ = auto()
    """A consumer has read what the leader does not have."""
    DIVERGENCE = auto()
    UNSETTLED = auto()
    FORCED_EXIT = auto()
    """A process ends because of its leader's log."""
    STANDSTILL = auto()
    """A follower no longer gets anywhere."""
    LATE_RESPONSE = auto()
    """A response of the past takes effect: it explains what the follower then does."""
    REMOVAL = auto()
    """Records disappear from one log."""
    FAULT = auto()
    CONTROLLER_SURPRISE = auto()
    """The controller does not do what an administrator expects."""
    ELECTION = auto()
    SAFE_AGAIN = auto()
    """Good news comes after the election that brings it."""
    NO_LEADER = auto()
    NO_ELECTION = auto()
    CONTROLLER_ELECTION = auto()
    STALE = auto()
    """What is out of date takes effect, or is found."""
    FAILURE = auto()
    """A producer learns that its request failed: that tells more than a success beside it."""
    OUTCOME = auto()
    """A producer learns that its record is acknowledged."""
    MISSED = auto()
    """A message, a command or a request is lost or has no effect."""
    INTERVENTION = auto()
    """What the user or an administrator does to the cluster."""
    ASSIGNMENT = auto()
    LIVENESS = auto()
    ISR_LOSS = auto()
    ISR = auto()
    UNACKNOWLEDGED_LOSS = auto()
    READ = auto()
    """A consumer's request is answered."""
    REPAIR = auto()
    """A leader and a follower find that they differ."""
    COMMIT = auto()
    """The high watermark of a leader, and what it waits for."""
    ISR_WRITTEN = auto()
    APPEND = auto()
    NOTICE = auto()
    RECOVERY = auto()
    """A starting broker loads a log."""
    LEADING = auto()
    FOLLOWING = auto()
    REQUEST = auto()
    DETAIL = auto()
    REGISTRATION = auto()
    """A broker registers, or a transaction begins. From here on, a summary names an event only if
    nothing more telling happened in the step."""
    ROUTINE = auto()
    IDLE = auto()
    """A fetch without a new record."""
    UNRANKED = auto()
    """What has no rank of its own comes after all the others."""
    LAST = auto()
    """Only if nothing else happened."""


Mark = Literal[
    "loss",
    "at_risk",
    "surprise",
    "divergence",
    "truncation",
    "election",
    "fault",
    "acknowledgement",
    "isr",
]
"""The notable kinds of events in a frame. `surprise` means that a record that a consumer has read
has changed or disappeared, `divergence` that two logs differ below the high watermark.
"""
MARKS: tuple[Mark, ...] = get_args(Mark)
"""The most important first."""

Belief = Literal[
    "log",
    "flushed",
    "epoch_cache",
    "checkpoint_high_watermark",
    "checkpoint_recovery_point",
    "loaded",
    "leader",
    "leader_epoch",
    "partition_epoch",
    "role",
    "high_watermark",
    "isr",
    "pending_isr",
    "blocked_isr",
    "leader_epoch_start_offset",
    "followers",
    "produces",
    "fetches_from",
    "fetch_offset",
    "fetch_phase",
    "has_fetched",
    "forgot_epoch",
    "diverging_epoch",
]
"""A part of what a replica has and believes."""
BELIEFS: tuple[Belief, ...] = get_args(Belief)

Beliefs: TypeAlias = frozenset[Belief]

NO_BELIEFS: Beliefs = frozenset()
ISR: Beliefs = frozenset({"partition_epoch", "isr", "pending_isr", "blocked_isr"})
FILES: Beliefs = frozenset({"flushed", "checkpoint_high_watermark", "checkpoint_recovery_point"})
"""What a broker writes to disk beside the log."""
DISK: Beliefs = FILES | {"log", "epoch_cache"}
MEMORY: Beliefs = frozenset(BELIEFS) - DISK
"""What ends with a process."""
ROLE: Beliefs = MEMORY - {"loaded", "high_watermark"}
"""What a broker knows as the leader or a follower of a partition."""


class Case(Struct, frozen=True):
    """What is different for one variant of a class: its rank, its mark and its drawings, null if
    they are those of the class, and the beliefs that it reports in addition.
    """

    rank: Rank | None = None
    mark: Mark | None = None
    reports: Beliefs = NO_BELIEFS
    drawn: Drawings | None = None


def by_variant(**cases: Case) -> Mapping[str, Case]:
    """The cases of a class, by variant."""
    return MappingProxyType(cases)


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
