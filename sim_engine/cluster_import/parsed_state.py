"""The parsed input, before anything is concluded from it, and what an import reports: statements
and errors by file and line.

A statement is an interpretation or an assumption: a name with values, which can themselves be
texts. Its sentence is in `cluster_import.ftl` of each language.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from sim_engine.error_texts import Wording
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES, say
from sim_engine.left_out import LeftOut
from sim_engine.versions import Control

TEXTS = "cluster_import"


class Statement(Struct, frozen=True):
    """One statement, and the place that it is about, if any."""

    name: str
    numbers: Mapping[str, object] = {}
    file: str | None = None
    line: int | None = None
    """The first line that it concerns, from 1."""
    last_line: int | None = None

    def text(self, lang: str = DEFAULT_LANGUAGE) -> str:
        """The sentence in a language."""
        numbers = {
            name: value.text(lang) if isinstance(value, Wording) else value
            for name, value in self.numbers.items()
        }
        return say(lang, TEXTS, self.name, **numbers)

    def texts(self) -> dict[str, str]:
        """The sentence in every language."""
        return {lang: self.text(lang) for lang in LANGUAGES}


class ImportProblem(Struct, frozen=True, kw_only=True):
    """One line that cannot be used, and what is expected. Line and column count from 1."""

    file: str
    line: int
    reason: Wording
    column: int = 1
    last_line: int | None = None
    """The last of several lines with the same problem; null for one line."""

    @property
    def message(self) -> str:
        """The reason in English."""
        return self.reason.text()

    def said(self) -> dict[str, str]:
        """The reason in every language."""
        return self.reason.said()

    def __str__(self) -> str:
        lines = "" if self.last_line is None else f" (lines {self.line} to {self.last_line})"
        return f"{self.file}:{self.line}:{self.column}: {self.message}{lines}"


class UnreadableError(Exception):
    """The input cannot be imported; no part of it was used. `more` is the number of problems that
    `problems` leaves out.
    """

    def __init__(self, problems: Sequence[ImportProblem], more: int = 0) -> None:
        super().__init__(problems, more)
        self.problems = tuple(problems)
        self.more = more

    def __str__(self) -> str:
        rest = [f"{self.more} more lines cannot be parsed"] if self.more else []
        return "\n".join([*map(str, self.problems), *rest])


class Problems:
    """Counts problems, and collects a limited number of them in the order in which they are
    found.
    """

    MOST = 50

    def __init__(self) -> None:
        self._found: list[ImportProblem] = []
        self._more = 0

    def report(self, file: str, line: int, reason: Wording) -> None:
        """Add a problem; from the fiftieth on, only count it."""
        last = self._found[-1] if self._found else None
        # One sentence for neighbouring lines.
        if (
            last is not None
            and (last.file, last.reason) == (file, reason)
            and line == (last.last_line or last.line) + 1
        ):
            self._found[-1] = replace(last, last_line=line)
        elif len(self._found) < self.MOST:
            self._found.append(ImportProblem(file=file, line=line, reason=reason))
        else:
            self._more += 1

    def stop(self) -> None:
        """Raise the problems found; does nothing if there are none."""
        if self._found:
            raise UnreadableError(self._found, self._more)


class Partition(Struct, frozen=True, order=True, gc=False):
    """A topic and a partition number."""

    topic: str
    number: int

    def __str__(self) -> str:
        return f"{self.topic}-{self.number}"


Epochs = tuple[tuple[LeaderEpoch, Offset], ...]
"""An epoch cache: pairs of an epoch and its start offset."""


class ClusterFile(Struct, frozen=True):
    """A file or a pasted text. The name is its path, if it has one, because paths identify the
    broker and the partition. The bytes are a log segment, or text in UTF-8.
    """

    name: str
    content: str | bytes


class Origin(Struct, frozen=True):
    """The broker of a part of the input: as stated, otherwise guessed from its path."""

    file: str
    line: int
    stated: BrokerId | None = None
    guesses: tuple[BrokerId, ...] = ()
    """The numbers in the path, the most likely broker id first."""


class ParsedRecord(Struct, frozen=True):
    """A record of a log. The value is None if it was not printed, and the epoch is None if the
    format has none.
    """

    value: str | None
    epoch: LeaderEpoch | None


class LogFacts(Struct):
    """The known facts about one replica's log on its disk."""

    records: dict[Offset, ParsedRecord] = field(default_factory=dict)
    first: Offset | None = None
    """The start of its oldest segment among those read, which may have no record."""
    control: int = 0
    """How many of the records are transaction markers."""
    written: dict[int, list[Offset]] = field(default_factory=dict)
    """The offsets of transactional batches, by producer id."""
    ended: dict[int, Offset] = field(default_factory=dict)
    """The offset of the last transaction marker of a producer id."""
    epochs: Epochs | None = None
    high_watermark: Offset | None = None
    """The high watermark in the broker's checkpoint file."""
    recovery_point: Offset | None = None
    log_start: Offset | None = None
    end: Offset | None = None
    """Its log end offset, if its broker was asked for it or logged it; a dump counts more."""

    def add_batch(self, producer_id: int, offset: Offset, *, is_marker: bool) -> None:
        """Add a batch of a transaction, or the marker that ends it."""
        if is_marker:
            self.ended[producer_id] = max(offset, self.ended.get(producer_id, offset))
        else:
            self.written.setdefault(producer_id, []).append(offset)

    @property
    def open_transactions(self) -> dict[int, Offset]:
        """The first offset of each open transaction, by producer id."""
        after = {
            producer_id: [one for one in offsets if one > self.ended.get(producer_id, -1)]
            for producer_id, offsets in self.written.items()
        }
        return {producer_id: min(offsets) for producer_id, offsets in after.items() if offsets}


