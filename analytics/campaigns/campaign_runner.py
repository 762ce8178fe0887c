"""Runs a campaign on Spark: one task for each piece, the most expensive cells first.

Tasks are small and numerous, so no stage waits long for one of them. They return their rows, which
Spark writes in waves of about two minutes. If an executor is killed, Spark plays its pieces again;
if the driver is killed, the current wave is lost. Spark reuses a worker process for many tasks;
only the first starts an interpreter and reads the grid.
"""

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import accumulate

import pyarrow as pa
from msgspec import to_builtins
from pyspark.sql import DataFrame, SparkSession

from analytics.campaigns.folder import CampaignFolder, Piece
from analytics.campaigns.row_schema import rows_table, run_schema
from analytics.errors import CampaignFolderError
from sim_engine.campaign.grid import Grid
from sim_engine.campaign.grid_reader import read_grid_document
from sim_engine.campaign.play import RunKey
from sim_engine.campaign.run import run_cell, shortest_example
from sim_engine.campaign.summary import Example
from sim_engine.json_types import JsonObject

PIECE_MS = 1_000
FEWEST_PIECE_RUNS = 20
"""A smaller piece costs more to hand out."""
MOST_PIECE_RUNS = 1_000
MEASURED_RUNS = 5
WAVE_MS = 120_000
"""The work of a wave for each core. At its end, cores wait for the last piece: about a second."""
MOST_TASKS = 100_000
"""The largest number of pieces in a wave."""

_POLL_SECONDS = 1.0

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
    """Play every piece that has no rows yet, wave by wave, and return the number of runs played.

    Raises `CampaignFolderError` if the executors cannot reach the folder, or if rows are missing
    or doubled in the end.
    """
    pieces = folder.missing()
    group = f"campaign {folder.files.address}"
    done = 0
    while done < len(pieces):
        # Spark may have been given more executors, or fewer.
        cores = spark.sparkContext.defaultParallelism
        wave = next_wave(pieces[done:], folder.written.cell_ms, cores)
        with counted_tasks(spark, group, lambda count: report(done + count, len(pieces))):  # noqa: B023
            folder.add_runs(_rows_of(spark, folder, wave))
        folder.require_rows(wave[0].cell)
        done += len(wave)
        report(done, len(pieces))
    if folder.missing():
        raise CampaignFolderError(f"rows are missing in {folder.files.address}: add --resume")
    return sum(piece.count for piece in pieces)


def next_wave(pieces: Sequence[Piece], cell_ms: Sequence[float], cores: int) -> Sequence[Piece]:
    """The first of the pieces: those that take about two minutes on so many cores."""
    costs = accumulate(piece.count * cell_ms[piece.cell] for piece in pieces)
    few = sum(1 for cost in costs if cost <= WAVE_MS * cores)
    return pieces[: min(max(few, 1), MOST_TASKS)]


def _rows_of(spark: SparkSession, folder: CampaignFolder, wave: Sequence[Piece]) -> DataFrame:
    """The rows of the pieces, each of which is one task, in order."""
    grid = json.dumps(folder.written.grid)
    pieces = [(piece.cell, piece.first, piece.count) for piece in wave]

    def play(numbers: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in numbers:
            for number in batch["id"].to_pylist():
                yield from play_piece(grid, Piece(*pieces[number])).to_batches()

    return spark.range(0, len(wave), 1, len(wave)).mapInArrow(play, folder.schema)


@contextmanager
def counted_tasks(
    spark: SparkSession, group: str, report: Callable[[int], None] = lambda _: None
) -> Iterator[None]:
    """Count the finished tasks of Spark's jobs in the block, and report the number about once a
    second. `group` names the jobs in Spark.
    """
    context = spark.sparkContext
    tracker = context.statusTracker()
    earlier = set(tracker.getJobIdsForGroup(group))
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(_POLL_SECONDS):
            jobs = (tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group))
            of_block = [job for job in jobs if job and job.jobId not in earlier]
            stages = {stage for job in of_block for stage in job.stageIds}
            infos = [tracker.getStageInfo(stage) for stage in stages]
            # The stage that plays has the most tasks; what follows only writes.
            report(max((info.numCompletedTasks for info in infos if info), default=0))

    watcher = threading.Thread(target=watch, daemon=True)
    context.setJobGroup(group, group, interruptOnCancel=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


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


def play_piece(grid_text: str, piece: Piece) -> pa.Table:
    """Play the runs of a piece and return their rows. `grid_text` is the grid's document as JSON.

    The same piece always has the same rows, on any executor, also if it is played again.
    """
    grid = grid_of(grid_text)
    cell = grid.cells[piece.cell]
    keys = (
        RunKey(campaign=grid.seed, cell=piece.cell, run=run)
        for run in range(piece.first, piece.end)
    )
    return rows_table(run_schema(grid), cell, [run_cell(key, cell) for key in keys])


@lru_cache(maxsize=1)
def grid_of(text: str) -> Grid:
    """The grid of a document; cached, so it is read once in each worker process."""
    return read_grid_document(json.loads(text))


def _make_example(grid_document: JsonObject, cell: int, seed: int) -> Example:
    """The shortest scenario found that loses a record for the same reason as a run. The run must
    lose a record.
    """
    grid = read_grid_document(grid_document)
    example = shortest_example(RunKey(campaign=grid.seed, cell=cell, run=seed), grid.cells[cell])
    assert example is not None, "the run lost a record"
    return example
