"""The parsed input, before anything is concluded from it; the position in a text that is being
parsed; and what an import reports: statements and errors by file and line.

A statement is an interpretation or an assumption: a name with values, which can themselves be
texts. Its sentence is in `cluster_import.ftl` of each language.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, get_args

from msgspec import Struct, field
from msgspec.structs import replace

from sim_engine.error_texts.wording import Wording
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset
from sim_engine.languages.library import DEFAULT_LANGUAGE, LANGUAGES, say
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
    epochs: Epochs | None = None
    high_watermark: Offset | None = None
    """The high watermark in the broker's checkpoint file."""
    recovery_point: Offset | None = None
    log_start: Offset | None = None
    end: Offset | None = None
    """Its log end offset, if its broker was asked for it."""


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
    partition_epoch: int = 0
    offline: tuple[BrokerId, ...] = ()
    """The replicas whose brokers do not run, as far as the tool knows."""
    file: str | None = None
    """Where it is described; null if nothing describes it."""
    line: int | None = None
    """From 1; null if it is not described by a line."""


class ParsedState(Struct):
    """Everything that was read from all files."""

    partitions: dict[Partition, ParsedPartition] = field(default_factory=dict)
    logs: list[ParsedLog] = field(default_factory=list)
    topic_configs: dict[str, dict[str, str]] = field(default_factory=dict)
    cluster_configs: dict[str, str] = field(default_factory=dict)
    broker_configs: dict[BrokerId, dict[str, str]] = field(default_factory=dict)
    racks: dict[BrokerId, str] = field(default_factory=dict)
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
    high_watermarks: dict[Partition, Offset] = field(default_factory=dict)
    """The high watermarks of the leaders."""
    lags: dict[tuple[Partition, BrokerId], int] = field(default_factory=dict)
    """How far a replica's log ends before the high watermark."""
    elr_enabled: bool | None = None
    """Whether the feature eligible.leader.replicas.version is on; null if nothing shows it."""
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

    def leave_out(
        self, row: LeftOut, names: Sequence[str], file: str | None = None, line: int | None = None
    ) -> None:
        """Add that these names of the input are omitted, because the engine leaves them out."""
        self.assume("left_out", file, line, names=list(names), what=row.title, reason=row.means)


FileKind = Literal[
    "segment",
    "leader-epoch-checkpoint",
    "replication-offset-checkpoint",
    "recovery-point-offset-checkpoint",
    "log-start-offset-checkpoint",
    "cleaner-offset-checkpoint",
    "meta.properties",
]
_NAMED: frozenset[str] = frozenset(get_args(FileKind)) - {"segment"}
_IN_PARTITION = frozenset({"segment", "leader-epoch-checkpoint"})
_SEGMENT = re.compile(r"[0-9]{1,20}\.log")
_FOLDER = re.compile(r"(?P<topic>[A-Za-z0-9._-]{1,249})-(?P<number>[0-9]{1,6})")
_NUMBER_AT_END = re.compile(r"(?:^|[^0-9.])(?P<number>[0-9]{1,9})$")
_NUMBER_IN_NAME = re.compile(
    r"(?:^|[^a-z])(?:broker|kafka|node|server|b)[-_.]?(?P<number>[0-9]{1,9})(?![0-9]|\.[0-9])",
    re.IGNORECASE,
)


class PathFacts(Struct, frozen=True):
    """The facts in a path. `guesses` are the numbers in it that may be a broker id."""

    folder: str
    """The folder that the broker writes to: `log.dirs`."""
    kind: FileKind | None = None
    partition: Partition | None = None
    guesses: tuple[BrokerId, ...] = ()


def read_path(path: str) -> PathFacts:
    """Parse the path of a file."""
    parts = [part for part in re.split(r"[/\\]", path) if part not in ("", ".")]
    name = parts[-1] if parts else ""
    kind = _kind_of(name)
    folders = parts[:-1]
    partition = None
    if kind in _IN_PARTITION and folders:
        partition = partition_of_folder(folders[-1])
        folders = folders[:-1]
    guesses = [BrokerId(int(match["number"])) for match in _numbers(folders)]
    if kind is None:
        guesses = [
            BrokerId(int(match["number"])) for match in _NUMBER_IN_NAME.finditer(name)
        ] + guesses
    return PathFacts("/".join(folders), kind, partition, tuple(dict.fromkeys(guesses)))


def partition_of_folder(name: str) -> Partition | None:
    """The partition of a folder such as `orders-0`."""
    match = _FOLDER.fullmatch(name)
    return None if match is None else Partition(match["topic"], int(match["number"]))


def _kind_of(name: str) -> FileKind | None:
    if _SEGMENT.fullmatch(name):
        return "segment"
    for kind in _NAMED:
        if name == kind:
            return kind  # type: ignore[return-value]
    return None


