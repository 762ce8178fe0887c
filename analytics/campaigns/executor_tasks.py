"""The executors' work: play the runs of a piece and write their rows."""

from functools import lru_cache
from pathlib import Path

from analytics.campaigns.folder import CampaignFolder, Piece
from sim_engine import Example, JsonObject, RunKey, read_grid_document, run_cell, shortest_example


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


def make_example(grid_document: JsonObject, cell: int, seed: int) -> Example:
    """The shortest scenario found that loses a record for the same reason as a run. The run must
    lose a record.
    """
    grid = read_grid_document(grid_document)
    example = shortest_example(RunKey(campaign=grid.seed, cell=cell, run=seed), grid.cells[cell])
    assert example is not None, "the run lost a record"
    return example
