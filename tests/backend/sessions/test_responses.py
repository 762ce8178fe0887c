"""The response to a step: the frames that the client lacks, the choices, and the story."""

from dataclasses import replace
from typing import Any

import pytest

from backend.answers import responses
from backend.frames.packing import unpacked
from backend.limit_table import FRAMES_A_RESPONSE
from sim_engine.documents.runs import StoredFrame
from tests.backend.conftest import API, LOSS, Service
from tests.backend.sessions.requests import CRASH, PRODUCE, timeline


async def act_knowing(
    service: Service, session: str, after: int, step: dict[str, Any], known: int
) -> dict[str, Any]:
    body = {"after": after, "step": step, "known": known}
    response = await service.client.post(f"{API}/sessions/{session}/actions", json=body)
    assert response.status_code in (200, 201), response.text
    document: dict[str, Any] = response.json()
    return document


@pytest.mark.parametrize("again", [False, True])
async def test_an_action_answers_what_can_be_done_next(sqlite_service: Service, again: bool):
    session = await sqlite_service.new_session(scenario=LOSS)
    for _ in range(1 + again):
        answer = (await sqlite_service.act(session["id"], session["head"], PRODUCE)).json()

    path = f"{API}/sessions/{session['id']}/choices?after={answer['head']}"
    assert answer["repeated"] is again
    assert answer["choices"] == (await sqlite_service.client.get(path)).json() != []
    assert answer["total"] == (await timeline(sqlite_service, session["id"]))["total"]
    assert answer["missed"] == []


async def test_a_client_that_sends_known_receives_only_the_changes(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario=LOSS)
    held = (await timeline(sqlite_service, session["id"]))["frames"]

    answer = await act_knowing(sqlite_service, session["id"], session["head"], PRODUCE, len(held))

    assert all("state" not in frame for frame in answer["frames"])
    await assert_whole_with(sqlite_service, session["id"], held, answer)


async def test_a_client_is_sent_what_others_did_since(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario=LOSS)
    held = (await timeline(sqlite_service, session["id"]))["frames"]
    for step in (PRODUCE, CRASH):
        assert (await sqlite_service.act(session["id"], 3, step)).status_code == 201

    answer = await act_knowing(sqlite_service, session["id"], session["head"], PRODUCE, len(held))

    assert [frame["frame"] for frame in answer["missed"]][:2] == [len(held), len(held) + 1]
    await assert_whole_with(sqlite_service, session["id"], held, answer)


async def test_what_is_done_again_is_read_by_a_client_that_holds_it(sqlite_service: Service):
    session = await sqlite_service.new_session()
    await sqlite_service.act(session["id"], 0, PRODUCE)
    held = (await timeline(sqlite_service, session["id"]))["frames"]

    answer = await act_knowing(sqlite_service, session["id"], 0, PRODUCE, len(held))

    assert answer["repeated"]
    assert [*unpacked([held[0], *answer["frames"]])] == held


async def test_frames_that_do_not_fit_are_omitted_and_the_next_has_a_complete_state(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(responses, "FRAMES_A_RESPONSE", replace(FRAMES_A_RESPONSE, number=2))
    session = await sqlite_service.new_session(scenario=LOSS)

    answer = await act_knowing(sqlite_service, session["id"], session["head"], PRODUCE, 1)

    assert [frame["frame"] for frame in answer["missed"]] == [1, 2]
    assert "state" in answer["frames"][0]


async def assert_whole_with(
    service: Service, session: str, held: list[StoredFrame], answer: dict[str, Any]
) -> None:
    """A client that adds the response to its frames has the whole timeline."""
    frames = [*unpacked([*held, *answer["missed"], *answer["frames"]])]
    assert len(frames) == answer["total"]
    assert frames == (await timeline(service, session))["frames"]


async def test_a_branch_is_returned_as_story_steps(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario=LOSS)
    path = f"{API}/sessions/{session['id']}"

    story = (await sqlite_service.client.get(f"{path}/story")).json()
    frames = (await sqlite_service.client.get(f"{path}/timeline?full=1")).json()["frames"]

    assert story["head"] == session["head"]
    assert [step["step"] for step in story["story"]] == sorted({frame["step"] for frame in frames})
    for step in story["story"]:
        made = [frame["frame"] for frame in frames if frame["step"] == step["step"]]
        assert (step["first_frame"], step["last_frame"]) == (made[0], made[-1])
        assert set(step["title"]) == set(step["summary"]) == {"en", "zh"}


async def test_an_action_is_answered_with_the_steps_that_it_made_or_made_longer(
    sqlite_service: Service,
):
    session = await sqlite_service.new_session()
    produce = {"produce": {"to": "t-0", "values": ["m1"]}}
    fetch = {"fetch": {"broker": 2}}
    produced = (await sqlite_service.act(session["id"], 0, produce)).json()
    fetched = (await sqlite_service.act(session["id"], produced["head"], fetch)).json()

    again = (await sqlite_service.act(session["id"], fetched["head"], fetch)).json()

    assert [step["title"]["en"] for step in produced["story"]] == ["produce m1"]
    assert [step["title"]["en"] for step in fetched["story"]] == ["fetch"]
    assert [step["title"]["en"] for step in again["story"]] == ["fetch ×2"]
    assert again["story"][0]["first_frame"] == fetched["frames"][0]["frame"]
    told = await sqlite_service.client.get(f"{API}/sessions/{session['id']}/story?at=0")
    assert told.json()["story"][1:] == produced["story"] + again["story"]


async def test_a_branch_that_leaves_a_step_in_the_middle_is_answered_with_what_remains_of_it(
    sqlite_service: Service,
):
    session = await sqlite_service.new_session()
    produced = (
        await sqlite_service.act(session["id"], 0, {"produce": {"to": "t-0", "values": ["m1"]}})
    ).json()
    settled = (await sqlite_service.act(session["id"], produced["head"], {"settle": {}})).json()
    whole = settled["story"][0]
    assert whole["marks"] == ["acknowledgement"]
    middle = settled["frames"][0]["frame"]

    branch = (await sqlite_service.act(session["id"], middle, {"crash": {"broker": 2}})).json()

    assert branch["forked"]
    assert [step["step"] for step in branch["story"]] == [whole["step"], whole["step"] + 1]
    cut = branch["story"][0]
    assert (cut["first_frame"], cut["last_frame"], cut["marks"]) == (middle, middle, [])
    again = (await sqlite_service.act(session["id"], middle, {"crash": {"broker": 2}})).json()
    assert (again["repeated"], again["story"]) == (True, branch["story"])


async def test_the_story_of_a_frame_that_does_not_exist_is_refused(sqlite_service: Service):
    session = await sqlite_service.new_session()

    answer = await sqlite_service.read(f"sessions/{session['id']}/story?at=9", 422)

    assert answer["code"] == "no_such_frame"
