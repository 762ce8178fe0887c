"""One contract for both ends: what is asked about a run is answered alike by the service, and by
the page's own engine, to which neither FastAPI nor a database belongs.
"""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from backend.identifiers import is_page_id
from backend.in_page.engine import PageEngine
from tests.backend.conftest import API, LOSS, SCENARIO, Service

Asked = Callable[..., Awaitable[tuple[int, Any]]]
"""Sends a method, an address below `/api/v1` and a body; returns the status and the document."""
CRASH = {"crash": {"broker": 2}}
DESCRIBED = "Topic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2"


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
    return of_page(PageEngine()) if is_page else of_service(sqlite_service)


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


@pytest.mark.parametrize(
    "part",
    [
        "timeline",
        "timeline?from=1&to=3&full=1",
        "story",
        "story?at=2",
        "choices?after=2",
        "words?at=3",
        "file",
        "file?at=2",
        "link?at=2&level=message",
        "link?at=2&end=4",
    ],
)
async def test_what_is_read_of_a_run_is_the_same(sqlite_service: Service, part: str):
    answers = []
    for ask in (of_service(sqlite_service), of_page(PageEngine())):
        run = await begun(ask, scenario_id="s26")
        answers.append(await ask("GET", f"sessions/{run}/{part}"))

    assert answers[0][0] == 200
    assert answers[0] == answers[1]


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
        ("POST", "challenges/no-such/tries", {"moves": []}),
        ("POST", "challenges/first-loss/tries", {"moves": [{"crash": {"broker": 77}}]}),
        ("GET", "scenarios/s26/runs/9.9", None),
        ("GET", "scenarios/no-such/runs/3.9", None),
    ],
)
async def test_what_is_wrong_is_the_same_error(
    sqlite_service: Service, method: str, address: str, body: object
):
    answers = []
    for ask in (of_service(sqlite_service), of_page(PageEngine())):
        run = await begun(ask)
        answers.append(await ask(method, address.replace("{run}", run), body))

    assert 400 <= answers[0][0] < 500
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("sessions/{run}/comparisons", {"kafka": "0.11"}),
        ("sessions/{run}/comparisons", {"configs": {"min.insync.replicas": 2}}),
        ("sessions/{run}/comparisons", {"scenario_id": "s26", "at": 3}),
        ("drafts", {"scenario_text": json.dumps(SCENARIO), "after": 2}),
        ("imports", {"files": [{"name": "x", "text": DESCRIBED}], "kafka": "4.1"}),
    ],
)
async def test_what_is_computed_is_the_same(
    sqlite_service: Service, address: str, body: dict[str, Any]
):
    answers = []
    for ask in (of_service(sqlite_service), of_page(PageEngine())):
        run = await begun(ask, scenario=LOSS)
        answers.append(await ask("POST", address.replace("{run}", run), body))

    assert answers[0][0] == 200
    assert answers[0] == answers[1]


@pytest.mark.parametrize("part", ["run", "runs/0.11", "runs/3.9/choices", "runs/2.8.0/words"])
async def test_a_lesson_under_any_release_is_the_same(sqlite_service: Service, part: str):
    address = f"scenarios/kip-101-data-loss/{part}"

    answers = [
        await ask("GET", address) for ask in (of_service(sqlite_service), of_page(PageEngine()))
    ]

    assert answers[0][0] == 200
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
    ends = (of_service(sqlite_service), of_page(PageEngine()))
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