class ParsedLog(LogFacts, kw_only=True):
    """What one file or one dump says about a replica's log."""

    partition: Partition
    origin: Origin
    old_format: bool = False
    """Whether it has messages of format 0 or 1, as before 0.11."""


class ParsedPartition(Struct):
    """A partition according to the controller. A leader of -1 means that there is none; None means
    that it was not printed.
    """

    replicas: tuple[BrokerId, ...]
    leader: BrokerId | None = None
    isr: tuple[BrokerId, ...] | None = None
    elr: tuple[BrokerId, ...] = ()
    last_known_elr: tuple[BrokerId, ...] = ()
    adding: tuple[BrokerId, ...] = ()
    removing: tuple[BrokerId, ...] = ()
    leader_epoch: LeaderEpoch | None = None
    partition_epoch: int | None = None
    offline: tuple[BrokerId, ...] = ()
    """The replicas whose brokers do not run, as far as the tool knows."""
    file: str | None = None
    """Where it is described; null if nothing describes it."""
    line: int | None = None
    """From 1; null if it is not described by a line."""


class LogLine(Struct, frozen=True, kw_only=True):
    """What one line of a broker's or a controller's log states about a partition at its time. A
    value of None, and a broker without an end, means that the line does not state it.
    """

    partition: Partition
    file: str
    line: int
    time: str
    """Date and time, comparable as text; that of the line before if the line has none."""
    leader: BrokerId | None = None
    isr: tuple[BrokerId, ...] | None = None
    proposed: tuple[BrokerId, ...] | None = None
    """An ISR that the leader proposes to the controller."""
    refused: bool = False
    """Whether a proposal was refused."""
    replicas: tuple[BrokerId, ...] | None = None
    elr: tuple[BrokerId, ...] | None = None
    last_known_elr: tuple[BrokerId, ...] | None = None
    adding: tuple[BrokerId, ...] | None = None
    removing: tuple[BrokerId, ...] | None = None
    leader_epoch: LeaderEpoch | None = None
    before_epoch: LeaderEpoch | None = None
    """The leader epoch before that one."""
    least_epoch: LeaderEpoch | None = None
    """An epoch that the leader's log has."""
    others: tuple[BrokerId, ...] | None = None
    """Further brokers that it names as replicas, such as the leader before."""
    epoch_start: Offset | None = None
    """Where the leader's log ended when that epoch began."""
    partition_epoch: int | None = None
    high_watermark: Offset | None = None
    """The leader's."""
    ends: Mapping[BrokerId, Offset] = {}


