"""Searches a grid on Spark: one task for each cell, those with the most replicas first.

A cell that has more states than one task may search is hard. It is searched again in shares, level
by level: a task for each share (`sim_engine/exploration/shares.py`). Hard cells are searched side
by side only if there are more cores than shares. What has been searched is in the folder, so a
search that was killed goes on where it was, at the grain of a share's level.
"""

import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace
from pyspark.sql import SparkSession

from analytics.campaigns.campaign_runner import Report, check_complete, run_tasks
from analytics.campaigns.search_folder import SearchFolder
from sim_engine.campaign.run import cell_start, search_cell, searched_cell
from sim_engine.exploration.shares import ShareSearch
from sim_engine.simulation.timeline import Timeline

T = TypeVar("T")

FEW_STATES = 2_000
"""Levels that hand on fewer states are searched in one task, for all shares."""


def search_grid(spark: SparkSession, folder: SearchFolder, report: Report) -> int:
    """Search every cell that has no row yet, and return the number of cells searched.

    Raises `CampaignFolderError` if the executors wrote to a folder that this process cannot see.
    """
    missing = folder.missing()
    path = str(folder.path.absolute())
    known = folder.hard()
    cells = [cell for cell in missing if cell not in known]
    if cells:
        run_tasks(
            spark,
            cells,
            lambda cell: search_one(path, cell),
            f"search {path}",
            lambda done: report(done, len(missing)),
        )
    hard_cells = folder.hard()
    check_complete([cell for cell in folder.missing() if cell not in hard_cells], folder.path)
    at_once = max(1, spark.sparkContext.defaultParallelism // folder.written.shares)
    for first in range(0, len(hard_cells), at_once):
        report(len(missing) - len(hard_cells) + first, len(missing))
        _search_hard(spark, folder, hard_cells[first : first + at_once])
    return len(missing)


def _search_hard(spark: SparkSession, folder: SearchFolder, cells: Sequence[int]) -> None:
    """Search some hard cells in shares, a job for each level."""
    path = str(folder.path.absolute())
    _run(spark, path, cells, lambda cell: _begin(path, cell))
    searched = list(cells)
    while searched:
        searched = [cell for cell in searched if not _finish(path, cell)]
        tasks: list[tuple[int, int, int]] = []
        for cell in searched:
            files = folder.share_files(cell)
            depth = len(files.levels())
            tasks += [(cell, depth, share) for share in files.missing(depth)]
        _run(spark, path, tasks, lambda task: search_share(path, *task))


def _run(spark: SparkSession, path: str, tasks: Sequence[T], work: Callable[[T], object]) -> None:
    if tasks:
        run_tasks(spark, tasks, work, f"shares {path}", lambda _: None)


# --- on an executor ---------------------------------------------------------------------------


def search_one(path: str, cell: int) -> None:
    """Search one cell in one piece and write its row or, if it is hard, only that, on an executor.

    The same cell always gives the same files, on any executor, also if it is searched again.
    """
    folder = _open(path)
    options = folder.written.options
    is_whole = folder.written.shares == 1 or options.max_states <= folder.written.whole_states
    most = options.max_states if is_whole else folder.written.whole_states
    searched = search_cell(
        folder.grid.cells[cell], replace(options, max_states=most), time.process_time
    )
    if searched.row.limit == "states" and not is_whole:
        folder.mark_hard(cell)
    else:
        folder.write(searched)


def search_share(path: str, cell: int, depth: int, share: int) -> None:
    """Search a share's level and write it."""
    folder = _open(path)
    files = folder.share_files(cell)
    began_ms = _cpu_ms()
    search = _search_of(path, cell)
    options = folder.written.options
    taken = sum(level.taken for of_depth in files.levels()[:depth] for level in of_depth)
    done = search.search_level(
        files.arrivals(depth, share),
        files.seen(depth, share),
        most_handed=max(1, (options.max_states - taken) // folder.written.shares),
        is_last=depth == options.max_depth,
    )
    level = replace(done.level, cpu_ms=_cpu_ms() - began_ms)
    files.write(depth, share, done._replace(level=level))


def _begin(path: str, cell: int) -> None:
    """Search the first levels of a cell, which have few states, for all of its shares."""
    folder = _open(path)
    files = folder.share_files(cell)
    search = _search_of(path, cell)
    if not files.levels():
        files.write_first(*search.first())
    while True:
        levels = files.levels()
        if levels and (
            sum(share.handed for share in levels[-1]) >= FEW_STATES
            or any(share.found is not None for share in levels[-1])
            or search.result(levels, ()) is not None
        ):
            return
        for share in files.missing(len(levels)):
            search_share(path, cell, len(levels), share)


def _finish(path: str, cell: int) -> bool:
    """Write the row of a cell if its search is over. Returns whether it is."""
    folder = _open(path)
    files = folder.share_files(cell)
    levels = files.levels()
    began_ms = _cpu_ms()
    result = _search_of(path, cell).result(levels, files.steps_to_violation())
    if result is None:
        return False
    spent_ms = sum(share.cpu_ms for level in levels for share in level)
    folder.write(
        searched_cell(
            folder.grid.cells[cell],
            folder.written.options,
            result,
            shares=folder.written.shares,
            cpu_ms=spent_ms + _cpu_ms() - began_ms,
        )
    )
    files.remove()
    return True


def _cpu_ms() -> int:
    return round(time.process_time() * 1_000)


@lru_cache(maxsize=1)
def _open(path: str) -> SearchFolder:
    """Open the folder; cached, so the grid is read once in each worker process."""
    return SearchFolder.open(Path(path))


@lru_cache(maxsize=2)
def _search_of(path: str, cell: int) -> ShareSearch:
    """What a worker process knows of a cell's states: the effects that it has computed so far."""
    folder = _open(path)
    start, options = cell_start(folder.grid.cells[cell], folder.written.options)
    return ShareSearch(Timeline(start).frames[0], options, folder.written.shares)
