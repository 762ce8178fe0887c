"""Runs per second of a campaign: a plain loop in one process, `local[2]`, a cluster of two workers.

The goals are ratios to the bare loop: 1.7 on two local cores, 1.6 on the cluster. Two bare loops at
once show what the machine itself has to give: two of its cores are rarely twice as fast as one.
Spark's start, that of its Python workers included, and the summary are apart. All digests are
compared. Then the same for cells of which one costs many times as much as the others, and the
memory of a small and of a larger campaign.

On a machine that others use, too, the runs a second say little. The runs a CPU second, in which all
processes of Spark are counted, say what Spark costs.
"""

import json
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import pyarrow as pa
from pyspark.sql import SparkSession

from analytics.campaigns.campaign_runner import measure_cells, piece_sizes, play_piece, run_campaign
from analytics.campaigns.campaign_summary import campaign_digest
from analytics.campaigns.folder import CampaignFolder, CampaignManifest, Piece
from analytics.campaigns.row_schema import run_schema
from analytics.file_systems import Files
from analytics.spark import spark_session
from sim_engine.campaign.grid import Grid
from sim_engine.campaign.grid_reader import read_grid_text
from sim_engine.identifiers import ENGINE_VERSION
from tests.analytics.cluster import standalone_cluster
from tests.benchmarks.process_tree import cpu_seconds, measured

EVEN = """
grid: 1
kafka: ["0.10.2", "2.1", "3.9", "4.1"]
acks: [all]
configs: {min.insync.replicas: [1, 2]}
"""
SKEWED = """
grid: 1
kafka: ["3.9"]
acks: [all]
replication_factor: [1, 5]
faults: {crash: [0, 0.01, 0.3]}
shrink: true
steps: 60
"""
RUNS = 300
FEWER, MORE = 50, 200
"""Runs of each cell, of which the memory is compared."""
TENTH, WHOLE = 8, 80
"""Runs of each cell, of which the CPU time is compared on a cluster."""


@dataclass(frozen=True)
class _Clock:
    """Seconds, or runs a second, by the clock on the wall and of the processor."""

    wall: float
    cpu: float

    @staticmethod
    def now() -> "_Clock":
        return _Clock(wall=time.perf_counter(), cpu=cpu_seconds())


@dataclass(frozen=True)
class _Campaign:
    grid: Grid
    costs: tuple[float, ...]
    runs_per_cell: int

    @property
    def runs(self) -> int:
        return len(self.grid.cells) * self.runs_per_cell

    @property
    def pieces(self) -> list[tuple[str, Piece]]:
        """The arguments of `play_piece` for each piece."""
        text = json.dumps(self.grid.document)
        sizes = piece_sizes(self.costs)
        return [
            (text, Piece(cell.number, first, min(size, self.runs_per_cell - first)))
            for cell, size in zip(self.grid.cells, sizes, strict=True)
            for first in range(0, self.runs_per_cell, size)
        ]

    def play(self) -> pa.Table:
        """All rows, as a plain loop plays them."""
        return pa.concat_tables([play_piece(*piece) for piece in self.pieces])

    def folder(self, spark: SparkSession, path: Path) -> CampaignFolder:
        return CampaignFolder.create(
            Files(spark, str(path)),
            CampaignManifest(
                engine=ENGINE_VERSION,
                runs=self.runs_per_cell,
                piece_runs=piece_sizes(self.costs),
                cell_ms=self.costs,
                grid=self.grid.document,
            ),
        )


def measure() -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        _compare(root / "even", EVEN, with_cluster=True)
        _compare(root / "skewed", SKEWED, with_cluster=False)
        _measure_memory(root)


def measure_cluster() -> None:
    """Print the CPU seconds of a campaign and of one with ten times the runs: a plain loop,
    `local[2]`, and a standalone cluster of one worker and of two.

    The CPU seconds of the driver and of all workers count. Other work on the machine changes them
    little, unlike the time by the clock.
    """
    grid = read_grid_text(EVEN)
    costs = tuple(measure_cells(grid))
    campaigns = [_Campaign(grid, costs, runs) for runs in (TENTH, WHOLE)]
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        spent: list[float] = []
        for campaign in campaigns:
            began = cpu_seconds()
            plain = campaign.play()
            spent.append(cpu_seconds() - began)
        _print_growth("plain loop", campaigns, spent)
        _grow_on_spark("local[2]", "local[2]", campaigns, root / "local", plain)
        for workers in (1, 2):
            path = root / str(workers)
            path.mkdir()
            with standalone_cluster(path, workers) as cluster:
                kind = f"standalone, workers: {workers}"
                _grow_on_spark(cluster.master, kind, campaigns, path / "rows", plain)


