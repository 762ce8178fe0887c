"""The searched grids that ship: their witnesses are this engine's, and what they decide holds."""

import random

import pytest

from sim_engine.campaign.grid_reader import read_grid_document
from sim_engine.campaign.run import search_cell
from sim_engine.campaign.summary import CellOfSearch, SearchSummary, shipped_searches
from sim_engine.exploration.search import SearchOptions
from sim_engine.exploration.shrink import violates
from sim_engine.scenario_reader.reader import read_scenario_document

SEARCHES = list(shipped_searches().values())
SAMPLE = 12
FEW_STATES = 1_000


def acks_of(cell: CellOfSearch) -> object:
    return cell.settings.get("acks", "all")


@pytest.mark.parametrize("summary", SEARCHES, ids=lambda summary: summary.title)
def test_every_witness_of_a_sample_violates_the_property_in_a_run(summary: SearchSummary) -> None:
    found = [cell for cell in summary.cells if cell.scenario is not None]

    for cell in random.Random(1).sample(found, min(SAMPLE, len(found))):
        fails = violates(summary.property, "all" if acks_of(cell) == "all" else 1)
        assert fails(read_scenario_document(cell.scenario)), cell.settings


@pytest.mark.parametrize("summary", SEARCHES, ids=lambda summary: summary.title)
def test_small_cells_are_searched_again_and_have_the_same_verdict(summary: SearchSummary) -> None:
    grid = read_grid_document(summary.grid)
    options = SearchOptions(
        property=summary.property,
        grain=summary.grain,
        max_depth=summary.max_depth,
        max_states=summary.max_states,
    )
    small = [cell for cell in summary.cells if cell.states < FEW_STATES]

    for cell in random.Random(1).sample(small, min(6, len(small))):
        row = search_cell(grid.cells[cell.cell], options).row
        assert (row.verdict, row.steps, row.complete) == (cell.verdict, cell.steps, cell.complete)
