"""A search that was interrupted goes on from its checkpoint to the same result."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from sim_engine.command_line import main
from sim_engine.command_line.search import CheckpointFile
from sim_engine.exploration.alphabet import GRAINS, Grain
from sim_engine.exploration.checkpoint import CheckpointError, KeptState, Progress
from sim_engine.exploration.schedules import SeededRandom
from sim_engine.exploration.search import SearchOptions, SearchResult, search
from tests.sim_engine.exploration.test_search_agrees import Case, random_case
from tests.sim_engine.runs import run

UNFINISHED = b'{"position":{"depth":'


class KilledError(Exception):
    """Stands for the end of the process."""


class MortalFile(CheckpointFile):
    """A file whose process is killed after so many lines, while it writes the next one."""

    def __init__(self, path: Path, case: Case, lives: int) -> None:
        super().__init__(path, case.scenario, lambda: 0.0)
        self._file = path
        self._lives = lives

    def is_due(self) -> bool:
        return True

    def keep(self, progress: Progress) -> None:
        super().keep(progress)
        self._lives -= 1
        if not self._lives:
            with self._file.open("ab") as file:
                file.write(UNFINISHED)
            raise KilledError


def with_kills(case: Case, path: Path, lives: Callable[[], int]) -> tuple[SearchResult, int]:
    """The result of a search that is killed again and again, and how often it was."""
    kills = 0
    while True:
        try:
            file = MortalFile(path, case, lives())
            return search(case.start, case.options, checkpoints=file), kills
        except KilledError:
            kills += 1


@pytest.mark.parametrize("grain", GRAINS)
def test_a_killed_search_comes_to_the_same_result(grain: Grain, tmp_path: Path) -> None:
    chance = SeededRandom(7)
    verdicts: dict[str, int] = {}
    for seed in range(12):
        case = random_case(seed, grain)
        case = replace(case, options=replace(case.options, max_states=120))

        result, kills = with_kills(case, tmp_path / f"{seed}", lambda: 1 + chance.below(12))

        assert result == search(case.start, case.options), case
        if kills:
            verdicts[result.verdict] = verdicts.get(result.verdict, 0) + 1
    # Otherwise the cases compare nothing.
    assert sum(verdicts.values()) > 4
    assert len(verdicts) > 1


def case_of(**options: Any) -> Case:
    begun = run(brokers=(1, 2), kafka="0.10.2")
    asked = {"property": "NoAckedRecordLost", "budget": {"crash": 1, "produce": 1}, **options}
    return Case(
        scenario=begun.scenario, start=begun.frame, options=SearchOptions(max_depth=30, **asked)
    )


@pytest.mark.parametrize("grain", GRAINS)
def test_a_killed_search_finds_the_same_steps(grain: Grain, tmp_path: Path) -> None:
    case = case_of(grain=grain, budget={"crash": 2, "produce": 1, "unclean": 1, "power_loss": 1})

    result, kills = with_kills(case, tmp_path / "kept", lambda: 9)

    assert result == search(case.start, case.options)
    assert (result.verdict, kills > 2) == ("violated", True)


def test_a_liveness_search_comes_to_the_same_result(tmp_path: Path) -> None:
    case = case_of(property="EventuallyLeaderElected", budget={"crash": 2}, max_states=120)

    result, kills = with_kills(case, tmp_path / "kept", lambda: 9)

    assert result == search(case.start, case.options)
    assert kills > 2


def searched(case: Case, path: Path, **changed: Any) -> SearchResult:
    file = CheckpointFile(path, case.scenario, lambda: 0.0)
    return search(case.start, replace(case.options, **changed), checkpoints=file)


def test_a_limit_ends_a_search_that_a_higher_one_continues(tmp_path: Path) -> None:
    case, path = case_of(), tmp_path / "kept"

    assert searched(case, path, max_states=60).limit == "states"
    assert searched(case, path, max_depth=6).limit == "depth"
    assert searched(case, path, max_depth=6) == search(
        case.start, replace(case.options, max_depth=6)
    )
    lines = path.read_bytes().count(b"\n")

    assert searched(case, path) == search(case.start, case.options)
    assert path.read_bytes().count(b"\n") == lines + 1
    with pytest.raises(CheckpointError, match="limits must be at least as high"):
        searched(case, path, max_states=60)


def test_the_limit_of_processor_time_begins_again(tmp_path: Path) -> None:
    case, path = case_of(seconds=1), tmp_path / "kept"
    times = iter((0.0, 5.0, 5.0, 5.5, *[7.0] * 90))
    cut = search(
        case.start,
        case.options,
        lambda: next(times),
        checkpoints=CheckpointFile(path, case.scenario, lambda: 0.0),
    )

    assert cut.limit == "cpu_seconds"
    assert searched(case, path) == search(case.start, case.options)


def test_an_interrupt_keeps_what_was_tried_completely(tmp_path: Path) -> None:
    case, path = case_of(), tmp_path / "kept"

    def interrupt(_depth: int, states: int, _transitions: int) -> None:
        if states > 60:
            raise KeyboardInterrupt

    file = CheckpointFile(path, case.scenario, lambda: 0.0)
    cut = search(case.start, case.options, watch=interrupt, checkpoints=file)
    kept = json.loads(path.read_bytes().splitlines()[-1])["position"]

    assert cut.limit == "interrupt"
    assert 1 < kept["states"] <= cut.states
    assert searched(case, path) == search(case.start, case.options)


def test_a_search_is_not_continued_by_a_different_one(tmp_path: Path) -> None:
    case, path = case_of(), tmp_path / "kept"
    searched(case, path, max_states=60)
    before = path.read_bytes()
    later = run({"crash": {"broker": 1}}, brokers=(1, 2), kafka="0.10.2").frame
    newer = run(brokers=(1, 2), kafka="0.11").frame

    for other, message in (
        (replace(case, options=replace(case.options, grain="message")), "grain is step there"),
        (
            replace(case, options=replace(case.options, budget={"crash": 2})),
            "budget is crash=1,produce=1 there and crash=2 here",
        ),
        (replace(case, start=later), "the state in which it starts is"),
        (replace(case, start=newer), "kafka is 0.10.2 there and 0.11 here"),
    ):
        with pytest.raises(CheckpointError, match=message):
            searched(other, path)

    assert path.read_bytes() == before


def damage(path: Path, line: int, change: Callable[[Any], Any]) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    changed = change(json.loads(lines[line - 1]))
    lines[line - 1] = (
        changed if isinstance(changed, bytes) else json.dumps(changed).encode() + b"\n"
    )
    path.write_bytes(b"".join(lines))


def position(**changed: object) -> Callable[[Any], Any]:
    return lambda line: {**line, "position": {**line["position"], **changed}}


def first_state(**changed: object) -> Callable[[Any], Any]:
    def change(line: Any) -> Any:
        fields = dict(zip(KeptState._fields, line["states"][0], strict=True))
        return {**line, "states": [[*{**fields, **changed}.values()], *line["states"][1:]]}

    return change


@pytest.mark.parametrize(
    ("line", "change", "message"),
    [
        (1, lambda _: b"not JSON\n", "line 1: not a checkpoint of a search"),
        (1, lambda head: {**head, "highwater_search": 2}, "line 1: not a checkpoint"),
        (1, lambda head: {**head, "question": {**head["question"], "engine": "0"}}, "engine is 0"),
        (2, lambda _: b"[]\n", "line 2: Expected `object`"),
        (2, lambda one: {**one, "moves": [[{"crash": {"broker": 9}}]]}, "line 2: /step/crash"),
        (2, lambda one: {**one, "moves": [[{"explode": {}}]]}, "line 2: /step"),
        (2, lambda one: {**one, "lefts": [[1, 2]]}, "a budget of a state"),
        (2, lambda one: {**one, "values": [[0, {}], *one["values"][1:]]}, "line 2: Object missing"),
        (2, lambda one: {**one, "values": [[4, one["values"][0][1]]]}, "line 2: "),
        (2, first_state(before=5), "do not follow"),
        (2, first_state(before=-1), "line 2: Expected `int` >= 0"),
        (2, first_state(move=99_999), "unknown parts"),
        (2, first_state(parts=[0]), "too few parts"),
        (2, first_state(parts=[99_999] * 12), "unknown parts"),
        (2, first_state(parts=[3] * 12), "a different place"),
        (2, position(states=7), "states are missing"),
        (2, position(done=99_999), "its position"),
        (2, position(depth=1), "its position"),
        (2, position(depth=29), "do not follow"),
    ],
)
def test_a_damaged_file_is_one_error(
    line: int, change: Callable[[Any], Any], message: str, tmp_path: Path
) -> None:
    case, path = case_of(), tmp_path / "kept"
    searched(case, path, max_states=60)
    damage(path, line, change)
    before = path.read_bytes()

    with pytest.raises(CheckpointError, match=message):
        searched(case, path)

    assert path.read_bytes() == before


# --- the command line ------------------------------------------------------------------------

SCENARIO = """\
scenario: 1
id: kept
kafka: "3.9"
brokers: [1, 2]
topics: [{name: t, partitions: [{replicas: [1, 2]}]}]
steps: [{produce: {to: t-0, values: [m1], acks: all, as: p1}}]
"""
ARGUMENTS = (
    *("search", "kept.yaml", "--property", "NoAckedRecordLost", "--grain", "message"),
    *("--budget", "crash=1", "--max-depth", "60", "--states", "1500", "--json"),
)
ALWAYS_DUE = """\
import sys
from sim_engine.command_line import main, search
search._EVERY_S = 0
sys.exit(main(sys.argv[1:]))
"""


def in_folder(path: Path, *more: str) -> subprocess.Popen[bytes]:
    (path / "kept.yaml").write_text(SCENARIO)
    return subprocess.Popen(
        [sys.executable, "-c", ALWAYS_DUE, *ARGUMENTS, *more],
        cwd=path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def counted(document: dict[str, Any]) -> dict[str, Any]:
    return {name: found for name, found in document.items() if "seconds" not in name}


def test_the_command_goes_on_after_a_kill(tmp_path: Path) -> None:
    whole, _ = in_folder(tmp_path).communicate()
    file = tmp_path / "far.json"
    for _ in range(2):
        began = file.stat().st_size if file.exists() else 0
        process = in_folder(tmp_path, "--checkpoint", "far.json")
        while process.poll() is None and not (file.exists() and file.stat().st_size > began + 2000):
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL

    continued, told = in_folder(tmp_path, "--checkpoint", "far.json").communicate()

    assert told.startswith(b"far.json: continues at depth ")
    assert counted(json.loads(continued)) == counted(json.loads(whole))


def test_the_command_refuses_a_file_that_is_no_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kept.yaml").write_text(SCENARIO)

    assert main([*ARGUMENTS, "--checkpoint", "kept.yaml"]) == 2
    assert capsys.readouterr().err == (
        "kept.yaml: line 1: not a checkpoint of a search: JSON is malformed: invalid character"
        " (byte 0); name a file that does not exist, to begin one\n"
    )
    assert Path("kept.yaml").read_text() == SCENARIO
    assert main([*ARGUMENTS, "--checkpoint", "no/such"]) == 2
    assert capsys.readouterr().err.startswith("no/")
