"""Searches a grid on Spark: one task for each cell, those with the most replicas first.

A cell that has more states than one task may search is hard. It is searched again in shares, level
by level: a task for each share (`sim_engine/exploration/shares.py`). Hard cells are searched side
by side only if there are more cores than shares. What has been searched is in the folder, so a
search that was killed goes on where it was: it loses a wave of cells, or a level.
"""

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import pyarrow as pa
from msgspec import convert, to_builtins
from msgspec.structs import replace
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from analytics.campaigns.campaign_runner import Report, counted_tasks, grid_of
from analytics.campaigns.row_schema import rows_table, search_schema
from analytics.campaigns.search_folder import SearchFolder, SearchManifest
from analytics.campaigns.share_levels import (
    HANDED,
    TAKEN,
    ShareRow,
    SplitCell,
    arrivals,
    levels_in,
    rows_of,
    seen,
    write_levels,
)
from analytics.errors import CampaignFolderError
from sim_engine.campaign.run import SearchedCell, cell_start, search_cell, searched_cell
from sim_engine.exploration.shares import Level, Parcel, ShareSearch
from sim_engine.simulation.timeline import Timeline

FEW_STATES = 2_000
"""Levels that hand on fewer states are searched in one task, for all shares."""
WAVE_CELLS = 16
"""The cells of a wave for each core. At its end, cores wait for the last cell."""


