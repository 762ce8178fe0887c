"""The summary of a searched grid, with the witness of each violated cell, and those that ship."""

from collections.abc import Mapping
from functools import cache

import msgspec

from sim_engine.campaign.grid import AxisValue, ImpossiblePoint
from sim_engine.exploration.alphabet import Grain
from sim_engine.exploration.search import SearchLimit, SearchOutcome
from sim_engine.invariants.fates import Cause
from sim_engine.json_types import Document, PublishedJson
from sim_engine.scenario_reader.reader import searched_summary_texts

SEARCH_SUMMARY_VERSION = 1
"""Incremented when a field is removed or changes its meaning; new fields do not change it."""


class SearchedScope(Document, frozen=True, kw_only=True):
    """What a search may try, and what it leaves out: `NAME REASON` of each step and timer."""

    tried: tuple[str, ...]
    left_out: tuple[str, ...]


class CellOfSearch(Document, frozen=True, kw_only=True):
    """The result of one cell, as in its row."""

    cell: int
    settings: dict[str, AxisValue]
    verdict: SearchOutcome
    complete: bool
    exercised: bool
    limit: SearchLimit | None
    depth: int
    states: int
    transitions: int
    shares: int
    cpu_ms: int
    scope: int
    """The index of its scope in `scopes`."""
    steps: int | None
    faults: dict[str, int]
    cause: Cause | None
    cause_rule: str | None
    prevented_by: tuple[str, ...]
    scenario: PublishedJson | None
    """The witness as a scenario document; null if no violation was found."""


class SearchSummary(Document, frozen=True, kw_only=True):
    """A searched grid."""

    version: int
    search: str
    """A short id of the grid and the bounds."""
    title: str
    engine: str
    property: str
    grain: Grain
    max_depth: int
    max_states: int
    grid: PublishedJson
    """The grid file."""
    axes: dict[str, tuple[AxisValue, ...]]
    """Each setting of cells with its values, in order."""
    scopes: tuple[SearchedScope, ...]
    cells: tuple[CellOfSearch, ...]
    """The cells that were searched. A search that was stopped has only a part of its grid."""
    not_searched: int
    """The number of cells that were not searched."""
    impossible: tuple[ImpossiblePoint, ...]
    """Points of the grid that are impossible."""


@cache
def shipped_searches() -> Mapping[str, SearchSummary]:
    """The searched grids that ship, by their ids."""
    read = (msgspec.json.decode(text, type=SearchSummary) for text in searched_summary_texts())
    return {summary.search: summary for summary in read}
