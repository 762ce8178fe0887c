"""Every command, with what can go wrong for all of them: empty values, an output that cannot be
written to, a reader that closes the pipe, missing packages.
"""

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from backend import cli
from backend.commands import spark_jobs
from sim_engine.releases import UnknownVersionError
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.simulation.timeline import Timeline
from tests.backend.conftest import LOSS, StartService

_COMMANDS = next(
    action.choices
    for action in cli.build_parser()._actions
    if isinstance(action, argparse._SubParsersAction)
)
# The arguments of each command that prints a result, to be run in an empty folder.
PRINTING = {
    "run": ["s26"],
    "check": ["s26"],
    "list": [],
    "compare": ["s26", "--kafka", "0.10.2", "--kafka", "0.11"],
    "search": ["s26", "--property", "LogMatching", "--max-depth", "1"],
    "shrink": ["two-brokers.yaml", "--property", "NoAckedRecordLost"],
    "walk": ["--runs", "1"],
    "conform": ["RECORDING"],
    "import": ["topics.txt"],
    "assess": ["topics.txt"],
    "describe": ["s26"],
    "versions": [],
    "schema": [],
    "migrate": ["--database", "sqlite:///new.db"],
    "backup": ["copy.db", "--database", "sqlite:///old.db"],
    "verify": ["--database", "sqlite:///old.db"],
    "purge": ["--dry-run", "--database", "sqlite:///old.db"],
    "campaign": ["grid.yaml", "--plan"],
    "openapi": [],
    "completion": ["fish"],
}
# These need a share or a cluster, print nothing if all is well, or only help.
_OTHERS = {
    "help",
    "mcp",
    "serve",
    "takedown",
    "export",
    "render",
    "site",
    "summarize",
    "search-grid",
    "connect",
    "record",
}
_LOSS = """\
id: a-loss
kafka: "3.9"
brokers: [1]
topics: [{name: t, partitions: [{replicas: [1]}]}]
steps: [{produce: {to: t-0, values: [m1], as: p1}}, {disk_loss: {broker: 1}}]
"""
_TOPICS = """\
Topic: a\tTopicId: AAA\tPartitionCount: 1\tReplicationFactor: 2\tConfigs:
\tTopic: a\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2
"""
_GRID = """\
grid: 1
kafka: ["3.9"]
acks: [all]
replication_factor: [2]
steps: 5
seed: 1
faults: {crash: 1}
"""


@pytest.fixture
def folder(tmp_path: Path, migrated_file: Path) -> Path:
    """The files that the commands read."""
    (tmp_path / "two-brokers.yaml").write_text(_LOSS)
    (tmp_path / "topics.txt").write_text(_TOPICS)
    (tmp_path / "grid.yaml").write_text(_GRID)
    (tmp_path / "old.db").write_bytes(migrated_file.read_bytes())
    return tmp_path


def given(repository: Path, command: str) -> list[str]:
    """The command and its arguments."""
    recording = next((repository / "tests/conformance/recordings").glob("*.json"))
    return [command, *(part.replace("RECORDING", str(recording)) for part in PRINTING[command])]


def program(
    repository: Path, folder: Path, command: str, redirected: str
) -> subprocess.CompletedProcess[str]:
    """Run a command in a shell that redirects its output."""
    shell = ["bash", "-c", f'"$@" {redirected}', "bash"]
    return subprocess.run(
        [*shell, sys.executable, "-m", "backend.cli", *given(repository, command)],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(repository)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_every_command_is_tried():
    assert PRINTING.keys() | _OTHERS == _COMMANDS.keys()


FULL = Path("/dev/full")
needs_full_device = pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
CANNOT_BE_WRITTEN = "standard output cannot be written to: No space left on device"


@needs_full_device
@pytest.mark.parametrize("command", [one for one in PRINTING if one != "campaign"])
def test_a_result_that_cannot_be_written_is_one_line_and_status_2(
    repository: Path, folder: Path, command: str, monkeypatch: pytest.MonkeyPatch
):
    told = folder / "told"
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["highwater", *given(repository, command)])

    with FULL.open("w") as full, told.open("w") as errors, monkeypatch.context() as streams:
        streams.setattr(sys, "stdout", full)
        streams.setattr(sys, "stderr", errors)
        status = cli.main()

    lines = told.read_text().splitlines()
    assert status == 2
    assert lines[-1] == CANNOT_BE_WRITTEN
    assert len(lines) == 1 or command == "import", "which prints its assumptions first"


@needs_full_device
@pytest.mark.parametrize("command", ["campaign", "list"])
def test_a_process_that_cannot_write_its_result_ends_with_that_line(
    repository: Path, folder: Path, command: str
):
    done = program(repository, folder, command, "> /dev/full")

    assert (done.returncode, done.stderr) == (2, f"{CANNOT_BE_WRITTEN}\n")


