"""A scenario as the engine reads it: checked, normalised and frozen.

The reader is the only place that makes one from a file or a request, so whoever holds a
`Scenario` may rely on every reference in it: brokers, partitions and producers exist, numbers
are in range, logs agree with their epochs.
"""

from typing import Literal, get_args

from msgspec import Struct

from sim_engine.actions import Step, name_of
from sim_engine.configs import ConfigValue
from sim_engine.identifiers import (
    FIRST_EPOCH,
    FIRST_OFFSET,
    BrokerId,
    LeaderEpoch,
    Offset,
    TopicPartition,
)

Text = dict[str, str]
"""The same words in each of `LANGUAGES`: `{"en": …, "zh": …}`."""


class BrokerSpec(Struct, frozen=True, kw_only=True):
    """A broker of the cluster and its rack."""

    id: BrokerId
    rack: str | None = None


class RecordSpec(Struct, frozen=True):
    """A record that is in a log from the start; no epoch where the message format has none."""

    value: str
    epoch: LeaderEpoch | None = None


class LogSpec(Struct, frozen=True, kw_only=True):
    """What one replica's disk holds at the start.

    The first record is at `log_start`. `None` leaves the value to the rule for logs that say
    nothing: see `sim_engine.scenario_reader.reader`.
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
        """The offset of the next record, exclusive end of the log."""
        return Offset(self.log_start + len(self.records))


class PartitionSpec(Struct, frozen=True, kw_only=True):
    """Where a partition lives and how it starts.

    `leader` is `None` where the file names none (the first replica leads), `isr` where every
    replica is in sync.
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
    """One entry of `steps`: what happens, or an author's words about the frame before.

    `refused` names the versions in which the step must be refused; `True` is all.
    """

    step: Step
    refused: bool | tuple[str, ...] = False

    @property
    def kind(self) -> str:
        """What the step is called in the file."""
        return name_of(type(self.step))


Chapter = Literal["basics", "truncation", "failures"]
"""How replication works; truncation to the high watermark and what repaired it; unclean elections,
power losses, eligible leader replicas, clients."""
CHAPTERS: tuple[Chapter, ...] = get_args(Chapter)
"""In the order in which they teach."""


class Scenario(Struct, frozen=True, kw_only=True):
    """A cluster, what is done to it, and what the author says and expects on the way.

    `applies_to` says to which releases title and summary apply, as `kafka` and `control` of a note
    do; empty means to all. `control_run` is the id or alias of the scenario to set beside this one,
    as the control of an experiment: it differs in the one thing that this one is about.
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
    """The level of the protocol at the start, of a cluster under KRaft; null is the release's."""
    inter_broker_protocol_version: str | None = None
    """The same of a cluster under ZooKeeper."""
    rules: dict[str, bool] = {}
    seed: int = 1
    brokers: tuple[BrokerSpec, ...]
    configs: dict[str, ConfigValue] = {}
    topics: tuple[TopicSpec, ...]
    steps: tuple[ScenarioStep, ...] = ()

    @property
    def levels(self) -> dict[str, str]:
        """The level that each kind of controller starts at, where the file names one."""
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
    """One thing that is wrong in a scenario, where it is, and what would be right.

    `where` is a JSON Pointer into the document. Line and column count from 1 and exist only
    where the document was read from text. `code` is for programs, and stays as it is. `limit` is
    the name of the limit that was passed, one of `SCENARIO_LIMITS`; null for any other problem.
    """

    where: str
    message: str
    line: int | None = None
    column: int | None = None
    code: str = "wrong_document"
    limit: str | None = None

    def __str__(self) -> str:
        place = self.where or "/"
        if self.line is None:
            return f"{place}: {self.message}"
        return f"{self.line}:{self.column}: {place}: {self.message}"


class ScenarioError(Exception):
    """A scenario, or a step of one, that cannot be accepted. Nothing of it was used."""

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