class BrokerLine(Struct, frozen=True, kw_only=True):
    """What one line of a log states about brokers at its time."""

    time: str
    state: Literal["up", "down", "shutting_down"]
    brokers: tuple[BrokerId, ...]


_SECRET = re.compile(
    r"password|passwd|secret|jaas|token(?!\.max|\.expir)|credential|keystore\.key|"
    r"certificate\.chain|truststore\.certificates|api[._-]?key|private[._-]?key",
    re.IGNORECASE,
)


def is_secret(text: str) -> bool:
    """Whether a setting of this name may have a secret as its value, or whether a record may
    contain one.
    """
    return _SECRET.search(text) is not None


class ParsedState(Struct):
    """Everything that was read from all files. No value of a secret is part of it."""

    partitions: dict[Partition, ParsedPartition] = field(default_factory=dict)
    logs: list[ParsedLog] = field(default_factory=list)
    topic_configs: dict[str, dict[str, str]] = field(default_factory=dict)
    cluster_configs: dict[str, str] = field(default_factory=dict)
    broker_configs: dict[BrokerId, dict[str, str]] = field(default_factory=dict)
    racks: dict[BrokerId, str] = field(default_factory=dict)
    unclean_elections: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Topics in which a controller has elected uncleanly by itself, each with a line that shows it:
    file and number.
    """
    brokers: set[BrokerId] = field(default_factory=set)
    """Brokers that were named without a replica: the observers of a quorum, data directories."""
    controls: set[Control] = field(default_factory=set)
    """The kinds of controller that parts of the input imply."""
    since: dict[str, str] = field(default_factory=dict)
    """Releases that the cluster is not older than, each with what shows it."""
    until: dict[str, str] = field(default_factory=dict)
    """Releases that the cluster is older than, each with what shows it."""
    live: set[BrokerId] = field(default_factory=set)
    """The brokers that run, if a tool lists all of them; empty if none does."""
    lists_live: bool = False
    """Whether a tool has listed them, even if there is none."""
    high_watermarks: dict[Partition, Offset] = field(default_factory=dict)
    """The high watermarks of the leaders."""
    lags: dict[tuple[Partition, BrokerId], int] = field(default_factory=dict)
    """How far a replica's log ends before the high watermark."""
    up: set[BrokerId] = field(default_factory=set)
    """Brokers that run, if a tool shows single ones."""
    down: set[BrokerId] = field(default_factory=set)
    """Brokers whose session has ended, as the controller has written."""
    shutting_down: set[BrokerId] = field(default_factory=set)
    """The brokers that have been granted a controlled shutdown and have not ended."""
    topic_ids: dict[str, str] = field(default_factory=dict)
    """The names of topics, by id."""
    partition_counts: dict[str, int] = field(default_factory=dict)
    """How many partitions a topic has, if `kafka-topics` printed it."""
    listed: set[str] = field(default_factory=set)
    """The topics of which `kafka-topics` printed a partition."""
    log_lines: list[LogLine] = field(default_factory=list)
    broker_lines: list[BrokerLine] = field(default_factory=list)
    reassigning: dict[Partition, tuple[str, int]] = field(default_factory=dict)
    """The partitions that a tool says are being reassigned, each with the file and the line."""
    planned: dict[str, tuple[int, int, str, int]] = field(default_factory=dict)
    """Topics of which only the numbers of partitions and replicas are known, with file and line."""
    preferred: dict[Partition, tuple[str, int]] = field(default_factory=dict)
    """The partitions that a tool says are led by their preferred replica."""
    elr_enabled: bool | None = None
    """Whether the feature eligible.leader.replicas.version is on; null if nothing shows it."""
    concluded: bool = False
    """Whether its partitions have been completed from everything that was read."""
    understood: list[Statement] = field(default_factory=list)
    unknown: list[Statement] = field(default_factory=list)
    not_used: list[Statement] = field(default_factory=list)
    """Lines that were recognized and have no use, as ranges of one kind."""

    def assume(
        self, name: str, /, file: str | None = None, line: int | None = None, **numbers: object
    ) -> None:
        """Add an assumption, about a place if it has one."""
        self.unknown.append(Statement(name, numbers, file, line, line))

    def pass_over(self, name: str, file: str, line: int) -> None:
        """Add a line that is not used, to the range of the line before it if that is of the same
        kind.
        """
        last = self.not_used[-1] if self.not_used else None
        if last is not None and (last.name, last.file, last.last_line) == (name, file, line - 1):
            self.not_used[-1] = replace(last, last_line=line)
        else:
            self.not_used.append(Statement(name, {}, file, line, line))

    def describe(self, partition: Partition, about: ParsedPartition) -> None:
        """Add what a tool says of a partition to what others have said. If they differ, the last
        one counts, and that is an assumption; an epoch belongs to its leader.
        """
        before = self.partitions.get(partition)
        if before is not None:
            same_leader = about.leader is None or about.leader == before.leader
            known = about.isr is not None
            pairs = ((about.leader, before.leader), (about.isr, before.isr))
            differ = any(None not in pair and _set(pair[0]) != _set(pair[1]) for pair in pairs)
            if differ or (about.replicas and before.replicas and about.replicas != before.replicas):
                self.assume("described_twice", about.file, about.line, partition=str(partition))
            kept = None if differ else before.partition_epoch
            about = replace(
                about,
                replicas=about.replicas or before.replicas,
                leader=before.leader if about.leader is None else about.leader,
                isr=before.isr if about.isr is None else about.isr,
                elr=about.elr or (() if known and differ else before.elr),
                last_known_elr=about.last_known_elr
                or (() if known and differ else before.last_known_elr),
                adding=about.adding or (() if known and differ else before.adding),
                removing=about.removing or (() if known and differ else before.removing),
                offline=about.offline or before.offline,
                leader_epoch=(
                    before.leader_epoch
                    if about.leader_epoch is None and same_leader
                    else about.leader_epoch
                ),
                partition_epoch=kept if about.partition_epoch is None else about.partition_epoch,
            )
        self.partitions[partition] = about

    def set_configs(
        self,
        kind: str,
        name: str,
        settings: Mapping[str, str],
        file: str | None = None,
        line: int | None = None,
    ) -> str:
        """Add settings of a `topic` or a `broker` of this name; without a number, a broker's are
        those of the cluster. Values of secrets are dropped, and their names reported. Returns the
        name of the statement about them.
        """
        secrets = [setting for setting in settings if is_secret(setting)]
        kept = {setting: value for setting, value in settings.items() if not is_secret(setting)}
        if secrets:
            self.assume("secrets", file, line, names=sorted(secrets))
        if kind == "topic":
            self.topic_configs.setdefault(name, {}).update(kept)
            return "topic_configs"
        if not re.fullmatch("[0-9]{1,9}", name):
            self.cluster_configs.update(kept)
            return "cluster_configs"
        broker = BrokerId(int(name))
        self.broker_configs.setdefault(broker, {}).update(kept)
        if kept.get("broker.rack"):
            self.racks[broker] = kept["broker.rack"]
        return "broker_configs"

    def leave_out(
        self, row: LeftOut, names: Sequence[str], file: str | None = None, line: int | None = None
    ) -> None:
        """Add that these names of the input are omitted, because the engine leaves them out."""
        self.assume("left_out", file, line, names=list(names), what=row.title, reason=row.means)


def _set(value: object) -> object:
    return frozenset(value) if isinstance(value, tuple) else value
