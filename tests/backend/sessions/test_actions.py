"""Steps over HTTP: repeated requests perform a step once, and a refused step stores nothing."""

from typing import Any

import pytest
from sqlalchemy import Engine, event

from backend.answers import acting
from backend.limits.lanes import Lanes
from sim_engine.languages import LANGUAGES
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import read_step
from sim_engine.simulation import timeline as engine_timeline
from tests.backend.conftest import API, LOSS, SCENARIO, Service
from tests.backend.sessions.requests import CRASH, PRODUCE, acted, timeline


async def test_an_action_makes_frames_after_the_head(service: Service):
    session = await service.new_session()

    response = await service.act(session["id"], 0, PRODUCE)

    assert response.status_code == 201
    assert acted(response) == {"head": 1, "forked": False, "repeated": False, "frames": [1]}
    frames = (await timeline(service, session["id"], "full=1"))["frames"]
    assert response.json()["frames"] == frames[1:]
    assert [frame["parent"] for frame in frames] == [None, 0]
    assert frames[1]["item"] is None


async def test_the_same_step_after_the_same_frame_is_done_once(service: Service):
    session = await service.new_session()
    first = await service.act(session["id"], 0, PRODUCE)

    again = await service.act(session["id"], 0, PRODUCE)

    assert again.status_code == 200
    assert again.json() == {**first.json(), "repeated": True}
    assert (await timeline(service, session["id"]))["total"] == 2


async def test_a_step_is_the_same_however_its_keys_are_ordered(service: Service):
    session = await service.new_session()
    await service.act(session["id"], 0, PRODUCE)

    reordered = {"produce": {"as": "p1", "values": ["m1"], "to": "t-0"}}
    again = await service.act(session["id"], 0, reordered)

    assert again.status_code == 200


async def test_a_step_is_read_once(sqlite_service: Service, monkeypatch: pytest.MonkeyPatch):
    session = await sqlite_service.new_session()
    checked: list[object] = []

    def counting(step: dict[str, Any], scenario: Scenario) -> object:
        checked.append(step)
        return read_step(step, scenario)

    monkeypatch.setattr(acting, "read_step", counting)
    monkeypatch.setattr(engine_timeline, "read_step", counting)
    assert (await sqlite_service.act(session["id"], 0, PRODUCE)).status_code == 201

    assert checked == [PRODUCE]


async def test_what_the_scenario_did_is_not_done_again(service: Service):
    session = await service.new_session(scenario=LOSS)
    first_step = session["scenario"]["steps"][0]

    again = await service.act(session["id"], 0, first_step)

    assert again.status_code == 200
    assert again.json()["repeated"]
    assert again.json()["frames"][0]["frame"] == 1


async def test_an_action_in_the_past_begins_a_branch(service: Service):
    session = await service.new_session()
    await service.act(session["id"], 0, PRODUCE)

    response = await service.act(session["id"], 0, CRASH)

    assert response.status_code == 201
    assert acted(response) == {"head": 2, "forked": True, "repeated": False, "frames": [2]}
    read = await service.read(f"sessions/{session['id']}")
    assert read["head"] == 2
    assert read["branches"] == [
        {"head": 1, "first_frame": 0, "forked_after": None, "depth": 1},
        {"head": 2, "first_frame": 2, "forked_after": 0, "depth": 1},
    ]
    again = await service.act(session["id"], 0, CRASH)
    assert acted(again) == {"head": 2, "forked": True, "repeated": True, "frames": [2]}


async def test_an_impossible_action_returns_the_reason_and_stores_nothing(service: Service):
    session = await service.new_session()
    await service.act(session["id"], 0, CRASH)

    response = await service.act(session["id"], 1, CRASH)

    assert response.status_code == 409
    problem = response.json()
    assert problem["code"] == "action_not_possible"
    assert problem["reason"]
    assert problem["reason_code"] == "broker_not_running"
    assert problem["said"]["en"] == problem["reason"] == problem["detail"]
    assert problem["said"].keys() == set(LANGUAGES)
    assert len(set(problem["said"].values())) == len(LANGUAGES)
    assert "rule" in problem
    assert (await timeline(service, session["id"]))["total"] == 2


@pytest.mark.parametrize("kind", ["note", "ask", "expect"])
async def test_words_about_a_frame_are_no_action(sqlite_service: Service, kind: str):
    session = await sqlite_service.new_session()

    response = await sqlite_service.act(session["id"], 0, {kind: {"en": "a", "zh": "b"}})

    assert response.status_code in (409, 422)
    assert (await timeline(sqlite_service, session["id"]))["total"] == 1


async def test_a_frame_that_does_not_exist_is_wrong_input(sqlite_service: Service):
    session = await sqlite_service.new_session()

    for after in (1, 9999):
        response = await sqlite_service.act(session["id"], after, CRASH)

        assert response.status_code == 422
        assert response.json()["code"] == "no_such_frame"
        assert response.json()["errors"][0]["where"] == "/after"


