"""The position in a text that is being parsed, and what paths tell of a broker and a partition."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.cluster_import.parsed_state import (
    Origin,
    ParsedState,
    Partition,
    Problems,
    Statement,
)
from sim_engine.error_texts import Wording
from sim_engine.identifiers import BrokerId

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
_SEGMENT = re.compile(r"[0-9]{1,20}\.log|[0-9]{20}-[0-9]{10}\.checkpoint")
"""A segment, or a snapshot of the metadata log, which consists of batches too."""
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
    r"(?:[^\s$#%>]*[$%] +|[^\s$#%>@]{1,80}@[^\s$#%>]{0,80}# +|\[[^\]]{1,80}\][$#%>] *|"
    # With spaces before its last character, only in front of a command that names files.
    r"[^$#%>]{0,80}[$#%>] *(?=\S*(?:kafka|kcat|cat|head|tail|ls|find|sudo|docker|kubectl)\b))"
    r"(?P<command>\S.*)"
)
_PREFIX = re.compile(
    # A container's name, a quotation mark, a bullet, a time: what stands before copied lines.
    r"^(?:[\w./-]{1,200} +\|(?: |$)|\[pod/[^\]]{1,200}\] |> |\* |"
    r"\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9:.,]+Z?\]? +(?=Topic:)|"
    # A host, as dsh and pssh print it, or the file and the number of a line, as grep does.
    r"(?:[\w./-]{1,200}:)(?:[0-9]{1,9}:)?(?= *(?:\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[ T]|\s*Topic:|"
    r"Metadata for |[0-9]+ (?:brokers|topics):|broker [0-9]+ at |topic \"|"
    r"partition [0-9]+, leader )))+"
)
_AFTER_PROMPT = re.compile(r"[$#%>] ?")
_LONGEST_COMMAND = 4_000
_BETWEEN_WORDS = re.compile(r"[\s,'\"]+")
_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_LINE_END = re.compile(r"\r\n|\r|\n")


def lines_of(text: str) -> list[str]:
    """The lines of a text, without a mark of the byte order and without colours."""
    plain = _COLOUR.sub("", text) if "\x1b" in text else text
    lines = _LINE_END.split(plain.removeprefix("\ufeff"))
    return lines[:-1] if lines[-1] == "" else lines


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
        self._commands: dict[int, str] = {}
        """The command of each line that is one, by its index."""
        self._lines = [self._without_prefix(index, line) for index, line in enumerate(lines)]
        self.node = ""
        """The path in ZooKeeper or in the metadata shell that the next lines belong to."""
        self.time = ""
        """The time of the last line of a log."""
        self.no_properties_until = 0
        """The number of the line before which no file of settings begins."""
        self._index = 0
        self._broker_by_folder = named
        self._own = read_path(name)
        self._path = self._own
        self._named_broker: BrokerId | None = None

    def _without_prefix(self, index: int, line: str) -> str:
        prompt = _PROMPT.fullmatch(line[:_LONGEST_COMMAND]) if _AFTER_PROMPT.search(line) else None
        if prompt is None:
            return _PREFIX.sub("", line, count=1)
        self._commands[index] = prompt["command"]
        return line

    def report(self, line: int, reason: Wording) -> None:
        """Add a problem with a line."""
        self._problems.report(self.name, line, reason)

    def understand(self, name: str, first: int, /, **numbers: object) -> None:
        """Add the interpretation of the lines from `first` up to the next one. Neighbouring lines
        with the same one are one statement.
        """
        understood, end = self.parsed.understood, self.number - 1
        last = understood[-1] if understood else None
        if (
            last is not None
            and not numbers
            and (last.name, last.numbers, last.file) == (name, {}, self.name)
            and last.last_line == first - 1
        ):
            understood[-1] = replace(last, last_line=end)
        else:
            understood.append(Statement(name, numbers, self.name, first, end))

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

    def rest(self) -> Iterator[str]:
        """The lines from the next one on; none is consumed."""
        for index in range(self._index, len(self._lines)):
            yield self._lines[index]

    def replace(self, line: str) -> None:
        """Replace the next line, of which the beginning has been read."""
        self._lines[self._index] = line

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
        named = _NAMED_BROKER.fullmatch(line) if "#" in line else None
        if named is not None:
            self._named_broker = BrokerId(int(named["broker"]))
        head = _HEAD.fullmatch(line.strip()) if line.lstrip().startswith("==> ") else None
        if head is not None:
            self._named_broker = None
            self.node = ""
            self.at_path(head["path"])
        command = self._commands.get(self._index)
        if command is not None:
            self._named_broker = None
            words = _BETWEEN_WORDS.split(command)
            paths = [one.rpartition("=")[2] for one in words]
            paths = [one for one in paths if "/" in one or one.endswith("-checkpoint")]
            self.at_path(paths[-1] if paths else "")
            self.node = paths[-1] if paths and paths[-1].startswith("/") else ""
        if named is None and head is None and command is None:
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