def _grow_on_spark(
    master: str, kind: str, campaigns: Sequence[_Campaign], root: Path, plain: pa.Table
) -> None:
    root.mkdir()
    spent: list[float] = []
    started = cpu_seconds()
    with spark_session(master) as spark:
        _warm_up_workers(spark)
        start = cpu_seconds() - started
        for campaign in campaigns:
            folder = campaign.folder(spark, root / str(campaign.runs))
            began = cpu_seconds()
            run_campaign(spark, folder, _silent)
            spent.append(cpu_seconds() - began)
        _print_growth(f"{kind} (after {start:.0f} CPU s of start)", campaigns, spent)
        same = _digest_of(spark, campaigns[-1], plain) == campaign_digest(folder.rows())
        print(f"digests: {'all the same' if same else 'THEY DIFFER'}", flush=True)


def _print_growth(kind: str, campaigns: Sequence[_Campaign], spent: Sequence[float]) -> None:
    few, many = campaigns
    print(
        f"{kind:<50} {few.runs} runs: {spent[0]:.1f} CPU s, {many.runs} runs: {spent[1]:.1f} CPU s",
        flush=True,
    )


def _compare(root: Path, text: str, *, with_cluster: bool) -> None:
    grid = read_grid_text(text)
    campaign = _Campaign(grid, tuple(measure_cells(grid)), RUNS)
    dearest, cheapest = max(campaign.costs), min(campaign.costs)
    print(f"{len(grid.cells)} cells, a run {cheapest:.0f} to {dearest:.0f} ms")
    root.mkdir()
    began = _Clock.now()
    bare = campaign.play()
    alone = _print(campaign, "bare loop, one process", began, None)
    _two_bare_loops(campaign, alone)
    digests = _on_spark("local[2]", "local[2]", campaign, root / "local", bare, alone)
    if with_cluster:
        with standalone_cluster(root) as cluster:
            digests += _on_spark(
                cluster.master, "standalone, 2 workers", campaign, root / "cluster", bare, alone
            )
    print(f"digests: {'all the same' if len(set(digests)) == 1 else 'THEY DIFFER'}")


def _two_bare_loops(campaign: _Campaign, alone: _Clock) -> None:
    """The same work by two processes that share only the list of pieces."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        list(pool.map(_warm_up, range(2)))
        began = _Clock.now()
        list(pool.map(play_piece, *zip(*campaign.pieces, strict=True)))
        _print(campaign, "bare loop, two processes", began, alone)


def _warm_up(_: int) -> None:
    """Import the engine, and run long enough for the other worker to start, too."""
    measure_cells(read_grid_text(EVEN))
    time.sleep(1)


def _warm_up_workers(spark: SparkSession) -> None:
    # A nested function is sent whole; executors on a cluster do not have the tests' modules.
    def warm_up(_: int) -> None:
        measure_cells(read_grid_text(EVEN))
        time.sleep(1)

    spark.sparkContext.parallelize(range(2), 2).foreach(warm_up)


def _on_spark(
    master: str, kind: str, campaign: _Campaign, path: Path, bare: pa.Table, alone: _Clock
) -> list[str]:
    started = time.perf_counter()
    with spark_session(master) as spark:
        folder = campaign.folder(spark, path)
        _warm_up_workers(spark)
        start_seconds = time.perf_counter() - started
        began = _Clock.now()
        run_campaign(spark, folder, _silent)
        _print(campaign, f"{kind} (after {start_seconds:.1f} s of start)", began, alone)
        return [_digest_of(spark, campaign, bare), campaign_digest(folder.rows())]


def _digest_of(spark: SparkSession, campaign: _Campaign, rows: pa.Table) -> str:
    return campaign_digest(spark.createDataFrame(rows, run_schema(campaign.grid)))


def _silent(_done: int, _total: int) -> None:
    pass


def _print(campaign: _Campaign, kind: str, began: _Clock, alone: _Clock | None) -> _Clock:
    """Print the cost of a campaign since `began`, compared with the plain loop."""
    now = _Clock.now()
    rates = _Clock(
        wall=campaign.runs / (now.wall - began.wall), cpu=campaign.runs / (now.cpu - began.cpu)
    )
    ratios = (
        ""
        if alone is None
        else f": {rates.wall / alone.wall:.2f} and {rates.cpu / alone.cpu:.2f} times the bare loop"
    )
    print(f"{kind:<42} {rates.wall:5.1f} runs/s, {rates.cpu:5.1f} runs/CPU s{ratios}", flush=True)
    return rates


def _measure_memory(root: Path) -> None:
    """The memory of all processes of a campaign on local[2], including its summary."""
    grid = root / "grid.yaml"
    grid.write_text(EVEN)
    for runs in (FEWER, MORE):
        run = measured(
            [
                sys.executable, "-m", "analytics", "campaign", str(grid), "--runs", str(runs),
                "--out", str(root / f"memory-{runs}"), "--master", "local[2]",
            ]
        )  # fmt: skip
        summary = re.search(r"^wrote .*summary.*$|^summarized .*$", run.said, re.MULTILINE)
        print(
            f"{runs} runs of each cell: {run.peak_mib:,.0f} MiB at most, {run.seconds:.0f} s"
            + (f" ({summary[0]})" if summary else "")
        )
