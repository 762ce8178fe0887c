"""The checkpoint of a search in a file, which only grows.

Its first line states what the search asks. Each further line has what the search did since the one
before it. A line counts once it has its line end, so a process that is killed while it writes loses
that line only.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct, to_builtins

from sim_engine.exploration.checkpoint import (
    CheckpointError,
    Checkpoints,
    KeptState,
    Position,
    Progress,
    SearchQuestion,
)
from sim_engine.scenario_reader.document import Scenario, ScenarioError
from sim_engine.scenario_reader.reader import read_step

_EVERY_S = 30.0


class _Head(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    highwater_search: Literal[1]
    """The version of the format."""
    question: SearchQuestion


class _Line(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    position: Position
    values: list[tuple[int, msgspec.Raw]]
    moves: list[list[dict[str, object]]]
    lefts: list[tuple[int, ...]]
    states: list[KeptState]


class CheckpointFile(Checkpoints):
    """The checkpoint of a search of a scenario; the file may be missing. `clock` is in seconds."""

    def __init__(self, path: Path, scenario: Scenario, clock: Callable[[], float]) -> None:
        self._path = path
        self._scenario = scenario
        self._clock = clock
        self._size = 0
        self._written_at = clock()

    def kept(
        self, question: SearchQuestion, type_at: Callable[[int], object]
    ) -> Sequence[Progress]:
        """Everything in the file, which must be of this question; without a file, begin one."""
        head = _Head(highwater_search=1, question=question)
        if not self._path.exists():
            self._begin(head)
            return ()
        *lines, unfinished = self._path.read_bytes().split(b"\n")
        self._size = self._path.stat().st_size - len(unfinished)
        self._check_head(lines[0] if lines else b"", question)
        progress = [
            self._read(number, line, type_at) for number, line in enumerate(lines[1:], start=2)
        ]
        if progress:
            reached = progress[-1].position
            print(
                f"{self._path}: continues at depth {reached.depth}, {reached.states:,} states",
                file=sys.stderr,
            )
        return progress

    def is_due(self) -> bool:
        """Whether the last line is old."""
        return self._clock() - self._written_at >= _EVERY_S

    def keep(self, progress: Progress) -> None:
        """Add a line, in the place of one that is unfinished."""
        line = _Line(
            position=progress.position,
            values=[
                (place, msgspec.Raw(msgspec.json.encode(value))) for place, value in progress.values
            ],
            moves=[[dict(step.as_step()) for step in move] for move in progress.moves],
            lefts=list(progress.lefts),
            states=list(progress.states),
        )
        text = msgspec.json.encode(line) + b"\n"
        with self._path.open("r+b") as file:
            file.truncate(self._size)
            file.seek(self._size)
            file.write(text)
        self._size += len(text)
        self._written_at = self._clock()

    def _begin(self, head: _Head) -> None:
        text = msgspec.json.encode(head) + b"\n"
        unfinished = self._path.with_name(f".{self._path.name}.unfinished")
        unfinished.write_bytes(text)
        unfinished.replace(self._path)
        self._size = len(text)

    def _check_head(self, line: bytes, question: SearchQuestion) -> None:
        try:
            head = msgspec.json.decode(line, type=_Head)
        except msgspec.DecodeError as error:
            raise CheckpointError(
                f"line 1: not a checkpoint of a search: {error}; name a file that does not exist,"
                " to begin one"
            ) from None
        there, here = (_fields(one) for one in (head.question, question))
        for name, value in here.items():
            if there[name] != value:
                raise CheckpointError(
                    f"line 1: the checkpoint of a different search: {name} is"
                    f" {_shown(there[name])} there and {_shown(value)} here; ask the same question,"
                    " or name a different file"
                )

    def _read(self, number: int, text: bytes, type_at: Callable[[int], object]) -> Progress:
        try:
            line = msgspec.json.decode(text, type=_Line)
            return Progress(
                position=line.position,
                values=[
                    (place, msgspec.json.decode(value, type=type_at(place)))
                    for place, value in line.values
                ],
                moves=[
                    tuple(read_step(step, self._scenario) for step in move) for move in line.moves
                ],
                lefts=line.lefts,
                states=line.states,
            )
        except (msgspec.DecodeError, ScenarioError) as error:
            raise CheckpointError(f"line {number}: {error}") from None


def _fields(question: SearchQuestion) -> Mapping[str, object]:
    fields: dict[str, object] = to_builtins(question)
    fields["the state in which it starts"] = fields.pop("start")
    return fields


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return ",".join(f"{name}={count}" for name, count in value.items()) or "empty"
    return str(value)
