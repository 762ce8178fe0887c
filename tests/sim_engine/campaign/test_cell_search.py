"""The failures that a search of a cell must find, known from Kafka's history, and its row."""

import pytest

from sim_engine.campaign.run import SearchRow, search_cell
from sim_engine.exploration.search import SearchOptions
from sim_engine.scenario_reader.reader import read_scenario_text
from tests.sim_engine.campaign.cells import cells_of, one_cell
from tests.sim_engine.runs import play

CRASHES = SearchOptions(
    property="NoAckedRecordLost", max_depth=6, budget={"crash": 2, "produce": 1}
)


def rows(**grid: object) -> dict[str, SearchRow]:
    """The rows of cells with two replicas, by release."""
    cells = cells_of(replication_factor=2, **grid)
    return {cell.kafka: search_cell(cell, CRASHES).row for cell in cells}


def test_crashes_alone_lose_a_record_at_min_isr_1_in_0_10_2_and_not_from_2_1_on() -> None:
    found = rows(kafka=["0.10.2", "2.1", "3.9"], configs={"min.insync.replicas": 1})

    assert {kafka: row.found for kafka, row in found.items()} == {
        "0.10.2": True,
        "2.1": False,
        "3.9": False,
    }
    oldest = found["0.10.2"]
    assert (oldest.faults, oldest.fault_count, oldest.verdict) == ({"crash": 2}, 2, "violated")
    assert {"min.insync.replicas=2", "KIP-101", "kafka 0.11"} <= set(oldest.prevented_by)
    assert (found["3.9"].steps, found["3.9"].depth, found["3.9"].complete) == (None, 6, False)


def test_an_exhaustive_search_is_reported_as_complete() -> None:
    cell = one_cell(kafka="3.9", replication_factor=1)

    searched = search_cell(cell, SearchOptions(property="NoAckedRecordLost", budget={}))

    assert searched.row.complete
    assert searched.scenario is None


@pytest.mark.parametrize("kafka", ["0.10.2", "4.1"])
def test_of_acks_1_the_loss_of_any_acknowledged_record_is_looked_for(kafka: str) -> None:
    searched = search_cell(one_cell(kafka=kafka, acks=1, replication_factor=2), CRASHES)

    assert searched.row.fault_count == 1
    assert searched.scenario is not None
    timeline = play(read_scenario_text(searched.scenario))
    (produced,) = timeline.frames[-1].cluster.clients.produced
    assert (produced.acks, produced.fate) == (1, "lost")


def test_the_scenario_has_the_cluster_of_its_cell_and_the_steps_of_its_row() -> None:
    cell = one_cell(
        kafka="0.10.2", replication_factor=2, configs={"min.insync.replicas": 1}, latency_ms=50
    )

    searched = search_cell(cell, CRASHES)

    assert searched.scenario is not None
    scenario = read_scenario_text(searched.scenario)
    assert (scenario.kafka, len(scenario.brokers)) == ("0.10.2", 2)
    assert dict(scenario.configs) == {"min.insync.replicas": 1}
    assert len(scenario.steps) == searched.row.steps


def test_a_digest_is_of_the_settings_the_bounds_and_what_was_found() -> None:
    def digest(states: int = 200, **grid: object) -> str:
        cell = one_cell(replication_factor=1, **grid)
        options = SearchOptions(property="LogMatching", max_states=states, max_depth=3, budget={})
        return search_cell(cell, options).row.digest

    same = digest(kafka="3.9")

    assert same == digest(kafka="3.9")
    assert len({same, digest(kafka="4.1"), digest(201, kafka="3.9")}) == 3


def test_a_cell_has_the_budget_of_its_axis_and_its_row_states_the_scope() -> None:
    crash, power_loss = cells_of(
        kafka="3.9", replication_factor=2, budget=["crash=1,produce=1", "power_loss=1"]
    )

    rows = [search_cell(cell, CRASHES).row for cell in (crash, power_loss)]

    assert [dict(cell.settings)["budget"] for cell in (crash, power_loss)] == [
        "crash=1,produce=1",
        "power_loss=1",
    ]
    assert [row.allowed for row in rows] == [{"crash": 1, "produce": 1}, {"power_loss": 1}]
    assert ["crash" in row.tried for row in rows] == [True, False]
    assert "crash budget" in rows[1].left_out
    assert [row.verdict for row in rows] == ["none_within_bound", "not_exercised"]
    assert [row.limit for row in rows] == ["depth", "depth"]


def test_the_cause_of_a_loss_is_that_of_the_shortened_steps() -> None:
    row = rows(kafka=["0.10.2"])["0.10.2"]

    assert (row.cause, row.cause_rule) == ("unclean_election", "HW-TRUNCATION")
