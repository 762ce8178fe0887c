"""The shape of a frame on the wire, in Kafka's words.

These models describe answers; the answers themselves are encoded from the engine's documents.
`tests/backend` holds the two together. The frontend's types are generated from here.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)


Endpoint = int | Literal["controller"]
Acks = Literal["all"] | int | str
Scalar = str | int | bool | None
BrokerState = Literal[
    "running", "paused", "stopped", "crashed", "shutting_down", "fenced", "failed"
]
Step = Annotated[
    dict[str, Any],
    Field(description='One step, as in a scenario file: {"crash": {"broker": 2}}.'),
]


Text = Annotated[
    dict[str, str], Field(description='The same words by language: {"en": "…", "zh": "…"}.')
]


class WordsRead(Shape):
    """What of the author's words applies to the release of this run."""

    title: Text = Field(description="What this run is called.")
    summary: bool = Field(description="Whether the scenario's summary applies.")
    steps: list[int] = Field(
        description="Where in the scenario's steps the notes and questions are that apply."
    )


class LogRecord(Shape):
    offset: int
    epoch: int | None = Field(description="Null where the message format has none, before 0.11.")
    value: str
    id: str = Field(description="A record's identity; a retry that duplicates makes another.")
    producer_id: int | None = Field(default=None, description="Of an idempotent producer.")
    sequence: int | None = Field(default=None, description="A control record has none.")
    transactional: bool = False
    control: Literal["commit", "abort"] | None = Field(
        default=None, description="A marker that ends a transaction, no record of a user's."
    )


class Evidence(Shape):
    """What to point at: the replicas, offsets, records and frames that an event is about."""

    partition: str | None = None
    replicas: list[int] = []
    offsets: list[int] = []
    records: list[LogRecord] = []
    frames: list[int] = []


class PropertyEvidence(Shape):
    """What a violation can be followed by: which record, where it should be, since when."""

    model_config = ConfigDict(extra="allow")

    partition: str | None = None
    replicas: list[int] = []
    offsets: list[int] = []
    records: list[dict[str, Any]] = []
    frames: list[int] = []
    acked_frame: int | None = None


class Event(Shape):
    """Something that happened; its sentence is in the catalogue under `kind.variant` or `kind`."""

    kind: str
    variant: str | None = None
    numbers: dict[str, Any] = Field(description="What fills the sentence's places.")
    rule: str | None = Field(description="The rule of Kafka that made it so, such as KIP-279.")
    sources: list[str]
    evidence: Evidence


class Change(Shape):
    """One value before and after the frame's action."""

    what: str = Field(description="log_end_offset, high_watermark, isr, leader_epoch, …")
    partition: str | None
    broker: int | None
    subject: str | None
    before: Any
    after: Any


class Property(Shape):
    status: Literal["holds", "violated", "not_exercised"]
    first_frame: int | None = Field(description="The first frame in which it is violated.")
    evidence: PropertyEvidence


class Partition(Shape):
    """A partition as the controller has it."""

    leader: int = Field(description="-1 when there is none.")
    leader_epoch: int
    partition_epoch: int
    isr: list[int]
    elr: list[int]
    last_known_elr: list[int]
    leader_recovery_state: Literal["RECOVERED", "RECOVERING"]
    replicas: list[int]
    adding_replicas: list[int] = Field(description="While a reassignment goes on.")
    removing_replicas: list[int]
    preferred_leader: int


class Checkpoints(Shape):
    """What the checkpoint files of the broker say; null where there is no such file, as after the
    disk was lost."""

    high_watermark: int | None
    recovery_point: int | None


class FollowerState(Shape):
    """What a leader believes of one follower."""

    log_end_offset: int | None
    last_caught_up_ms: int | None


class PendingIsr(Shape):
    kind: Literal["expand", "shrink"]
    isr: list[int]


class Fetcher(Shape):
    leader: int
    state: Literal["truncating", "fetching", "resetting", "failed", "stopped"]
    fetch_offset: int | None
    leader_epoch: int
    delayed_until_ms: int | None


class Replica(Shape):
    """One replica as its broker has it; of a broker that is down, what its disk has."""

    broker_state: BrokerState
    role: Literal["leader", "follower", "none"]
    leader: int = Field(description="Whom it believes to lead; -1 for nobody.")
    leader_epoch: int | None = Field(description="Null while it has no role.")
    partition_epoch: int | None
    log: list[LogRecord]
    log_start_offset: int
    log_end_offset: int
    high_watermark: int | None = Field(description="Null while the broker is down.")
    last_stable_offset: int | None
    epoch_cache: list[tuple[int, int]] | None = Field(
        description="[leader epoch, start offset] pairs; null before 0.11."
    )
    checkpoints: Checkpoints
    flushed: int = Field(description="Records below this offset are on disk.")
    followers: dict[str, FollowerState]
    isr: list[int] | None = Field(description="As the leader believes; null where it leads not.")
    maximal_isr: list[int] | None
    pending_isr: PendingIsr | None
    leader_epoch_start_offset: int | None
    fetcher: Fetcher | None
    in_isr: bool
    diverging_offsets: list[int]


