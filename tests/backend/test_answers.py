"""One contract for both ends: what is asked about a run is answered alike by the service, and by
the page's own engine, to which neither FastAPI nor a database belongs.
"""

import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest

from backend.identifiers import is_page_id
from backend.in_page.computing import COMPUTED, page_engine
from backend.in_page.engine import ANSWERED, PageEngine
from backend.site_contents.kept import search_index
from backend.site_search.entry import KeptEntries
from tests.backend.conftest import API, LOSS, SCENARIO, Service

Asked = Callable[..., Awaitable[tuple[int, Any]]]
"""Sends a method, an address below `/api/v1` and a body; returns the status and the document."""
CRASH = {"crash": {"broker": 2}}
EACH_TIME = {"id", "created", "owner_key"}
DESCRIBED = "Topic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2"
ONE_REPLICA = "Topic: t\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1"  # soon searched to the end

Example = list[tuple[dict[str, str], object]]
"""Requests: the names in the path and its query, and the body."""
LESSON = {"scenario_id": "kip-101-data-loss"}
EXAMPLES: dict[str, Example] = {
    "POST /sessions": [
        ({}, {"scenario_id": "s26", "owned": True}),
        ({}, {"scenario": LOSS, "kafka": "0.11"}),
        ({}, {"scenario_text": json.dumps(SCENARIO)}),
    ],
    "GET /sessions/{id}": [({}, None)],
    "POST /sessions/{id}/actions": [
        ({}, {"after": 2, "step": CRASH, "known": 3}),
        ({}, {"after": 2, "step": CRASH}),
    ],
    "POST /sessions/{id}/comparisons": [
        ({}, {"kafka": "0.11"}),
        ({}, {"configs": {"min.insync.replicas": 2}}),
        ({}, {"scenario_id": "kip-101-data-loss", "at": 3}),
    ],
    "GET /sessions/{id}/timeline": [({}, None), ({"query": "?from=1&to=3&full=1"}, None)],
    "GET /sessions/{id}/story": [({}, None), ({"query": "?at=2"}, None)],
    "GET /sessions/{id}/link": [
        ({"query": "?at=2&level=message"}, None),
        ({"query": "?at=2&end=4"}, None),
    ],
    "GET /sessions/{id}/choices": [({"query": "?after=2"}, None)],
    "GET /sessions/{id}/words": [({"query": "?at=3"}, None)],
    "GET /sessions/{id}/file": [({}, None), ({"query": "?at=2"}, None)],
    "GET /search": [
        ({"query": "?q=high+watermark&lang=zh&kind=term&limit=2"}, None),
        ({"query": "?q=zzzz&as_typed=true"}, None),
    ],
    "POST /drafts": [({}, {"scenario_text": json.dumps(SCENARIO), "after": 2})],
    "POST /imports": [({}, {"files": [{"name": "x", "text": DESCRIBED}], "kafka": "4.1"})],
    "POST /challenges/{challenge_id}/tries": [({"challenge_id": "at-risk"}, {"moves": []})],
    "GET /scenarios/{scenario_id}/run": [(LESSON, None)],
    "GET /scenarios/{scenario_id}/runs/{kafka}": [({**LESSON, "kafka": "0.11"}, None)],
    "GET /scenarios/{scenario_id}/runs/{kafka}/choices": [({**LESSON, "kafka": "3.9"}, None)],
    "GET /scenarios/{scenario_id}/runs/{kafka}/words": [({**LESSON, "kafka": "2.8.0"}, None)],
    "GET /scenarios/{scenario_id}/runs/{kafka}/comparisons/{other}": [
        ({**LESSON, "kafka": "0.10.2", "other": "0.11"}, None)
    ],
}


def of_page(engine: PageEngine) -> Asked:
    async def ask(method: str, address: str, body: object = None) -> tuple[int, Any]:
        sent = "" if body is None else json.dumps(body)
        answer = engine.answer(method, f"/{address}", sent)
        return answer.status, json.loads(answer.body)

    return ask


def of_service(service: Service) -> Asked:
    async def ask(method: str, address: str, body: object = None) -> tuple[int, Any]:
        response = await service.client.request(method, f"{API}/{address}", json=body)
        return response.status_code, response.json()

    return ask


