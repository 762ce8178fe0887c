from datetime import UTC, datetime
from typing import Any

from backend.insights.tables import (
    SummaryFaultRow,
    SummaryLessonRow,
    SummaryLossRow,
    SummaryRow,
)
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
FAULT_ROW: dict[str, Any] = {
    "fault": "crash",
    "runs": 9,
    "lossy_runs": 1,
    "last_before_loss": 1,
}
LESSON_ROW: dict[str, Any] = {
    "scenario_id": "kip-101-data-loss",
    "title": {"en": "A loss", "zh": "丢失"},
    "shares": 3,
}


async def summarize(service: Service, shares_read: int) -> None:
    moment = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    async with service.app.state.services.database.writing() as session:
        summary = SummaryRow(
            generated_at=moment,
            engine="0.1.0",
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
                SummaryLessonRow(summary_id=summary.id, **LESSON_ROW),
            ]
        )


async def test_before_the_first_summary_there_is_nothing_and_it_says_so(fresh_service: Service):
    response = await fresh_service.client.get(f"{API}/insights/summary")

    assert response.status_code == 200
    assert response.json() == {
        "generated_at": None,
        "engine": None,
        "shares_read": 0,
        "first_share_at": None,
        "last_share_at": None,
        "loss": [],
        "faults": [],
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
        "lessons": [LESSON_ROW],
    }


async def test_the_campaign_that_ships_is_there_on_the_first_visit(sqlite_service: Service):
    answer = await sqlite_service.client.get(f"{API}/insights/campaign")
    summary = answer.json()

    assert answer.status_code == 200
    assert summary["runs"] == sum(cell["runs"] for cell in summary["cells"]) > 1_000
    assert summary["findings"]


async def test_an_example_of_the_campaign_opens_as_a_run(sqlite_service: Service):
    summary = (await sqlite_service.client.get(f"{API}/insights/campaign")).json()
    example = min(summary["examples"], key=lambda one: one["steps"])

    opened = await sqlite_service.client.post(
        f"{API}/sessions", json={"scenario": example["scenario"]}
    )

    assert opened.status_code == 201, opened.text
