"""The position in a text that is being parsed: its lines, and the broker and partition that they
concern."""

import re
from collections.abc import Mapping, Sequence

from sim_engine.cluster_import.paths import PathFacts, read_path
from sim_engine.cluster_import.seen import Origin, Partition

_TOLD_BROKER = re.compile(r"\s*#+\s*broker[ :=#-]*(?P<broker>[0-9]{1,9})\b.*", re.IGNORECASE)
_HEAD = re.compile(r"==> (?P<path>.+) <==")
_PROMPT = re.compile(r"(?:[^\s$#%>]*[^\s$#%>]*)?[$%>] +(?P<command>\S.*)")
_PATH_WORD = re.compile(r"[^\s,'\"=]*/[^\s,'\"]*|[a-z-]+-checkpoint")


class Context:
    """The lines of one text and what is known about those that come next.

    A broker is told by a line `# broker 1`, or by the `meta.properties` of its folder; else the
    path of the file, of `head`'s headers or of a shell's command may say it.
    """

    def __init__(self, name: str, lines: Sequence[str], told: Mapping[str, int]) -> None:
        self.name = name
        self._lines = lines
        self._index = 0
        self._told_folders = told
        self._own = read_path(name)
        self._path = self._own
        self._told: int | None = None

    @property
    def done(self) -> bool:
        """Whether every line was read."""
        return self._index >= len(self._lines)

    @property
    def line(self) -> str:
        """The line that is next."""
        return self._lines[self._index]

    @property
    def number(self) -> int:
        """Its number, from 1."""
        return self._index + 1

    def take(self) -> str:
        """The next line, which is read with this."""
        self._index += 1
        return self._lines[self._index - 1]

    def upcoming(self, count: int) -> Sequence[str]:
        """The next lines, so many or as many as there are."""
        return self._lines[self._index : self._index + count]

    @property
    def path(self) -> PathFacts:
        """What the latest path says."""
        return self._path

    @property
    def partition(self) -> Partition | None:
        """The partition of the latest path."""
        return self._path.partition

    def at_path(self, path: str) -> None:
        """What follows is of the file with this path."""
        self._path = read_path(path)

    def heading(self) -> bool:
        """Take a line that says what the next ones are; whether it was one."""
        line = self.line
        told = _TOLD_BROKER.fullmatch(line)
        if told is not None:
            self._told = int(told["broker"])
        head = _HEAD.fullmatch(line.strip())
        if head is not None:
            self._told = None
            self.at_path(head["path"])
        prompt = _PROMPT.fullmatch(line)
        if prompt is not None:
            self._told = None
            paths = _PATH_WORD.findall(prompt["command"])
            self.at_path(paths[-1] if paths else "")
        if told is None and head is None and prompt is None:
            return False
        self._index += 1
        return True

    def origin(self, line: int | None = None) -> Origin:
        """Which broker the lines are from; `line` is where one would have to say it."""
        told = self._told
        for facts in (self._path, self._own):
            if told is None:
                told = self._told_folders.get(facts.folder)
        guesses = tuple(dict.fromkeys((*self._path.guesses, *self._own.guesses)))
        return Origin(self.name, line or self.number, told, guesses)
