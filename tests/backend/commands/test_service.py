"""The service's commands, run as from a shell."""

import json
import os
import select
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from backend import cli
from backend.operations.migrations import upgrade
from tests.backend.conftest import LOSS, PUBLIC_URL, StartService


def highwater(
    repository: Path, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("HIGHWATER_")}
    return subprocess.run(
        [sys.executable, "-m", "backend.cli", *arguments],
        cwd=repository,
        env={**clean, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_engines_commands_are_handed_on(repository: Path):
    listed = highwater(repository, "list", "--json")
    assert listed.returncode == 0, listed.stderr
    assert isinstance(json.loads(listed.stdout), list)

    wrong = highwater(repository, "run", "no-such-scenario")
    assert wrong.returncode == 2
    assert "no-such-scenario" in wrong.stderr


@pytest.mark.parametrize(
    ("program", "said"),
    [(["-m", "backend.cli"], "highwater"), (["-m", "sim_engine"], "python -m sim_engine")],
)
def test_help_names_the_program_that_was_called(repository: Path, program: list[str], said: str):
    for command in ("run", "shrink", "schema"):
        done = subprocess.run(
            [sys.executable, *program, command, "--help"],
            cwd=repository, capture_output=True, text=True, check=True,
        )  # fmt: skip

        assert done.stdout.startswith(f"usage: {said} {command} ")


def test_help_of_a_job_is_the_jobs_own(repository: Path):
    done = highwater(repository, "summarize", "--help")

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: highwater summarize ")
    assert "--keep-parquet" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [[], ["nothing"], ["serve", "--nothing"], ["run", "s26", "more"], ["serve", "--port", "x"]],
)
def test_an_argument_that_is_none_is_wrong_input(repository: Path, arguments: list[str]):
    done = highwater(repository, *arguments)

    assert done.returncode == 2
    assert done.stderr.startswith("highwater")
    assert done.stderr.endswith("--help\n")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_job_rejects_unknown_options_under_the_name_that_users_type(repository: Path):
    done = highwater(repository, "summarize", "--nothing")

    assert done.returncode == 2
    assert done.stderr.startswith("highwater summarize: ")
    assert "unrecognized arguments: --nothing" in done.stderr


def test_the_version_is_the_projects(repository: Path):
    project = tomllib.loads((repository / "pyproject.toml").read_text())["project"]

    done = highwater(repository, "--version")

    assert done.stdout == f"highwater {project['version']}\n"


def test_who_stops_reading_is_no_error(repository: Path):
    reading, writing = os.pipe()
    os.close(reading)

    done = subprocess.run(
        [sys.executable, "-m", "backend.cli", "schema"],
        cwd=repository, stdout=writing, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    os.close(writing)

    assert (done.returncode, done.stderr) == (0, "")


def test_a_shell_completes_commands(repository: Path):
    script = highwater(repository, "completion", "bash").stdout
    asked = "COMP_WORDS=(highwater comp); COMP_CWORD=1; _shtab_highwater; echo ${COMPREPLY[@]}"

    done = subprocess.run(
        ["bash", "-c", script + asked], capture_output=True, text=True, check=True
    )

    assert set(done.stdout.split()) == {"compare", "completion"}


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("highwater comp", {"compare", "completion"}),
        ("highwater-kafka comp", {"compare", "completion"}),
        ("highwater completion ", {"bash", "fish", "tcsh", "zsh"}),
        ("highwater run --lang ", {"en", "zh"}),
        ("highwater run --js", {"--json"}),
        ("highwater run kip-101-data-l", {"kip-101-data-loss"}),
        ("highwater run --kafka 0.10", {"0.10.0", "0.10.1", "0.10.2"}),
        ("highwater run --control ", {"kraft", "zookeeper"}),
        ("highwater compare --with kip-101-data-l", {"kip-101-data-loss"}),
        ("highwater search --property Log", {"LogMatching"}),
        ("highwater search --budget power", {"power_loss=1"}),
    ],
)
def test_fish_completes_commands(repository: Path, tmp_path: Path, typed: str, offered: set[str]):
    script = tmp_path / "highwater.fish"
    script.write_text(highwater(repository, "completion", "fish").stdout, encoding="utf-8")

    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source {script}; complete -C '{typed}'"],
        capture_output=True, text=True, check=True,
        env={**os.environ, "HOME": str(tmp_path)},
    )  # fmt: skip

    assert done.stderr == ""
    assert {line.partition("\t")[0] for line in done.stdout.splitlines()} == offered


def test_a_browser_opens_on_this_machines_address(repository: Path, tmp_path: Path):
    told = tmp_path / "told"
    os.mkfifo(told)
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {told}\n')
    browser.chmod(0o755)
    process = subprocess.Popen(
        [sys.executable, "-m", "backend.cli", "serve", "--open", "--port", "0"],
        cwd=tmp_path,
        env={
            **{name: value for name, value in os.environ.items() if "HIGHWATER_" not in name},
            "PYTHONPATH": str(repository),
            "HIGHWATER_PUBLIC_URL": "https://highwater.example",
            "BROWSER": f"{browser} %s",
        },
        stderr=subprocess.DEVNULL,
    )
    reading = os.open(told, os.O_RDONLY | os.O_NONBLOCK)
    try:
        ready, _, _ = select.select([reading], [], [], 100)
        assert ready, "no browser was opened"
        assert os.read(reading, 100).startswith(b"http://127.0.0.1:")
    finally:
        os.close(reading)
        process.terminate()
        process.wait(60)


