"""A campaign's folder: its grid, its rows by campaign and cell, and its summary.

    _campaign.json                     the grid, the runs of each cell, the size of the pieces
    campaign=ID/cell=N/….parquet       rows; those of a wave of one range of seeds are in one file
    _summary.json                      the summary

The runs of a range are played in order, so the rows that it has are those of its first seeds.
"""

from collections.abc import Iterator

import msgspec
from msgspec import Struct
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as t

from analytics.campaigns.grid_folder import GridFolder, Manifest
from analytics.campaigns.row_schema import run_schema
from analytics.errors import CampaignFolderError
from sim_engine.campaign.grid import Grid
from sim_engine.campaign.summary import CampaignSummary

_SUMMARY = "_summary.json"
_DIGITS = 6

RANGE_RUNS = 10_000
"""The number of runs in a range: at most so many are in a file."""


class Piece(Struct, frozen=True, order=True):
    """Successive runs of one cell, which one task plays."""

    cell: int
    first: int
    count: int

    @property
    def end(self) -> int:
        """The number after that of the last run."""
        return self.first + self.count


class CampaignManifest(Manifest, frozen=True, kw_only=True):
    """The contents of `_campaign.json`.

    `piece_runs` is the number of runs in a piece of each cell, and `cell_ms` the cost of a run of
    each cell, in ms. They are stored so that a resumed campaign need not measure again.
    """

    KIND = "campaign"

    runs: int
    piece_runs: tuple[int, ...]
    cell_ms: tuple[float, ...]


class CampaignFolder(GridFolder[CampaignManifest]):
    """One campaign in a file system."""

    FILE = "_campaign.json"
    CONTENT = "campaign"
    OTHER_CONTENT = "a campaign of a different grid"
    DONE = "run"

    @staticmethod
    def _decoded(text: bytes) -> CampaignManifest:
        return msgspec.json.decode(text, type=CampaignManifest)

    @staticmethod
    def _schema_of(grid: Grid) -> t.StructType:
        return run_schema(grid)

    def with_runs(self, runs: int) -> "CampaignFolder":
        """The same campaign with at least `runs` runs of each cell."""
        if runs <= self.written.runs:
            return self
        folder = CampaignFolder(self.files, msgspec.structs.replace(self.written, runs=runs))
        folder.save()
        return folder

    def missing(self) -> list[Piece]:
        """The pieces without rows, those of the most expensive cells first.

        Raises `CampaignFolderError` if a range has other rows than those of its first seeds.
        """
        reached = self._reached()
        pieces = [
            piece for cell in self.grid.cells for piece in self._missing_of(cell.number, reached)
        ]
        costs = self.written.cell_ms
        return sorted(pieces, key=lambda piece: (-costs[piece.cell], piece))

    def _missing_of(self, cell: int, reached: dict[tuple[int, int], int]) -> Iterator[Piece]:
        size, runs = self.written.piece_runs[cell], self.written.runs
        for first in range(0, runs, RANGE_RUNS):
            done = reached.get((cell, first), first)
            range_end = min(first + RANGE_RUNS, runs)
            while done < range_end:
                end = min((done // size + 1) * size, range_end)
                yield Piece(cell, done, end - done)
                done = end

    def _reached(self) -> dict[tuple[int, int], int]:
        """Cell and first seed of a range → the seed after the last one that has a row."""
        counts = self.rows().groupBy("cell", _range().alias("range"))
        found = counts.agg(F.count("*").alias("runs"), F.max("seed").alias("last")).collect()
        reached: dict[tuple[int, int], int] = {}
        for row in found:
            first = row["range"] * RANGE_RUNS
            if row["last"] + 1 != first + row["runs"]:
                raise CampaignFolderError(
                    f"{self.files.address} does not have each row of cell {row['cell']} once: two"
                    " campaigns have written to it, or files were removed"
                )
            reached[row["cell"], first] = row["last"] + 1
        return reached

    def add_runs(self, rows: DataFrame) -> None:
        """Write the rows of a wave: those of a cell and range to one file, in order."""
        self.add(rows.repartition("cell", _range()).sortWithinPartitions("cell", "seed"))

    def write_summary(self, summary: CampaignSummary) -> str:
        """Write the summary, replacing any earlier one, and return its address. Numbers are
        rounded, because no estimate is accurate to seven digits.
        """
        document = _rounded(msgspec.to_builtins(summary))
        self.files.write(_SUMMARY, msgspec.json.encode(document) + b"\n")
        return self.files.at(_SUMMARY)


def _range() -> Column:
    return F.floor(F.col("seed") / RANGE_RUNS)


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value
