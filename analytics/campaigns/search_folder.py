"""The folder of a searched grid: the grid and bounds, a row for each cell, and the failures found.

    _search.json                         the grid and the bounds of the search
    search=ID/cell=N/row.parquet         the row of one cell
    _scenarios/cell-N.yaml               its shortest failure, ready to be opened
    _searched.json                       the summary, with the failures: what a page shows
    _shares/cell-N/…                     of a hard cell whose search is not over

A cell's scenario is written before its row, so a cell with a row is complete.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import msgspec
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from msgspec import to_builtins

from analytics.campaigns.grid_folder import GridFolder, Manifest, replacing, short_id
from analytics.campaigns.row_schema import search_table
from analytics.campaigns.share_files import ShareFiles
from sim_engine.campaign.run import SearchedCell
from sim_engine.campaign.summary import (
    SEARCH_SUMMARY_VERSION,
    CellOfSearch,
    SearchedScope,
    SearchSummary,
)
from sim_engine.exploration.search import SearchOptions
from sim_engine.scenario_reader.reader import read_scenario_text
from sim_engine.scenario_reader.writer import scenario_document

_Struct = TypeVar("_Struct", bound=msgspec.Struct)

SUMMARY_FILE = "_searched.json"
WHOLE_STATES = 50_000


class SearchManifest(Manifest, frozen=True, kw_only=True):
    """The contents of `_search.json`: the same grid, bounds and engine give the same rows."""

    options: SearchOptions
    shares: int = 1
    """Over how many shares a hard cell is split; 1 if none is."""
    whole_states: int = WHOLE_STATES
    """A cell with more states than these is hard."""

    @property
    def id(self) -> str:
        """A short id: equal grids and bounds have equal ids."""
        split = {} if self.shares == 1 else {"shares": self.shares, "whole": self.whole_states}
        return short_id({"grid": self.grid, "options": to_builtins(self.options), **split})


class SearchFolder(GridFolder[SearchManifest]):
    """One searched grid on disk."""

    FILE = "_search.json"
    CONTENT = "searched grid"
    OTHER_CONTENT = "a search with a different grid or different bounds"
    DONE = "searched"

    @staticmethod
    def _decoded(text: bytes) -> SearchManifest:
        return msgspec.json.decode(text, type=SearchManifest)

    def missing(self) -> list[int]:
        """The cells without a row. Cells with the most replicas come first, because they have the
        most states.
        """
        cells = [cell for cell in self.grid.cells if not self._row_file(cell.number).exists()]
        cells.sort(key=lambda cell: (-cell.replication_factor, cell.number))
        return [cell.number for cell in cells]

    def hard(self) -> list[int]:
        """The cells that are searched in shares and have no row yet, as in `missing`."""
        return [cell for cell in self.missing() if self._hard_mark(cell).exists()]

    def mark_hard(self, cell: int) -> None:
        """Note that a cell is hard."""
        mark = self._hard_mark(cell)
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()

    def share_files(self, cell: int) -> ShareFiles:
        """The files of a hard cell."""
        return ShareFiles(self.path, cell, self.written.shares)

    def _hard_mark(self, cell: int) -> Path:
        return self.path / "_shares" / f"hard-{cell}"

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
            for name in ("allowed", "faults"):
                row[name] = dict(row[name])  # type: ignore[call-overload]
        return [{"cell": row.pop("cell"), **row} for row in rows]

    def write_summary(self) -> Path:
        """Write the summary of the cells that have rows, replacing any earlier one."""
        target = self.path / SUMMARY_FILE
        with replacing(target) as unfinished:
            unfinished.write_bytes(msgspec.json.encode(self.summary()) + b"\n")
        return target

    def summary(self) -> SearchSummary:
        """The summary of the cells that have rows."""
        scopes: dict[SearchedScope, int] = {}
        cells = [self._cell_of(row, scopes) for row in self.rows()]
        options = self.written.options
        return SearchSummary(
            version=SEARCH_SUMMARY_VERSION,
            search=self.written.id,
            title=self.grid.title,
            engine=self.written.engine,
            property=options.property,
            grain=options.grain,
            max_depth=options.max_depth,
            max_states=options.max_states,
            grid=self.written.grid,
            axes=dict(self.grid.axes),
            scopes=tuple(scopes),
            cells=tuple(cells),
            not_searched=len(self.missing()),
            impossible=self.grid.impossible,
        )

    def _cell_of(self, row: Mapping[str, object], scopes: dict[SearchedScope, int]) -> CellOfSearch:
        scope = _part_of(row, SearchedScope)
        number = msgspec.convert(row["cell"], int)
        witness = (
            scenario_document(read_scenario_text(self.scenario_file(number).read_text("utf-8")))
            if row["found"]
            else None
        )
        shown = {
            **row,
            "settings": dict(self.grid.cells[number].settings),
            "scope": scopes.setdefault(scope, len(scopes)),
            "scenario": witness,
        }
        return _part_of(shown, CellOfSearch)

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
        return self.path / f"search={self.written.id}"


def _part_of(row: Mapping[str, object], kind: type[_Struct]) -> _Struct:
    """The columns of a row that a struct has, as that struct."""
    return msgspec.convert({name: row[name] for name in kind.__struct_fields__}, kind)