def _numbers(folders: list[str]) -> list[re.Match[str]]:
    """The numbers at the end of folders' names, the nearest folder first."""
    matches = (_NUMBER_AT_END.search(folder) for folder in reversed(folders))
    return [match for match in matches if match is not None]


_NAMED_BROKER = re.compile(r"\s*#+\s*broker[ :=#-]*(?P<broker>[0-9]{1,9})\b.*", re.IGNORECASE)
_HEAD = re.compile(r"==> (?P<path>.+) <==")
_PROMPT = re.compile(
    r"(?:[^\s$#%>]*[$%] +|"
    # With spaces before its last character, only in front of a command that names files.
    r"(?:\[[^\]]{1,80}\]|[^$#%>]{0,80})[$#%>] *"
    r"(?=\S*(?:kafka|kcat|cat|head|tail|ls|find|sudo|docker|kubectl)\b))"
    r"(?P<command>\S.*)"
)
_PREFIX = re.compile(
    # A container's name, a quotation mark, a bullet, a time: what stands before copied lines.
    r"^(?:[\w./-]+ +\| |> |\* |\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9:.,]+Z?\]? +(?=Topic:))+"
)
_PATH_WORD = re.compile(r"[^\s,'\"=]*/[^\s,'\"]*|[a-z-]+-checkpoint")


class Context:
    """The lines of one text, and the broker and path that the next lines belong to. What is read
    goes to `parsed`, and lines that cannot be used to `problems`.

    The broker is named by a line `# broker 1` or by the `meta.properties` of its folder; otherwise
    by the path of the file, in `head`'s headers, or in a shell command.
    """

    def __init__(
        self,
        name: str,
        lines: Sequence[str],
        named: Mapping[str, BrokerId],
        parsed: ParsedState,
        problems: Problems,
    ) -> None:
        self.name = name
        self.parsed = parsed
        self._problems = problems
        self._lines = [one if _PROMPT.fullmatch(one) else _PREFIX.sub("", one, 1) for one in lines]
        self._index = 0
        self._broker_by_folder = named
        self._own = read_path(name)
        self._path = self._own
        self._named_broker: BrokerId | None = None

    def report(self, line: int, reason: Wording) -> None:
        """Add a problem with a line."""
        self._problems.report(self.name, line, reason)

    def understand(self, name: str, first: int, /, **numbers: object) -> None:
        """Add the interpretation of the lines from `first` up to the next one."""
        statement = Statement(name, numbers, self.name, first, self.number - 1)
        self.parsed.understood.append(statement)

    @property
    def done(self) -> bool:
        """Whether every line has been read."""
        return self._index >= len(self._lines)

    @property
    def line(self) -> str:
        """The next line."""
        return self._lines[self._index]

    @property
    def number(self) -> int:
        """The number of the next line in the text, from 1."""
        return self._index + 1

    def take(self) -> str:
        """Consume and return the next line."""
        self._index += 1
        return self._lines[self._index - 1]

    def pass_over(self, name: str) -> None:
        """Consume the next line, which is not used."""
        self.parsed.pass_over(name, self.name, self.number)
        self._index += 1

    def take_all(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Consume the next lines as long as they match, without space around them."""
        while not self.done and (match := pattern.fullmatch(self.line.strip())):
            self._index += 1
            yield match

    def upcoming(self, count: int) -> Sequence[str]:
        """The next lines, at most `count`."""
        return self._lines[self._index : self._index + count]

    @property
    def path(self) -> PathFacts:
        """The facts from the latest path."""
        return self._path

    @property
    def partition(self) -> Partition | None:
        """The partition of the latest path."""
        return self._path.partition

    def at_path(self, path: str) -> None:
        """Record that the following lines are from the file with this path."""
        self._path = read_path(path)

    def heading(self) -> bool:
        """Consume a heading line, if the next line is one. Returns whether it was."""
        line = self.line
        named = _NAMED_BROKER.fullmatch(line)
        if named is not None:
            self._named_broker = BrokerId(int(named["broker"]))
        head = _HEAD.fullmatch(line.strip())
        if head is not None:
            self._named_broker = None
            self.at_path(head["path"])
        prompt = _PROMPT.fullmatch(line)
        if prompt is not None:
            self._named_broker = None
            paths = _PATH_WORD.findall(prompt["command"])
            self.at_path(paths[-1] if paths else "")
        if named is None and head is None and prompt is None:
            return False
        self._index += 1
        return True

    def origin(self, line: int | None = None) -> Origin:
        """The broker of the lines that follow; `line` is the number of the line at which a heading
        would have to name it.
        """
        named = self._named_broker
        for facts in (self._path, self._own):
            if named is None:
                named = self._broker_by_folder.get(facts.folder)
        guesses = tuple(dict.fromkeys((*self._path.guesses, *self._own.guesses)))
        return Origin(self.name, line or self.number, named, guesses)
