"""Spark sessions on clusters that cannot do the work."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.analytics.cluster import standalone_cluster

# In a process of its own: a process has one session, and the other tests share one.
_PROGRAM = """
import sys
from analytics.errors import SparkFailedError
from analytics.spark import spark_session

try:
    with spark_session(sys.argv[1], executor_within_s=1):
        print("started")
except SparkFailedError as error:
    print(error)
"""


@pytest.mark.slow
def test_a_master_without_workers_is_said(repository: Path, tmp_path: Path) -> None:
    with standalone_cluster(tmp_path, workers=0) as cluster:
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM, cluster.master],
            cwd=repository, env=cluster.environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    assert done.stdout.startswith(f"no worker of {cluster.master} accepted the job"), done.stderr