@pytest.fixture(params=["the service", "the page"])
async def ask(request: pytest.FixtureRequest, sqlite_service: Service) -> Asked:
    is_page = request.param == "the page"
    return of_page(page_engine()) if is_page else of_service(sqlite_service)


async def begun(ask: Asked, **body: Any) -> str:
    status, session = await ask("POST", "sessions", body or {"scenario": SCENARIO})
    assert status == 201
    run_id: str = session["id"]
    return run_id


async def test_a_lesson_is_started_and_read(ask: Asked):
    status, made = await ask("POST", "sessions", {"scenario_id": "s26", "owned": True})
    read_status, read = await ask("GET", f"sessions/{made['id']}")

    assert (status, read_status) == (201, 200)
    assert made.pop("owner_key")
    assert read == made
    assert read["owned"] is True
    assert len(read["id"]) == 26


async def test_a_step_creates_frames_once(ask: Asked):
    run = await begun(ask)
    action = {"after": 0, "step": CRASH, "known": 1}

    first, made = await ask("POST", f"sessions/{run}/actions", action)
    second, again = await ask("POST", f"sessions/{run}/actions", action)

    assert (first, second) == (201, 200)
    assert (made.pop("repeated"), again.pop("repeated")) == (False, True)
    assert again == made
    assert made["frames"]
    assert made["choices"]


async def test_a_step_back_begins_a_branch(ask: Asked):
    run = await begun(ask)
    _, first = await ask("POST", f"sessions/{run}/actions", {"after": 0, "step": CRASH})
    other = {"after": 0, "step": {"crash": {"broker": 1}}}

    status, second = await ask("POST", f"sessions/{run}/actions", other)
    _, read = await ask("GET", f"sessions/{run}")

    assert (status, second["forked"]) == (201, True)
    assert len(read["branches"]) == 2
    assert second["head"] == first["head"] + 1


async def test_a_refused_step_has_its_reason_and_changes_nothing(ask: Asked):
    run = await begun(ask)
    action = {"after": 0, "step": {"start": {"broker": 1}}}

    status, problem = await ask("POST", f"sessions/{run}/actions", action)
    _, read = await ask("GET", f"sessions/{run}")

    assert (status, problem["code"]) == (409, "action_not_possible")
    assert set(problem["said"]) >= {"en", "zh"}
    assert read["frames"] == 1


async def answers_to(ask: Asked, request: str, example: Example) -> list[tuple[int, Any]]:
    """The response to each request of an example, without what differs each time."""
    method, path = request.split(" ")
    run = await begun(ask, scenario_id="s26")
    answers = []
    for named, body in example:
        address = path.replace("/sessions/{id}", f"/sessions/{run}") + named.get("query", "")
        for name, value in named.items():
            address = address.replace(f"{{{name}}}", value)
        status, document = await ask(method, address.removeprefix("/"), body)
        if isinstance(document, dict):
            document = {key: said for key, said in document.items() if key not in EACH_TIME}
        answers.append((status, document))
    return answers


@pytest.mark.parametrize("request_", ANSWERED)
async def test_every_request_is_answered_alike(sqlite_service: Service, request_: str):
    example = EXAMPLES[request_]

    service = await answers_to(of_service(sqlite_service), request_, example)
    engine = page_engine()
    if request_ == "GET /search":
        entries = search_index(sqlite_service.services.frontend.folder).entries
        engine.open_search(msgspec.json.encode(KeptEntries("", tuple(entries))).decode())
    page = await answers_to(of_page(engine), request_, example)

    assert {status for status, _ in service} <= {200, 201}
    assert page == service


def test_what_a_page_answers_is_part_of_the_service(sqlite_service: Service):
    operations = {
        f"{method.upper()} {path.removeprefix(API)}"
        for path, methods in sqlite_service.app.openapi()["paths"].items()
        for method in methods
    }

    assert {**ANSWERED, **COMPUTED}.keys() - operations == set()


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("DELETE", "/sessions/1"),
        ("GET", "/sessions/1/story/2"),
        ("GET", "/sessions/1/storys"),
        ("POST", "/shares"),
        ("GET", "/"),
    ],
)
def test_a_page_answers_nothing_else(method: str, path: str):
    answer = PageEngine().answer(method, path)

    assert answer.status == 404
    assert "without a service" in answer.body


