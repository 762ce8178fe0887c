"""The scenario file: each of its fields, declared once; and the types of its JSON form.

The fields are those of the structs. The reader, the schema, and the writers of JSON and YAML walk
them (`specs_of`), so a field of a known type is declared here and nowhere else in this package. A
field with a syntax of its own names it as its `part`: `fields.py`, `schema.py` and `writer.py` each
have a table of the parts that need more than their type. The steps are declared in
`sim_engine.actions`.

A `Scenario` is validated, normalized and immutable. Only the reader creates one from a file or a
request, so code can rely on every reference in it: brokers, partitions and producers exist, numbers
are in range, and logs match their epochs. `scenario_document` creates the JSON form. Any other
document of these types is a candidate until `read_scenario_document` has accepted it: the types
define the place of each value, not whether it is valid.
"""

from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict, get_args

from msgspec import Meta, Struct, field

from sim_engine.actions import Step
from sim_engine.actions.base import (
    MAX_BROKER_ID,
    MAX_BROKERS,
    MAX_OFFSET,
    MAX_RECORDS,
    Broker,
    LeaderEpochField,
    LogOffset,
    OrNull,
    Rack,
    Replicas,
    name_of,
    part,
)
from sim_engine.configs import INT_MAX, ConfigValue
from sim_engine.error_texts import Wording, WrongInputError
from sim_engine.identifiers import (
    FIRST_EPOCH,
    FIRST_OFFSET,
    NO_LEADER,
    BrokerId,
    LeaderEpoch,
    Offset,
    TopicPartition,
)
from sim_engine.versions import LEVEL_NAMES, Control, LevelName

FORMAT_VERSION = 1
SCHEMA_FILE = f"scenario-{FORMAT_VERSION}.schema.json"
SCHEMA_ADDRESS = f"https://unpkg.com/highwater-replay@1/{SCHEMA_FILE}"
"""The address of the format's JSON Schema, the same in every version and installation, so that a
file can name it: the npm package contains it.
"""
MAX_TITLE_CHARACTERS = 120
MAX_SUMMARY_CHARACTERS = 2_000
MAX_EXPLANATION_CHARACTERS = 200
MAX_SOURCES = 50
MAX_SOURCE_CHARACTERS = 300
MAX_PARTITIONS = 16
MAX_SAFE_INTEGER = 2**53 - 1
"""The largest whole number that JavaScript represents exactly."""

Text = dict[str, str]
"""A text in each of `LANGUAGES`, by the language's tag."""


Name = Annotated[str, Meta(pattern="^[a-z0-9-]{1,64}$", extra=part("name"))]
"""The id or the alias of a scenario."""
Level = Annotated[str, Meta(extra=part("level"))]
Settings = dict[str, ConfigValue]
SomeOfCluster = Annotated[
    tuple[Broker, ...],
    Meta(max_length=MAX_BROKERS, extra=part("some_of_cluster", sparse=True, uniqueItems=True)),
]
"""Distinct brokers of the cluster, possibly none, in an order that has a meaning."""
SomeOfReplicas = Annotated[
    tuple[Broker, ...],
    Meta(max_length=MAX_BROKERS, extra=part("some_of_replicas", sparse=True, uniqueItems=True)),
]
"""Distinct replicas of the partition, possibly none."""
OffsetInLog = Annotated[Offset, Meta(ge=0, le=MAX_OFFSET, extra=part("offset_in_log"))]
"""An offset of an initial log, up to its end."""


BrokerState = Literal["running", "fenced", "stopped", "unknown"]
"""The state of a broker in frame 0.

`fenced`: it runs, and the controller has fenced it (KRaft). `stopped`: its process has ended, the
controller has noticed, and there is no marker of a clean shutdown. `unknown`: as `running` if it
leads a partition or is in the ISR of one that has a leader, otherwise as `stopped`.
"""


class BrokerSpec(Struct, frozen=True, kw_only=True):
    """A broker of the cluster, its state, its rack, and the settings that only it has."""

    id: BrokerId
    state: BrokerState = "running"
    rack: OrNull[Rack] = None
    configs: Annotated[Settings, Meta(extra=part("broker_configs"))] = {}


class RecordSpec(Struct, frozen=True, gc=False):
    """A record in an initial log; the epoch is None if the message format has none."""

    value: str
    epoch: LeaderEpoch | None = None


