"""The GitHub Action and the pre-commit hook: the commands that they name, run on a project."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from junitparser import JUnitXml

from tests.sim_engine.command_line.conftest import LOSS

PROGRAMS = Path(sys.executable).parent


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a scenario that holds in a folder, and one that does not beside it."""
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "holds.highwater.yaml").write_text(LOSS)
    (tmp_path / "fails.highwater.yaml").write_text(LOSS.replace("lost: []", "lost: [m1]"))
    return tmp_path


def read(file: Path) -> Any:
    return yaml.safe_load(file.read_text("utf-8"))


def checked(
    repository: Path, project: Path, **inputs: str
) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    """The step of the action that checks, as GitHub runs it: bash -e -o pipefail."""
    action = read(repository / "action.yml")
    defaults = {name: about["default"] for name, about in action["inputs"].items()}
    step = action["runs"]["steps"][-1]
    given = {**defaults, **inputs}
    environment = {
        name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: given[found[1]], value)
        for name, value in step["env"].items()
    }
    path = f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [step["shell"], "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=project, env={**os.environ, **environment, "PATH": path},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done, action


def test_the_action_annotates_what_fails_and_writes_the_report(repository, project):
    done, action = checked(repository, project, report="out/report.xml")

    assert action["runs"]["using"] == "composite"
    assert done.returncode == 1, done.stderr
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.startswith("::error")] == [
        f"::error file=fails.highwater.yaml,line=33,col=13,title=Kafka {kafka}"
        "::/steps/16/expect/lost: expected [m1], got []"
        for kafka in ("1.1", "2.0.1", "3.9")
    ]
    assert "deep/er/holds.highwater.yaml: Kafka 3.9: holds" in lines
    report = JUnitXml.fromfile(str(project / "out/report.xml"))
    assert (report.tests, report.failures) == (16, 3)


def test_the_action_reports_that_no_file_matches(repository, project):
    done, _ = checked(repository, project, files="none/*.highwater.yaml")

    assert done.returncode == 2
    assert done.stdout == "::error title=Highwater::no file matches none/*.highwater.yaml\n"


def test_no_text_of_an_input_is_run_by_the_shell(repository):
    for step in read(repository / "action.yml")["runs"]["steps"]:
        assert "${{" not in step["run"], step["name"]


def test_the_hook_checks_the_files_that_a_commit_changes(repository, project):
    [hook] = read(repository / ".pre-commit-hooks.yaml")
    files = [str(one.relative_to(project)) for one in sorted(project.rglob("*.yaml"))]
    program, *arguments = shlex.split(hook["entry"])

    done = subprocess.run(
        [str(PROGRAMS / program), *arguments, *files],
        cwd=project, capture_output=True, text=True, check=False,
    )  # fmt: skip

    # With `python`, pre-commit would build this repository, which lacks the pages.
    assert hook["language"] == "system"
    assert all(re.search(hook["files"], name) for name in files)
    assert not re.search(hook["files"], "lessons/loss.yaml")
    assert done.returncode == 1
    assert "fails.highwater.yaml:33:13: Kafka 3.9: /steps/16/expect/lost:" in done.stdout
