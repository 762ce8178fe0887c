"""A campaign's folder: its grid, its rows by campaign and cell, and its summary.

    _campaign.json                                the grid, the runs of each cell, the pieces
    campaign=ID/cell=N/runs-FIRST-COUNT.parquet   the rows of successive runs, by seed
    _summary.json                                 the summary

The rows of a piece are one file, until the files of a cell are joined. A piece that is run twice
replaces its file with identical contents, or changes nothing if its file has been joined.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pyarrow as pa
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

MOST_FILE_RUNS = 10_000
"""Small files are joined up to this number of runs."""


class Piece(Struct, frozen=True, order=True):
    """Successive runs of one cell: those that one task plays, or those of one file."""

    cell: int
    first: int
    count: int

    @property
    def end(self) -> int:
        """The number after that of the last run."""
        return self.first + self.count


class CampaignManifest(Manifest, frozen=True, kw_only=True):
    """The contents of `_campaign.json`.

    `piece_runs` is the number of runs in a piece of each cell. It is stored so that a resumed
    campaign has the same pieces. `cell_ms` is the cost of a run of each cell, in ms.
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

    def _missing_of(self, cell: int) -> Iterator[Piece]:
        size = self.written.piece_runs[cell]
        reached = 0
        for done in (*self._files(cell), Piece(cell, self.written.runs, 0)):
            while reached < min(done.first, self.written.runs):
                end = min((reached // size + 1) * size, done.first, self.written.runs)
                yield Piece(cell, reached, end - reached)
                reached = end
            reached = max(reached, done.end)

    def _files(self, cell: int) -> list[Piece]:
        """The files of a cell by their first run; of those with the same, the largest first."""
        matches = (_FILE.fullmatch(file.name) for file in self._of_cell(cell).glob("runs-*"))
        files = [Piece(cell, int(match[1]), int(match[2])) for match in matches if match]
        return sorted(files, key=lambda file: (file.first, -file.count))

    def write_piece(self, piece: Piece, rows: list[RunRow]) -> None:
        """Write the rows of a piece, all of them or none; none if a larger file has them."""
        if any(_covers(file, piece) and file != piece for file in self._files(piece.cell)):
            return
        cell: Cell = self.grid.cells[piece.cell]
        target = self._file(piece)
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as unfinished:
            pq.write_table(rows_table(self.grid, cell, rows), unfinished, compression="zstd")

    # --- joining files ---------------------------------------------------------------------

    def joinable(self) -> list[Piece]:
        """Successive runs whose rows are in several files, and fit into one.

        Files may overlap, because joining was interrupted. These are joined whatever their size.
        """
        return [joined for cell in self.grid.cells for joined in self._joinable_of(cell.number)]

    def _joinable_of(self, cell: int) -> Iterator[Piece]:
        files, joined = 0, Piece(cell, 0, 0)
        for file in self._files(cell):
            end = max(joined.end, file.end)
            overlaps = file.first < joined.end
            if overlaps or (file.first == joined.end and end - joined.first <= MOST_FILE_RUNS):
                files, joined = files + 1, Piece(cell, joined.first, end - joined.first)
                continue
            if files > 1:
                yield joined
            files, joined = 1, file
        if files > 1:
            yield joined

    def join_files(self, joined: Piece) -> None:
        """Replace the files of these runs by one. Each row is in it once.

        If this is interrupted, rows may be in two files until it is repeated, and none is lost.
        """
        parts = [file for file in self._files(joined.cell) if _covers(joined, file)]
        if joined not in parts:
            tables: list[pa.Table] = []
            reached = joined.first
            for part in parts:
                table = pq.read_table(self._file(part), partitioning=None)
                tables.append(table.slice(max(0, reached - part.first)))
                reached = max(reached, part.end)
            with replacing(self._file(joined)) as unfinished:
                pq.write_table(pa.concat_tables(tables), unfinished, compression="zstd")
        for part in parts:
            if part != joined:
                self._file(part).unlink(missing_ok=True)

    def _file(self, piece: Piece) -> Path:
        return self._of_cell(piece.cell) / f"runs-{piece.first}-{piece.count}.parquet"

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


def _covers(file: Piece, other: Piece) -> bool:
    return file.first <= other.first and other.end <= file.end


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value
