"""A session is replayed after a restart, or under a different version or different settings."""

from typing import Any

import pytest

from tests.backend.conftest import API, LOSS, Service, StartService
from tests.backend.sessions.requests import CRASH, PRODUCE, timeline


async def test_a_restart_in_the_middle_changes_no_byte(
    database_url: str, start_service: StartService
):
    paths = ["", "/timeline", "/timeline?full=1", "/choices?after=3"]

    async def read(service: Service, session: str) -> list[bytes]:
        responses = [await service.client.get(f"{API}/sessions/{session}{p}") for p in paths]
        assert {response.status_code for response in responses} == {200}
        return [response.content for response in responses]

    async with start_service(database_url) as service:
        session = (await service.new_session(scenario=LOSS))["id"]
        await service.act(session, 3, CRASH)
        before = await read(service, session)
    async with start_service(database_url) as service:
        assert await read(service, session) == before

        again = await service.act(session, 3, CRASH)

        assert again.status_code == 200


async def test_what_was_done_is_done_again_under_another_version(service: Service):
    session = await service.new_session(scenario=LOSS)
    acted = await service.act(session["id"], session["head"], {"crash": {"broker": 2}})
    at = acted.json()["head"]

    other = await service.new_session(session=session["id"], at=at, kafka="2.0.1")

    assert other["id"] != session["id"]
    assert other["kafka"] == "2.0.1"
    assert other["scenario_id"] == session["scenario_id"]
    frames = (await timeline(service, other["id"]))["frames"]
    assert frames[-1]["action"] == {"crash": {"broker": 2}}
    assert frames[-1]["item"] is None


async def test_what_was_done_is_done_again_under_other_settings(service: Service):
    session = await service.new_session(scenario_id="s26")
    name = "min.insync.replicas"

    other = await service.new_session(session=session["id"], at=session["head"], configs={name: 2})

    assert other["scenario"]["configs"][name] == 2
    frames = (await timeline(service, other["id"]))["frames"]
    assert frames[0]["state"]["configs"][name] == 2
    again = await service.new_session(session=other["id"], at=other["head"], kafka="0.11")
    assert again["scenario"]["configs"][name] == 2


async def test_what_was_done_is_done_again_with_producers_that_ask_for_something_else(
    service: Service,
):
    session = await service.new_session(scenario_id="s26")
    produce = {"produce": {"to": "t-0", "values": ["own"]}}
    at = (await service.act(session["id"], session["head"], produce)).json()["head"]

    other = await service.new_session(session=session["id"], at=at, producers={"acks": 1})

    steps = [step["produce"] for step in other["scenario"]["steps"] if "produce" in step]
    assert {step["acks"] for step in steps} == {1}
    actions = [frame["action"] for frame in (await timeline(service, other["id"]))["frames"]]
    own = next(one["produce"] for one in actions if one and "own" in str(one.get("produce")))
    assert own["acks"] == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"configs": {"min.insync.replicas": 0}},
        {"configs": {}, "kafka": "0.11"},
        {"producers": {"acks": 2}},
        {"producers": {"acks": 1, "idempotent": True}},
        {"producers": {"acks": 1}, "kafka": "0.11"},
    ],
)
async def test_other_settings_that_cannot_be_are_refused(
    sqlite_service: Service, wrong: dict[str, Any]
):
    session = await sqlite_service.new_session(scenario_id="s26")

    response = await sqlite_service.client.post(
        f"{API}/sessions", json={"session": session["id"], "at": session["head"], **wrong}
    )

    assert response.status_code == 422


@pytest.mark.parametrize("bound", ["_most_timelines", "_most_bytes"])
async def test_a_session_that_fell_out_of_memory_is_as_it_was(
    service: Service, monkeypatch: pytest.MonkeyPatch, bound: str
):
    monkeypatch.setattr(service.services.timelines, bound, 1)
    session = await service.new_session()
    await service.act(session["id"], 0, PRODUCE)
    before = await timeline(service, session["id"])
    await service.new_session()
    assert len(service.services.timelines) == 1

    assert await timeline(service, session["id"]) == before
    assert (await service.act(session["id"], 0, PRODUCE)).json()["repeated"]
