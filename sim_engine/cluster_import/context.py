"""The position in a text that is being parsed: its lines, and the broker and partition that they
concern."""

import re
from collections.abc import Mapping, Sequence

from sim_engine.cluster_import.parsed_state import Origin, Partition
from sim_engine.cluster_import.paths import PathFacts, read_path
from sim_engine.identifiers import BrokerId

_NAMED_BROKER = re.compile(r"\s*#+\s*broker[ :=#-]*(?P<broker>[0-9]{1,9})\b.*", re.IGNORECASE)
_HEAD = re.compile(r"==> (?P<path>.+) <==")
_PROMPT = re.compile(r"(?:[^\s$#%>]*[^\s$#%>]*)?[$%>] +(?P<command>\S.*)")
_PATH_WORD = re.compile(r"[^\s,'\"=]*/[^\s,'\"]*|[a-z-]+-checkpoint")


class Context:
    """The lines of one text, and the broker and path that the next lines belong to.

    The broker is named by a line `# broker 1` or by the `meta.properties` of its folder; otherwise
    by the path of the file, in `head`'s headers, or in a shell command.
    """

    def __init__(self, name: str, lines: Sequence[str], named: Mapping[str, BrokerId]) -> None:
        self.name = name
        self._lines = lines
        self._index = 0
        self._broker_by_folder = named
        self._own = read_path(name)
        self._path = self._own
        self._named_broker: BrokerId | None = None

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
