"""What an executor does: it plays the runs of a piece and writes their rows."""

from functools import lru_cache
from pathlib import Path

from analytics.campaigns.folder import CampaignFolder, Piece
from sim_engine import (
    Example,
    JsonObject,
    RunKey,
    read_grid_document,
    run_cell,
    scenario_document,
    shortest_example,
)


def run_piece(folder: str, piece: Piece) -> int:
    """Play a piece and write its rows into the campaign's folder; the number of rows.

    The same piece always writes the same file, whoever plays it and however often.
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
    """The grid is read once for each worker process."""
    return CampaignFolder.open(Path(folder))


def make_example(grid_document: JsonObject, cell: int, seed: int) -> Example:
    """The shortest scenario that loses a record as one run does. The run must lose one."""
    grid = read_grid_document(grid_document)
    found = shortest_example(RunKey(campaign=grid.seed, cell=cell, run=seed), grid.cells[cell])
    assert found is not None, "the run lost a record"
    return Example(
        cell=cell,
        seed=seed,
        cause=found.cause,
        faults=found.faults,
        steps=len(found.scenario.steps),
        scenario=scenario_document(found.scenario),
    )
