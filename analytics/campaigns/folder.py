"""A campaign's folder: its grid, its rows by campaign and cell, and its summary.

    _campaign.json                                the grid, the runs of each cell, the pieces
    campaign=ID/cell=N/runs-FIRST-COUNT.parquet   the rows of one piece
    _summary.json                                 the summary

Readers of Parquet skip files whose names begin with an underscore or a dot, so
`pandas.read_parquet(FOLDER)` and `spark.read.parquet(FOLDER)` read the rows. A file of rows is
complete or absent: a piece that is run twice replaces its file with identical contents.
"""

import re
from pathlib import Path

import msgspec
import pyarrow.parquet as pq
from msgspec import Struct

from analytics.campaigns.atomic_files import replacing, short_id
from analytics.campaigns.row_schema import rows_table
from analytics.errors import CampaignFolderError
from sim_engine import CampaignSummary, Cell, Grid, RunRow, read_grid_document

_CAMPAIGN = "_campaign.json"
_SUMMARY = "_summary.json"
_DIGITS = 6
_FILE = re.compile(r"runs-(\d+)-(\d+)\.parquet")


class Piece(Struct, frozen=True, order=True):
    """Runs of one cell that one task plays in sequence."""

    cell: int
    first: int
    count: int


class CampaignManifest(Struct, frozen=True, kw_only=True):
    """The contents of `_campaign.json`.

    `piece_runs` is the number of runs in a piece of each cell. It is stored so that a resumed
    campaign has the same pieces.
    """

    campaign: str
    engine: str
    runs: int
    piece_runs: tuple[int, ...]
    cell_ms: tuple[float, ...]
    grid: dict[str, object]


class CampaignFolder:
    """One campaign on disk."""

    def __init__(self, path: Path, written: CampaignManifest) -> None:
        self.path = path
        self.written = written
        self.grid: Grid = read_grid_document(written.grid)

    @classmethod
    def create(cls, path: Path, written: CampaignManifest) -> "CampaignFolder":
        """Create a new campaign. Raises `CampaignFolderError` if the folder already has one."""
        if (path / _CAMPAIGN).exists():
            raise CampaignFolderError(
                f"{path} already has a campaign: add --resume, or choose another folder"
            )
        path.mkdir(parents=True, exist_ok=True)
        folder = cls(path, written)
        folder._save()
        return folder

    @classmethod
    def open(cls, path: Path) -> "CampaignFolder":
        """The campaign in a folder. Raises `CampaignFolderError` if there is none."""
        try:
            text = (path / _CAMPAIGN).read_bytes()
        except OSError:
            raise CampaignFolderError(f"{path} has no campaign") from None
        try:
            return cls(path, msgspec.json.decode(text, type=CampaignManifest))
        except msgspec.DecodeError as error:
            raise CampaignFolderError(f"{path / _CAMPAIGN} is damaged: {error}") from None

    @classmethod
    def exists(cls, path: Path) -> bool:
        """Whether a folder has a campaign."""
        return (path / _CAMPAIGN).exists()

    def with_runs(self, runs: int) -> "CampaignFolder":
        """The same campaign with at least `runs` runs of each cell."""
        written = msgspec.structs.replace(self.written, runs=max(runs, self.written.runs))
        folder = CampaignFolder(self.path, written)
        folder._save()
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
        return self.path / f"campaign={self.written.campaign}"

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

    def _save(self) -> None:
        document = msgspec.json.format(msgspec.json.encode(self.written), indent=1)
        with replacing(self.path / _CAMPAIGN) as unfinished:
            unfinished.write_bytes(document)


def campaign_id(grid: Grid) -> str:
    """The id of a grid's campaign: equal grids have equal ids."""
    return short_id(grid.document)


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value
