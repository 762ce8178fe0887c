"""A run over HTTP: what is done once stays done once, and nothing is ever deleted."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import httpx
import pytest
from sqlalchemy.exc import SQLAlchemyError

from backend.frames.packing import unpacked
from backend.limits.table import FRAMES_AN_ANSWER
from backend.sessions import answers, repository
from backend.sessions import service as sessions
from sim_engine import Scenario, list_shipped, read_step
from sim_engine.simulation import timeline as engine_timeline
from tests.backend.conftest import API, LOSS, SCENARIO, Service, StartService

PRODUCE = {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}}
CRASH = {"crash": {"broker": 2}}
FETCH = {"fetch": {"broker": 2}}


async def timeline(service: Service, session: str, query: str = "full=1") -> dict[str, Any]:
    response = await service.client.get(f"{API}/sessions/{session}/timeline?{query}")
    assert response.status_code == 200, response.text
    document: dict[str, Any] = response.json()
    return document


async def test_a_new_session_has_done_all_steps_of_its_scenario(service: Service):
    session = await service.new_session(scenario=LOSS)

    assert session["head"] == session["frames"] - 1 > 0
    assert session["kafka"] == "0.10.2"
    assert session["control"] == "zookeeper"
    assert session["scenario_id"] is None
    assert session["branches"] == [
        {
            "head": session["head"],
            "first_frame": 0,
            "forked_after": None,
            "depth": session["head"],
        }
    ]


async def test_a_shipped_scenario_is_found_by_its_alias(service: Service):
    session = await service.new_session(scenario_id="s26")

    assert session["scenario"]["alias"] == "s26"
    assert session["scenario_id"] == session["scenario"]["id"] != "s26"


async def test_a_session_is_read_back_as_it_was_made(service: Service):
    created = await service.new_session(scenario=LOSS)

    read = await service.client.get(f"{API}/sessions/{created['id']}")

    assert read.json() == created


def acted(response: httpx.Response) -> dict[str, Any]:
    """The answer to an action, with the numbers of the frames that it made."""
    document: dict[str, Any] = response.json()
    answer = {name: document[name] for name in ("head", "forked", "repeated")}
    return {**answer, "frames": [frame["frame"] for frame in document["frames"]]}


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


async def act_knowing(
    service: Service, session: str, after: int, step: dict[str, Any], known: int
) -> dict[str, Any]:
    body = {"after": after, "step": step, "known": known}
    response = await service.client.post(f"{API}/sessions/{session}/actions", json=body)
    assert response.status_code in (200, 201), response.text
    document: dict[str, Any] = response.json()
    return document


@pytest.mark.parametrize("again", [False, True])
async def test_an_action_answers_what_can_be_done_next(service: Service, again: bool):
    session = await service.new_session(scenario=LOSS)
    for _ in range(1 + again):
        answer = (await service.act(session["id"], session["head"], PRODUCE)).json()

    path = f"{API}/sessions/{session['id']}/choices?after={answer['head']}"
    assert answer["repeated"] is again
    assert answer["choices"] == (await service.client.get(path)).json() != []
    assert answer["total"] == (await timeline(service, session["id"]))["total"]
    assert answer["missed"] == []


async def test_a_client_that_says_what_it_holds_is_sent_only_what_changed(service: Service):
    session = await service.new_session(scenario=LOSS)
    held = (await timeline(service, session["id"]))["frames"]

    answer = await act_knowing(service, session["id"], session["head"], PRODUCE, len(held))

    assert all("state" not in frame for frame in answer["frames"])
    await assert_whole_with(service, session["id"], held, answer)


async def test_a_client_is_sent_what_others_did_since(service: Service):
    session = await service.new_session(scenario=LOSS)
    held = (await timeline(service, session["id"]))["frames"]
    for step in (PRODUCE, CRASH):
        assert (await service.act(session["id"], 3, step)).status_code == 201

    answer = await act_knowing(service, session["id"], session["head"], PRODUCE, len(held))

    assert [frame["frame"] for frame in answer["missed"]][:2] == [len(held), len(held) + 1]
    await assert_whole_with(service, session["id"], held, answer)


async def test_what_is_done_again_is_read_by_a_client_that_holds_it(service: Service):
    session = await service.new_session()
    await service.act(session["id"], 0, PRODUCE)
    held = (await timeline(service, session["id"]))["frames"]

    answer = await act_knowing(service, session["id"], 0, PRODUCE, len(held))

    assert answer["repeated"]
    assert [*unpacked([held[0], *answer["frames"]])] == held


async def test_more_than_an_answer_holds_leaves_a_gap_and_a_whole_state(
    service: Service, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(answers, "FRAMES_AN_ANSWER", replace(FRAMES_AN_ANSWER, number=2))
    session = await service.new_session(scenario=LOSS)

    answer = await act_knowing(service, session["id"], session["head"], PRODUCE, 1)

    assert [frame["frame"] for frame in answer["missed"]] == [1, 2]
    assert "state" in answer["frames"][0]


async def assert_whole_with(
    service: Service, session: str, held: list[dict[str, Any]], answer: dict[str, Any]
) -> None:
    """A client that adds an answer to what it holds has the whole timeline."""
    frames = [*unpacked([*held, *answer["missed"], *answer["frames"]])]
    assert len(frames) == answer["total"]
    assert frames == (await timeline(service, session))["frames"]


async def test_a_step_is_read_once(service: Service, monkeypatch: pytest.MonkeyPatch):
    session = await service.new_session()
    checked: list[object] = []

    def counting(step: dict[str, Any], scenario: Scenario) -> object:
        checked.append(step)
        return read_step(step, scenario)

    monkeypatch.setattr(sessions, "read_step", counting)
    monkeypatch.setattr(engine_timeline, "read_step", counting)
    assert (await service.act(session["id"], 0, PRODUCE)).status_code == 201

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
    read = (await service.client.get(f"{API}/sessions/{session['id']}")).json()
    assert read["head"] == 2
    assert read["branches"] == [
        {"head": 1, "first_frame": 0, "forked_after": None, "depth": 1},
        {"head": 2, "first_frame": 2, "forked_after": 0, "depth": 1},
    ]
    again = await service.act(session["id"], 0, CRASH)
    assert acted(again) == {"head": 2, "forked": True, "repeated": True, "frames": [2]}


async def test_an_action_that_cannot_happen_says_why_and_stores_nothing(service: Service):
    session = await service.new_session()
    await service.act(session["id"], 0, CRASH)

    response = await service.act(session["id"], 1, CRASH)

    assert response.status_code == 409
    problem = response.json()
    assert problem["code"] == "action_not_possible"
    assert problem["reason"]
    assert problem["reason_code"]
    assert "rule" in problem
    assert (await timeline(service, session["id"]))["total"] == 2


@pytest.mark.parametrize("kind", ["note", "ask", "expect"])
async def test_words_about_a_frame_are_no_action(service: Service, kind: str):
    session = await service.new_session()

    response = await service.act(session["id"], 0, {kind: {"en": "a", "zh": "b"}})

    assert response.status_code in (409, 422)
    assert (await timeline(service, session["id"]))["total"] == 1


async def test_a_frame_that_does_not_exist_is_wrong_input(service: Service):
    session = await service.new_session()

    for after in (1, 9999):
        response = await service.act(session["id"], after, CRASH)

        assert response.status_code == 422
        assert response.json()["code"] == "no_such_frame"
        assert response.json()["errors"][0]["where"] == "/after"


async def test_two_tabs_that_do_the_same_at_once_do_it_once(service: Service):
    session = await service.new_session()

    responses = await asyncio.gather(*(service.act(session["id"], 0, PRODUCE) for _ in range(10)))

    assert sorted(response.status_code for response in responses) == [200] * 9 + [201]
    assert {
        tuple(frame["frame"] for frame in response.json()["frames"]) for response in responses
    } == {(1,)}
    assert (await timeline(service, session["id"]))["total"] == 2


async def test_two_tabs_that_do_different_things_at_once_both_do_them(service: Service):
    session = await service.new_session()
    steps = [{"produce": {"to": "t-0", "values": [f"m{n}"], "as": "p1"}} for n in range(10)]

    responses = await asyncio.gather(*(service.act(session["id"], 0, step) for step in steps))

    assert [response.status_code for response in responses] == [201] * 10
    assert sorted(response.json()["frames"][0]["frame"] for response in responses) == list(
        range(1, 11)
    )
    assert sorted(response.json()["forked"] for response in responses) == [False] + [True] * 9


async def test_two_processes_on_one_database_lose_and_double_nothing(
    database_url: str, start_service: StartService
):
    async with start_service(database_url) as one, start_service(database_url) as two:
        session = (await one.new_session())["id"]
        steps = [
            {"produce": {"to": "t-0", "values": [f"m{n // 2}"], "as": "p1"}} for n in range(20)
        ]

        responses = await asyncio.gather(
            *(
                (one if number % 2 else two).act(session, 0, step)
                for number, step in enumerate(steps)
            )
        )

        assert sorted(response.status_code for response in responses) == [200] * 10 + [201] * 10
        seen_by_one = await timeline(one, session)
        assert seen_by_one == await timeline(two, session)
        assert seen_by_one["total"] == 11
        for step, response in zip(steps, responses, strict=True):
            (made,) = response.json()["frames"]
            number = made["frame"]
            done = seen_by_one["frames"][number]["action"]
            assert done["produce"]["values"] == step["produce"]["values"]


async def test_a_step_that_comes_while_a_session_is_read_is_not_half_read(
    database_url: str, start_service: StartService, monkeypatch: pytest.MonkeyPatch
):
    list_steps = repository.list_steps
    async with start_service(database_url) as one, start_service(database_url) as two:
        session = (await one.new_session())["id"]

        async def slowly(*arguments: Any, **options: Any) -> list[repository.StoredStep]:
            monkeypatch.setattr(repository, "list_steps", list_steps)
            assert (await one.act(session, 0, PRODUCE)).status_code == 201
            return await list_steps(*arguments, **options)

        monkeypatch.setattr(repository, "list_steps", slowly)

        assert (await timeline(two, session))["total"] == 1
        assert (await timeline(two, session))["total"] == 2


async def test_one_process_goes_on_where_another_one_stopped(
    database_url: str, start_service: StartService
):
    async with start_service(database_url) as one, start_service(database_url) as two:
        session = (await one.new_session())["id"]
        for after in range(6):
            service = one if after % 2 else two
            step = {"produce": {"to": "t-0", "values": [f"m{after}"], "as": "p1"}}

            response = await service.act(session, after, step)

            assert [frame["frame"] for frame in response.json()["frames"]] == [after + 1]
            assert not response.json()["forked"]


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


async def test_a_timeline_in_pieces_is_the_timeline(service: Service):
    session = await service.new_session(scenario=LOSS)
    whole = await timeline(service, session["id"])

    piece = await timeline(service, session["id"], "from=2&to=5&full=1")

    assert piece["frames"] == whole["frames"][2:5]
    assert piece["total"] == whole["total"] == session["frames"]
    assert (await timeline(service, session["id"], f"from={whole['total']}"))["frames"] == []


@pytest.mark.parametrize(
    "query",
    [
        "from=0&to=501",
        "from=5&to=4",
        "from=-1",
        "to=1e3",
        "from=abc",
        "from=1_0",
        "from=%2B5",
        "from=%D9%A3",
        "from=01",
        "from=%00",
        "from=99999999999999999999",
        "from=1&from=2",
        "full=yes",
        "from=",
    ],
)
async def test_a_wrong_range_is_refused(service: Service, query: str):
    session = await service.new_session()

    response = await service.client.get(f"{API}/sessions/{session['id']}/timeline?{query}")

    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    "identifier", ["x", "1" * 25, "1" * 27, "u" * 26, "%3Akey", "%00", "..%2f..", "1" * 2000]
)
async def test_what_cannot_be_an_id_is_not_found_without_a_query(
    service: Service, identifier: str, monkeypatch: pytest.MonkeyPatch
):
    # Housekeeping, which may run meanwhile, takes this error for a database that is away.
    def no_query(*_arguments: object) -> None:
        raise SQLAlchemyError("the database was asked")

    monkeypatch.setattr(service.app.state.services.database, "reading", no_query)
    monkeypatch.setattr(service.app.state.services.database, "writing", no_query)

    response = await service.client.get(f"{API}/sessions/{identifier}")

    assert response.status_code == 404
    assert response.headers["content-type"] == "application/problem+json"


async def test_a_session_that_does_not_exist_is_not_found(service: Service):
    responses: list[httpx.Response] = [
        await service.client.get(f"{API}/sessions/{'1' * 26}"),
        await service.client.get(f"{API}/sessions/{'1' * 26}/timeline"),
        await service.act("1" * 26, 0, CRASH),
        await service.client.post(
            f"{API}/sessions", json={"session": "1" * 26, "at": 0, "kafka": "3.9"}
        ),
    ]

    assert {response.status_code for response in responses} == {404}


async def test_an_id_is_understood_however_it_is_typed(service: Service):
    session = await service.new_session()

    response = await service.client.get(f"{API}/sessions/{session['id'].upper()}")

    assert response.json()["id"] == session["id"]


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
async def test_other_settings_that_cannot_be_are_refused(service: Service, wrong: dict[str, Any]):
    session = await service.new_session(scenario_id="s26")

    response = await service.client.post(
        f"{API}/sessions", json={"session": session["id"], "at": session["head"], **wrong}
    )

    assert response.status_code == 422


async def test_choices_say_what_can_be_done_and_why_the_rest_cannot(service: Service):
    session = await service.new_session()

    response = await service.client.get(f"{API}/sessions/{session['id']}/choices?after=0")

    choices = response.json()
    assert response.status_code == 200
    assert any(choice["enabled"] for choice in choices)
    for choice in choices:
        assert {"step", "actor", "enabled", "reason"} <= choice.keys()
        assert (choice["reason"] is None) == choice["enabled"]
    missing = await service.client.get(f"{API}/sessions/{session['id']}/choices")
    assert missing.status_code == 422
    beyond = await service.client.get(f"{API}/sessions/{session['id']}/choices?after=7")
    assert beyond.json()["code"] == "no_such_frame"


async def test_an_enabled_choice_can_be_done_as_it_is_written(service: Service):
    session = await service.new_session()
    choices = (await service.client.get(f"{API}/sessions/{session['id']}/choices?after=0")).json()

    for choice in [choice for choice in choices if choice["enabled"]][:10]:
        response = await service.act(session["id"], 0, choice["step"])

        assert response.status_code == 201, (choice, response.text)


async def test_a_session_that_fell_out_of_memory_is_as_it_was(
    service: Service, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(service.app.state.services.timelines, "_most_timelines", 1)
    session = await service.new_session()
    await service.act(session["id"], 0, PRODUCE)
    before = await timeline(service, session["id"])
    await service.new_session()
    assert len(service.app.state.services.timelines) == 1

    assert await timeline(service, session["id"]) == before
    assert (await service.act(session["id"], 0, PRODUCE)).json()["repeated"]


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


async def test_a_document_of_ones_own_is_no_shipped_scenario(service: Service):
    session = await service.new_session(scenario=SCENARIO)

    assert session["scenario_id"] is None
    assert session["kafka"] == "3.9"
    assert session["control"] == "kraft"


@pytest.mark.parametrize("scenario", list_shipped(), ids=lambda scenario: scenario.alias)
async def test_every_lesson_can_be_sent_as_the_text_of_its_file(
    sqlite_service: Service, scenario: Scenario
):
    shown = await sqlite_service.client.get(f"{API}/scenarios/{scenario.id}")

    session = await sqlite_service.new_session(scenario_text=shown.json()["text"])

    lesson = {key: said for key, said in shown.json()["scenario"].items() if key != "chapter"}
    assert session["scenario"] == lesson  # the chapter is the folder of the file
    assert session["scenario_id"] is None


async def test_a_scenario_can_be_sent_as_json_text(service: Service):
    session = await service.new_session(scenario_text=json.dumps(SCENARIO, indent=2))

    assert session["scenario"]["id"] == SCENARIO["id"]


async def test_what_is_wrong_in_a_text_is_told_by_line_and_column(service: Service):
    text = """\
