"""The search for a failure, with its progress and result as events."""

import asyncio
import dataclasses
import json
from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from backend.answers.long_requests import SearchCreate
from backend.http.errors import LimitError
from backend.searches.schemas import SearchRead
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


# No property can be violated here, and there are many states to examine.
LONG: dict[str, Any] = {"max_depth": 40, "seconds": 60, "budget": {"produce": 10, "drop": 10}}


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[asyncio.subprocess.Process]:
    """The processes that search."""
    processes: list[asyncio.subprocess.Process] = []
    start = asyncio.create_subprocess_exec

    async def remember(*arguments: Any, **options: Any) -> asyncio.subprocess.Process:
        processes.append(await start(*arguments, **options))
        return processes[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", remember)
    return processes


async def until_progress(stream: AsyncGenerator[bytes]) -> None:
    async for event in stream:
        if event.startswith(b"event: progress"):
            return


async def test_a_search_ends_soon_after_its_client_disconnects(
    sqlite_service: Service,
    started: list[asyncio.subprocess.Process],
    monkeypatch: pytest.MonkeyPatch,
):
    session = await sqlite_service.new_session()
    searches = sqlite_service.services.searches
    impatient = dataclasses.replace(searches.kind, waits_for_listeners_s=0.1)
    monkeypatch.setattr(searches, "kind", impatient)
    search = await searches.ask(session["id"], SearchCreate(**LONG))
    await until_progress(search.events())

    searches.leave(search)
    assert searches.running == 1
    await asyncio.sleep(0.2)

    assert searches.running == 0
    (process,) = started
    assert await process.wait() < 0


async def test_a_page_that_is_reloaded_finds_its_search_again(
    sqlite_service: Service, started: list[asyncio.subprocess.Process]
):
    session = await sqlite_service.new_session(scenario=ALMOST)
    searches = sqlite_service.services.searches
    question = SearchCreate(budget={"power_loss": 1}, max_depth=6, seconds=60)
    before = await searches.ask(session["id"], question)
    searches.leave(before)

    while_it_runs = await searches.ask(session["id"], question)
    assert while_it_runs is before
    seen = [event async for event in while_it_runs.events()]
    searches.leave(while_it_runs)
    later = await searches.ask(session["id"], question)
    seen_later = [event async for event in later.events()]

    assert seen[-1].startswith(b"event: result")
    assert seen_later[-1] == seen[-1]
    assert len(started) == 1
    other = await searches.ask(session["id"], replace(question, max_depth=1))
    assert other is not later


async def test_a_search_that_is_stopped_reports_what_it_examined(sqlite_service: Service):
    session = (await sqlite_service.new_session())["id"]
    searches = sqlite_service.services.searches
    search = await searches.ask(session, SearchCreate(**LONG))
    await until_progress(search.events())

    address = f"{API}/sessions/{session}/searches/{search.id}"
    of_another = address.replace(session, (await sqlite_service.new_session())["id"])
    assert (await sqlite_service.client.delete(of_another)).status_code == 204
    assert searches.running == 1, "only who knows the session may stop its searches"
    assert (await sqlite_service.client.delete(address)).status_code == 204
    last = [event async for event in search.events()][-1]

    assert last.startswith(b"event: result")
    result = json.loads(last.split(b"data: ")[1])
    assert (result["verdict"], result["limit"]) == ("cut", "interrupt")
    assert result["states"] >= 1
    again = await searches.ask(session, SearchCreate(**LONG))
    assert again is not search, "who searches again wants a result"


async def test_a_search_without_listeners_gives_way_to_the_next_one(sqlite_service: Service):
    session = (await sqlite_service.new_session())["id"]
    searches = sqlite_service.services.searches
    abandoned = await searches.ask(session, SearchCreate(**LONG))
    searches.leave(abandoned)
    depths = iter(range(2, 5))

    async def ask() -> None:
        await searches.ask(session, SearchCreate(**{**LONG, "max_depth": next(depths)}))

    await ask()
    assert searches.running == 2, "there is a slot for both"
    await ask()

    assert abandoned.last is not None
    with pytest.raises(LimitError):
        await ask()


async def test_more_searches_of_a_visitor_than_may_run_wait_outside(sqlite_service: Service):
    session = await sqlite_service.new_session()
    responses = await asyncio.gather(
        *(search(sqlite_service, session["id"], budget={}, max_depth=1 + n) for n in range(8))
    )

    refused = [response for response in responses if response.status_code == 429]
    assert len(refused) == 6
    assert {response.json()["limit"] for response in refused} == {"searches_of_a_visitor"}
    assert {response.headers["retry-after"] for response in refused} == {"5"}
    # The slots of the others were released, and so was that of the rejected request.
    wrong = await search(sqlite_service, session["id"], after=99)
    assert wrong.status_code == 422
    again = await asyncio.gather(
        *(search(sqlite_service, session["id"], budget={}, max_depth=9 + n) for n in range(2))
    )
    assert [response.status_code for response in again] == [200, 200]
