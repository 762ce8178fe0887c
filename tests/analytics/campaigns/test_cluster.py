"""A campaign on a standalone cluster, of which an executor and then the driver are killed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.analytics.cluster import REPOSITORY, Cluster, standalone_cluster

GRID = """
grid: 1
kafka: ["0.10.2", "3.9"]
acks: [all, 1]
faults: {crash: 0.1, power_loss: 0.03}
steps: 10
shrink: false
"""
RUNS = 400
_PATIENCE_SECONDS = 600.0


def start(folder: Path, name: str, *options: str, cluster: Cluster) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [
            sys.executable, "-m", "analytics", "campaign", str(folder / "grid.yaml"),
            "--runs", str(RUNS), "--out", str(folder / name), *options,
        ],
        env=cluster.environment,
        cwd=REPOSITORY,
    )  # fmt: skip


def wait_for_pieces(folder: Path, count: int, driver: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _PATIENCE_SECONDS
    while len(list(folder.rglob("runs-*.parquet"))) < count:
        assert driver.poll() is None, "the driver ended too soon"
        assert time.monotonic() < until, "the campaign makes no progress"
        time.sleep(0.2)


@pytest.mark.slow
def test_a_killed_executor_and_a_killed_driver_change_nothing(tmp_path: Path) -> None:
    (tmp_path / "grid.yaml").write_text(GRID)
    with standalone_cluster(tmp_path) as cluster:
        driver = start(tmp_path, "disturbed", "--master", cluster.master, cluster=cluster)
        wait_for_pieces(tmp_path / "disturbed", 3, driver)
        os.kill(cluster.executors()[0], signal.SIGKILL)
        wait_for_pieces(tmp_path / "disturbed", 6, driver)
        driver.kill()
        driver.wait()
        options = ("--resume", "--master", cluster.master)
        again = start(tmp_path, "disturbed", *options, cluster=cluster)
        assert again.wait() == 0

        undisturbed = start(tmp_path, "alone", "--master", "local[2]", cluster=cluster)
        assert undisturbed.wait() == 0

    one, other = (
        json.loads((tmp_path / name / "_summary.json").read_text())
        for name in ("disturbed", "alone")
    )
    assert one["runs"] == 4 * RUNS
    assert one["digest"] == other["digest"]
    assert {**one, "finished_at": None} == {**other, "finished_at": None}
