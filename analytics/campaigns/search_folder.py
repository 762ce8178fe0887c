"""The folder of a searched grid: the grid and bounds, a row for each cell, and the failures found.

    _search.json                         the grid and the bounds of the search
    search=ID/cell=N/row.parquet         the row of one cell
    _scenarios/cell-N.yaml               its shortest failure, ready to be opened

As in a campaign's folder, readers of Parquet find only the rows, and a file is complete or absent.
A cell's scenario is written before its row, so a cell with a row is complete.
"""

from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from msgspec import Struct, to_builtins

from analytics.campaigns.atomic_files import replacing, short_id
from analytics.campaigns.row_schema import search_table
from analytics.errors import CampaignFolderError
from sim_engine import Grid, SearchedCell, SearchOptions, read_grid_document

_SEARCH = "_search.json"


class SearchManifest(Struct, frozen=True, kw_only=True):
    """The contents of `_search.json`: the same grid, bounds and engine give the same rows."""

    search: str
    engine: str
    options: SearchOptions
    grid: dict[str, object]


class SearchFolder:
    """One searched grid on disk."""

    def __init__(self, path: Path, written: SearchManifest) -> None:
        self.path = path
        self.written = written
        self.grid: Grid = read_grid_document(written.grid)

    @classmethod
    def create(cls, path: Path, written: SearchManifest) -> "SearchFolder":
        """Create a new search. The caller must ensure that the folder has none."""
        path.mkdir(parents=True, exist_ok=True)
        document = msgspec.json.format(msgspec.json.encode(written), indent=1)
        with replacing(path / _SEARCH) as unfinished:
            unfinished.write_bytes(document)
        return cls(path, written)

    @classmethod
    def open(cls, path: Path) -> "SearchFolder":
        """The search in a folder. Raises `CampaignFolderError` if there is none."""
        try:
            text = (path / _SEARCH).read_bytes()
        except OSError:
            raise CampaignFolderError(f"{path} has no searched grid") from None
        try:
            return cls(path, msgspec.json.decode(text, type=SearchManifest))
        except msgspec.DecodeError as error:
            raise CampaignFolderError(f"{path / _SEARCH} is damaged: {error}") from None

    @classmethod
    def exists(cls, path: Path) -> bool:
        """Whether a folder has a searched grid."""
        return (path / _SEARCH).exists()

    def missing(self) -> list[int]:
        """The cells without a row. Cells with the most replicas come first, because they have the
        most states.
        """
        cells = [cell for cell in self.grid.cells if not self._row_file(cell.number).exists()]
        cells.sort(key=lambda cell: (-cell.replication_factor, cell.number))
        return [cell.number for cell in cells]

    def write(self, searched: SearchedCell) -> None:
        """Write a cell's scenario, if one was found, and then its row."""
        number = searched.row.cell
        if searched.scenario is not None:
            file = self.scenario_file(number)
            file.parent.mkdir(exist_ok=True)
            with replacing(file) as unfinished:
                unfinished.write_bytes(searched.scenario.encode())
        target = self._row_file(number)
        target.parent.mkdir(parents=True, exist_ok=True)
        table = search_table(self.grid, self.grid.cells[number], searched.row)
        with replacing(target) as unfinished:
            pq.write_table(table, unfinished, compression="zstd")

    def rows(self) -> list[dict[str, object]]:
        """All rows, by cell: `cell` and the Parquet columns."""
        partitioning = ds.partitioning(pa.schema([("cell", pa.int64())]), flavor="hive")
        table = ds.dataset(self._rows_path, format="parquet", partitioning=partitioning).to_table()
        rows: list[dict[str, object]] = table.sort_by("cell").to_pylist()
        for row in rows:
            row["faults"] = dict(row["faults"])  # type: ignore[call-overload]
        return [{"cell": row.pop("cell"), **row} for row in rows]

    def scenario_file(self, cell: int) -> Path:
        """The path of a cell's shortest failure, if one was found."""
        return self.scenarios_path / f"cell-{cell}.yaml"

    @property
    def scenarios_path(self) -> Path:
        """The folder of the scenarios."""
        return self.path / "_scenarios"

    def _row_file(self, cell: int) -> Path:
        return self._rows_path / f"cell={cell}" / "row.parquet"

    @property
    def _rows_path(self) -> Path:
        return self.path / f"search={self.written.search}"


def search_id(grid: Grid, options: SearchOptions) -> str:
    """The id of a search: equal grids and bounds have equal ids."""
    return short_id({"grid": grid.document, "options": to_builtins(options)})