@pytest.mark.parametrize("command", ["run", "list", "openapi", "schema", "versions"])
def test_a_reader_that_closes_the_pipe_ends_a_command_in_silence(
    repository: Path, folder: Path, command: str
):
    done = program(repository, folder, command, "| head -n 1; exit ${PIPESTATUS[0]}")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1


@pytest.mark.parametrize(
    ("redirected", "told"), [(">&-", "standard output is closed"), ("2>&-", "")]
)
def test_a_closed_stream_ends_no_command_in_a_traceback(
    repository: Path, folder: Path, redirected: str, told: str
):
    done = program(repository, folder, "versions", redirected)

    assert done.returncode == (2 if told else 0)
    assert done.stderr.count("\n") == (1 if told else 0)
    assert told in done.stderr


def _values() -> Iterator[tuple[str, str]]:
    """Each command with each of its options that take a value, and `FILE` for its arguments."""
    for command, parser in _COMMANDS.items():
        for action in parser._actions:
            if action.option_strings and action.nargs != 0:
                yield command, action.option_strings[0]
            elif not action.option_strings:
                yield command, "FILE"


@pytest.mark.parametrize(("command", "option"), sorted(set(_values())))
def test_an_empty_value_is_one_line_and_status_2(
    command: str, option: str, capsys: pytest.CaptureFixture[str]
):
    for given in ([""],) if option == "FILE" else ([option, ""], [f"{option}="]):
        status = cli.run([command, *given])

        said = capsys.readouterr().err
        assert status == 2
        assert re.fullmatch(r".*(an argument|--[a-z-]+) is empty; see .*\n", said), said
        assert option == "FILE" or option in said


def test_an_empty_version_is_no_version():
    with pytest.raises(UnknownVersionError):
        Timeline(load_shipped("s26"), kafka="")


@pytest.mark.parametrize("command", ["summarize", "campaign", "search-grid"])
@pytest.mark.parametrize("missing", ["pyspark", "pyarrow"])
def test_a_job_without_spark_names_the_extra(
    command: str, missing: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(
        spark_jobs, "find_spec", lambda name: None if name == missing else find_spec(name)
    )
    given = {"campaign": ["grid.yaml"], "search-grid": ["grid.yaml", "--out", "x"]}

    status = cli.run([command, *given.get(command, [])])

    assert status == 2
    assert capsys.readouterr().err == (
        f"highwater: {command} needs Spark, which is not installed: "
        "pip install 'highwater-kafka[spark]'\n"
    )


@pytest.mark.parametrize("arguments", [["campaign"], ["search-grid", "--out", "here"]])
def test_a_job_that_reads_no_database_refuses_one(
    arguments: list[str],
    folder: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.chdir(folder)

    status = cli.run([*arguments, "grid.yaml", "--database", "sqlite:///old.db"])

    assert status == 2
    assert "unrecognized arguments: --database sqlite:///old.db" in capfd.readouterr().err


def test_the_modules_of_the_jobs_are_those_of_the_extra(repository: Path):
    project = tomllib.loads((repository / "pyproject.toml").read_text())["project"]
    wanted = project["optional-dependencies"]["analytics"]

    names = {re.split("[<>=]", one)[0].replace("-", "_") for one in wanted}

    assert names == set(spark_jobs.MODULES)


async def test_an_export_leaves_no_process(
    tmp_path: Path, start_service: StartService, monkeypatch: pytest.MonkeyPatch
):
    url = f"sqlite:///{tmp_path / 'highwater.db'}"
    async with start_service(url) as service:
        session = await service.new_session(scenario=LOSS)
        sid = (await service.share(session["id"], 2))["sid"]
        settings = service.settings
    monkeypatch.setenv("HIGHWATER_FIGURE_SCRIPT", str(settings.figure_script))
    monkeypatch.setenv("HIGHWATER_FRONTEND_FOLDER", str(settings.frontend_folder))
    started: list[asyncio.subprocess.Process] = []
    start = asyncio.create_subprocess_exec

    async def noticed(*arguments: str, **options: Any) -> asyncio.subprocess.Process:
        started.append(await start(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noticed)
    given = ["export", sid, "--database", url, "--output", str(tmp_path / "out")]

    assert await asyncio.to_thread(cli.run, given) == 0

    # From Python 3.13, a process that outlives the event loop ends in a traceback.
    assert started
    assert all(process.returncode is not None for process in started)


@pytest.mark.parametrize(
    "given",
    [
        ["run", "x" * 5_000],
        ["check", "x" * 5_000],
        ["import", "x" * 5_000],
        ["compare", "s26", "--with", "x" * 5_000],
        ["conform", "x" * 5_000],
        ["run", "no\nscenario"],
        ["run", "s26", "--kafka", "3\n9"],
        ["export", "0" * 26, "--output", "/dev/null/x", "--database", "sqlite:///none.db"],
    ],
)
def test_a_strange_argument_is_one_line_and_status_2(
    given: list[str], capsys: pytest.CaptureFixture[str]
):
    assert cli.run(given) == 2
    assert capsys.readouterr().err.count("\n") == 1