@pytest.mark.parametrize(
    ("method", "address", "body"),
    [
        ("POST", "sessions", {}),
        ("POST", "sessions", {"scenario_id": "s26", "x": 1}),
        ("POST", "sessions", {"scenario_id": "no-such"}),
        ("POST", "sessions", {"scenario_text": "scenario: 1\nsteps: 3"}),
        ("POST", "sessions", {"scenario": LOSS, "kafka": "9.9"}),
        ("POST", "sessions", {"run": {"kafka": 3}}),
        ("GET", "sessions/{run}/choices?after=99", None),
        ("GET", "sessions/{run}/timeline?from=3&to=1", None),
        ("GET", "sessions/{run}/timeline?from=0&to=5000", None),
        ("GET", "sessions/{run}/link?at=0&end=99", None),
        ("POST", "sessions/{run}/actions", {"after": 0}),
        ("POST", "sessions/{run}/actions", {"after": 99, "step": CRASH}),
        ("POST", "sessions/{run}/actions", {"after": -1, "step": CRASH}),
        ("POST", "sessions/{run}/actions", {"after": 0, "step": {"crash": {"broker": 9}}}),
        ("POST", "sessions/{run}/actions", {"after": 0, "step": {"crash": {"broker": "\0"}}}),
        ("POST", "sessions/{run}/comparisons", {"kafka": "0.11", "control": 3}),
        ("POST", "sessions/{run}/comparisons", {"kafka": "0.11", "scenario_id": "s26"}),
        ("POST", "drafts", {"scenario_text": "brokers: []"}),
        ("POST", "imports", {"files": [{"name": "x", "text": "?"}]}),
        ("POST", "imports", {"files": [{"name": "x"}]}),
        ("POST", "sessions/{run}/searches", {"property": "x"}),
        ("POST", "sessions/{run}/searches", {"budget": {"x": 1}}),
        ("POST", f"sessions/{'0' * 26}/searches", {"property": "x"}),
        ("POST", "sessions/{run}/searches", {"seconds": 0}),
        ("POST", "sessions/{run}/searches", {"after": 99}),
        ("POST", "assessments", {}),
        ("POST", "assessments", {"files": [{"name": "x", "text": "?"}]}),
        ("POST", "assessments", {"files": [{"name": "x", "text": DESCRIBED}], "down": [9]}),
        ("POST", "assessments/searches", {"files": [], "partition": "t-0"}),
        ("POST", "challenges/no-such/tries", {"moves": []}),
        ("POST", "challenges/at-risk/tries", {"moves": [{"crash": {"broker": 77}}]}),
        ("GET", "scenarios/s26/runs/9.9", None),
        ("GET", "scenarios/no-such/runs/3.9", None),
    ],
)
async def test_what_is_wrong_is_the_same_error(
    sqlite_service: Service, method: str, address: str, body: object
):
    answers = []
    for ask in (of_service(sqlite_service), of_page(page_engine())):
        run = await begun(ask)
        answers.append(await ask(method, address.replace("{run}", run), body))

    assert 400 <= answers[0][0] < 500
    assert answers[0] == answers[1]


async def test_a_run_goes_on_under_another_release_or_with_other_settings(ask: Asked):
    run = await begun(ask, scenario=LOSS)

    newer, under = await ask("POST", "sessions", {"session": run, "at": 2, "kafka": "0.11"})
    changed = {"session": run, "at": 2, "configs": {"min.insync.replicas": 2}}
    settings, configured = await ask("POST", "sessions", changed)

    assert (newer, settings) == (201, 201)
    assert under["kafka"] == "0.11"
    assert configured["scenario"]["configs"]["min.insync.replicas"] == 2


async def test_a_link_of_one_end_is_opened_at_the_other(sqlite_service: Service):
    ends = (of_service(sqlite_service), of_page(page_engine()))
    for here, there in (ends, ends[::-1]):
        run = await begun(here, scenario_id="s26")
        _, acted = await here("POST", f"sessions/{run}/actions", {"after": 3, "step": CRASH})
        _, link = await here("GET", f"sessions/{run}/link?at={acted['head']}")

        status, opened = await there("POST", "sessions", {"run": link["run"]})

        assert status == 201
        assert opened["forked_from"]["link"]["differs"] is False


