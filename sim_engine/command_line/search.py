"""`search`: searches for a failure after a scenario's steps, within a budget of faults. `shrink`:
finds the shortest scenario that fails. `walk`: runs random schedules and checks the invariants.

The checkpoint of a search is a file that only grows. Its first line states what the search asks.
Each further line has what the search did since the one before it. A line counts once it has its
line end, so a process that is killed while it writes loses that line only.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, TextIO

import msgspec
from msgspec import Struct, to_builtins
from msgspec.structs import replace

from sim_engine.command_line import FAILS, HOLDS, INTERRUPTED, add_scenario, print_json, run_by
from sim_engine.command_line.run import find_scenario, play, start
from sim_engine.error_texts import WrongInputError
from sim_engine.exploration.alphabet import BUDGET_NAMES, DEFAULT_BUDGET, GRAINS, read_budget
from sim_engine.exploration.checkpoint import (
    CheckpointError,
    Checkpoints,
    KeptState,
    Position,
    Progress,
    SearchQuestion,
)
from sim_engine.exploration.report import SearchReport, search_report
from sim_engine.exploration.schedule_check import check_schedule, shrink_failure
from sim_engine.exploration.schedules import GOALS, random_schedule
from sim_engine.exploration.scope import SearchScope
from sim_engine.exploration.search import SearchLimit, SearchOptions, SearchResult
from sim_engine.exploration.shrink import NothingToShrinkError, shrink, violates
from sim_engine.exploration.state_space import MOST_FRAMES_A_STEP
from sim_engine.exploration.targets import SOUGHT_NAMES, Ending
from sim_engine.identifiers import Acks
from sim_engine.releases import UnknownVersionError
from sim_engine.scenario_reader.document import Scenario, ScenarioError
from sim_engine.scenario_reader.reader import read_step
from sim_engine.scenario_reader.source import shown
from sim_engine.scenario_reader.writer import scenario_document, scenario_text

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


# --- the commands ---------------------------------------------------------------------------------


def declare_search(parser: argparse.ArgumentParser) -> None:
    """Declare `search FILE --property NAME`: exit status 1 if a violation is found."""
    run_by(parser, _search)
    add_scenario(parser)
    parser.add_argument(
        "--property",
        metavar="NAME",
        required=True,
        help=f"the property to violate: {', '.join(SOUGHT_NAMES)}",
    )
    parser.add_argument(
        "--max-depth", metavar="N", type=int, default=12, help="maximum number of steps"
    )
    parser.add_argument(
        "--grain",
        choices=GRAINS,
        default=GRAINS[0],
        help="the unit of the search: a user's step (step), a whole fetch (exchange), "
        "or each message (message)",
    )
    parser.add_argument(
        "--acks",
        choices=tuple(_ACKS),
        default="all",
        help="the acks of the records that the search sends",
    )
    parser.add_argument(
        "--budget",
        metavar="crash=1,…",
        help=f"maximum number of each fault, of elections, of epochs: {', '.join(BUDGET_NAMES)}",
    )
    parser.add_argument(
        "--states", metavar="N", type=int, default=200_000, help="maximum number of states"
    )
    parser.add_argument(
        "--seconds", metavar="S", type=float, default=60.0, help="maximum processor time"
    )
    parser.add_argument(
        "--checkpoint",
        metavar="FILE",
        type=Path,
        help="keep how far the search is, and continue from there if the file exists; --states and"
        " --max-depth include what was searched before, --seconds begins again",
    )


_ACKS: Mapping[str, Acks] = {"all": "all", "1": 1, "0": 0}


def _search(options: argparse.Namespace) -> int:
    scenario = find_scenario(options.scenario)
    timeline = play(scenario, options.kafka, None, name=options.scenario)
    if options.max_depth < 1 or options.states < 1 or options.seconds <= 0:
        raise WrongInputError(
            "--max-depth and --states must be at least 1, and --seconds greater than 0"
        )
    search_options = SearchOptions(
        property=options.property,
        grain=options.grain,
        max_depth=options.max_depth,
        max_states=options.states,
        budget=DEFAULT_BUDGET if options.budget is None else _budget(options.budget),
        seconds=options.seconds,
        acks=_ACKS[options.acks],
    )
    file: Path | None = options.checkpoint
    began, began_cpu = time.monotonic(), time.process_time()
    progress = _Progress(sys.stderr)
    try:
        report = search_report(
            timeline,
            timeline.head,
            search_options,
            time.process_time,
            progress.show,
            None if file is None else CheckpointFile(file, timeline.scenario, time.monotonic),
        )
    except CheckpointError as error:
        raise WrongInputError(f"{file}: {error}") from None
    except ValueError as error:
        raise WrongInputError(str(error)) from None
    finally:
        progress.end()
    document = report.document(
        search_options,
        seconds=time.monotonic() - began,
        cpu_seconds=time.process_time() - began_cpu,
    )
    if options.json:
        print_json(document)
    else:
        print("\n".join(search_lines(report, search_options, document)))
    if report.is_interrupted:
        return INTERRUPTED
    return FAILS if report.result.verdict == "violated" else HOLDS


_SHOWN_EVERY_S = 0.25
_LOGGED_EVERY_S = 30.0
_CLEAR_LINE = "\r\x1b[K"


class _Progress:
    """The progress of a search: on a terminal, one line that changes; in a log, a line now and
    then, so that a long search does not look like one that hangs.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._is_terminal = stream.isatty()
        self._began = self._shown = time.monotonic()
        if self._is_terminal:
            self._write("… searching")

    def show(self, depth: int, states: int, transitions: int) -> None:
        """Show how far the search is, unless the last line is recent. A `SearchWatch`."""
        now = time.monotonic()
        if now - self._shown < (_SHOWN_EVERY_S if self._is_terminal else _LOGGED_EVERY_S):
            return
        self._shown = now
        line = (
            f"… depth {depth}, {states:,} states, {transitions:,} transitions,"
            f" {now - self._began:.0f} s"
        )
        self._write(f"{_CLEAR_LINE}{line}" if self._is_terminal else f"{line}\n")

    def end(self) -> None:
        """Remove the line, because the result follows."""
        if self._is_terminal:
            self._write(_CLEAR_LINE)

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def search_lines(
    report: SearchReport, options: SearchOptions, document: Mapping[str, object]
) -> Iterator[str]:
    """The result of a search as text."""
    result = report.result
    yield (
        f"{result.verdict}: {document['property']}, depth {result.depth}, {result.states:,} states,"
        f" {result.transitions:,} transitions, {document['cpu_seconds']} s of processor time"
    )
    if result.verdict == "violated":
        yield from _violation_lines(report)
    elif not report.is_interrupted:
        yield from _bound_lines(result, options)