async def test_choices_list_possible_steps_and_the_reasons_for_impossible_ones(
    sqlite_service: Service,
):
    session = await sqlite_service.new_session()

    response = await sqlite_service.client.get(f"{API}/sessions/{session['id']}/choices?after=0")

    choices = response.json()
    assert response.status_code == 200
    assert any(choice["enabled"] for choice in choices)
    for choice in choices:
        assert {"step", "actor", "enabled", "reason"} <= choice.keys()
        assert (choice["reason"] is None) == choice["enabled"]
    missing = await sqlite_service.client.get(f"{API}/sessions/{session['id']}/choices")
    assert missing.status_code == 422
    beyond = await sqlite_service.client.get(f"{API}/sessions/{session['id']}/choices?after=7")
    assert beyond.json()["code"] == "no_such_frame"


async def test_an_enabled_choice_can_be_done_as_it_is_written(sqlite_service: Service):
    session = await sqlite_service.new_session()
    choices = await sqlite_service.read(f"sessions/{session['id']}/choices?after=0")

    for choice in [choice for choice in choices if choice["enabled"]][:10]:
        response = await sqlite_service.act(session["id"], 0, choice["step"])

        assert response.status_code == 201, (choice, response.text)


async def test_a_step_whose_commit_fails_was_not_done(
    service: Service, monkeypatch: pytest.MonkeyPatch
):
    session = await service.new_session()

    class DiskFullError(Exception):
        pass

    async def fail(*_arguments: object, **_options: object) -> None:
        raise DiskFullError

    with monkeypatch.context() as patched:
        patched.setattr("backend.sessions.repository.append_step", fail)
        failed = await service.act(session["id"], 0, PRODUCE)
    assert failed.status_code == 500
    assert failed.json()["code"] == "internal"

    assert (await timeline(service, session["id"]))["total"] == 1
    assert (await service.act(session["id"], 0, PRODUCE)).status_code == 201


async def test_a_step_visits_a_thread_once_and_takes_two_statements(
    service: Service, monkeypatch: pytest.MonkeyPatch
):
    session = await service.new_session()
    executed: list[str] = []
    visits: list[object] = []
    compute = Lanes.compute

    async def counted(lanes: Lanes, work: Any, /, *arguments: Any, **named: Any) -> Any:
        visits.append(work)
        return await compute(lanes, work, *arguments, **named)

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        executed.append(statement.split()[0])

    monkeypatch.setattr(Lanes, "compute", counted)
    event.listen(Engine, "before_cursor_execute", note)
    try:
        response = await service.act(session["id"], 0, PRODUCE)
    finally:
        event.remove(Engine, "before_cursor_execute", note)

    assert response.status_code == 201
    assert [word for word in executed if not word.startswith("BEGIN")] == ["UPDATE", "INSERT"]
    assert len(visits) == 1


async def test_a_session_has_a_last_frame(service: Service, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sim_engine.simulation.timeline.MOST_FRAMES", 3)
    session = await service.new_session()
    for after in range(2):
        step = {"produce": {"to": "t-0", "values": [f"m{after}"], "as": "p1"}}
        assert (await service.act(session["id"], after, step)).status_code == 201

    full = await service.act(session["id"], 2, CRASH)

    assert full.status_code == 422
    assert full.json()["code"] == "limit_reached"
    assert (full.json()["limit"], full.json()["number"]) == ("frames_a_session", 3)
    assert (await timeline(service, session["id"]))["total"] == 3
    too_long = await service.send("sessions", {"scenario": LOSS}, 422)
    assert too_long["code"] == "limit_reached"
    assert [place["where"] for place in full.json()["errors"]] == ["/step"]
    assert [place["where"] for place in too_long["errors"]] == ["/scenario/steps/1"]


async def test_work_beyond_its_budget_is_refused_and_nothing_of_it_is_kept(
    service: Service, monkeypatch: pytest.MonkeyPatch
):
    session = await service.new_session(scenario=SCENARIO)
    timelines = service.services.timelines
    monkeypatch.setattr(timelines.lanes, "_budget_s", 0.0)

    acted = await service.act(session["id"], 0, {"run": {"ms": 86_400_000}})
    created = await service.client.post(f"{API}/sessions", json={"scenario": LOSS})

    for refused in (acted, created):
        assert refused.status_code == 422
        assert refused.json()["code"] == "budget_exceeded"
    assert "frame 1" in acted.json()["detail"]
    assert "frame 0" in created.json()["detail"]
    monkeypatch.undo()
    assert (await timeline(service, session["id"]))["total"] == 1
    assert (await service.act(session["id"], 0, CRASH)).status_code == 201


async def test_accepted_steps_are_replayed_whatever_the_budget(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    session = await sqlite_service.new_session(scenario=LOSS)
    timelines = sqlite_service.services.timelines
    timelines.forget(session["id"])
    monkeypatch.setattr(timelines.lanes, "_budget_s", 0.0)

    assert (await timeline(sqlite_service, session["id"]))["total"] == session["frames"]
