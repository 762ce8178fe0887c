"""A recording of a real cluster: the steps, and the values observed after each, as the file
contains them (`…InFile`, `Recorded…`) and validated (`Recording`).

Null means that a value was not read, so it is not compared. The fields that only explain a
recording to readers of the file (`title`, `shows`, `note`, `remarks`, `live_in_zookeeper`) are not
part of it.

There is one struct for each verb, an operation on a real cluster, with its arguments. The reader
rejects any other verb or argument, so nothing is skipped silently.
"""

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import UNSET, Struct, UnsetType, field

from sim_engine.actions.base import name_of
from sim_engine.actions.steps import Isolation
from sim_engine.identifiers import Acks, BrokerId, LeaderEpoch, MessageKind, Offset, TopicPartition
from sim_engine.scenario_reader.document import Scenario

Session = Literal["ended", "kept"]
"""ZooKeeper: whether the broker's session was ended with the process, so that the controller
detected it, or still existed.
"""

Frames = Literal["request", "response"]
"""Selects the messages of an API that are held, released or dropped."""


class Verb(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One verb with its arguments."""


class CreateTopic(Verb, frozen=True, kw_only=True):
    """The topic is created with this assignment, which `topic` of the recording repeats."""

    replicas: object = None
    configs: dict[str, object] = {}
    brokers_up: list[BrokerId] | None = None
    """The brokers that were running when the topic was created; null: all of them."""


class Produce(Verb, frozen=True, kw_only=True):
    """A producer sends values, each in a separate request, to `broker` or to the leader (null).

    Without `wait`, a later `answer` receives the response, or `produced_later` records it.
    `timeout_ms` is the request's. `sequence` is given for idempotent and transactional producers.
    """

    broker: BrokerId | None
    values: list[str]
    acks: Acks | Literal[-1]
    timeout_ms: int
    wait: bool = True
    retry: bool = False
    idempotent: bool = False
    transactional: bool = False
    sequence: int | None = None
    producer_id_epoch_sequence: tuple[int, int, int] | None = None
    """Resend a batch with its original producer id, epoch and sequence number."""


class Answer(Verb, frozen=True, kw_only=True):
    """The producer receives the response to an earlier request."""

    value: str


class Transaction(Verb, frozen=True, kw_only=True):
    """The transactional producer adds the partition to its transaction, or ends it."""

    add_partition: bool = False
    end: Literal["commit", "abort"] | None = None


class Consume(Verb, frozen=True, kw_only=True):
    """A consumer reads from `offset` at a broker: see `consumed_from` of the step."""

    broker: BrokerId
    offset: Offset
    isolation: Isolation = "read_uncommitted"


class OffsetsForLeaderEpoch(Verb, frozen=True, kw_only=True):
    """A client requests the ends of leader epochs from a broker: see `answers` of the step."""

    broker: BrokerId
    epochs: list[LeaderEpoch] = []
    asked: object = None
    current_leader_epoch: LeaderEpoch | None = None


class Kill(Verb, frozen=True, kw_only=True):
    """SIGKILL."""

    broker: BrokerId
    session: Session | None = None


class SessionEnd(Verb, frozen=True, kw_only=True):
    """The znode of a dead or frozen broker is removed."""

    broker: BrokerId


class DeleteFile(Verb, frozen=True, kw_only=True):
    """A checkpoint file of a dead broker is deleted."""

    broker: BrokerId
    file: Literal["replication-offset-checkpoint"]


class PowerLoss(Verb, frozen=True, kw_only=True):
    """SIGKILL, and the log is truncated to its first `keep` records."""

    broker: BrokerId
    keep: int
    session: Session | None = None


class DiskLoss(Verb, frozen=True, kw_only=True):
    """SIGKILL, and everything in the broker's log directory is deleted."""

    broker: BrokerId
    session: Session | None = None


class Stop(Verb, frozen=True, kw_only=True):
    """SIGTERM: a controlled shutdown."""

    broker: BrokerId


class Start(Verb, frozen=True, kw_only=True):
    """The process of a broker starts, or those of several brokers at the same time."""

    broker: BrokerId | None = None
    brokers: list[BrokerId] = []

    def broker_ids(self) -> list[BrokerId]:
        """Every broker that starts."""
        return self.brokers if self.broker is None else [self.broker]


class Freeze(Verb, frozen=True, kw_only=True):
    """SIGSTOP."""

    broker: BrokerId


class Thaw(Verb, frozen=True, kw_only=True):
    """SIGCONT."""

    broker: BrokerId


class Until(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The condition that ended a wait. The changes that the controller detected by then are in
    `noticed` of the step.
    """

    leader: BrokerId | None = None
    fenced: list[BrokerId] | Literal["all"] | None = None
    isr: list[BrokerId] | None = None
    isr_shrinks: bool = False
    answered: str | None = None
    """The value whose request received a response."""


class Wait(Verb, frozen=True, kw_only=True):
    """Time passes: for a number of milliseconds, or until a condition is true."""

    ms: int | None = None
    until: Until | None = None


class Elect(Verb, frozen=True, kw_only=True):
    """An administrator requests an election."""

    kind: Literal["preferred", "unclean"]


class Reassign(Verb, frozen=True, kw_only=True):
    """An administrator reassigns the partition to other replicas, or to the same in a different
    order; null cancels the reassignment in progress.
    """

    replicas: list[BrokerId] | None


class Config(Verb, frozen=True, kw_only=True):
    """An administrator changes dynamic settings: of `topic`, of `broker` alone, or of the whole
    cluster. Whether the controller has read them shows only in what it does.
    """

    topic: str | None = None
    broker: BrokerId | None = None
    settings: dict[str, object]


class CutOff(Verb, frozen=True, kw_only=True):
    """A broker's connections to the controller are closed and refused."""

    broker: BrokerId
    from_: Literal["controller"] = field(name="from", default="controller")


class Reconnect(Verb, frozen=True, kw_only=True):
    """A broker's connections to the controller are allowed again."""

    broker: BrokerId
    to: Literal["controller"] = "controller"


class CutLink(Verb, frozen=True, kw_only=True):
    """What one broker sends another is lost from now on: its connections are closed and refused,
    and its responses close theirs.
    """

    from_: BrokerId = field(name="from")
    to: BrokerId


class HealLink(Verb, frozen=True, kw_only=True):
    """What one broker sends another arrives again."""

    from_: BrokerId = field(name="from")
    to: BrokerId


class Network(Verb, frozen=True, kw_only=True):
    """Messages of one kind between two brokers are held, released or dropped, or a broker is cut
    off from ZooKeeper.

    `from` sends the API's requests, and `to` receives them.
    """

    hold: Frames | None = None
    release: Frames | None = None
    drop: Frames | None = None
    api: str | None = None
    from_: BrokerId | None = field(name="from", default=None)
    to: BrokerId | None = None
    cut: Literal["zookeeper"] | None = None
    heal: Literal["zookeeper"] | None = None
    broker: BrokerId | None = None


class Fetch(Verb, frozen=True, kw_only=True):
    """Exactly `rounds` held fetch requests of `broker` are delivered to the leader `from`.

    With `response: held`, the last response stays held in flight.
    """

    broker: BrokerId
    from_: BrokerId = field(name="from")
    rounds: int
    response: Literal["delivered", "held"]


VERBS: Mapping[str, type[Verb]] = {name_of(kind): kind for kind in Verb.__subclasses__()}
"""The verbs by their names in files. A step has exactly one."""

Row = list[int | str | None]
"""A record in a recording: offset, epoch and value, without the epoch if a client read it. A
transaction marker has the value null, followed by its kind.
"""


class RecordingRuns(Struct, frozen=True, kw_only=True):
    """The number of repetitions of the run, and the levels of KRaft's features."""

    recordings_agreeing: int | None = None
    repeats: int | None = None
    features: dict[str, int] = {}


class RecordedTopic(Struct, frozen=True, kw_only=True):
    """The topic. Its partitions are validated like those of a scenario."""

    name: str
    partitions: list[dict[str, object]]
    configs: dict[str, object] = {}


class TimingDependent(Struct, frozen=True, kw_only=True):
    """The values that differed between repetitions and are not compared."""

    fields: list[str] = []
    """Names of fields, at any place."""
    places: list[str] = []
    """Single places, as in `steps/7/saw/isr`."""
    isr_in_any_order_at_steps: list[int] = []


class NoticedBroker(Struct, frozen=True, kw_only=True):
    """The change of a broker's state that the KRaft controller detected in this step."""

    broker: BrokerId
    fenced: bool | None = None
    registered: bool = False
    in_controlled_shutdown: bool | None = None


class ProduceResult(Struct, frozen=True, kw_only=True):
    """The response to a producer for one value."""

    value: str
    outcome: Literal["acked", "failed", "no_answer", "not_sent", "pending"] | None = None
    offset: Offset | None = None
    error: str | None = None


class ConsumeResult(Struct, frozen=True, kw_only=True):
    """The records that a consumer read at one broker."""

    records: list[Row] | None = None
    high_watermark: Offset | None = None
    error: str | None = None


class RecordedEpochEnd(Struct, frozen=True, kw_only=True):
    """A broker's response about the end of the epoch `asked`; -1 means undefined. The error is null
    if there is none.
    """

    asked: LeaderEpoch
    leader_epoch: LeaderEpoch | None = None
    end_offset: Offset | None = None
    error: str | None = None


class PartitionRecord(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A PartitionRecord or PartitionChangeRecord of the metadata log.

    An optional field is unset if the record does not change it.
    """

    record: Literal["PartitionRecord", "PartitionChangeRecord"]
    leader: BrokerId | UnsetType = UNSET
    isr: list[BrokerId] | UnsetType = UNSET
    elr: list[BrokerId] | UnsetType = UNSET
    last_known_elr: list[BrokerId] | UnsetType = UNSET
    leader_recovery_state: int | UnsetType = UNSET
    replicas: list[BrokerId] | UnsetType = UNSET
    removing: list[BrokerId] | UnsetType = UNSET
    adding: list[BrokerId] | UnsetType = UNSET
    leader_epoch: LeaderEpoch | UnsetType = UNSET
    partition_epoch: int | UnsetType = UNSET


class RecordedBroker(Struct, frozen=True, kw_only=True):
    """One broker: its process, and what is on its disk."""

    process: Literal["running", "frozen", "dead"]
    clean_shutdown: bool | None
    log: list[Row] | None
    leader_epoch_checkpoint: list[list[int]] | None
    """Epochs with their start offsets."""
    high_watermark_checkpoint: Offset | None
    recovery_point_checkpoint: Offset | None
    live_high_watermark: Offset | None = None
    fetch_error: str | None = None
    fenced: bool | None = None
    in_controlled_shutdown: bool | None = None


class RecordedState(Struct, frozen=True, kw_only=True):
    """The values that were read from the controller, clients and disks after a step."""

    leader: BrokerId | None
    leader_epoch: LeaderEpoch | None
    partition_epoch: int | None
    isr: list[BrokerId] | None
    consumable_end: Offset | None
    """The high watermark in the leader's response to a client."""
    consumed: list[Row] | None
    """What a new consumer reads from the start."""
    brokers: dict[BrokerId, RecordedBroker]
    elr: list[BrokerId] | None = None
    last_known_elr: list[BrokerId] | None = None
    leader_recovery_state: int | None = None
    """0 is recovered, 1 recovering."""
    replicas: list[BrokerId] | None = None
    adding_replicas: list[BrokerId] | None = None
    removing_replicas: list[BrokerId] | None = None
    controller_epoch: int | None = None
    list_offsets_latest: Offset | str | None = None
    """In old recordings, also the error: ListOffsets before version 5 has no other field for it."""
    list_offsets_error: str | None = None
    last_stable_offset: Offset | None = None
    consumable_end_read_committed: Offset | None = None
    fetched_read_committed: list[Row] | None = None
    aborted_transactions: list[list[int]] | None = None
    """Pairs of a producer id and the first offset of its transaction."""
    consumed_read_committed: list[Row] | None = None


class StepInFile(Struct, frozen=True, kw_only=True):
    """One step: its verb, and the values that were read after it."""

    do: dict[str, object]
    """A verb by its name, with its arguments."""
    settled: bool = True
    """Whether the cluster had settled: two reads 700 ms apart agreed. Otherwise it was read about
    100 ms after the step.
    """
    read_after_ms: int | None = None
    """The time that passed before the first read, in ms, so that every replica that the step made
    lag had left the ISR; null: none.
    """
    noticed: list[NoticedBroker] = []
    metadata_records: list[dict[str, object]] | None = None
    produced: list[ProduceResult] = []
    produced_later: list[ProduceResult] = []
    consumed_from: ConsumeResult | None = None
    answers: list[RecordedEpochEnd] = []
    saw: RecordedState | None = None


class RecordingFile(Struct, frozen=True, kw_only=True):
    """A whole file."""

    conformance: Literal[1]
    """The version of this format."""
    id: str
    kafka: str
    control: Literal["kraft", "zookeeper"]
    brokers: list[BrokerId]
    """The brokers with replicas."""
    controller_broker: BrokerId | None = None
    """ZooKeeper: the broker without replicas that is the controller."""
    configs: dict[str, object]
    configs_per_broker: dict[BrokerId, dict[str, object]] = {}
    topic: RecordedTopic
    steps: list[StepInFile]
    scenario: str | None = None
    recorded: RecordingRuns = field(default_factory=RecordingRuns)
    timing_dependent: TimingDependent = field(default_factory=TimingDependent)


_EPOCH_LOOKUP: tuple[MessageKind, MessageKind] = (
    "offsets_for_leader_epoch_request",
    "offsets_for_leader_epoch_response",
)
API_MESSAGES: Mapping[str, tuple[MessageKind, MessageKind]] = {
    "Fetch": ("fetch_request", "fetch_response"),
    "OffsetForLeaderEpoch": _EPOCH_LOOKUP,
    "OffsetsForLeaderEpoch": _EPOCH_LOOKUP,
    "ListOffsets": ("list_offsets_request", "list_offsets_response"),
}
"""Kafka's names of its APIs, and the engine's names of its request and response."""

KRAFT_CONTROLLER = 100
"""The controller's node in recordings. A broker's Fetch requests to it read its metadata log."""

TOPIC: Final = TopicPartition("t-0")


class RecordingError(Exception):
    """A recording is invalid, or does something that the engine does not model."""

    def __init__(self, where: str, message: str) -> None:
        super().__init__(f"{where}: {message}")
        self.where = where
        self.message = message


class RecordedStep(StepInFile, frozen=True, kw_only=True):
    """One step of a file, validated."""

    name: str
    """The verb's name in the file."""
    verb: Verb
    partition_records: list[PartitionRecord] | None
    """The KRaft controller's records about the partition; null if they were not read."""

    @property
    def responses(self) -> list[ProduceResult]:
        """Those that producers received in this step, to requests of this or earlier steps."""
        return [*self.produced, *self.produced_later]


class Recording(Struct, frozen=True, kw_only=True):
    """A whole recording, and the cluster it ran on as a scenario without steps."""

    file: RecordingFile
    steps: tuple[RecordedStep, ...]
    scenario: Scenario
    own_checkpoint_times: frozenset[BrokerId]
    """Brokers whose high watermark checkpoint interval changed during the run. The file has only
    the final value, so the times of their checkpoints are taken from the recording."""
    down_at_first: tuple[BrokerId, ...]
    """The brokers that had not been started when the topic was created."""

    @property
    def repeated(self) -> bool:
        """Whether the run was repeated, so that the values that depend on timing are known."""
        runs = self.file.recorded
        return max(runs.recordings_agreeing or 0, runs.repeats or 0) > 1
