"""A grid is searched on Spark: one task a cell, those with the most replicas first."""

from functools import lru_cache
from pathlib import Path

from pyspark.sql import SparkSession

from analytics.campaigns.running import Report, run_tasks
from analytics.campaigns.search_folder import SearchFolder
from analytics.errors import CampaignFolderError
from sim_engine import search_cell


def search_grid(spark: SparkSession, folder: SearchFolder, report: Report) -> int:
    """Search every cell that has no row yet; the number of cells searched.

    Raises `CampaignFolderError` where the executors wrote somewhere that this process cannot see.
    """
    cells = folder.missing()
    path = str(folder.path.absolute())
    if cells:
        run_tasks(
            spark,
            cells,
            lambda cell: search_one(path, cell),
            f"search {path}",
            lambda done: report(done, len(cells)),
        )
    if folder.missing():
        raise CampaignFolderError(
            f"rows are missing in {folder.path}: on a cluster it must be a folder that every"
            " worker shares"
        )
    return len(cells)


def search_one(path: str, cell: int) -> None:
    """What an executor does: search one cell and write its row. The same cell always gives the
    same files, whoever searches it and however often."""
    folder = _open(path)
    folder.write(search_cell(folder.grid.cells[cell], folder.written.options))


@lru_cache(maxsize=1)
def _open(path: str) -> SearchFolder:
    """The grid is read once for each worker process."""
    return SearchFolder.open(Path(path))
