"""The repository's tools, as used by developers and tests."""

import os
import subprocess
import sys
from pathlib import Path

import asyncpg
import pytest

from tests.hosts.__main__ import status_of


@pytest.mark.postgres
async def test_private_postgres_gives_every_test_an_empty_database(postgres_url: str) -> None:
    connection = await asyncpg.connect(postgres_url)

    tables = await connection.fetchval(
        "select count(*) from information_schema.tables where table_schema = 'public'"
    )
    await connection.close()

    assert tables == 0


@pytest.mark.parametrize(
    ("outcomes", "status"),
    [
        (["right", "absent"], 0),
        (["right", "wrong"], 1),
        (["wrong", "absent"], 1),
        (["absent", "absent"], 1),
    ],
)
def test_hosts_of_which_none_was_tested_are_no_success(
    outcomes: list[str], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(outcomes) == status
    assert ("nothing was tested" in capsys.readouterr().err) == (set(outcomes) == {"absent"})


def test_a_missing_tool_fails_the_test_and_states_what_to_do(tmp_path: Path) -> None:
    result = run_browser_probe(tmp_path, allow_missing=False)

    assert result.returncode == 1
    assert "run scripts/ensure-tool chromium" in result.stdout
    assert "HIGHWATER_ALLOW_MISSING=1" in result.stdout


def test_a_missing_tool_skips_the_test_where_that_is_allowed(tmp_path: Path) -> None:
    result = run_browser_probe(tmp_path, allow_missing=True)

    assert result.returncode == 0
    assert "1 skipped" in result.stdout
    assert "Chromium is not installed" in result.stdout


def run_browser_probe(folder: Path, *, allow_missing: bool) -> subprocess.CompletedProcess[str]:
    """Runs one test that needs Chromium, on a machine that seems to have none."""
    probe = folder / "test_probe.py"
    probe.write_text(
        "from tests.conftest import chromium_executable  # noqa: F401\n\n"
        "def test_probe(chromium_executable):\n    pass\n"
    )
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("HIGHWATER_", "PYTEST_")) and name != "CHROMIUM"
    }
    environment |= {"PATH": str(folder)}
    if allow_missing:
        environment["HIGHWATER_ALLOW_MISSING"] = "1"
    repository = Path(__file__).resolve().parent.parent
    command = [sys.executable, "-m", "pytest", str(probe), "-ra", "-p", "no:playwright"]
    command += ["-p", "no:cacheprovider", "-c", str(repository / "pyproject.toml")]
    return subprocess.run(
        command, env=environment, cwd=repository, capture_output=True, text=True, check=False
    )
