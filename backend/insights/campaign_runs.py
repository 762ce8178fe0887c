"""Any run of a campaign as a scenario, from its cell and seed: no rows are stored for it."""

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from backend.http.errors import invalid
from backend.limit_table import GRID_CELLS
from backend.sessions.scenario_input import from_scenario_error
from sim_engine import (
    CampaignSummary,
    Grid,
    RunKey,
    ScenarioError,
    ScenarioJson,
    read_grid_document,
    run_scenario,
    scenario_document,
)

_MOST_GRIDS = 8


def find_run(summary: CampaignSummary, cell: int, seed: int) -> ScenarioJson | None:
    """The scenario of a run; None if the campaign has no such run.

    A campaign of an older engine may have a grid that this engine cannot read. It then has no runs.
    """
    try:
        grid = _grid(msgspec.json.encode(summary.grid))
    except ScenarioError:
        return None
    if cell >= len(grid.cells) or seed >= summary.runs_per_cell:
        return None
    return _scenario(grid, cell, seed)


def run_of_grid(document: Mapping[str, object], cell: int, seed: int) -> ScenarioJson:
    """The scenario of a run of a submitted grid. Raises InvalidInputError with the places."""
    try:
        grid = read_grid_document(document, most_cells=GRID_CELLS.number)
    except ScenarioError as error:
        refused = from_scenario_error(error, where="/grid", code="invalid_grid")
        if error.problems[0].reason.code == "too_many_cells":
            refused.members.update(GRID_CELLS.members())
        raise refused from None
    if cell >= len(grid.cells):
        raise invalid("/cell", f"the grid's cells are 0 to {len(grid.cells) - 1}")
    return _scenario(grid, cell, seed)


@lru_cache(_MOST_GRIDS)
def _grid(document: bytes) -> Grid:
    # Reading a grid takes 50 ms, and its runs are opened one after another. The cells depend on the
    # order of the members.
    return read_grid_document(msgspec.json.decode(document))


def _scenario(grid: Grid, cell: int, seed: int) -> ScenarioJson:
    key = RunKey(campaign=grid.seed, cell=cell, run=seed)
    return scenario_document(run_scenario(key, grid.cells[cell]))