class CheckpointSpec(Struct, frozen=True, kw_only=True):
    """The checkpoint files of one replica. The high watermark may be ahead of a log that lost its
    end; loading limits it to the log.
    """

    high_watermark: OrNull[LogOffset] = None
    recovery_point: OrNull[
        Annotated[Offset, Meta(ge=0, le=MAX_OFFSET, extra=part("recovery_point"))]
    ] = None


class LogSpec(Struct, frozen=True, kw_only=True):
    """The initial state of one replica's disk.

    The first record is at `log_start`. For `None`, the defaults of the format apply: see
    `sim_engine.cluster.start`.
    """

    records: Annotated[tuple[RecordSpec, ...], Meta(extra=part("records"))] = field(
        default=(), name="log"
    )
    log_start: LogOffset = FIRST_OFFSET
    high_watermark: OrNull[
        Annotated[Offset, Meta(ge=0, le=MAX_OFFSET, extra=part("high_watermark"))]
    ] = None
    flushed: OrNull[OffsetInLog] = None
    checkpoint: Annotated[CheckpointSpec, Meta(extra={"sparse": True})] = CheckpointSpec()
    epochs: OrNull[
        Annotated[tuple[tuple[LeaderEpoch, Offset], ...], Meta(extra=part("epoch_file"))]
    ] = None

    @property
    def log_end_offset(self) -> Offset:
        """The offset of the next record (LEO, exclusive)."""
        return Offset(self.log_start + len(self.records))


class PartitionSpec(Struct, frozen=True, kw_only=True):
    """The replicas of a partition and its initial state.

    `leader` is `None` if the file names none (the first replica is the leader), and -1 if the
    partition has no leader. `isr` is `None` if every replica is in sync. `elr` and `last_known_elr`
    may name brokers that a reassignment has removed; `adding` and `removing` are those of
    `replicas` that a reassignment in progress adds and removes. `acked` are values of records
    in the logs that were acknowledged with acks=all before the start. `number` is `None` for the
    next one: 0 for the first partition of a topic, otherwise one more than that of the one before.
    """

    number: OrNull[Annotated[int, Meta(ge=0, le=INT_MAX)]] = None
    replicas: Replicas
    leader: OrNull[
        Annotated[
            BrokerId, Meta(ge=-1, le=MAX_BROKER_ID, extra={"role": "broker", "part": "leader"})
        ]
    ] = None
    leader_epoch: LeaderEpochField = FIRST_EPOCH
    partition_epoch: Annotated[int, Meta(ge=0, le=INT_MAX)] = 0
    isr: OrNull[
        Annotated[
            tuple[Broker, ...],
            Meta(
                max_length=MAX_BROKERS, extra={"role": "replicas", **part("isr", uniqueItems=True)}
            ),
        ]
    ] = None
    elr: SomeOfCluster = ()
    last_known_elr: SomeOfCluster = ()
    adding: SomeOfReplicas = ()
    removing: SomeOfReplicas = ()
    logs: Annotated[dict[BrokerId, LogSpec], Meta(extra=part("logs", sparse=True))] = {}
    acked: Annotated[
        tuple[str, ...],
        Meta(max_length=MAX_RECORDS, extra=part("acked", sparse=True, uniqueItems=True)),
    ] = ()

    @property
    def in_sync(self) -> tuple[BrokerId, ...]:
        """The ISR: every replica if the file names none."""
        return self.replicas if self.isr is None else self.isr

    @property
    def first_leader(self) -> BrokerId:
        """The leader in frame 0; -1 if there is none."""
        return self.replicas[0] if self.leader is None else self.leader


class TopicSpec(Struct, frozen=True, kw_only=True):
    """A topic; its partitions are called `<name>-0`, `<name>-1`, …, unless they have numbers."""

    name: Annotated[
        str, Meta(pattern=r"^(?!\.{1,2}$)[A-Za-z0-9._-]{1,249}$", extra=part("topic_name"))
    ]
    configs: Annotated[Settings, Meta(extra=part("topic_configs"))] = {}
    partitions: Annotated[
        tuple[PartitionSpec, ...],
        Meta(min_length=1, max_length=MAX_PARTITIONS, extra=part("partitions")),
    ]

    @property
    def named(self) -> dict[TopicPartition, PartitionSpec]:
        """The partitions by name, in their order."""
        named: dict[TopicPartition, PartitionSpec] = {}
        number = -1
        for partition in self.partitions:
            number = number + 1 if partition.number is None else partition.number
            named[TopicPartition(f"{self.name}-{number}")] = partition
        return named


