"""One table of limits: responses, documentation and enforcement agree."""

from pathlib import Path
from typing import Any

import pytest

from backend import limit_table as table
from backend.http.errors import LimitError
from sim_engine.languages import LANGUAGES
from tests.backend.conftest import API, SCENARIO, Service
from tests.tables import for_each

SESSIONS = "sessions"
ACTIONS = "sessions/{id}/actions"
SEARCHES = "sessions/{id}/searches"


def scenario(**parts: Any) -> dict[str, Any]:
    return {"scenario": {**SCENARIO, **parts}}


def partitions(count: int) -> list[dict[str, Any]]:
    return [{"name": "t", "partitions": [{"replicas": [1]}] * count}]


def moment(answers: int) -> dict[str, Any]:
    question = {"key": "k", "text": {"en": "?"}, "answers": [{"en": "x"}] * answers}
    return {"session": "1" * 26, "moment": {"first": 0, "frame": 0, "question": question}}


# Requests that exceed each limit by one.
PAST: dict[str, tuple[str, Any]] = {
    "body_bytes": (ACTIONS, {"after": 0, "step": {"x": "x" * 65_536}}),
    "scenario_body_bytes": (SESSIONS, {"scenario_id": "x" * 262_144}),
    "body_depth": (SESSIONS, {"a": eval("[" * 33 + "]" * 33)}),
    "brokers": (SESSIONS, scenario(brokers=list(range(1, 11)))),
    "partitions": (SESSIONS, scenario(topics=partitions(17))),
    "records_a_log": (ACTIONS, {"after": 0, "step": {"produce": {"values": ["x"] * 1001}}}),
    "steps": (SESSIONS, scenario(steps=[{"settle": {}}] * 10_001)),
    "step_milliseconds": (ACTIONS, {"after": 0, "step": {"run": {"ms": 86_400_001}}}),
    "scenario_depth": (SESSIONS, {"scenario_text": "[" * 40 + "]" * 40}),
    "search_seconds": (SEARCHES, {"seconds": 61}),
    "search_steps": (SEARCHES, {"max_depth": 41}),
    "search_states": (SEARCHES, {"states": 200_001}),
    "search_faults": (SEARCHES, {"budget": {"crash": 11}}),
    "import_files": ("imports", {"files": [{"name": "x", "text": ""}] * 101}),
    "import_topics": ("imports", {"files": [{"name": "x", "text": ""}], "topics": ["t"] * 101}),
    "question_answers": ("presentations", moment(answers=10)),
    "grid_cells": (
        "insights/runs",
        {
            "grid": {
                "grid": 1,
                "latency_ms": [*range(27)],
                "faults": {"cut": [n / 20 for n in range(19)]},
            },
            "cell": 0,
            "seed": 0,
        },
    ),
}


@pytest.mark.parametrize("name", PAST)
async def test_the_problem_for_an_exceeded_limit_names_it_and_the_remedy(
    sqlite_service: Service, name: str
):
    path, body = PAST[name]
    session = (await sqlite_service.new_session())["id"] if "{id}" in path else ""
    listed = (await sqlite_service.read("limits"))["limits"]
    limit = next(limit for limit in listed if limit["name"] == name)

    response = await sqlite_service.client.post(f"{API}/{path.format(id=session)}", json=body)

    problem = response.json()
    code = "invalid_step" if path == ACTIONS and name != "body_bytes" else limit["code"]
    assert (response.status_code, problem["code"]) == (limit["status"], code)
    assert (problem["limit"], problem["number"]) == (name, limit["number"])
    assert set(problem["said"]) == set(LANGUAGES)


async def test_a_timeline_that_exceeds_a_limit_names_it(sqlite_service: Service):
    session = await sqlite_service.new_session()

    address = f"{API}/sessions/{session['id']}/timeline?from=0&to=501"
    problem = (await sqlite_service.client.get(address)).json()

    assert (problem["code"], problem["limit"]) == ("too_many_frames", "frames_an_answer")
    assert problem["number"] == 500


async def test_the_interface_is_described_with_the_limits_that_it_answers(sqlite_service: Service):
    described = await sqlite_service.read("openapi.json")

    answered = (await sqlite_service.read("limits"))["limits"]

    assert described["x-limits"] == answered
    assert len({limit["name"] for limit in answered}) == len(answered) > 20


@for_each("limit", table.all_limits, lambda limit: str(limit.name))
def test_every_limit_has_its_words_in_every_language(limit: table.Limit):
    said, what = limit.said(frame=1), limit.what()

    for lang in LANGUAGES:
        assert said[lang] != what[lang]
        assert "–" not in said[lang], "a number is missing"


@pytest.mark.parametrize("limit", table.all_limits(), ids=lambda limit: str(limit.name))
def test_a_temporary_limit_states_when_to_try_again(limit: table.Limit):
    if limit.status not in (429, 503):
        return

    with pytest.raises(AssertionError, match="try again"):
        LimitError(limit)
    assert LimitError(limit, retry_after_s=7).headers["Retry-After"] == "7"


def test_the_page_opens_files_with_as_many_cells_as_the_service(repository: Path):
    code = (repository / "frontend/src/insights/opened-summary.ts").read_text(encoding="utf-8")

    assert f"MOST_CELLS = {table.GRID_CELLS.number};" in code
