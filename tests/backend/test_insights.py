import json
from datetime import UTC, datetime
from typing import Any

import pytest

from backend.insights.tables import (
    SummaryCauseRow,
    SummaryFaultRow,
    SummaryLessonRow,
    SummaryLossRow,
    SummaryRow,
)
from sim_engine.campaign.summary import shipped_campaign
from sim_engine.scenario_reader.reader import load_shipped, read_scenario_document
from sim_engine.simulation.timeline import Timeline
from tests.backend.conftest import API, Service

LOSS_ROW: dict[str, Any] = {
    "dimension": "version_acks",
    "kafka": "0.10.2",
    "acks": "all",
    "min_insync_replicas": None,
    "replication_factor": None,
    "runs": 12,
    "exercised": 10,
    "not_exercised": 2,
    "lost": 1,
}
FAULT_ROW: dict[str, Any] = {"fault": "crash", "runs": 9, "lossy_runs": 1, "last_before_loss": 1}
CAUSE_ROWS: list[dict[str, Any]] = [
    {"cause": "unclean_election", "runs": 14, "lost_acks_all": 11},
    {"cause": "unknown", "runs": 10, "lost_acks_all": 10},
]
LESSON_ROW: dict[str, Any] = {
    "scenario_id": "a-lesson-that-was",
    "title": {"en": "A loss", "zh": "丢失"},
    "shares": 3,
}
SHIPPED_LESSON_ROW = LESSON_ROW | {"scenario_id": "kip-101-data-loss"}


async def summarize(service: Service, shares_read: int) -> None:
    moment = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    async with service.services.database.writing() as session:
        summary = SummaryRow(
            generated_at=moment,
            engine="0.1.0",
            facts_version=1,
            watermark=0,
            shares_read=shares_read,
            first_share_at=moment,
            last_share_at=None,
        )
        session.add(summary)
        await session.flush()
        session.add_all(
            [
                SummaryLossRow(summary_id=summary.id, **LOSS_ROW),
                SummaryFaultRow(summary_id=summary.id, **FAULT_ROW),
                *(SummaryCauseRow(summary_id=summary.id, **row) for row in CAUSE_ROWS[::-1]),
                SummaryLessonRow(summary_id=summary.id, **LESSON_ROW),
                SummaryLessonRow(summary_id=summary.id, **SHIPPED_LESSON_ROW),
            ]
        )


async def test_before_the_first_summary_the_response_has_no_rows(fresh_service: Service):
    answer = await fresh_service.read("insights/summary")

    assert answer == {
        "generated_at": None,
        "engine": None,
        "shares_read": 0,
        "first_share_at": None,
        "last_share_at": None,
        "loss": [],
        "faults": [],
        "causes": [],
        "lessons": [],
    }


async def test_the_newest_summary_is_shown_as_it_was_written(fresh_service: Service):
    await summarize(fresh_service, shares_read=1)
    await summarize(fresh_service, shares_read=2)

    response = await fresh_service.client.get(f"{API}/insights/summary")

    assert response.json() == {
        "generated_at": "2026-01-02T03:04:05Z",
        "engine": "0.1.0",
        "shares_read": 2,
        "first_share_at": "2026-01-02T03:04:05Z",
        "last_share_at": None,
        "loss": [LOSS_ROW],
        "faults": [FAULT_ROW],
        "causes": CAUSE_ROWS,
        "lessons": [
            LESSON_ROW,
            # The current title in the library, in every language.
            SHIPPED_LESSON_ROW | {"title": load_shipped("kip-101-data-loss").title},
        ],
    }


async def test_the_campaign_that_ships_is_there_on_the_first_visit(sqlite_service: Service):
    answer = await sqlite_service.client.get(f"{API}/insights/campaign")
    summary = answer.json()

    assert answer.status_code == 200
    assert summary["runs"] == sum(cell["runs"] for cell in summary["cells"]) > 1_000
    assert summary["headlines"]


async def test_an_example_of_the_campaign_opens_as_a_run(sqlite_service: Service):
    summary = await sqlite_service.read("insights/campaign")
    example = min(summary["examples"], key=lambda one: one["steps"])

    opened = await sqlite_service.client.post(
        f"{API}/sessions", json={"scenario": example["scenario"]}
    )

    assert opened.status_code == 201, opened.text


