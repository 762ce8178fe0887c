"""A campaign on a standalone cluster, of which an executor and then the driver are killed.

    python -m tests.analytics.campaigns.proof --runs 3200     32 cells, 102,400 runs

It prints its progress, and fails unless rows and summary equal those of an undisturbed campaign.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow.parquet as pq

from sim_engine.campaign.grid_reader import read_grid_text
from tests.analytics.cluster import REPOSITORY, Cluster, standalone_cluster

GRID = """
grid: 1
title: Proof on a cluster
seed: 3
kafka: ["0.10.2", "2.1", "3.9", "4.1"]
acks: [all, 1]
replication_factor: [2, 3]
faults: {crash: [0.05, 0.1], power_loss: 0.02, pause: 0.02}
steps: 8
produce_every: 4
consume_every: 0
shrink: false
"""
"""Short runs, so that a hundred thousand take minutes on two free cores."""

_SMALL_WAVES = """
from analytics.campaigns import campaign_runner
campaign_runner.WAVE_MS = 5_000
from analytics.__main__ import main
raise SystemExit(main())
"""
"""The command, with waves that are short enough to be counted."""

_PATIENCE_SECONDS = 7_200.0


def prove(folder: Path, runs: int, grid: str = GRID) -> None:
    """Run a campaign with kills and one without; raises if they differ."""
    (folder / "grid.yaml").write_text(grid)
    with standalone_cluster(folder) as cluster:
        began = time.monotonic()
        at_cluster = ("--master", cluster.master)
        driver = _start(folder, "disturbed", runs, *at_cluster, cluster=cluster)
        rows = runs * len(read_grid_text(grid).cells)
        _wait_for_rows(folder / "disturbed", rows * 3 // 10, driver)
        executor = cluster.executors()[0]
        print(f"killing executor {executor} at {_done(folder / 'disturbed')} of {rows} rows")
        os.kill(executor, signal.SIGKILL)
        _wait_for_rows(folder / "disturbed", rows * 6 // 10, driver)
        print(f"killing the driver at {_done(folder / 'disturbed')} rows")
        driver.kill()
        driver.wait()
        again = _start(folder, "disturbed", runs, "--resume", *at_cluster, cluster=cluster)
        assert again.wait() == 0, "the resumed campaign failed"
        print(f"resumed and done after {time.monotonic() - began:.0f} s")
        undisturbed = _start(folder, "alone", runs, "--master", "local[2]", cluster=cluster)
        assert undisturbed.wait() == 0, "the undisturbed campaign failed"
    one, other = (
        json.loads((folder / name / "_summary.json").read_text()) for name in ("disturbed", "alone")
    )
    print(f"{one['runs']:,} runs over {len(one['cells'])} cells")
    print(f"digests {one['digest']} and {other['digest']}")
    assert one["runs"] == runs * len(one["cells"])
    assert one["digest"] == other["digest"]
    assert {**one, "finished_at": None} == {**other, "finished_at": None}


def _start(
    folder: Path, name: str, runs: int, *options: str, cluster: Cluster
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [
            sys.executable, "-c", _SMALL_WAVES, "campaign", str(folder / "grid.yaml"),
            "--runs", str(runs), "--out", (folder / name).as_uri(), *options,
        ],
        env=cluster.environment,
        cwd=REPOSITORY,
    )  # fmt: skip


def _done(folder: Path) -> int:
    """The number of rows of the waves that are written."""
    files = folder.glob("campaign=*/cell=*/*.parquet")
    return sum(pq.read_metadata(file).num_rows for file in files)


def _wait_for_rows(folder: Path, count: int, driver: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _PATIENCE_SECONDS
    while _done(folder) < count:
        assert driver.poll() is None, "the driver ended too soon"
        assert time.monotonic() < until, "the campaign makes no progress"
        time.sleep(0.2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Prove that kills change nothing.")
    parser.add_argument("--runs", type=int, default=3_200, help="runs of each of 32 cells")
    with tempfile.TemporaryDirectory() as temporary:
        prove(Path(temporary), parser.parse_args().runs)
