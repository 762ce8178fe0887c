"""A scenario after reading: validated, normalized and immutable; and the types of its JSON form.

Only the reader creates one from a file or a request. Code with a `Scenario` can therefore rely on
every reference in it: brokers, partitions and producers exist, numbers are in range, and logs match
their epochs. `scenario_document` creates the JSON form. Any other document of these types is a
candidate until `read_scenario_document` has accepted it: the types define the place of each value,
not whether it is valid.
"""

from collections.abc import Mapping
from typing import Literal, NotRequired, TypeAlias, TypedDict, get_args

from msgspec import Struct

from sim_engine.actions import Step, name_of
from sim_engine.configs import ConfigValue
from sim_engine.error_texts import Wording
from sim_engine.identifiers import (
    FIRST_EPOCH,
    FIRST_OFFSET,
    BrokerId,
    LeaderEpoch,
    Offset,
    TopicPartition,
)

MAX_TITLE_CHARACTERS = 120

Text = dict[str, str]
"""A text in each of `LANGUAGES`, by the language's tag."""


class BrokerSpec(Struct, frozen=True, kw_only=True):
    """A broker of the cluster, its rack, and the settings that only it has."""

    id: BrokerId
    rack: str | None = None
    configs: Mapping[str, ConfigValue] = {}


class RecordSpec(Struct, frozen=True, gc=False):
    """A record in an initial log; the epoch is None if the message format has none."""

    value: str
    epoch: LeaderEpoch | None = None


class LogSpec(Struct, frozen=True, kw_only=True):
    """The initial state of one replica's disk.

    The first record is at `log_start`. For `None`, the defaults of the format apply: see
    `sim_engine.scenario_reader.reader`.
    """

    records: tuple[RecordSpec, ...] = ()
    log_start: Offset = FIRST_OFFSET
    high_watermark: Offset | None = None
    flushed: Offset | None = None
    checkpoint_high_watermark: Offset | None = None
    checkpoint_recovery_point: Offset | None = None
    epochs: tuple[tuple[LeaderEpoch, Offset], ...] | None = None

    @property
    def log_end_offset(self) -> Offset:
        """The offset of the next record (LEO, exclusive)."""
        return Offset(self.log_start + len(self.records))


class PartitionSpec(Struct, frozen=True, kw_only=True):
    """The replicas of a partition and its initial state.

    `leader` is `None` if the file names none (the first replica is the leader), and `isr` is `None`
    if every replica is in sync.
    """

    replicas: tuple[BrokerId, ...]
    leader: BrokerId | None = None
    leader_epoch: LeaderEpoch = FIRST_EPOCH
    partition_epoch: int = 0
    isr: tuple[BrokerId, ...] | None = None
    logs: dict[BrokerId, LogSpec] = {}


class TopicSpec(Struct, frozen=True, kw_only=True):
    """A topic; its partitions are called `<name>-0`, `<name>-1`, …"""

    name: str
    partitions: tuple[PartitionSpec, ...]
    configs: dict[str, ConfigValue] = {}


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


class Scenario(Struct, frozen=True, kw_only=True):
    """A cluster, the steps to perform, and the author's texts and expectations.

    `applies_to` is the condition of title and summary, with `kafka` and `control` as in a note;
    empty means all releases. `control_run` is the id or alias of a scenario to compare with. Like
    the control of an experiment, it differs from this one only in the cause that this one shows.
    """

    id: str
    alias: str | None = None
    chapter: Chapter | None = None
    """The part of the course that a shipped scenario belongs to."""
    title: Text
    summary: Text
    applies_to: dict[str, object] = {}
    source: tuple[str, ...] = ()
    control_run: str | None = None
    kafka: str
    control: str | None = None
    metadata_version: str | None = None
    """The initial protocol level of a cluster under KRaft; null: the release's default."""
    inter_broker_protocol_version: str | None = None
    """The initial protocol level of a cluster under ZooKeeper; null: the release's default."""
    rules: dict[str, bool] = {}
    seed: int = 1
    brokers: tuple[BrokerSpec, ...]
    configs: dict[str, ConfigValue] = {}
    topics: tuple[TopicSpec, ...]
    steps: tuple[ScenarioStep, ...] = ()

    @property
    def levels(self) -> dict[str, str]:
        """Kind of controller → its initial protocol level, if the file names one."""
        named = {
            "metadata_version": self.metadata_version,
            "inter_broker_protocol_version": self.inter_broker_protocol_version,
        }
        return {name: level for name, level in named.items() if level is not None}

    @property
    def broker_ids(self) -> tuple[BrokerId, ...]:
        """The ids of the brokers, in the order in which the file lists them."""
        return tuple(broker.id for broker in self.brokers)

    @property
    def partitions(self) -> dict[TopicPartition, PartitionSpec]:
        """Every partition by its name, `t-0`."""
        return {
            TopicPartition(f"{topic.name}-{index}"): partition
            for topic in self.topics
            for index, partition in enumerate(topic.partitions)
        }


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


class ScenarioError(Exception):
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


class LogJson(TypedDict, total=False):
    """The initial state of one replica's disk."""

    log: str
    log_start: int
    high_watermark: int
    flushed: int
    checkpoint: dict[str, int]
    epochs: list[list[int]]


class PartitionJson(TypedDict):
    """The replicas of a partition and its initial state; `logs` is by broker id."""

    replicas: list[int]
    leader: NotRequired[int]
    leader_epoch: NotRequired[int]
    partition_epoch: NotRequired[int]
    isr: NotRequired[list[int]]
    logs: NotRequired[dict[str, LogJson]]


class TopicJson(TypedDict):
    """A topic and its partitions."""

    name: str
    configs: NotRequired[dict[str, ConfigValue]]
    partitions: list[PartitionJson]


class BrokerJson(TypedDict):
    """What distinguishes a broker: its rack, and the settings that only it has."""

    rack: NotRequired[str]
    configs: NotRequired[dict[str, ConfigValue]]


class ScenarioJson(TypedDict):
    """The whole scenario. `brokers` are ids, or a mapping from id to what distinguishes it."""

    scenario: int
    id: str
    alias: NotRequired[str]
    chapter: NotRequired[str]
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
