"""The shipped campaign is this engine's result. `scripts/write campaign` updates it."""

import random

from sim_engine.campaign.play import RunKey
from sim_engine.campaign.run import run_cell
from sim_engine.campaign.summary import Comparison, shipped_campaign, shipped_grid
from sim_engine.scenario_reader.reader import read_scenario_document
from tests.sim_engine.runs import play

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


def comparisons_along(axis: str) -> list[Comparison]:
    found = [each for each in shipped_campaign().comparisons if each.axis == axis]
    assert found
    return found


def test_nothing_that_acks_1_keeps_is_lost_with_acks_all() -> None:
    """Compared run by run, on the same faults."""
    compared = comparisons_along("acks")

    assert {each.values for each in compared} == {("all", 1)}
    assert (
        sum(each.only_first for each in compared) == 0 < sum(each.only_second for each in compared)
    )


def test_a_flush_of_each_record_loses_nothing_that_is_kept_without_it() -> None:
    compared = comparisons_along("log.flush.interval.messages")

    assert {each.values[0] for each in compared} == {1}
    assert (
        sum(each.only_first for each in compared) == 0 < sum(each.only_second for each in compared)
    )


def test_two_in_sync_replicas_lose_no_more_than_one_does() -> None:
    """Not run by run, because a rejected record is retried later, under different faults."""
    cells = {cell.cell: cell.settings for cell in shipped_campaign().cells}
    compared = [
        each
        for each in comparisons_along("min.insync.replicas")
        if cells[each.cells[0]]["acks"] == "all"
    ]

    assert {each.values for each in compared} == {(1, 2)}
    assert all(each.only_second <= each.only_first for each in compared)


def test_eligible_leader_replicas_lose_no_more_with_acks_all() -> None:
    cells = {cell.cell: cell.settings for cell in shipped_campaign().cells}
    compared = comparisons_along("eligible.leader.replicas.version")
    acks_all = [each for each in compared if cells[each.cells[0]]["acks"] == "all"]

    assert {(cells[cell]["kafka"], each.values) for each in compared for cell in each.cells} == {
        ("4.1", (0, 1))
    }
    assert all(each.only_second <= each.only_first for each in acks_all)
    assert any(each.only_first for each in acks_all)


def test_unclean_elections_lose_more_with_acks_all_in_every_release() -> None:
    """In total, not run by run: without a leader, records are sent later, under other faults."""
    cells = {cell.cell: cell.settings for cell in shipped_campaign().cells}
    clean: dict[object, int] = {}
    unclean: dict[object, int] = {}
    for each in comparisons_along("unclean.leader.election.enable"):
        settings = cells[each.cells[0]]
        if settings["acks"] == "all":
            release = settings["kafka"]
            clean[release] = clean.get(release, 0) + each.only_first
            unclean[release] = unclean.get(release, 0) + each.only_second

    assert set(clean) == {"0.10.2", "2.1", "3.9", "4.1"}
    assert all(unclean[release] > clean[release] for release in clean)


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


def test_every_fault_that_happened_has_a_run_in_which_it_did() -> None:
    campaign, grid = shipped_campaign(), shipped_grid()

    for fault in campaign.faults:
        assert fault.example_cell is not None
        assert fault.example_seed is not None
        key = RunKey(campaign=grid.seed, cell=fault.example_cell, run=fault.example_seed)
        assert fault.kind in run_cell(key, grid.cells[fault.example_cell]).faults


def test_its_shortest_example_loses_a_record() -> None:
    example = min(shipped_campaign().examples, key=lambda example: example.steps)
    timeline = play(read_scenario_document(example.scenario))

    assert any(record.fate == "lost" for record in timeline.frames[-1].cluster.clients.produced)
