"""Short runs of submitted scenarios: the serving process answers, unless that takes long."""

import sys
from typing import Any

import pytest

from backend.sessions import repository
from backend.sessions.small_scenarios import is_small
from sim_engine import list_shipped, load_shipped, scenario_document
from tests.backend.computing.conftest import ENDLESS, services_of
from tests.backend.conftest import API, LOSS, SCENARIO, Service, StartService

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such sockets")

BRIEF_S = "backend.sessions.timelines.BRIEF_S"


@pytest.fixture(autouse=True)
def small_runs() -> None:
    """Here, submitted scenarios count as small if they are."""


async def test_the_serving_process_answers_for_a_small_submitted_run(
    apart: Service, passed_on: list[str]
):
    session = await apart.new_session(scenario=LOSS)
    acted = await apart.act(session["id"], session["head"], {"advance": {"ms": 500}})
    timelines = services_of(apart).timelines
    timelines.forget(session["id"])
    timeline = await apart.client.get(f"{API}/sessions/{session['id']}/timeline")
    share = await apart.share(session["id"], session["head"])

    assert acted.status_code == 201, acted.text
    assert timeline.status_code == 200, timeline.text
    assert share["sid"]
    assert passed_on == []


async def test_a_small_run_that_was_submitted_as_a_file_is_continued_by_the_serving_process(
    apart: Service, passed_on: list[str]
):
    text = (
        "scenario: 1\nid: x\ntitle: x\nkafka: '3.9'\nbrokers: [1]\n"
        "topics: [{name: t, partitions: [{replicas: [1]}]}]\nsteps: []\n"
    )
    session = await apart.new_session(scenario_text=text)
    acted = await apart.act(session["id"], session["head"], {"advance": {"ms": 500}})

    assert acted.status_code == 201, acted.text
    assert passed_on == [f"POST {API}/sessions"]


async def test_searches_are_made_by_the_computing_process(apart: Service, passed_on: list[str]):
    session = await apart.new_session(scenario_id="kip-101-data-loss")
    address = f"{API}/sessions/{session['id']}/searches"
    searched = await apart.client.post(address, json={"max_depth": 1})
    unknown = await apart.client.post(f"{API}/sessions/{'0' * 26}/searches", json={"max_depth": 1})

    assert "event: result" in searched.text
    assert unknown.status_code == 404
    assert passed_on == [f"POST {address}"]


async def test_a_run_that_takes_longer_than_it_looks_moves_to_the_computing_process(
    database: str, start_service: StartService, monkeypatch: pytest.MonkeyPatch
):
    async with start_service(database, computes_apart=True, sessions_a_minute=1) as apart:
        monkeypatch.setattr(BRIEF_S, 0.0)
        # It is counted once, or it would be refused.
        session = await apart.new_session(scenario=SCENARIO)
        address = f"{API}/sessions/{session['id']}"
        timelines = services_of(apart).timelines
        was_short = not await timelines.is_long(session["id"])
        read = await apart.client.get(address)
        acted = await apart.act(session["id"], session["head"], {"settle": {}})

        assert (read.status_code, acted.status_code) == (200, 201), acted.text
        assert was_short
        assert await timelines.is_long(session["id"])
        assert len(timelines) == 0


async def test_a_step_of_an_open_run_that_takes_long_is_performed_once(
    apart: Service, passed_on: list[str], monkeypatch: pytest.MonkeyPatch
):
    session = await apart.new_session(scenario=SCENARIO)
    monkeypatch.setattr(BRIEF_S, 0.0)
    acted = await apart.act(session["id"], session["head"], {"settle": {}})
    read = await apart.client.get(f"{API}/sessions/{session['id']}")

    assert acted.status_code == 201, acted.text
    assert read.json()["head"] == acted.json()["head"]
    assert passed_on == [
        f"POST {API}/sessions/{session['id']}/actions",
        f"GET {API}/sessions/{session['id']}",
    ]


async def test_a_request_is_not_given_up_after_its_step_was_stored(
    apart: Service, passed_on: list[str], monkeypatch: pytest.MonkeyPatch
):
    session = await apart.new_session(scenario=SCENARIO)
    append = repository.append_step

    async def append_and_slow_down(*arguments: Any, **named: Any) -> None:
        await append(*arguments, **named)
        monkeypatch.setattr(BRIEF_S, 0.0)

    monkeypatch.setattr(repository, "append_step", append_and_slow_down)
    acted = await apart.act(session["id"], session["head"], {"settle": {}})

    # A step that had been performed before would be 200.
    assert acted.status_code == 201, acted.text
    assert passed_on == []


async def test_a_service_without_a_computing_process_gives_nothing_up(
    database: str, start_service: StartService, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(BRIEF_S, 0.0)
    async with start_service(database) as alone:
        session = await alone.new_session(scenario=SCENARIO)
    assert session["head"] == 0


def test_almost_all_lessons_would_be_small_if_they_were_submitted():
    documents = [scenario_document(load_shipped(lesson.id)) for lesson in list_shipped()]
    small = [document["id"] for document in documents if is_small(document)]
    assert len(small) > 0.9 * len(documents)


PARTITION: dict[str, Any] = {"replicas": [1, 2]}


@pytest.mark.parametrize(
    "changed",
    [
        {"topics": [{"name": "t", "partitions": [PARTITION] * 9}]},
        {"topics": [{"name": "t", "partitions": [PARTITION] * 5}] * 2},
        {"topics": [{"name": "t", "partitions": [{**PARTITION, "logs": {"1": "x*1000/0"}}]}]},
        {"topics": [{"name": "t", "partitions": [{**PARTITION, "logs": {"1": "x/0 " * 300}}]}]},
        {"topics": [{"name": "t", "partitions": 3}]},
        {"topics": [{"name": "t", "partitions": [{"replicas": 3}]}]},
        {"topics": [{"name": "t", "partitions": [1]}]},
        {"topics": {"t": 1}},
        {"topics": [1]},
        {"brokers": list(range(17))},
        {"brokers": 3},
        {"steps": [{"settle": {}}] * 151},
        {"steps": [{"run": {"ms": 100_000}}] * 4},
        {"steps": 1},
    ],
)
def test_a_scenario_that_exceeds_one_bound_is_not_small(changed: dict[str, Any]):
    assert is_small(SCENARIO)
    assert not is_small({**SCENARIO, **changed})


def test_what_is_no_scenario_is_not_small():
    assert not any(map(is_small, (None, [], "x", {}, ENDLESS["scenario"])))
