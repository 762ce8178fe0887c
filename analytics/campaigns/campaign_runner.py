"""Runs a campaign on Spark: one task for each piece, the most expensive cells first.

Tasks are small and numerous, so no stage waits long for one of them. If an executor or the driver
is killed, only the current pieces are lost. Spark reuses a worker process for many tasks; only the
first starts an interpreter and reads the grid.
"""

import threading
import time
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeVar

from msgspec import to_builtins
from pyspark.sql import SparkSession

from analytics.campaigns.folder import CampaignFolder, Piece
from analytics.errors import CampaignFolderError
from sim_engine.campaign.grid import Grid
from sim_engine.campaign.grid_reader import read_grid_document
from sim_engine.campaign.play import RunKey
from sim_engine.campaign.run import run_cell, shortest_example
from sim_engine.campaign.summary import Example
from sim_engine.json_types import JsonObject

PIECE_MS = 1_000
FEWEST_PIECE_RUNS = 20
"""A smaller piece costs more to hand out, and its file has more schema than rows."""
MOST_PIECE_RUNS = 1_000
MEASURED_RUNS = 5
WAVE = 20_000
"""The largest number of tasks in a job; a campaign with more pieces is several jobs."""

_POLL_SECONDS = 1.0

T = TypeVar("T")

Report = Callable[[int, int], None]
"""Called about once a second with the number of finished pieces and the number of all pieces."""


def measure_cells(grid: Grid) -> list[float]:
    """Return the cost of a run of each cell, in ms of CPU time: the mean of its first runs, played
    in this process.

    Other work on the machine does not count.
    """
    costs: list[float] = []
    for cell in grid.cells:
        began = time.process_time()
        for run in range(MEASURED_RUNS):
            run_cell(RunKey(campaign=grid.seed, cell=cell.number, run=run), cell)
        costs.append((time.process_time() - began) * 1_000 / MEASURED_RUNS)
    return costs


def piece_sizes(costs: Sequence[float]) -> tuple[int, ...]:
    """Return the number of runs of each cell that take about a second, but at least
    `FEWEST_PIECE_RUNS`. `costs` are in ms per run.
    """
    return tuple(
        max(FEWEST_PIECE_RUNS, min(MOST_PIECE_RUNS, round(PIECE_MS / max(cost, 0.1))))
        for cost in costs
    )


def run_campaign(spark: SparkSession, folder: CampaignFolder, report: Report) -> int:
    """Play every piece that has no rows yet, join small files, and return the number of runs
    played.

    Raises `CampaignFolderError` if the executors wrote to a folder that this process cannot see.
    """
    pieces = folder.missing()
    path = str(folder.path.absolute())
    done = 0
    for first in range(0, len(pieces), WAVE):
        wave = pieces[first : first + WAVE]
        _run_wave(spark, path, wave, partial(_report_wave, report, first, len(pieces)))
        done += sum(piece.count for piece in wave)
        _join_files(spark, folder)
    check_complete(folder.missing(), folder.path)
    if not pieces:  # an interrupted campaign may have stopped here
        _join_files(spark, folder)
    return done


def check_complete(missing: Sequence[object], path: Path) -> None:
    """Raise `CampaignFolderError` if rows are missing although every task has ended."""
    if missing:
        raise CampaignFolderError(
            f"rows are missing in {path}: on a cluster it must be a folder that every worker shares"
        )


def _join_files(spark: SparkSession, folder: CampaignFolder) -> None:
    path = str(folder.path.absolute())
    joined = [(piece.cell, piece.first, piece.count) for piece in folder.joinable()]
    if joined:
        run_tasks(
            spark,
            joined,
            lambda piece: _open(path).join_files(Piece(*piece)),
            f"join {path}",
            lambda _: None,
        )


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
    """Run some work for each item as a separate task, in order.

    `report` is called about once a second with the number of finished items. `group` names the job
    in Spark.
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
    """Return the shortest scenarios of some runs, each identified by cell and seed, computed by the
    executors. Their order is that of `runs`.
    """
    if not runs:
        return ()
    document = to_builtins(folder.grid.document)
    tasks = spark.sparkContext.parallelize(list(runs), len(runs))
    return tasks.map(lambda run: _make_example(document, *run)).collect()


# --- on an executor ---------------------------------------------------------------------------


def run_piece(folder: str, piece: Piece) -> int:
    """Play a piece, write its rows to the campaign's folder, and return the number of rows.

    The same piece always writes the same file, on any executor, also if it is played again.
    """
    campaign = _open(folder)
    cell = campaign.grid.cells[piece.cell]
    rows = [
        run_cell(RunKey(campaign=campaign.grid.seed, cell=piece.cell, run=run), cell)
        for run in range(piece.first, piece.first + piece.count)
    ]
    campaign.write_piece(piece, rows)
    return len(rows)


@lru_cache(maxsize=1)
def _open(folder: str) -> CampaignFolder:
    """Open the folder; cached, so the grid is read once in each worker process."""
    return CampaignFolder.open(Path(folder))


def _make_example(grid_document: JsonObject, cell: int, seed: int) -> Example:
    """The shortest scenario found that loses a record for the same reason as a run. The run must
    lose a record.
    """
    grid = read_grid_document(grid_document)
    example = shortest_example(RunKey(campaign=grid.seed, cell=cell, run=seed), grid.cells[cell])
    assert example is not None, "the run lost a record"
    return example
