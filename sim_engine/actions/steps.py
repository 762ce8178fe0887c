"""The structs of all steps and actions: what clients do, followers' fetches, messages in flight,
processes and machines, links, the controller and its administrator, and time.

An action on a message delivers, loses, holds or releases it. A link has two directions, which are
cut and restored separately. A step expands into actions; a struct may be both.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta

from sim_engine.actions.base import (
    AcksField,
    Broker,
    BrokerOrController,
    ClientName,
    KeptOffsets,
    Milliseconds,
    MillisecondsOrNone,
    Ordinal,
    Partition,
    Rack,
    RecordCount,
    RecordValues,
    Replicas,
    Sequence,
    StepStruct,
    TimerOf,
)
from sim_engine.configs import ConfigValue
from sim_engine.identifiers import CONTROLLER, MESSAGE_KINDS, METADATA_RECORD, MessageKind
from sim_engine.json_types import JsonObject
from sim_engine.versions import LevelName

DEFAULT_PRODUCER = "p1"

DEFAULT_CONSUMER = "c1"

Isolation = Literal["read_uncommitted", "read_committed"]


class Produce(StepStruct, frozen=True, gc=False, kw_only=True):
    """A producer sends records to a partition, one batch and one request for each record.

    The request goes to the leader in the producer's metadata, or to `broker`. A step may have
    several values; an action has exactly one. `idempotent` adds a producer id and a sequence number
    to each batch (KIP-98). `sequence` overrides the producer's next sequence number; it requires a
    single value. `timeout_ms` is how long the leader may wait for acks (default: 30 s).
    """

    row = 6

    to: Partition
    values: RecordValues
    acks: AcksField = "all"
    as_: ClientName = DEFAULT_PRODUCER
    broker: Broker | None = None
    idempotent: bool = False
    sequence: Sequence | None = None
    timeout_ms: Milliseconds | None = None


class Retry(StepStruct, frozen=True, gc=False, kw_only=True):
    """A producer retries its oldest request that failed or has no response yet."""

    as_: ClientName


class Refresh(StepStruct, frozen=True, gc=False, kw_only=True):
    """A client refreshes its metadata and learns the current leaders."""

    as_: ClientName


class Transaction(StepStruct, frozen=True, gc=False, kw_only=True):
    """A producer begins, commits or aborts a transaction (KIP-98)."""

    as_: ClientName
    do: Literal["begin", "commit", "abort"]


class Consume(StepStruct, frozen=True, gc=False, kw_only=True):
    """A consumer fetches at most `max` records from its position.

    It fetches from the leader in its metadata, or from `broker` (KIP-392). If `rack` is given, the
    leader may redirect it to a follower in that rack. Without `isolation` it uses read_uncommitted.
    """

    partition: Partition
    as_: ClientName = DEFAULT_CONSUMER
    broker: Broker | None = None
    rack: Rack | None = None
    max: RecordCount | None = None
    isolation: Isolation | None = None


class Fetch(StepStruct, frozen=True, gc=False, kw_only=True):
    """A follower runs its fetch loop until it has applied a fetch response without an error.

    `partition` defaults to the first one that the broker follows. `records` limits the records in a
    response. With `only: truncation` the step ends after the truncation phase. With `drop:
    response` the last response is lost in flight.
    """

    row = 5

    broker: Broker
    partition: Partition | None = None
    records: RecordCount | None = None
    only: Literal["truncation"] | None = None
    drop: Literal["response"] | None = None


class SendFetch(StepStruct, frozen=True, gc=False, kw_only=True):
    """A follower sends the next request of its fetch loop, of whatever kind."""

    broker: Broker
    partition: Partition | None = None
    records: RecordCount | None = None


METADATA = "metadata"
"""The names of the metadata log in a step. Only the controller writes it."""

FROM_CONTROLLER = (METADATA, METADATA_RECORD, "leader_and_isr", "stop_replica", "update_metadata")
"""The kinds for which `from` may be omitted."""


class OneMessage(StepStruct, frozen=True, gc=False, kw_only=True):
    """Selects the oldest message in flight of one kind, in one direction of a link.

    Without `partition`, messages of every partition match. `nth` selects exactly one of the
    matching messages, held or not; the oldest is 1. It is not allowed for the metadata log, which
    is read as a whole, or with `skip`.
    """

    kind: Annotated[
        MessageKind,
        Meta(extra={"noun": "message_kind", "schema": {"enum": [*MESSAGE_KINDS, METADATA]}}),
    ]
    from_: BrokerOrController = CONTROLLER
    to: BrokerOrController
    partition: Partition | None = None
    nth: Ordinal | None = None

    @property
    def is_metadata_log(self) -> bool:
        """Whether this selects the metadata log, which a broker reads as a whole."""
        return (self.kind, self.from_) == (METADATA_RECORD, CONTROLLER)


class Deliver(OneMessage, frozen=True, gc=False, kw_only=True):
    """Delivers the oldest matching message, and the receiver handles it.

    `records` delivers that many records of the metadata log at once, whether held or not. `skip`
    replaces a LeaderAndIsr by the next one.
    """

    records: RecordCount | None = None
    skip: bool = False


class Drop(OneMessage, frozen=True, gc=False, kw_only=True):
    """Drops the oldest matching message and closes its connection."""

    fault = True


class Hold(OneMessage, frozen=True, gc=False, kw_only=True):
    """Holds the oldest matching message. For the metadata log, this includes records written
    later."""


class Release(OneMessage, frozen=True, gc=False, kw_only=True):
    """Releases the oldest matching held message. For the metadata log, releases everything."""


class OneBroker(StepStruct, frozen=True, gc=False, kw_only=True):
    """An action on one broker."""

    broker: Broker


class Crash(OneBroker, frozen=True, gc=False, kw_only=True):
    """Kills the process. The page cache survives, so no record is lost."""

    fault = True
    affects = "process"
    row = 7


class PowerLoss(OneBroker, frozen=True, gc=False, kw_only=True):
    """Kills the process and discards every byte that was not flushed to disk.

    `keep` maps a partition to the log end offset that survives; the default is the flushed offset.
    The broker may have crashed before.
    """

    fault = True
    affects = "machine"
    row = 8

    keep: KeptOffsets | None = None


class DiskLoss(OneBroker, frozen=True, gc=False, kw_only=True):
    """Destroys the broker's disk: logs, epoch files and checkpoints. The broker restarts with empty
    logs."""

    fault = True
    affects = "machine"
    row = 13


class Shutdown(OneBroker, frozen=True, gc=False, kw_only=True):
    """Shuts a broker down: a controlled shutdown, from the request to the end of the process.

    With `only`, the step is one of its two halves, and the controller's commands stay in flight:
    `begin` is the request, `end` the end of the process.
    """

    fault = True
    row = 11

    only: Literal["begin", "end"] | None = None


class BeginShutdown(OneBroker, frozen=True, gc=False, kw_only=True):
    """A broker starts a controlled shutdown: the controller moves its leaderships and removes it
    from every ISR."""

    def step(self) -> Shutdown:
        """The step that this action is part of."""
        return Shutdown(broker=self.broker)


class EndShutdown(OneBroker, frozen=True, gc=False, kw_only=True):
    """A broker completes its controlled shutdown: it writes its files and exits."""

    def step(self) -> Shutdown:
        """The step that this action is part of."""
        return Shutdown(broker=self.broker)


class Pause(OneBroker, frozen=True, gc=False, kw_only=True):
    """Pauses the process, which keeps its state (a long garbage collection, SIGSTOP)."""

    fault = True
    affects = "process"
    row = 9


class Resume(OneBroker, frozen=True, gc=False, kw_only=True):
    """Resumes a paused process."""

    row = 3


class Start(OneBroker, frozen=True, gc=False, kw_only=True):
    """Starts a broker: it recovers its logs, registers, and its replicas become leaders or
    followers."""

    row = 1


class Boot(OneBroker, frozen=True, gc=False, kw_only=True):
    """Starts a broker's process, which opens its logs. It has received no metadata yet.

    With `session: kept` its old znode still exists, so it cannot register (ZooKeeper).
    """

    row = 12

    session: Literal["kept"] | None = None


class Cut(StepStruct, frozen=True, gc=False, kw_only=True):
    """Cuts one direction of a link. Messages in flight on it are lost."""

    fault = True

    from_: BrokerOrController
    to: BrokerOrController


class Heal(StepStruct, frozen=True, gc=False, kw_only=True):
    """Restores one direction of a link (`from`, `to`), or all links of a `broker`."""

    row = 4

    from_: BrokerOrController | None = None
    to: BrokerOrController | None = None
    broker: Broker | None = None


class Isolate(OneBroker, frozen=True, gc=False, kw_only=True):
    """Cuts all links of a broker in both directions: to the controller, to the other brokers, or
    both."""

    fault = True
    row = 10

    from_: Literal["controller", "brokers", "all"]


class Slow(OneBroker, frozen=True, gc=False, kw_only=True):
    """Delays every message that a broker sends or receives by `ms` of virtual time. 0 removes the
    delay.
    """

    ms: MillisecondsOrNone


ElectionKind = Literal["clean", "preferred", "unclean"]

OnlyController = Literal["controller"] | None
"""`controller` for a step that ends after the controller's decision: its commands stay in flight.
"""


class Detect(OneBroker, frozen=True, gc=False, kw_only=True):
    """The controller detects now that a broker failed or came back. Its commands reach every
    reachable broker.

    With `only: controller` it detects one change, and its commands stay in flight.
    """

    row = 2

    only: OnlyController = None


class Notice(OneBroker, frozen=True, gc=False, kw_only=True):
    """The controller detects one change of a broker's state and reacts to it."""

    def step(self) -> Detect:
        """The step that this action is part of."""
        return Detect(broker=self.broker)