def test_the_engines_commands_need_nothing_of_the_service_or_of_notebooks(repository: Path):
    script = (
        "import sys; sys.argv[1:] = ['list']; from highwater_kafka.__main__ import main; main(); "
        "sys.exit(bool({'fastapi', 'sqlalchemy', 'highwater_kafka.embedding'} & {*sys.modules}))"
    )

    assert (
        subprocess.run([sys.executable, "-c", script], cwd=repository, check=False).returncode == 0
    )


def test_migrate_makes_a_schema_once(repository: Path, tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'x.db'}"

    for _ in range(2):
        done = highwater(repository, "migrate", "--database", url)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        (["serve"], {"HIGHWATER_DATABSE_URL": "x"}, "HIGHWATER_DATABSE_URL"),
        (["serve", "--database", "mysql://x/y"], {}, "HIGHWATER_DATABASE_URL"),
        (["serve", "--port", "70000"], {}, "HIGHWATER_PORT"),
        (["migrate", "--database", "sqlite:////no/such/folder/x.db"], {}, "cannot be used"),
        (["verify", "--database", "postgresql://127.0.0.1:1/x"], {}, "cannot be used"),
        (["backup", "/no/such/folder/x.db"], {}, "there is no database"),
        (["export", "nope"], {}, "26"),
        (["export", "0" * 26, "--database", "sqlite:///none.db"], {}, "there is no database"),
        (["serve", "--port", "0", "--host", "192.0.2.1"], {}, "cannot listen on 192.0.2.1"),
    ],
)
def test_a_failed_command_reports_one_line(
    repository: Path, tmp_path: Path, arguments: list[str], environment: dict[str, str], said: str
):
    done = highwater(repository, *arguments, **environment)

    assert done.returncode == 2, "as docs/reference/command-line.md describes it"
    assert done.stderr.startswith("highwater: ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr


@pytest.mark.postgres
def test_a_server_database_is_not_changed_unasked(repository: Path, postgres_url: str):
    done = highwater(repository, "serve", "--port", "0", "--database", postgres_url)

    assert done.returncode == 2
    assert "highwater migrate" in done.stderr
    assert done.stderr.count("\n") == 1


FILES = {
    "json": "json",
    "itf.json": "json?format=itf",
    "md": "md",
    "yaml": "yaml",
    "mmd": "mmd",
    "html": "html",
}


async def test_a_share_is_exported_to_the_files_that_its_link_offers(
    repository: Path, tmp_path: Path, start_service: StartService
):
    url = f"sqlite:///{tmp_path / 'highwater.db'}"
    async with start_service(url) as service:
        session = await service.new_session(scenario=LOSS)
        sid = (await service.share(session["id"], 2))["sid"]
        link = f"{PUBLIC_URL}/s/{sid}?frame=2"
        served = {
            f"{sid}.{name}": (await service.client.get(f"/s/{sid}.{address}")).content
            for name, address in FILES.items()
        }
        for number in (1, 2):
            for name in ("svg", "png"):
                address = f"/s/{sid}.{name}?frame={number}"
                served[f"{sid}-{number}.{name}"] = (await service.client.get(address)).content
        address = f"/s/{sid}.svg?range=0-999"
        served[f"{sid}-played.svg"] = (await service.client.get(address)).content
        settings = service.settings

    done = highwater(
        repository, "export", link, "--json", "--output", str(tmp_path / "out"),
        "--frame", "1", "--frame", "2",
        "--database", url, HIGHWATER_FIGURE_SCRIPT=str(settings.figure_script),
        HIGHWATER_FRONTEND_FOLDER=str(settings.frontend_folder), HIGHWATER_PUBLIC_URL=PUBLIC_URL,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == served
    said = json.loads(done.stdout)
    assert (said["sid"], {Path(name).name for name in said["files"]}) == (sid, set(served))


async def test_the_interface_is_printed_as_the_service_answers_it(
    repository: Path, tmp_path: Path, start_service: StartService
):
    url = f"sqlite:///{tmp_path / 'highwater.db'}"
    upgrade_in_another_thread = start_service(url)
    async with upgrade_in_another_thread as service:
        answered = (await service.client.get("/api/v1/openapi.json")).json()

    printed = highwater(repository, "openapi", HIGHWATER_PUBLIC_URL=PUBLIC_URL)

    assert printed.returncode == 0, printed.stderr
    assert json.loads(printed.stdout) == answered


def test_a_job_that_fails_fails_the_command(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    started: list[list[str]] = []
    environments: list[str] = []

    class Job:
        def __init__(self, command: list[str], *, env: dict[str, str]) -> None:
            started.append(command)
            environments.append(env["HIGHWATER_DATABASE_URL"])

        def __enter__(self) -> "Job":
            return self

        def __exit__(self, *_exception: object) -> None: ...

        def wait(self) -> int:
            return 1

    monkeypatch.setattr(subprocess, "Popen", Job)
    url = f"sqlite:///{tmp_path / 'x.db'}"
    upgrade(url)

    status = cli.run(["summarize", "--master", "local[2]", "--database", url, "--json"])

    assert status == 1
    assert started == [
        [
            sys.executable, "-m", "analytics", "summarize", "--master", "local[2]", "--json",
        ]
    ]  # fmt: skip
    # Not in the arguments, which every user of the machine can read: it may contain a password.
    assert environments == [url]
