"""The search for a failure, with its progress and result as events."""

import asyncio
import json
from typing import Any

import httpx
import pytest

from backend.searches.schemas import SearchCreate, SearchRead
from sim_engine.exploration.alphabet import BUDGET_NAMES, DEFAULT_BUDGET
from tests.backend.conftest import API, SCENARIO, Service

# One step before a loss: one broker, which can lose power, has the only copy of a record.
ALMOST: dict[str, Any] = {
    **SCENARIO,
    "kafka": "0.10.2",
    "topics": [{"name": "t", "partitions": [{"replicas": [1]}]}],
    "steps": [{"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}}],
}


def events(response: httpx.Response) -> list[tuple[str, Any]]:
    found = []
    for block in response.text.strip().split("\n\n"):
        name, data = block.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


async def search(service: Service, session: str, **body: Any) -> httpx.Response:
    return await service.client.post(f"{API}/sessions/{session}/searches", json=body, timeout=120)


async def test_a_counterexample_can_be_played(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario=ALMOST)

    response = await search(
        sqlite_service, session["id"], budget={"power_loss": 1}, max_depth=6, seconds=60
    )

    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/event-stream")
    name, result = events(response)[-1]
    assert name == "result"
    assert result["verdict"] == "violated"
    head = session["head"]
    for step in result["steps"]:
        acted = await sqlite_service.act(session["id"], head, step)
        assert acted.status_code == 201, acted.text
        head = acted.json()["head"]
    last = await sqlite_service.client.get(
        f"{API}/sessions/{session['id']}/timeline?from={head}&full=1"
    )
    properties = last.json()["frames"][0]["properties"]
    assert properties["NoAckedRecordLost"]["status"] == "violated"
    assert result["complete"] is False
    assert result["shrunk"] is True
    assert {"config": {"log.flush.interval.messages": 1}} in result["prevented_by"]
    # The power loss itself: before it, the only copy still existed.
    assert session["head"] + result["return_until"] == result["point_of_no_return"] == head
    assert result["return_step"] == len(result["steps"])
    again = await sqlite_service.new_session(scenario=result["scenario"])
    assert again["head"] == head


async def test_a_budget_may_name_what_the_engine_can_try(sqlite_service: Service):
    response = await sqlite_service.client.get(f"{API}/searches/faults")

    faults = {fault["name"]: fault for fault in response.json()["faults"]}
    assert set(faults) == set(BUDGET_NAMES)
    assert faults["election"]["allowed"] is None
    assert {name: fault["allowed"] for name, fault in faults.items() if fault["allowed"]} == (
        DEFAULT_BUDGET
    )
    session = await sqlite_service.new_session()
    most = {name: fault["most"] for name, fault in faults.items()}
    assert (await search(sqlite_service, session["id"], budget=most, max_depth=1)).is_success


async def test_a_search_that_finds_nothing_does_not_claim_safety(sqlite_service: Service):
    session = await sqlite_service.new_session()

    response = await search(sqlite_service, session["id"], budget={}, max_depth=1)

    _, result = events(response)[-1]
    assert (result["verdict"], result["exercised"]) == ("not_exercised", False)
    assert result["steps"] == []
    assert result["scenario"] is None
    assert result["prevented_by"] == []
    assert result["point_of_no_return"] is None
    assert result["complete"] is False


@pytest.mark.parametrize("budget", [{"power_loss": 1}, {}])
async def test_the_result_is_the_document_of_the_schema(
    sqlite_service: Service, budget: dict[str, int]
):
    session = await sqlite_service.new_session(scenario=ALMOST)

    response = await search(sqlite_service, session["id"], budget=budget, max_depth=2)

    _, result = events(response)[-1]
    assert SearchRead.model_validate(result).verdict in ("violated", "none_within_bound")


async def test_a_search_of_messages_within_few_states_is_cut(sqlite_service: Service):
    session = await sqlite_service.new_session()

    response = await search(sqlite_service, session["id"], grain="message", states=5)

    _, result = events(response)[-1]
    assert (result["verdict"], result["grain"], result["states"]) == ("cut", "message", 5)


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"property": "NoSuch"}, "/property"),
        ({"budget": {"meteor": 1}}, "/budget"),
        ({"budget": {"crash": -1}}, "/budget/crash"),
        ({"after": 99}, "/after"),
        ({"max_depth": 0}, "/max_depth"),
        ({"seconds": 61}, "/seconds"),
        ({"grain": "byte"}, "/grain"),
        ({"states": 0}, "/states"),
        ({"x": 1}, "/x"),
    ],
)
async def test_a_wrong_question_is_refused_by_place(
    sqlite_service: Service, body: dict[str, Any], where: str
):
    session = await sqlite_service.new_session()

    response = await search(sqlite_service, session["id"], **body)

    assert response.status_code == 422
    assert response.json()["errors"][0]["where"] == where


async def test_a_search_ends_when_its_client_disconnects(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    started: list[asyncio.subprocess.Process] = []
    start = asyncio.create_subprocess_exec

    async def remember(*arguments: Any, **options: Any) -> asyncio.subprocess.Process:
        started.append(await start(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", remember)
    session = await sqlite_service.new_session()
    searches = sqlite_service.services.searches
    # No property can be violated here, and there are many states to examine.
    body = SearchCreate(max_depth=40, seconds=60, budget={"produce": 10, "drop": 10})
    stream = searches.events(await searches.ask(session["id"], body))

    name = await anext(stream)
    await stream.aclose()

    assert name.startswith(b"event: progress")
    (process,) = started
    assert process.returncode is not None


async def test_more_searches_of_a_visitor_than_may_run_wait_outside(sqlite_service: Service):
    session = await sqlite_service.new_session()
    question = {"budget": {}, "max_depth": 1}

    responses = await asyncio.gather(
        *(search(sqlite_service, session["id"], **question) for _ in range(8))
    )

    refused = [response for response in responses if response.status_code == 429]
    assert len(refused) == 6
    assert {response.json()["limit"] for response in refused} == {"searches_of_a_visitor"}
    assert {response.headers["retry-after"] for response in refused} == {"5"}
    # The slots of the others were released, and so was that of the rejected request.
    wrong = await search(sqlite_service, session["id"], after=99)
    assert wrong.status_code == 422
    again = await asyncio.gather(
        *(search(sqlite_service, session["id"], **question) for _ in range(2))
    )
    assert [response.status_code for response in again] == [200, 200]