class Elect(StepStruct, frozen=True, gc=False, kw_only=True):
    """An administrator requests an election, after the controller has detected every failed broker.

    If `leader` is given, the step is refused unless that broker is elected. With `only: controller`
    the controller detects nothing first, and its commands stay in flight.
    """

    partition: Partition
    kind: Annotated[ElectionKind, Meta(extra={"noun": "election_kind"})]
    leader: Broker | None = None
    only: OnlyController = None


class AskElection(StepStruct, frozen=True, gc=False, kw_only=True):
    """An administrator requests an election for one partition."""

    partition: Partition
    kind: ElectionKind

    def step(self) -> Elect:
        """The step that this action is part of."""
        return Elect(partition=self.partition, kind=self.kind)


class Reassign(StepStruct, frozen=True, gc=False, kw_only=True):
    """Reassigns a partition: to other replicas, or to the same ones in a different order. With
    `replicas: null`, cancels the reassignment in progress. The controller's commands reach every
    broker; with `only: controller`, they stay in flight."""

    partition: Partition
    replicas: Replicas | None
    only: OnlyController = None


class ReassignReplicas(StepStruct, frozen=True, gc=False, kw_only=True):
    """An administrator reassigns a partition: to other replicas, or to the same ones in a different
    order. With `replicas: null`, the reassignment in progress is cancelled."""

    partition: Partition
    replicas: Replicas | None

    def step(self) -> Reassign:
        """The step that this action is part of."""
        return Reassign(partition=self.partition, replicas=self.replicas)


