"""The folder of a searched grid: what was searched how, a row for each cell, the failures found.

    _search.json                         the grid and the bounds of the search
    search=ID/cell=N/row.parquet         the row of one cell
    _scenarios/cell-N.yaml               its shortest failure, ready to be opened

As in a campaign's folder, readers of Parquet find the rows only, and a file is complete or absent.
A cell's scenario is written before its row: a cell that has a row has everything.
"""

import hashlib
import json
import uuid
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from msgspec import Struct, to_builtins

from analytics.campaigns.folder import replace_file
from analytics.campaigns.row_schema import search_table
from analytics.errors import CampaignFolderError
from sim_engine import Grid, SearchedCell, SearchOptions, read_grid_document

_SEARCH = "_search.json"


class SearchWritten(Struct, frozen=True, kw_only=True):
    """What `_search.json` says: the same grid, bounds and engine give the same rows."""

    search: str
    engine: str
    options: SearchOptions
    grid: dict[str, object]


class SearchFolder:
    """One searched grid on disk."""

    def __init__(self, path: Path, written: SearchWritten) -> None:
        self.path = path
        self.written = written
        self.grid: Grid = read_grid_document(written.grid)

    @classmethod
    def create(cls, path: Path, written: SearchWritten) -> "SearchFolder":
        """A new search. The folder must not have one already."""
        path.mkdir(parents=True, exist_ok=True)
        document = msgspec.json.format(msgspec.json.encode(written), indent=1)
        replace_file(path / _SEARCH, document)
        return cls(path, written)

    @classmethod
    def open(cls, path: Path) -> "SearchFolder":
        """The search of a folder. Raises `CampaignFolderError` where there is none."""
        try:
            text = (path / _SEARCH).read_bytes()
        except OSError:
            raise CampaignFolderError(f"{path} has no searched grid") from None
        try:
            return cls(path, msgspec.json.decode(text, type=SearchWritten))
        except msgspec.DecodeError as error:
            raise CampaignFolderError(f"{path / _SEARCH} is damaged: {error}") from None

    @classmethod
    def exists(cls, path: Path) -> bool:
        """Whether a folder has a searched grid."""
        return (path / _SEARCH).exists()

    def missing(self) -> list[int]:
        """The cells without a row, those with the most replicas, which have the most states,
        first."""
        cells = [cell for cell in self.grid.cells if not self._row_file(cell.number).exists()]
        cells.sort(key=lambda cell: (-cell.replication_factor, cell.number))
        return [cell.number for cell in cells]

    def write(self, searched: SearchedCell) -> None:
        """Write what was found in a cell."""
        number = searched.row.cell
        if searched.scenario is not None:
            file = self.scenario_file(number)
            file.parent.mkdir(exist_ok=True)
            replace_file(file, searched.scenario.encode())
        target = self._row_file(number)
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
        table = search_table(self.grid, self.grid.cells[number], searched.row)
        try:
            pq.write_table(table, unfinished, compression="zstd")
            unfinished.replace(target)
        finally:
            unfinished.unlink(missing_ok=True)

    def rows(self) -> list[dict[str, object]]:
        """All rows, by cell, with `cell` and what the Parquet columns say."""
        partitioning = ds.partitioning(pa.schema([("cell", pa.int64())]), flavor="hive")
        table = ds.dataset(self._rows_path, format="parquet", partitioning=partitioning).to_table()
        rows: list[dict[str, object]] = table.sort_by("cell").to_pylist()
        for row in rows:
            row["faults"] = dict(row["faults"])  # type: ignore[call-overload]
        return [{"cell": row.pop("cell"), **row} for row in rows]

    def scenario_file(self, cell: int) -> Path:
        """Where the shortest failure of a cell is, if one was found."""
        return self.scenarios_path / f"cell-{cell}.yaml"

    @property
    def scenarios_path(self) -> Path:
        """Where the scenarios are."""
        return self.path / "_scenarios"

    def _row_file(self, cell: int) -> Path:
        return self._rows_path / f"cell={cell}" / "row.parquet"

    @property
    def _rows_path(self) -> Path:
        return self.path / f"search={self.written.search}"


def search_id(grid: Grid, options: SearchOptions) -> str:
    """The name of a search: the same grid and bounds, the same name."""
    said = {"grid": grid.document, "options": to_builtins(options)}
    text = json.dumps(said, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:12]