def _violation_lines(report: SearchReport) -> Iterator[str]:
    steps = report.result.steps if report.scenario is None else report.scenario["steps"]
    for step in steps:
        yield f"  - {json.dumps(step, ensure_ascii=False)}"
    if report.result.ending is not None:
        yield _DOES_NOT_END[report.result.ending]
    for prevention in report.prevented_by:
        yield f"prevented by {json.dumps(prevention, ensure_ascii=False)}"
    if report.point_of_no_return is not None:
        yield f"point of no return: frame {report.point_of_no_return}"


_DOES_NOT_END: Mapping[Ending, str] = {
    "stuck": "does not end: the last steps end every fault and let everything happen that can"
    " happen; then nothing changes any more",
    "recurs": "does not end: the last steps end every fault and let everything happen that can"
    " happen; then the same states return",
}


def _bound_lines(result: SearchResult, options: SearchOptions) -> Iterator[str]:
    """What was examined, what was tried, and what was left out for which reason."""
    if not result.exercised:
        yield "no state that was examined could have violated the property: nothing was checked"
    yield _EXAMINED[result.limit].format(
        depth=options.max_depth, states=options.max_states, cpu_seconds=options.seconds
    )
    allowed = [f"{name}={count}" for name, count in options.budget.items() if count]
    yield f"budget: {', '.join(allowed) or 'nothing'}; grain: {options.grain}"
    yield f"tried: {', '.join(result.scope.tried)}"
    yield "not tried:"
    for reason, names in _left_out(result.scope).items():
        yield f"  {reason.removesuffix('.')}: {', '.join(names)}"