class ScenarioStep(Struct, frozen=True):
    """One entry of `steps`: a step, or an author's text about the frame before it.

    `refused` names the versions in which the step must be refused; `True` is all.
    """

    step: Step
    refused: bool | tuple[str, ...] = False

    @property
    def kind(self) -> str:
        """The name of the step in the file."""
        return name_of(type(self.step))


Chapter = Literal["basics", "truncation", "failures"]
"""The chapters: how replication works; truncation to the high watermark and its fixes; unclean
elections, power losses, eligible leader replicas, clients.
"""
CHAPTERS: tuple[Chapter, ...] = get_args(Chapter)
"""The chapters in teaching order."""


class Vocabulary(Struct, frozen=True, kw_only=True):
    """The terms of the glossary that the texts of a lesson use: those that earlier lessons have
    introduced, and those that it introduces, each with its explanation.

    While such a lesson is read, the page shows only what these terms explain.
    """

    uses: Annotated[tuple[str, ...], Meta(extra=part("terms", sparse=True))] = ()
    introduces: Annotated[dict[str, Text], Meta(extra=part("new_terms"))] = {}

    @property
    def known(self) -> frozenset[str]:
        """Every term that the lesson may use."""
        return frozenset({*self.uses, *self.introduces})


class Scenario(Struct, frozen=True, kw_only=True):
    """A cluster, the steps to perform, and the author's texts and expectations.

    `applies_to` is the condition of title and summary, with `kafka` and `control` as in a note;
    empty means all releases. `control_run` is the id or alias of a scenario to compare with. Like
    the control of an experiment, it differs from this one only in the cause that this one shows.
    """

    id: Name
    alias: OrNull[Name] = None
    chapter: OrNull[Annotated[Chapter, Meta(description="Of a shipped lesson: its folder.")]] = None
    """The part of the course that a shipped scenario belongs to."""
    vocabulary: OrNull[Vocabulary] = None
    """The terms of a lesson of the simple view; null: the lesson may use all terms."""
    title: Annotated[Text, Meta(extra=part("title"))] = {}
    """In the file optional: the id."""
    summary: Annotated[Text, Meta(extra=part("summary"))] = {}
    applies_to: Annotated[dict[str, object], Meta(extra=part("condition", sparse=True))] = {}
    source: Annotated[tuple[str, ...], Meta(max_length=MAX_SOURCES, extra=part("sources"))] = ()
    control_run: OrNull[
        Annotated[
            Name, Meta(description="The id or alias of the scenario to compare this one with.")
        ]
    ] = None
    kafka: Annotated[str, Meta(extra=part("version"))]
    control: OrNull[Control] = None
    metadata_version: Level | None = None
    """The initial protocol level of a cluster under KRaft; null: the release's default."""
    inter_broker_protocol_version: Level | None = None
    """The initial protocol level of a cluster under ZooKeeper; null: the release's default."""
    rules: Annotated[dict[str, bool], Meta(extra=part("rules"))] = {}
    seed: Annotated[int, Meta(ge=0, le=MAX_SAFE_INTEGER)] = 1
    brokers: Annotated[tuple[BrokerSpec, ...], Meta(extra=part("brokers"))]
    configs: Annotated[Settings, Meta(extra=part("configs"))] = {}
    topics: Annotated[tuple[TopicSpec, ...], Meta(min_length=1, max_length=MAX_PARTITIONS)]
    steps: Annotated[tuple[ScenarioStep, ...], Meta(extra=part("steps"))] = ()

    @property
    def levels(self) -> dict[LevelName, str]:
        """Kind of controller → its initial protocol level, if the file names one."""
        named = ((name, getattr(self, name)) for name in LEVEL_NAMES)
        return {name: level for name, level in named if level is not None}

    @property
    def broker_ids(self) -> tuple[BrokerId, ...]:
        """The ids of the brokers, in the order in which the file lists them."""
        return tuple(broker.id for broker in self.brokers)

    @property
    def broker_states(self) -> dict[BrokerId, Literal["running", "fenced", "stopped"]]:
        """The state of each broker in frame 0, with `unknown` decided."""
        needed = {
            member
            for one in self.partitions.values()
            if one.leader != NO_LEADER
            for member in one.in_sync
        }
        return {
            broker.id: broker.state
            if broker.state != "unknown"
            else ("running" if broker.id in needed else "stopped")
            for broker in self.brokers
        }

    @property
    def partitions(self) -> dict[TopicPartition, PartitionSpec]:
        """Every partition by its name, `t-0`."""
        return {name: partition for topic in self.topics for name, partition in topic.named.items()}