class Config(StepStruct, frozen=True, gc=False, kw_only=True):
    """Changes settings of one `topic`, of one `broker` or of the whole cluster, or the protocol
    level, at run time. The controller's commands reach every reachable broker; with `only:
    controller`, they stay in flight.

    In a file, topic, broker, only, level and settings are keys of the same mapping.
    """

    topic: str | None = None
    broker: Broker | None = None
    only: OnlyController = None
    levels: Mapping[LevelName, str] = {}
    settings: Mapping[str, ConfigValue] = {}

    def arguments(self) -> JsonObject:
        """Topic or broker, `only`, level and settings as keys of one mapping."""
        entity: JsonObject = {"topic": self.topic, "broker": self.broker, "only": self.only}
        named = {name: value for name, value in entity.items() if value is not None}
        return {**named, **dict(self.levels.items()), **self.settings}


class FailController(StepStruct, frozen=True, gc=False, kw_only=True):
    """Another broker becomes the controller. Its commands reach every reachable broker; with `only:
    controller`, they stay in flight."""

    only: OnlyController = None


class TakeOverController(StepStruct, frozen=True, gc=False, kw_only=True):
    """The controller fails and another one takes over. It is a broker without replicas."""

    def step(self) -> FailController:
        """The step that this action is part of."""
        return FailController()