id: mine
kafka: "3.9"
brokers: [1, 2]
topics: [{name: t, partitions: [{replicas: [1, 2]}]}]
steps:
  - crash: {broker: 9}
  - crush: {broker: 1}
"""

    refused = await service.client.post(f"{API}/sessions", json={"scenario_text": text})

    assert refused.status_code == 422
    assert refused.json()["code"] == "invalid_scenario"
    first, second = refused.json()["errors"]
    assert (first["where"], first["line"]) == ("/scenario_text/steps/0/crash/broker", 6)
    assert text.splitlines()[5][first["column"] - 1 :].startswith("9")
    assert second["line"] == 7


@pytest.mark.parametrize(
    ("text", "line"),
    [("steps: [", 1), ("id: a\nid: b\n", 2), ("a: &x 1\nb: *x\n", 1), ("[" * 40, 1), ("- 1\n", 1)],
)
async def test_a_text_that_is_no_scenario_is_refused_at_its_line(
    service: Service, text: str, line: int
):
    refused = await service.client.post(f"{API}/sessions", json={"scenario_text": text})

    assert refused.status_code == 422
    assert refused.json()["errors"][0]["line"] == line


async def test_a_text_may_be_no_longer_than_any_body(service: Service):
    text = "# " + "x" * 256 * 1024

    refused = await service.client.post(f"{API}/sessions", json={"scenario_text": text})

    assert refused.status_code == 413


@pytest.mark.parametrize("scenario", list_shipped(), ids=lambda scenario: scenario.alias)
async def test_every_lesson_comes_back_from_the_database_as_it_was(
    sqlite_service: Service, scenario: Scenario
):
    session = await sqlite_service.new_session(scenario_id=scenario.id)
    before = await timeline(sqlite_service, session["id"])
    sqlite_service.app.state.services.timelines.forget(session["id"])

    assert await timeline(sqlite_service, session["id"]) == before


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
    too_long = await service.client.post(f"{API}/sessions", json={"scenario": LOSS})
    assert too_long.status_code == 422
    assert too_long.json()["code"] == "limit_reached"


async def test_a_branch_is_told_in_steps(service: Service):
    session = await service.new_session(scenario=LOSS)
    path = f"{API}/sessions/{session['id']}"

    story = (await service.client.get(f"{path}/story")).json()
    frames = (await service.client.get(f"{path}/timeline?full=1")).json()["frames"]

    assert story["head"] == session["head"]
    assert [step["step"] for step in story["story"]] == sorted({frame["step"] for frame in frames})
    for step in story["story"]:
        made = [frame["frame"] for frame in frames if frame["step"] == step["step"]]
        assert (step["first_frame"], step["last_frame"]) == (made[0], made[-1])
        assert set(step["title"]) == set(step["summary"]) == {"en", "zh"}


async def test_an_action_is_answered_with_the_steps_that_it_made_or_made_longer(service: Service):
    session = await service.new_session()
    produce = {"produce": {"to": "t-0", "values": ["m1"]}}
    fetch = {"fetch": {"broker": 2}}
    produced = (await service.act(session["id"], 0, produce)).json()
    fetched = (await service.act(session["id"], produced["head"], fetch)).json()

    again = (await service.act(session["id"], fetched["head"], fetch)).json()

    assert [step["title"]["en"] for step in produced["story"]] == ["produce m1"]
    assert [step["title"]["en"] for step in fetched["story"]] == ["fetch"]
    assert [step["title"]["en"] for step in again["story"]] == ["fetch ×2"]
    assert again["story"][0]["first_frame"] == fetched["frames"][0]["frame"]
    told = await service.client.get(f"{API}/sessions/{session['id']}/story?at=0")
    assert told.json()["story"][1:] == produced["story"] + again["story"]


async def test_the_story_of_a_frame_that_does_not_exist_is_refused(service: Service):
    session = await service.new_session()

    response = await service.client.get(f"{API}/sessions/{session['id']}/story?at=9")

    assert response.status_code == 422
    assert response.json()["code"] == "no_such_frame"


async def test_work_beyond_its_budget_is_refused_and_nothing_of_it_is_kept(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    session = await sqlite_service.new_session(scenario=SCENARIO)
    timelines = sqlite_service.app.state.services.timelines
    monkeypatch.setattr(timelines, "_budget_s", 0.0)

    acted = await sqlite_service.act(session["id"], 0, {"run": {"ms": 86_400_000}})
    created = await sqlite_service.client.post(f"{API}/sessions", json={"scenario": LOSS})

    for refused in (acted, created):
        assert refused.status_code == 422
        assert refused.json()["code"] == "budget_exceeded"
        assert "frame 1" in refused.json()["detail"]
    monkeypatch.undo()
    assert (await timeline(sqlite_service, session["id"]))["total"] == 1
    assert (await sqlite_service.act(session["id"], 0, CRASH)).status_code == 201


async def test_what_was_accepted_comes_back_whatever_the_budget(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    session = await sqlite_service.new_session(scenario=LOSS)
    timelines = sqlite_service.app.state.services.timelines
    timelines.forget(session["id"])
    monkeypatch.setattr(timelines, "_budget_s", 0.0)

    assert (await timeline(sqlite_service, session["id"]))["total"] == session["frames"]