async def test_a_run_that_a_page_kept_is_the_same_after_a_reload():
    engine = PageEngine()
    ask = of_page(engine)
    run = await begun(ask, scenario_id="s26", owned=True)
    await ask("POST", f"sessions/{run}/actions", {"after": 2, "step": CRASH})
    kept = engine.to_keep(run)
    reloaded = PageEngine()

    reloaded.open_kept(kept)

    for part in ("", "/timeline?full=1", "/story"):
        again = await of_page(reloaded)("GET", f"sessions/{run}{part}")
        assert again == await ask("GET", f"sessions/{run}{part}")
    assert reloaded.to_keep(run) == kept


async def test_a_page_names_its_runs_as_no_service_does(sqlite_service: Service):
    page = PageEngine()
    ours = await begun(of_page(page))
    theirs = await begun(of_service(sqlite_service))

    status, _ = await of_service(sqlite_service)("GET", f"sessions/{ours}")

    assert is_page_id(ours)
    assert not is_page_id(theirs)
    assert page.knows(ours)
    assert status == 404
    # Its page is the same for everyone: the browser knows the run.
    shown = await sqlite_service.client.get(f"/x/{ours}")
    assert shown.status_code == 200


def events_of(stream: str) -> list[tuple[str, Any]]:
    """The events after the first, which has the id."""
    found = re.findall(r"event: (\w+)\ndata: (.*)\n\n", stream)
    return [(name, json.loads(data)) for name, data in found if name != "started"]


def decided(document: dict[str, Any]) -> object:
    """What does not depend on how far a search comes in its time."""
    if "partition" in document:
        return [(one["question"], one["outcome"]) for one in document["searches"]]
    return {name: value for name, value in document.items() if not name.endswith("seconds")}


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("sessions/{run}/searches", {"max_depth": 6}),
        ("assessments", {"files": [{"name": "x", "text": DESCRIBED}], "down": [2]}),
        (
            "assessments/searches",
            {"files": [{"name": "x", "text": ONE_REPLICA}], "partition": "t-0"},
        ),
    ],
)
async def test_what_takes_long_ends_with_the_same(
    sqlite_service: Service, address: str, body: dict[str, Any]
):
    run = await begun(of_service(sqlite_service), scenario=LOSS)
    engine = page_engine()
    ours = await begun(of_page(engine), scenario=LOSS)
    heard: list[str] = []

    def hear(event: str) -> bool:
        heard.append(event)
        return True

    path = f"{API}/{address}".replace("{run}", run)
    theirs = events_of((await sqlite_service.client.post(path, json=body)).text)
    asked = f"/{address}".replace("{run}", ours)
    answer = engine.answer("POST", asked, json.dumps(body), hear)

    mine = events_of("".join(heard))
    assert (answer.status, mine[-1][0], theirs[-1][0]) == (200, "result", "result")
    assert decided(mine[-1][1]) == decided(theirs[-1][1])


async def test_what_takes_long_ends_when_nobody_wants_it():
    engine = page_engine()
    run = await begun(of_page(engine))
    endless = {"max_depth": 40, "seconds": 60, "budget": {"produce": 10, "drop": 10}}
    heard: list[str] = []

    def hear(event: str) -> bool:
        heard.append(event)
        return False

    engine.answer("POST", f"/sessions/{run}/searches", json.dumps(endless), hear)

    ((name, result),) = events_of(heard[-1])
    assert (name, result["limit"], result["verdict"]) == ("result", "interrupt", "cut")


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("assessments/report?lang=zh", {"files": [{"name": "x", "text": DESCRIBED}]}),
        ("assessments/without-secrets", {"files": [{"name": "x", "text": "a.password=1"}]}),
        ("assessments/words", {"scenario": LOSS}),
    ],
)
async def test_what_is_read_of_a_pasted_cluster_is_the_same(
    sqlite_service: Service, address: str, body: dict[str, Any]
):
    ends = (of_service(sqlite_service), of_page(page_engine()))

    answers = [await ask("POST", address, body) for ask in ends]

    assert answers[0][0] == 200
    assert answers[0] == answers[1]
