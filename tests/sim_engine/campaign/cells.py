"""Cells of campaigns for tests, from grid files with one point."""

from collections.abc import Mapping

from sim_engine.campaign.grid import Cell
from sim_engine.campaign.grid_reader import read_grid_document
from sim_engine.campaign.play import RunKey
from sim_engine.campaign.row import RunRow
from sim_engine.campaign.run import run_cell


def one_cell(**grid: object) -> Cell:
    """The only cell of a grid."""
    (cell,) = cells_of(**grid)
    return cell


def cells_of(**grid: object) -> tuple[Cell, ...]:
    """The cells of a grid; its keys are keyword arguments."""
    return read_grid_document({"grid": 1, **grid}).cells


def settings_of(cell: Cell) -> Mapping[str, object]:
    return dict(cell.settings)


def rows_of(cell: Cell, runs: int, *, campaign: int = 1) -> list[RunRow]:
    """The rows of a cell's first runs."""
    keys = [RunKey(campaign=campaign, cell=cell.number, run=run) for run in range(runs)]
    return [run_cell(key, cell) for key in keys]