class Problem(Struct, frozen=True, kw_only=True):
    """One error in a scenario: its place, and what is allowed there.

    `where` is a JSON Pointer into the document, and `reason` what is wrong. Line and column count
    from 1 and exist only if the document was read from text. `code` is stable, for programs.
    `limit` is the name of the exceeded limit, one of `SCENARIO_LIMITS`; null for any other problem.
    `repair` is the word or the number to write at this place instead; null if that is not known.
    """

    where: str
    reason: Wording
    line: int | None = None
    column: int | None = None
    code: str = "wrong_document"
    limit: str | None = None
    repair: str | None = None

    @property
    def message(self) -> str:
        """The reason in English."""
        return self.reason.text()

    def said(self) -> dict[str, str]:
        """The reason in every language."""
        return self.reason.said()

    def __str__(self) -> str:
        place = self.where or "/"
        if self.line is None:
            return f"{place}: {self.message}"
        return f"{self.line}:{self.column}: {place}: {self.message}"


class ScenarioError(WrongInputError):
    """A scenario, or one of its steps, is invalid. No part of it was used."""

    def __init__(self, problems: tuple[Problem, ...], *, filename: str | None = None) -> None:
        super().__init__(problems, filename)
        self.problems = problems
        self.filename = filename

    @property
    def code(self) -> str:
        """The code of the first problem."""
        return self.problems[0].code

    def __str__(self) -> str:
        return "\n".join(self._line(problem) for problem in self.problems)

    def _line(self, problem: Problem) -> str:
        if self.filename is None:
            return str(problem)
        if problem.line is None:
            return f"{self.filename}:1:1: {problem}"
        return f"{self.filename}:{problem}"


StepJson: TypeAlias = dict[str, dict[str, object]]
"""One entry of `steps`: the step's name and its arguments, `{"crash": {"broker": 2}}`."""


class PartitionJson(TypedDict):
    """A partition: the keys that code outside this package reads. `logs` is by broker id."""

    number: NotRequired[int]
    replicas: list[int]
    leader: NotRequired[int]
    isr: NotRequired[list[int]]
    elr: NotRequired[list[int]]
    last_known_elr: NotRequired[list[int]]
    adding: NotRequired[list[int]]
    removing: NotRequired[list[int]]
    logs: NotRequired[dict[str, dict[str, object]]]
    acked: NotRequired[list[str]]


class TopicJson(TypedDict):
    """A topic and its partitions."""

    name: str
    configs: NotRequired[dict[str, ConfigValue]]
    partitions: list[PartitionJson]


class BrokerJson(TypedDict):
    """What distinguishes a broker: its state, its rack, and the settings that only it has."""

    state: NotRequired[str]
    rack: NotRequired[str]
    configs: NotRequired[dict[str, ConfigValue]]


class ScenarioJson(TypedDict):
    """The whole scenario. `brokers` are ids, or a mapping from id to what distinguishes it."""

    scenario: int
    id: str
    alias: NotRequired[str]
    chapter: NotRequired[str]
    vocabulary: NotRequired[dict[str, object]]
    title: Text
    summary: Text
    applies_to: NotRequired[dict[str, object]]
    source: list[str]
    control_run: NotRequired[str]
    kafka: str
    control: NotRequired[str]
    metadata_version: NotRequired[str]
    inter_broker_protocol_version: NotRequired[str]
    rules: dict[str, bool]
    seed: int
    brokers: list[int] | dict[str, BrokerJson]
    configs: dict[str, ConfigValue]
    topics: list[TopicJson]
    steps: list[StepJson]