async def test_any_run_of_the_campaign_is_opened_as_it_was(sqlite_service: Service):
    sampled = next(each for each in shipped_campaign().samples if each.lost)
    url = f"{API}/insights/campaign/runs/{sampled.cell}/{sampled.seed}"

    scenario = (await sqlite_service.client.get(url)).json()["scenario"]

    timeline = Timeline(read_scenario_document(scenario))
    timeline.run_all()
    produced = timeline.frames[-1].cluster.clients.produced
    assert sum(record.fate == "lost" for record in produced) == sampled.lost
    made = await sqlite_service.client.post(f"{API}/sessions", json={"scenario": scenario})
    assert made.status_code == 201


async def test_a_run_of_a_summary_from_a_file_is_played_from_its_grid(sqlite_service: Service):
    summary = await sqlite_service.read("insights/campaign")
    sampled = next(each for each in summary["samples"] if each["lost"])
    url = f"{API}/insights/campaign/runs/{sampled['cell']}/{sampled['seed']}"
    # As a page reads the file and sends it: the largest number is rounded.
    grid = json.dumps(summary["grid"]).replace("9223372036854775807", "9223372036854776000")
    assert grid != json.dumps(summary["grid"])

    answer = await sqlite_service.send(
        "insights/runs",
        {"grid": json.loads(grid), "cell": sampled["cell"], "seed": sampled["seed"]},
        200,
    )

    assert answer == (await sqlite_service.client.get(url)).json()


async def test_errors_in_a_submitted_grid_have_their_place(sqlite_service: Service):
    grid = {"grid": 1, "kafka": ["3.9", "9.9"], "faults": {"fire": 1}}

    refused, without_cell = [
        await sqlite_service.client.post(
            f"{API}/insights/runs", json={"grid": each, "cell": 5, "seed": 0}
        )
        for each in (grid, {"grid": 1})
    ]

    places = [place["where"] for place in refused.json()["errors"]]
    assert places == ["/grid/kafka/1", "/grid/faults/fire"]
    (place,) = without_cell.json()["errors"]
    assert place["where"] == "/cell"
    assert "0 to 0" in place["message"]


@pytest.mark.parametrize("run", ["160/0", "0/100", "0/99999999"])
async def test_a_run_that_the_campaign_does_not_have_is_not_found(
    sqlite_service: Service, run: str
):
    answer = await sqlite_service.client.get(f"{API}/insights/campaign/runs/{run}")

    assert answer.status_code == 404


@pytest.mark.parametrize("run", ["x/0", "0/-1", "0/99999999999999999999"])
async def test_what_is_no_run_is_refused(sqlite_service: Service, run: str):
    answer = await sqlite_service.client.get(f"{API}/insights/campaign/runs/{run}")

    assert answer.status_code == 422


async def test_an_example_is_opened_by_a_page_that_rounds_the_largest_number(
    sqlite_service: Service,
):
    example = next(
        each
        for each in shipped_campaign().examples
        if "9223372036854775807" in json.dumps(each.scenario)
    )
    rounded = json.dumps({"scenario": example.scenario}).replace(
        "9223372036854775807", "9223372036854776000"
    )

    opened = await sqlite_service.client.post(
        f"{API}/sessions", content=rounded, headers={"Content-Type": "application/json"}
    )

    assert opened.status_code == 201, opened.text


async def test_searched_grids_are_listed_and_a_witness_opens_as_a_run(service: Service) -> None:
    listed = (await service.read("insights/searches"))["searches"]
    summary = await service.read(f"insights/searches/{listed[0]['id']}")

    cell = next(cell for cell in summary["cells"] if cell["scenario"] is not None)
    made = await service.client.post(f"{API}/sessions", json={"scenario": cell["scenario"]})

    assert listed[0]["cells"] == len(summary["cells"])
    assert made.status_code == 201
    missing = await service.client.get(f"{API}/insights/searches/none")
    assert missing.status_code == 404
