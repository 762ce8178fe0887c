"""SIGTERM to `highwater summarize`: Spark ends with it, nothing is written and nothing is left."""

import os
import signal
import subprocess
import sys
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