def search_grid(spark: SparkSession, folder: SearchFolder, report: Report) -> int:
    """Search every cell that has no row yet, and return the number of cells searched.

    Raises `CampaignFolderError` if the executors cannot reach the folder.
    """
    cells = folder.not_begun()
    total = len(cells) + len(folder.hard())
    done = 0
    while done < len(cells):
        wave = cells[done : done + WAVE_CELLS * spark.sparkContext.defaultParallelism]
        group = f"search {folder.files.address}"
        with counted_tasks(spark, group, lambda count: report(done + count, total)):  # noqa: B023
            _search_whole(spark, folder, wave)
        for cell in wave:
            folder.require_rows(cell)
        done += len(wave)
    hard_cells = folder.hard()
    at_once = max(1, spark.sparkContext.defaultParallelism // folder.written.shares)
    for first in range(0, len(hard_cells), at_once):
        report(total - len(hard_cells) + first, total)
        with counted_tasks(spark, f"shares {folder.files.address}"):
            _search_hard(spark, folder, hard_cells[first : first + at_once])
    if folder.missing():
        raise CampaignFolderError(f"rows are missing in {folder.files.address}: add --resume")
    return total


def _search_whole(spark: SparkSession, folder: SearchFolder, cells: Sequence[int]) -> None:
    """Search some cells in one piece each, and write their rows. That of a hard cell tells so."""
    manifest = _text_of(folder.written)

    def search(numbers: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in numbers:
            for number in batch["id"].to_pylist():
                yield from search_whole(manifest, cells[number]).to_batches()

    folder.add(spark.range(0, len(cells), 1, len(cells)).mapInArrow(search, folder.schema))


def _search_hard(spark: SparkSession, folder: SearchFolder, cells: Sequence[int]) -> None:
    """Search some hard cells in shares, a job for each level."""
    splits = [SplitCell(folder.files, cell) for cell in cells]
    _begin(spark, folder, [split for split in splits if not split.levels])
    while splits := [split for split in splits if not _finish(folder, split)]:
        _search_levels(spark, folder, splits)


def _begin(spark: SparkSession, folder: SearchFolder, splits: Sequence[SplitCell]) -> None:
    """Search the first levels of cells, which have few states: a task for each cell."""
    if not splits:
        return
    for split in splits:
        split.forget_incomplete()
    manifest = _text_of(folder.written)
    cells = spark.sparkContext.parallelize([split.cell for split in splits], len(splits))
    write_levels(folder.files, cells.flatMap(lambda cell: first_levels(manifest, cell)))
    for split in splits:
        split.complete()


def _search_levels(spark: SparkSession, folder: SearchFolder, splits: Sequence[SplitCell]) -> None:
    """Search the next level of each cell: a task for each share."""
    manifest, shares = _text_of(folder.written), folder.written.shares
    tasks: dict[int, tuple[int, int, int, int]] = {}
    place: dict[int, int] = {}
    inputs = []
    for split in splits:
        split.forget_incomplete()
        place[split.cell] = len(tasks)
        depth = len(split.levels)
        taken = sum(level.taken for level_of in split.levels for level in level_of)
        for share in range(shares):
            tasks[len(tasks)] = (split.cell, depth, share, taken)
        is_handed = (F.col("kind") == HANDED) & (F.col("level") == depth - 1)
        inputs.append(split.rows().where(is_handed | (F.col("kind") == TAKEN)).rdd)

    def search(number: int, owned: Iterable[tuple[int, ShareRow]]) -> Iterator[ShareRow]:
        return level_of_share(manifest, *tasks[number], [row for _, row in owned])

    rows = spark.sparkContext.union(inputs).map(
        lambda row: (place[row["cell"]] + row["owner"], ShareRow(*row))
    )
    dealt = rows.partitionBy(len(tasks), lambda number: number)
    write_levels(folder.files, dealt.mapPartitionsWithIndex(search))
    for split in splits:
        split.complete()


def _finish(folder: SearchFolder, split: SplitCell) -> bool:
    """Write the row of a cell if its search is over. Returns whether it is."""
    began_ms = _cpu_ms()
    search = _search_of(_text_of(folder.written), split.cell)
    result = search.result(split.levels, split.steps_to_violation())
    if result is None:
        return False
    spent_ms = sum(share.cpu_ms for level in split.levels for share in level)
    folder.replace(
        searched_cell(
            folder.grid.cells[split.cell],
            folder.written.options,
            result,
            shares=folder.written.shares,
            cpu_ms=spent_ms + _cpu_ms() - began_ms,
        )
    )
    split.remove()
    return True


def _text_of(written: SearchManifest) -> str:
    return json.dumps(to_builtins(written))


# --- on an executor ---------------------------------------------------------------------------


def search_whole(manifest: str, cell: int) -> pa.Table:
    """Search one cell in one piece and return its row. A cell of which the row has only the limit
    of a whole search, and not that of the grid, is hard.

    The same cell always gives the same row, on any executor, also if it is searched again.
    """
    written = _manifest_of(manifest)
    grid = grid_of(json.dumps(written.grid))
    options = replace(written.options, max_states=written.most_whole_states)
    searched = search_cell(grid.cells[cell], options, time.process_time)
    return row_table(written, searched)


def row_table(written: SearchManifest, searched: SearchedCell) -> pa.Table:
    """The row of a searched cell, with the columns of `search_schema`."""
    grid = grid_of(json.dumps(written.grid))
    cell = grid.cells[searched.row.cell]
    return rows_table(search_schema(grid), cell, [searched.row], searched.scenario)


def first_levels(manifest: str, cell: int) -> list[ShareRow]:
    """Search the first levels of a cell, which have few states, for all of its shares."""
    search = _search_of(manifest, cell)
    owner, parcel = search.first()
    rows: list[ShareRow] = []
    levels: list[list[Level]] = []
    while True:
        taken = sum(level.taken for of_depth in levels for level in of_depth)
        depth = len(levels)
        new: list[ShareRow] = []
        for share in range(_manifest_of(manifest).shares):
            owned = [row for row in rows if row.owner == share]
            first = [(owner, parcel)] if depth == 0 and share == owner else []
            new += level_of_share(manifest, cell, depth, share, taken, owned, first)
        rows += new
        levels += levels_in(new)
        if (
            sum(share.handed for share in levels[-1]) >= FEW_STATES
            or any(share.found is not None for share in levels[-1])
            or search.result(levels, ()) is not None
        ):
            return rows


def level_of_share(
    manifest: str,
    cell: int,
    depth: int,
    share: int,
    taken: int,
    owned: Sequence[ShareRow],
    first: Sequence[tuple[int, Parcel]] = (),
) -> Iterator[ShareRow]:
    """Search a share's level and return its rows. `owned` are the rows of earlier levels that the
    share owns, and `taken` the number of states that all shares took in them.
    """
    began_ms = _cpu_ms()
    written = _manifest_of(manifest)
    done = _search_of(manifest, cell).search_level(
        [*first, *arrivals(owned, depth)],
        seen(owned),
        most_handed=max(1, (written.options.max_states - taken) // written.shares),
        is_last=depth == written.options.max_depth,
    )
    level = replace(done.level, cpu_ms=_cpu_ms() - began_ms)
    return rows_of(cell, depth, share, done._replace(level=level))


def _cpu_ms() -> int:
    return round(time.process_time() * 1_000)


@lru_cache(maxsize=1)
def _manifest_of(text: str) -> SearchManifest:
    return convert(json.loads(text), SearchManifest)


@lru_cache(maxsize=2)
def _search_of(manifest: str, cell: int) -> ShareSearch:
    """What a worker process knows of a cell's states: the effects that it has computed so far."""
    written = _manifest_of(manifest)
    grid = grid_of(json.dumps(written.grid))
    start, options = cell_start(grid.cells[cell], written.options)
    return ShareSearch(Timeline(start).frames[0], options, written.shares)
