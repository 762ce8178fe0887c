"""Several clients, tabs and processes act on one session."""

import asyncio
from typing import Any

import pytest

from backend.answers.open_run import StoredStep
from backend.sessions import repository
from tests.backend.conftest import Service, StartService
from tests.backend.sessions.requests import PRODUCE, timeline


async def test_the_same_step_from_two_tabs_is_performed_once(service: Service):
    session = await service.new_session()

    responses = await asyncio.gather(*(service.act(session["id"], 0, PRODUCE) for _ in range(10)))

    assert sorted(response.status_code for response in responses) == [200] * 9 + [201]
    assert {
        tuple(frame["frame"] for frame in response.json()["frames"]) for response in responses
    } == {(1,)}
    assert (await timeline(service, session["id"]))["total"] == 2


async def test_different_steps_from_two_tabs_are_both_performed(service: Service):
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


async def test_a_step_added_while_a_session_is_read_is_not_read_partially(
    database_url: str, start_service: StartService, monkeypatch: pytest.MonkeyPatch
):
    list_steps = repository.list_steps
    async with start_service(database_url) as one, start_service(database_url) as two:
        session = (await one.new_session())["id"]

        async def slowly(*arguments: Any, **options: Any) -> list[StoredStep]:
            monkeypatch.setattr(repository, "list_steps", list_steps)
            assert (await one.act(session, 0, PRODUCE)).status_code == 201
            return await list_steps(*arguments, **options)

        monkeypatch.setattr(repository, "list_steps", slowly)

        assert (await timeline(two, session))["total"] == 1
        assert (await timeline(two, session))["total"] == 2


async def test_a_process_continues_where_another_one_stopped(
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