class Broker(Shape):
    state: BrokerState
    registered: bool
    fenced: bool | None
    in_controlled_shutdown: bool | None
    broker_epoch: int | None
    metadata_offset: int | None = Field(
        description="How far it has read the metadata log; null under ZooKeeper and while down."
    )
    noticed: bool = Field(description="Whether the controller knows what became of it.")
    down_since_frame: int | None
    clean_shutdown: bool
    rack: str | None = None
    cut_from: list[Endpoint]


class Znode(Shape):
    path: str
    value: int | list[int] | dict[str, int | list[int]]
    version: int | None = Field(description="Where Kafka writes with an expected version.")


class Controller(Shape):
    kind: Literal["zookeeper", "kraft"]
    controller_epoch: int
    metadata_offset: int | None
    live_brokers: list[int]
    behind: dict[str, int] = Field(description="Broker → metadata records it has not applied.")
    znodes: list[Znode] | None = Field(description="What stands in ZooKeeper; null under KRaft.")


class Produced(Shape):
    """One record that a producer sent, and what it was told."""

    id: str | None = Field(description="Null where no leader has appended it.")
    as_: str = Field(alias="as")
    value: str
    acks: Acks
    partition: str
    offset: int | None
    outcome: Literal["pending", "acked", "failed", "no_answer"]
    error: str | None
    frame: int
    acked_frame: int | None
    lost_frame: int | None = Field(description="The frame in which its last copy went.")
    broker: int | None
    producer_id: int | None = Field(default=None, description="Of an idempotent producer.")
    sequence: int | None = None
    transaction: int | None = Field(default=None, description="Which of its producer's, from 1.")


class Consumed(Shape):
    as_: str = Field(alias="as")
    partition: str
    offset: int
    value: str
    frame: int


class Clients(Shape):
    produced: list[Produced]
    consumed: list[Consumed]
    consumers: dict[str, dict[str, int]]
    producers: dict[str, dict[str, int]]
    transactions: dict[str, list[str]] = Field(
        default={}, description="Producers in a transaction → the partitions they wrote to."
    )


class Message(Shape):
    """One message in flight."""

    id: int
    kind: str
    from_: Endpoint = Field(alias="from")
    to: Endpoint
    partition: str | None
    held: bool
    parked: bool = Field(description="A long poll that waits at the leader.")
    deliverable: bool
    numbers: dict[str, Any]


class State(Shape):
    """Everything that exists at one moment."""

    time_ms: int
    partitions: dict[str, Partition]
    replicas: dict[str, dict[str, Replica]] = Field(description="Partition → broker → replica.")
    brokers: dict[str, Broker]
    controller: Controller
    clients: Clients
    in_flight: list[Message]
    links_cut: list[tuple[Endpoint, Endpoint]]
    metadata_version: str | None = Field(
        description="KRaft: the level of the protocol that the cluster uses; null under ZooKeeper."
    )
    inter_broker_protocol_version: str | None = Field(
        description="ZooKeeper: the same; null under KRaft."
    )
    configs: dict[str, Any]
    acks: list[Acks]


class PatchOperation(Shape):
    """One operation of RFC 6902."""

    op: Literal["add", "remove", "replace"]
    path: str
    value: Any = None


class Frame(Shape):
    """The state after one action, whole."""

    frame: int
    parent: int | None
    depth: int = Field(description="How many actions from the start on its branch.")
    item: int | None = Field(description="The entry of `steps` that made it; null for a person's.")
    action: Step | None
    events: list[Event] = Field(description="In the order in which one led to the next.")
    headline: int = Field(
        default=0,
        description="The place in `events` of the one that tells most; 0 where none is named.",
    )
    changes: list[Change]
    properties: dict[str, Property]
    state: State


class FrameEntry(Shape):
    """A frame in a list: `state` whole, or `patch` against the frame before it in the list.

    The first entry has a whole state, and another one now and again; with `full=1` all have.
    """

    frame: int
    parent: int | None
    depth: int = Field(description="How many actions from the start on its branch.")
    item: int | None = Field(description="The entry of `steps` that made it; null for a person's.")
    action: Step | None
    events: list[Event] = Field(description="In the order in which one led to the next.")
    headline: int = Field(
        default=0,
        description="The place in `events` of the one that tells most; 0 where none is named.",
    )
    changes: list[Change]
    properties: dict[str, Property]
    state: State | None = None
    patch: list[PatchOperation] | None = None


class ProblemPlace(Shape):
    where: str = Field(description="A JSON Pointer into the request.")
    message: str
    line: int | None = Field(
        None, description="Counted from 1; there for a place in a text that was sent."
    )
    column: int | None = Field(None, description="Counted from 1; there where `line` is.")


class Problem(Shape):
    """Every error: application/problem+json (RFC 9457)."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    code: str = Field(description="Stable: what a program may look at.")
    errors: list[ProblemPlace]


class Refusal(Problem):
    """An action that is possible in itself, and not in this state (409)."""

    reason: str
    reason_code: str = Field(description="Its words in each language are in the catalogue.")
    numbers: dict[str, Any]
    rule: str | None