TimerKind = Literal[
    "isr_expiration",
    "high_watermark_checkpoint",
    "recovery_point_checkpoint",
    "flush",
    "isr_change_propagation",
    "heartbeat",
    "session_timeout",
    "preferred_leader_check",
    "unclean_leader_check",
    "long_poll",
    "fetch_backoff",
    "produce_timeout",
]

CONTROLLER_TIMER_KINDS: tuple[TimerKind, ...] = ("preferred_leader_check", "unclean_leader_check")


class Timer(StepStruct, frozen=True, gc=False, kw_only=True):
    """Fires one timer without advancing time. A timer of the controller needs no `broker`.

    If several fetches are parked at the broker, `partition` and `follower` select the `long_poll`
    that ends.
    """

    broker: TimerOf | None = None
    kind: Annotated[TimerKind, Meta(extra={"noun": "timer_kind"})]
    partition: Partition | None = None
    follower: Broker | None = None


class Advance(StepStruct, frozen=True, gc=False, kw_only=True):
    """Advances the clock and fires due timers. No message is delivered and no follower sends."""

    ms: Milliseconds


class Tick(StepStruct, frozen=True, gc=False, kw_only=True):
    """Advances the clock by `ms`. `since` is the time since the last frame, if that is longer."""

    ms: int
    since: int | None = None

    @property
    def told_ms(self) -> int:
        """The elapsed time that the frame reports, in ms."""
        return self.ms if self.since is None else self.since

    def step(self) -> Advance:
        """The step that this action is part of."""
        return Advance(ms=self.told_ms)


class Run(StepStruct, frozen=True, gc=False, kw_only=True):
    """Autoplay: performs everything that is due within this time, in order of time."""

    ms: Milliseconds


class Settle(StepStruct, frozen=True, gc=False, kw_only=True):
    """Autoplay until nothing is pending. Then the last long polls end with empty responses."""


TimeStep = Advance | Run | Settle
"""A step that lets time pass. It may expand to thousands of actions; any other step expands to a
few.
"""


Happening = (
    Produce
    | Retry
    | Refresh
    | Transaction
    | Consume
    | Fetch
    | SendFetch
    | Deliver
    | Drop
    | Hold
    | Release
    | Crash
    | PowerLoss
    | DiskLoss
    | Shutdown
    | Pause
    | Resume
    | Start
    | Boot
    | Cut
    | Heal
    | Isolate
    | Slow
    | Detect
    | Elect
    | Reassign
    | Config
    | FailController
    | Timer
    | TimeStep
)
"""A step that the engine performs, as one action or several. Words such as `note` are excluded."""

Action = (
    Produce
    | Retry
    | Refresh
    | Transaction
    | Consume
    | SendFetch
    | Deliver
    | Drop
    | Hold
    | Release
    | Crash
    | PowerLoss
    | DiskLoss
    | BeginShutdown
    | EndShutdown
    | Pause
    | Resume
    | Boot
    | Cut
    | Heal
    | Isolate
    | Slow
    | Notice
    | AskElection
    | ReassignReplicas
    | Config
    | TakeOverController
    | Timer
    | Tick
)
"""The actions that the engine performs. Each action produces one frame."""
