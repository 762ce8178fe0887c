"""A session is created, found, read back, and rebuilt."""

import threading
from collections.abc import Mapping

import httpx
import pytest
from sqlalchemy.exc import SQLAlchemyError

from backend.answers import acting
from backend.answers.scenario_input import read_document
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import list_shipped
from tests.backend.conftest import API, LOSS, Service
from tests.backend.sessions.requests import CRASH, timeline
from tests.tables import for_each


async def test_a_new_session_has_done_all_steps_of_its_scenario(service: Service):
    session = await service.new_session(scenario=LOSS)

    assert session["head"] == session["frames"] - 1 > 0
    assert session["kafka"] == "0.10.2"
    assert session["control"] == "zookeeper"
    assert session["scenario_id"] is None
    assert session["branches"] == [
        {"head": session["head"], "first_frame": 0, "forked_after": None, "depth": session["head"]}
    ]


async def test_a_scenario_is_read_outside_the_event_loop(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    threads: list[threading.Thread] = []

    def read(document: Mapping[str, object]) -> Scenario:
        threads.append(threading.current_thread())
        return read_document(document)

    monkeypatch.setattr(acting, "read_document", read)
    await sqlite_service.new_session(scenario=LOSS)

    assert len(threads) == 1
    assert threading.current_thread() not in threads


async def test_a_shipped_scenario_is_found_by_its_alias(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario_id="s26")

    assert session["scenario"]["alias"] == "s26"
    assert session["scenario_id"] == session["scenario"]["id"] != "s26"


async def test_a_session_is_read_back_as_it_was_made(service: Service):
    created = await service.new_session(scenario=LOSS)

    read = await service.client.get(f"{API}/sessions/{created['id']}")

    assert read.json() == created


async def test_a_timeline_in_pieces_is_the_timeline(sqlite_service: Service):
    session = await sqlite_service.new_session(scenario=LOSS)
    whole = await timeline(sqlite_service, session["id"])

    piece = await timeline(sqlite_service, session["id"], "from=2&to=5&full=1")

    assert piece["frames"] == whole["frames"][2:5]
    assert piece["total"] == whole["total"] == session["frames"]
    assert (await timeline(sqlite_service, session["id"], f"from={whole['total']}"))["frames"] == []


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
async def test_a_wrong_range_is_refused(sqlite_service: Service, query: str):
    session = await sqlite_service.new_session()

    response = await sqlite_service.client.get(f"{API}/sessions/{session['id']}/timeline?{query}")

    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    "identifier", ["x", "1" * 25, "1" * 27, "u" * 26, "%3Akey", "%00", "..%2f..", "1" * 2000]
)
async def test_what_cannot_be_an_id_is_not_found_without_a_query(
    service: Service, identifier: str, monkeypatch: pytest.MonkeyPatch
):
    # Housekeeping, which may run meanwhile, treats this error as an unavailable database.
    def no_query(*_arguments: object) -> None:
        raise SQLAlchemyError("the database was asked")

    monkeypatch.setattr(service.services.database, "reading", no_query)
    monkeypatch.setattr(service.services.database, "writing", no_query)

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


@for_each("scenario", list_shipped, lambda scenario: scenario.alias)
async def test_every_lesson_is_restored_unchanged_from_the_database(
    sqlite_service: Service, scenario: Scenario
):
    session = await sqlite_service.new_session(scenario_id=scenario.id)
    before = await timeline(sqlite_service, session["id"])
    sqlite_service.services.timelines.forget(session["id"])

    assert await timeline(sqlite_service, session["id"]) == before
