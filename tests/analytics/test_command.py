"""`python -m analytics` as a separate process, as the service starts it."""

import json
import os
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from analytics.__main__ import main
from tests.analytics.shares import Share, facts, insert_shares
from tests.analytics.summaries import stored_summaries


def run(repository: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HIGHWATER_")}
    return subprocess.run(
        [sys.executable, "-m", "analytics", *arguments],
        cwd=repository, env=kept | environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.spark
def test_summarize_writes_a_summary_and_prints_one_line_for_each_stage(
    repository: Path, sqlite_url: str, tmp_path: Path
) -> None:
    insert_shares(sqlite_url, [Share("a", facts(lost_all=1))])
    folder = tmp_path / "parquet"

    result = run(
        repository, "summarize", "--master", "local[1]", "--keep-parquet", str(folder), "--json",
        HIGHWATER_DATABASE_URL=sqlite_url,
    )  # fmt: skip

    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout) == {
        "summary": 1, "shares": 1, "added": 1, "removed": 0, "watermark": 1, "is_new": True,
    }  # fmt: skip
    said = [line.partition(" (")[0] for line in result.stderr.splitlines()]
    assert said[:4] == [
        "found 1 share: 1 new or changed, 0 removed or changed",
        "started Spark on local[1]",
        f"wrote {folder}/shares.parquet",
        "counted 1 run by users, in 1 share",
    ]
    assert said[-1] == "wrote summary 1"
    assert len(said) == 7
    (stored,) = stored_summaries(sqlite_url)
    assert stored.head["shares_read"] == 1
    assert (folder / "shares.parquet" / "_SUCCESS").is_file()


def test_a_missing_database_is_one_line_and_exit_code_2(repository: Path, tmp_path: Path) -> None:
    result = run(repository, "summarize", "--database", f"sqlite:///{tmp_path}/none.db")

    assert result.returncode == 2
    assert result.stderr == (
        f"highwater summarize: sqlite:///{tmp_path}/none.db: there is no such file\n"
    )


def test_a_missing_java_is_one_line_and_exit_code_2(
    repository: Path, sqlite_url: str, tmp_path: Path
) -> None:
    result = run(
        repository, "summarize", "--database", sqlite_url, JAVA_HOME=str(tmp_path), PATH=""
    )

    assert result.returncode == 2
    assert result.stderr.splitlines()[-1] == (
        "highwater summarize: Spark needs Java 17 or newer: install one, or set JAVA_HOME"
    )


@pytest.mark.spark
def test_a_master_that_spark_cannot_use_is_one_line_and_exit_code_1(
    repository: Path, sqlite_url: str
) -> None:
    result = run(repository, "summarize", "--database", sqlite_url, "--master", "nonsense")

    assert result.returncode == 1
    found, failed = result.stderr.splitlines()
    assert found.startswith("found 0 shares")
    assert failed.startswith("highwater summarize: Spark did not start on nonsense: Master must")


@pytest.mark.parametrize("arguments", [(), ("unknown",), ("summarize", "--unknown")])
def test_a_wrong_command_line_is_exit_code_2(repository: Path, arguments: tuple[str, ...]) -> None:
    result = run(repository, *arguments)

    assert result.returncode == 2
    assert result.stderr.endswith("--help\n")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["campaign", "search-grid"])
def test_jobs_with_rdds_refuse_spark_connect_in_one_line(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SPARK_REMOTE", "sc://127.0.0.1:1")
    grid = tmp_path / "grid.yaml"
    grid.write_text('grid: 1\nkafka: ["3.9"]\n')

    status = main([command, str(grid), "--out", str(tmp_path / "out")])

    assert status == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{command} does not run on a Spark Connect server (SPARK_REMOTE)" in line
    assert not (tmp_path / "out").exists()


def test_a_spark_connect_server_that_is_away_is_one_line_and_exit_code_2(
    repository: Path, sqlite_url: str
) -> None:
    insert_shares(sqlite_url, [Share("a", facts(lost_all=1))])

    result = run(
        repository, "summarize", "--database", sqlite_url, SPARK_REMOTE="sc://127.0.0.1:1/;token=a"
    )

    assert result.returncode == 2
    failed = result.stderr.splitlines()[-1]
    assert "cannot reach the Spark Connect server of SPARK_REMOTE: " in failed
    assert "Traceback" not in result.stderr


@pytest.mark.skipif(find_spec("grpc") is not None, reason="the packages are installed")
def test_without_its_packages_spark_connect_is_refused_with_what_to_install(
    repository: Path, sqlite_url: str
) -> None:
    insert_shares(sqlite_url, [Share("a", facts(lost_all=1))])
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"sc://127.0.0.1:{server.getsockname()[1]}"

        result = run(repository, "summarize", "--database", sqlite_url, SPARK_REMOTE=address)

    assert result.returncode == 2
    assert "pip install 'pyspark[connect]'" in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr
