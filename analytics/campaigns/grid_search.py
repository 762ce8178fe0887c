"""Searches a grid on Spark: one task for each cell, those with the most replicas first."""

from functools import lru_cache
from pathlib import Path

from pyspark.sql import SparkSession

from analytics.campaigns.campaign_runner import Report, check_complete, run_tasks
from analytics.campaigns.search_folder import SearchFolder
from sim_engine.campaign.run import search_cell


def search_grid(spark: SparkSession, folder: SearchFolder, report: Report) -> int:
    """Search every cell that has no row yet, and return the number of cells searched.

    Raises `CampaignFolderError` if the executors wrote to a folder that this process cannot see.
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
    check_complete(folder.missing(), folder.path)
    return len(cells)


def search_one(path: str, cell: int) -> None:
    """Search one cell and write its row, on an executor.

    The same cell always gives the same files, on any executor, also if it is searched again.
    """
    folder = _open(path)
    folder.write(search_cell(folder.grid.cells[cell], folder.written.options))


@lru_cache(maxsize=1)
def _open(path: str) -> SearchFolder:
    """Open the folder; cached, so the grid is read once in each worker process."""
    return SearchFolder.open(Path(path))
