"""SIGTERM to a job: Spark ends too, no partial result is written, and no files are left."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.analytics.shares import Share, facts, insert_shares
from tests.analytics.summaries import stored_summaries


@pytest.mark.slow
@pytest.mark.spark
def test_sigterm_ends_spark_and_leaves_no_files(
    repository: Path, sqlite_url: str, tmp_path: Path
) -> None:
    insert_shares(sqlite_url, [Share("a", facts())])
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    job = subprocess.Popen(
        [sys.executable, "-m", "backend.cli", "summarize", "--master", "local[1]"],
        cwd=repository, stderr=subprocess.PIPE, text=True,
        env={
            **os.environ, "HIGHWATER_DATABASE_URL": sqlite_url, "TMPDIR": str(temporary),
            "SPARK_LOCAL_DIRS": str(temporary),
            "JAVA_TOOL_OPTIONS": f"-Djava.io.tmpdir={temporary} -XX:-UsePerfData",
        },
    )  # fmt: skip
    assert job.stderr is not None
    with job.stderr:
        for line in job.stderr:
            if line.startswith("started Spark"):
                break
        assert running_in(temporary)

        job.send_signal(signal.SIGTERM)

        said = job.stderr.read()
    assert job.wait() == 128 + signal.SIGTERM, said
    assert running_in(temporary) == []
    assert list(temporary.iterdir()) == []
    assert stored_summaries(sqlite_url) == []


@pytest.mark.slow
@pytest.mark.spark
def test_sigterm_ends_a_campaign_in_the_middle_of_a_stage(repository: Path, tmp_path: Path) -> None:
    grid = tmp_path / "grid.yaml"
    grid.write_text('grid: 1\ntitle: Long\nseed: 1\nkafka: ["2.1"]\nsteps: 30\nshrink: false\n')
    out = tmp_path / "out"
    job = subprocess.Popen(
        [
            sys.executable, "-m", "analytics", "campaign", str(grid),
            "--runs", "20000", "--out", str(out), "--master", "local[1]",
        ],
        cwd=repository, stderr=subprocess.DEVNULL,
        env={**os.environ, "SPARK_LOCAL_DIRS": str(tmp_path / "spark")},
    )  # fmt: skip
    try:
        while not list(out.rglob("runs-*.parquet")):
            assert job.poll() is None
            time.sleep(0.1)

        job.send_signal(signal.SIGTERM)

        assert job.wait(timeout=60) == 128 + signal.SIGTERM
    finally:
        job.kill()
    assert running_in(tmp_path) == []


def running_in(folder: Path) -> list[int]:
    """The processes that have the folder in their environment."""
    found: list[int] = []
    for process in Path("/proc").iterdir():
        try:
            if str(folder).encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
        except (OSError, ValueError):
            continue
    return found