_EXAMINED: Mapping[SearchLimit | None, str] = {
    None: "complete in this scope: every state that the tried steps can reach was examined",
    "depth": "not complete: states after more than {depth} steps were not examined",
    "states": "not complete: ended at the limit of {states:,} states",
    "cpu_seconds": "not complete: ended at the limit of {cpu_seconds:g} s of processor time",
    "unconfirmed": "not complete: a violation was computed that a run does not come to; this is a"
    " bug in the search",
    "actions": f"not complete: steps of more than {MOST_FRAMES_A_STEP} actions were left out",
    "undecided": "not complete: in some states it is undecided whether what is pending ends",
}


def _left_out(scope: SearchScope) -> dict[str, list[str]]:
    """Reason → the names of what is left out for it, in the order of the scope."""
    names: dict[str, list[str]] = {}
    for left_out in scope.left_out:
        why = "Its budget is 0." if left_out.reason == "budget" else left_out.why.text()
        names.setdefault(why, []).append(left_out.name)
    return names


def _budget(text: str) -> dict[str, int]:
    try:
        return read_budget(text)
    except ValueError as error:
        raise WrongInputError(
            f"--budget must look like crash=1,power_loss=1, not '{shown(error.args[0])}'; it may"
            f" name {', '.join(BUDGET_NAMES)}"
        ) from None


def declare_shrink(parser: argparse.ArgumentParser) -> None:
    """Declare `shrink FILE --property NAME`: prints the scenario with the fewest steps that still
    violates the property.
    """
    run_by(parser, _shrink)
    add_scenario(parser)
    parser.add_argument(
        "--property", metavar="NAME", required=True, help="the property that the scenario violates"
    )


def _shrink(options: argparse.Namespace) -> int:
    scenario = find_scenario(options.scenario)
    profile = start(scenario, options.kafka, None, name=options.scenario).profile
    chosen = replace(scenario, kafka=profile.kafka, control=profile.control)
    try:
        shortest = shrink(chosen, violates(options.property))
    except ValueError as error:
        raise WrongInputError(str(error)) from None
    except NothingToShrinkError:
        raise WrongInputError(
            f"{options.scenario}: /steps: {options.property} is not violated under Kafka "
            f"{profile.kafka} ({profile.control}); there is nothing to shrink"
        ) from None
    if options.json:
        print_json(scenario_document(shortest))
    else:
        print(scenario_text(shortest), end="")
    return HOLDS


# --- walk -----------------------------------------------------------------------------------------


def declare_walk(parser: argparse.ArgumentParser) -> None:
    """Declare `walk --runs N`: exit status 1 if a random schedule violates a guarantee."""
    run_by(parser, _walk)
    parser.add_argument("--runs", metavar="N", type=int, default=100, help="number of schedules")
    parser.add_argument(
        "--seed", metavar="N", type=int, default=0, help="seed of the first schedule"
    )
    parser.add_argument("--kafka", metavar="V", help="only this version")
    parser.add_argument("--control", metavar="C", help="only zookeeper or kraft")


def _walk(options: argparse.Namespace) -> int:
    if options.runs < 1 or options.seed < 0:
        raise WrongInputError("--runs must be at least 1, and --seed at least 0")
    goals: Counter[str] = Counter()
    frames = 0
    seeds = range(options.seed, options.seed + options.runs)
    runs, status = 0, HOLDS
    try:
        for seed in seeds:
            schedule = _schedule(seed, options)
            trial = check_schedule(schedule)
            if trial.failure is not None:
                shortest = shrink_failure(schedule, trial.failure)
                print(f"seed {seed}: {trial.failure}", file=sys.stderr)
                if options.json:
                    print_json(scenario_document(shortest))
                else:
                    print(scenario_text(shortest), end="")
                return FAILS
            goals.update(trial.goals)
            frames += trial.frames
            runs += 1
    except KeyboardInterrupt:
        status = INTERRUPTED
    if options.json:
        print_json({"runs": runs, "frames": frames, "reached": dict(sorted(goals.items()))})
        return status
    print(f"{runs} schedules, {frames} frames: no violation")
    for goal in GOALS:
        print(f"{goals[goal]:>7}  {goal}")
    return status


def _schedule(seed: int, options: argparse.Namespace) -> Scenario:
    try:
        return random_schedule(seed, kafka=options.kafka, control=options.control)
    except ScenarioError as error:
        raise WrongInputError("; ".join(p.message for p in error.problems)) from None
    except UnknownVersionError as error:
        raise WrongInputError(str(error)) from None
