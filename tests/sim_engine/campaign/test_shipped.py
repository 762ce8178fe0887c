"""The shipped campaign is what this engine gives. `scripts/write-campaign` writes it again."""

import random

from sim_engine import (
    RunKey,
    Timeline,
    read_scenario_document,
    run_cell,
    shipped_campaign,
    shipped_grid,
)

SAMPLE = 8


def test_a_random_sample_of_its_rows_is_recomputed_and_equal() -> None:
    campaign, grid = shipped_campaign(), shipped_grid()
    drawn = random.Random(2).sample(campaign.samples, SAMPLE)

    again = [
        run_cell(
            RunKey(campaign=grid.seed, cell=sampled.cell, run=sampled.seed),
            grid.cells[sampled.cell],
        )
        for sampled in drawn
    ]

    assert [(row.digest, row.lost) for row in again] == [
        (sampled.digest, sampled.lost) for sampled in drawn
    ]


def test_it_is_the_campaign_of_its_grid_file() -> None:
    campaign, grid = shipped_campaign(), shipped_grid()

    assert campaign.grid == grid.document
    assert [dict(cell.settings) for cell in campaign.cells] == [
        dict(cell.settings) for cell in grid.cells
    ]


def test_every_cause_that_a_cell_has_can_be_opened() -> None:
    campaign = shipped_campaign()

    seen = {(cell.cell, share.cause) for cell in campaign.cells for share in cell.causes}

    assert seen <= {(example.cell, example.cause) for example in campaign.examples}


def test_its_shortest_example_loses_a_record() -> None:
    example = min(shipped_campaign().examples, key=lambda example: example.steps)
    timeline = Timeline(read_scenario_document(example.scenario))

    timeline.run_all()

    assert any(record.fate == "lost" for record in timeline.frames[-1].cluster.clients.produced)
