"""A campaign is run on Spark: one task a piece, the costliest cells first.

Tasks are small and many, so no stage waits for one of them, and what is lost with an executor or
with the driver is the piece it was in. Spark keeps a worker process for many tasks; only the first
starts an interpreter and reads the grid.
"""

import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from msgspec import to_builtins
from pyspark.sql import SparkSession

from analytics.campaigns.folder import CampaignFolder, Piece
from analytics.campaigns.pieces import make_example, run_piece
from analytics.errors import CampaignFolderError
from sim_engine import Example, Grid, RunKey, run_cell

PIECE_MS = 1_000
MOST_PIECE_RUNS = 1_000
WAVE = 20_000
"""One job has at most so many tasks; a campaign with more pieces is several jobs."""

_POLL_SECONDS = 1.0

T = TypeVar("T")

Report = Callable[[int, int], None]
"""Is told the pieces done and all pieces, about once a second."""


def measure_cells(grid: Grid) -> list[float]:
    """What a run of each cell costs, in ms: the mean of its first runs, played here."""
    costs: list[float] = []
    for cell in grid.cells:
        began = time.perf_counter()
        runs = 2
        for run in range(runs):
            run_cell(RunKey(campaign=grid.seed, cell=cell.number, run=run), cell)
        costs.append((time.perf_counter() - began) * 1_000 / runs)
    return costs


def piece_sizes(costs: Sequence[float]) -> tuple[int, ...]:
    """How many runs of each cell take about a second."""
    return tuple(max(1, min(MOST_PIECE_RUNS, round(PIECE_MS / max(cost, 0.1)))) for cost in costs)


def run_campaign(spark: SparkSession, folder: CampaignFolder, report: Report) -> int:
    """Play every piece that has no rows yet; the number of runs played.

    Raises `CampaignFolderError` where the executors wrote somewhere that this process cannot see.
    """
    pieces = folder.missing()
    path = str(folder.path.absolute())
    done = 0
    for first in range(0, len(pieces), WAVE):
        wave = pieces[first : first + WAVE]
        _run_wave(spark, path, wave, partial(_report_wave, report, first, len(pieces)))
        done += sum(piece.count for piece in wave)
    if folder.missing():
        raise CampaignFolderError(
            f"rows are missing in {folder.path}: on a cluster it must be a folder that every"
            " worker shares"
        )
    return done


def _report_wave(report: Report, before: int, total: int, done: int) -> None:
    report(before + done, total)


def _run_wave(
    spark: SparkSession, path: str, pieces: Sequence[Piece], report: Callable[[int], None]
) -> None:
    tuples = [(piece.cell, piece.first, piece.count) for piece in pieces]
    run_tasks(
        spark, tuples, lambda piece: run_piece(path, Piece(*piece)), f"campaign {path}", report
    )


def run_tasks(
    spark: SparkSession,
    items: Sequence[T],
    work: Callable[[T], object],
    group: str,
    report: Callable[[int], None],
) -> None:
    """Do some work for each item, each as a task of its own, the first ones first.

    `report` is told about once a second how many are done. `group` names the job in Spark.
    """
    context = spark.sparkContext
    tasks = context.parallelize(items, len(items))
    ended = threading.Event()

    def watch() -> None:
        tracker = context.statusTracker()
        while not ended.wait(_POLL_SECONDS):
            completed = 0
            for job in tracker.getJobIdsForGroup(group):
                info = tracker.getJobInfo(job)
                for stage in info.stageIds if info else ():
                    stage_info = tracker.getStageInfo(stage)
                    completed += stage_info.numCompletedTasks if stage_info else 0
            report(min(completed, len(items)))

    watcher = threading.Thread(target=watch, daemon=True)
    context.setJobGroup(group, group, interruptOnCancel=True)
    watcher.start()
    try:
        tasks.map(work).count()
    finally:
        ended.set()
        watcher.join()
    report(len(items))


def make_examples(
    spark: SparkSession, folder: CampaignFolder, runs: Sequence[tuple[int, int]]
) -> Sequence[Example]:
    """The shortest scenarios of some runs, each named by cell and seed, made by the executors."""
    if not runs:
        return ()
    document = to_builtins(folder.grid.document)
    tasks = spark.sparkContext.parallelize(list(runs), len(runs))
    return tasks.map(lambda run: make_example(document, *run)).collect()
