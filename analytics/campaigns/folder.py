"""A campaign's folder: its grid, its rows by campaign and cell, and its summary.

    _campaign.json                                the grid, the runs of each cell, the pieces
    campaign=ID/cell=N/runs-FIRST-COUNT.parquet   the rows of one piece
    _summary.json                                 the summary

A piece that is run twice replaces its file with identical contents.
"""

import re
from pathlib import Path

import msgspec
import pyarrow.parquet as pq
from msgspec import Struct

from analytics.campaigns.grid_folder import GridFolder, Manifest, replacing
from analytics.campaigns.row_schema import rows_table
from sim_engine.campaign.grid import Cell
from sim_engine.campaign.row import RunRow
from sim_engine.campaign.summary import CampaignSummary

_SUMMARY = "_summary.json"
_DIGITS = 6
_FILE = re.compile(r"runs-(\d+)-(\d+)\.parquet")


class Piece(Struct, frozen=True, order=True):
    """Runs of one cell that one task plays in sequence."""

    cell: int
    first: int
    count: int


class CampaignManifest(Manifest, frozen=True, kw_only=True):
    """The contents of `_campaign.json`.

    `piece_runs` is the number of runs in a piece of each cell. It is stored so that a resumed
    campaign has the same pieces.
    """

    runs: int
    piece_runs: tuple[int, ...]
    cell_ms: tuple[float, ...]


class CampaignFolder(GridFolder[CampaignManifest]):
    """One campaign on disk."""

    FILE = "_campaign.json"
    CONTENT = "campaign"
    OTHER_CONTENT = "a campaign of a different grid"
    DONE = "run"

    @staticmethod
    def _decoded(text: bytes) -> CampaignManifest:
        return msgspec.json.decode(text, type=CampaignManifest)

    def with_runs(self, runs: int) -> "CampaignFolder":
        """The same campaign with at least `runs` runs of each cell."""
        written = msgspec.structs.replace(self.written, runs=max(runs, self.written.runs))
        folder = CampaignFolder(self.path, written)
        folder.save()
        return folder

    # --- pieces ----------------------------------------------------------------------------

    def missing(self) -> list[Piece]:
        """The pieces without rows, those of the most expensive cells first."""
        pieces = [piece for cell in self.grid.cells for piece in self._missing_of(cell.number)]
        costs = self.written.cell_ms
        return sorted(pieces, key=lambda piece: (-costs[piece.cell], piece))

    def _missing_of(self, cell: int) -> list[Piece]:
        done: set[int] = set()
        for first, count in self._files(cell):
            done.update(range(first, first + count))
        size = self.written.piece_runs[cell]
        runs = self.written.runs
        pieces: list[Piece] = []
        for first in range(0, runs, size):
            left = [run for run in range(first, min(first + size, runs)) if run not in done]
            if left:
                pieces.append(Piece(cell, left[0], left[-1] - left[0] + 1))
        return pieces

    def _files(self, cell: int) -> list[tuple[int, int]]:
        matches = (_FILE.fullmatch(file.name) for file in self._of_cell(cell).glob("runs-*"))
        return [(int(match[1]), int(match[2])) for match in matches if match]

    def write_piece(self, piece: Piece, rows: list[RunRow]) -> None:
        """Write the rows of a piece, all of them or none."""
        cell: Cell = self.grid.cells[piece.cell]
        folder = self._of_cell(piece.cell)
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / f"runs-{piece.first}-{piece.count}.parquet"
        with replacing(target) as unfinished:
            pq.write_table(rows_table(self.grid, cell, rows), unfinished, compression="zstd")

    def _of_cell(self, cell: int) -> Path:
        return self.rows_path / f"cell={cell}"

    @property
    def rows_path(self) -> Path:
        """The folder of the rows, which has one folder for each cell."""
        return self.path / f"campaign={self.written.id}"

    # --- the summary -----------------------------------------------------------------------

    def write_summary(self, summary: CampaignSummary) -> Path:
        """Write the summary, replacing any earlier one. Numbers are rounded, because no estimate is
        accurate to seven digits.
        """
        target = self.path / _SUMMARY
        document = _rounded(msgspec.to_builtins(summary))
        with replacing(target) as unfinished:
            unfinished.write_bytes(msgspec.json.encode(document) + b"\n")
        return target


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value
