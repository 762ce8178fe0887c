"""The folder of a searched grid: the grid and bounds, a row for each cell, and the failures found.

    _search.json                     the grid and the bounds of the search
    search=ID/cell=N/….parquet       the row of one cell, with its shortest failure
    _shares/cell=N/…                 of a hard cell whose search is not over
    _scenarios/cell-N.yaml           the shortest failure of a cell, ready to be opened
    _searched.json                   the summary, with the failures: what a page shows

The last two are made of the rows.
"""

from collections.abc import Mapping
from typing import TypeVar

import msgspec
from msgspec import to_builtins
from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql import types as t

from analytics.campaigns.grid_folder import GridFolder, Manifest, short_id
from analytics.campaigns.row_schema import rows_table, search_schema
from sim_engine.campaign.grid import Grid
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
SCENARIOS = "_scenarios"
WHOLE_STATES = 50_000


class SearchManifest(Manifest, frozen=True, kw_only=True):
    """The contents of `_search.json`: the same grid, bounds and engine give the same rows."""

    options: SearchOptions
    shares: int = 1
    """Over how many shares a hard cell is split; 1 if none is."""
    whole_states: int = WHOLE_STATES
    """A cell with more states than these is hard."""

    KIND = "search"

    @property
    def most_whole_states(self) -> int:
        """The limit of states of a search in one piece."""
        most = self.options.max_states
        return most if self.shares == 1 else min(most, self.whole_states)

    @property
    def id(self) -> str:
        """A short id: equal grids and bounds have equal ids."""
        split = {} if self.shares == 1 else {"shares": self.shares, "whole": self.whole_states}
        return short_id({"grid": self.grid, "options": to_builtins(self.options), **split})


class SearchFolder(GridFolder[SearchManifest]):
    """One searched grid in a file system."""

    FILE = "_search.json"
    CONTENT = "searched grid"
    OTHER_CONTENT = "a search with a different grid or different bounds"
    DONE = "searched"

    @staticmethod
    def _decoded(text: bytes) -> SearchManifest:
        return msgspec.json.decode(text, type=SearchManifest)

    @staticmethod
    def _schema_of(grid: Grid) -> t.StructType:
        return search_schema(grid)

    def not_begun(self) -> list[int]:
        """The cells without any row. Cells with the most replicas come first, because they have the
        most states.
        """
        begun = {row["cell"] for row in self.rows().select("cell").collect()}
        cells = [cell for cell in self.grid.cells if cell.number not in begun]
        cells.sort(key=lambda cell: (-cell.replication_factor, cell.number))
        return [cell.number for cell in cells]

    def hard(self) -> list[int]:
        """The cells that are to be searched in shares."""
        hard = self.rows().where(self._is_hard()).select("cell").orderBy("cell").collect()
        return [row["cell"] for row in hard]

    def missing(self) -> list[int]:
        """The cells whose search is not over."""
        return [*self.not_begun(), *self.hard()]

    def _is_hard(self) -> Column:
        """Whether a row is only of the beginning of a search."""
        if self.written.most_whole_states == self.written.options.max_states:
            return F.lit(False)
        return F.col("limit").eqNullSafe("states") & (F.col("shares") == 1)

    def replace(self, searched: SearchedCell) -> None:
        """Write the row of a hard cell in place of that of its beginning.

        If this is interrupted, the cell has no row, and is searched again.
        """
        number = searched.row.cell
        cell = self.grid.cells[number]
        table = rows_table(self.schema, cell, [searched.row], searched.scenario)
        self.files.delete(self.name_of(number))
        self.add(self.files.spark.createDataFrame(table, self.schema))

    def searched(self) -> list[dict[str, object]]:
        """The rows of the cells whose search is over, by cell."""
        found = self.rows().where(~self._is_hard()).orderBy("cell").collect()
        return [{"cell": row["cell"], **row.asDict()} for row in found]

    def write_summary(self) -> None:
        """Write the summary of the cells whose search is over, and the scenarios that were found,
        replacing any earlier ones.
        """
        for row in self.searched():
            if row["found"]:
                self.files.write(scenario_name(row["cell"]), str(row["scenario"]).encode())
        self.files.write(SUMMARY_FILE, msgspec.json.encode(self.summary()) + b"\n")

    def summary(self) -> SearchSummary:
        """The summary of the cells whose search is over."""
        scopes: dict[SearchedScope, int] = {}
        cells = [self._cell_of(row, scopes) for row in self.searched()]
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
        shown = {
            **row,
            "settings": dict(self.grid.cells[number].settings),
            "scope": scopes.setdefault(scope, len(scopes)),
            "scenario": (
                scenario_document(read_scenario_text(str(row["scenario"])))
                if row["found"]
                else None
            ),
        }
        return _part_of(shown, CellOfSearch)


def scenario_name(cell: object) -> str:
    """The name of the file with a cell's shortest violation, if one was found."""
    return f"{SCENARIOS}/cell-{cell}.yaml"


def _part_of(row: Mapping[str, object], kind: type[_Struct]) -> _Struct:
    """The columns of a row that a struct has, as that struct."""
    return msgspec.convert({name: row[name] for name in kind.__struct_fields__}, kind)
