"""Challenges over HTTP: their data, and attempts judged by the engine."""

from typing import Any

import pytest

from backend.lessons.release import release_digest
from sim_engine.challenges import solutions
from tests.backend.conftest import API, Service

TRIES = f"{API}/challenges/power-of-two/tries"
CUT_1 = {"power_loss": {"broker": 1}}
CUT_2 = {"power_loss": {"broker": 2}}


async def attempt(service: Service, *moves: dict[str, Any]) -> Any:
    answer = await service.client.post(TRIES, json={"moves": list(moves)})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_the_list_has_the_result_of_each_search(sqlite_service: Service) -> None:
    answer = await sqlite_service.client.get(f"{API}/challenges")

    searched = {one["id"]: one["searched"] for one in answer.json()["challenges"]}
    assert searched["power-of-two"]["best"] == 2
    states = solutions()["power-of-one"].states
    assert searched["power-of-one"] == {"best": None, "states": states, "complete": True}


async def test_two_moves_win(sqlite_service: Service) -> None:
    start = await attempt(sqlite_service)
    first = await attempt(sqlite_service, CUT_1)
    won = await attempt(sqlite_service, CUT_1, CUT_2)

    assert (start["result"], first["result"], won["result"]) == ("open", "open", "won")
    assert [one["left"]["power_loss"] for one in (start, first, won)] == [2, 1, 0]
    assert CUT_2 in [move["step"] for move in first["possible"]]
    assert "loses power" in won["told"]["en"]
    assert won["scenario"]["steps"][-2:] == [CUT_1, CUT_2]


async def test_the_start_is_kept_for_everyone(sqlite_service: Service) -> None:
    address = f"{API}/challenges/power-of-two/start"

    start = await sqlite_service.client.get(f"{address}?v={release_digest()}")
    known = {"If-None-Match": start.headers["etag"]}

    assert start.json() == await attempt(sqlite_service)
    assert "immutable" in start.headers["cache-control"]
    assert (await sqlite_service.client.get(address, headers=known)).status_code == 304


async def test_a_try_has_all_its_frames_and_those_at_which_moves_start(
    sqlite_service: Service,
) -> None:
    start = await attempt(sqlite_service)
    won = await attempt(sqlite_service, CUT_1, CUT_2)

    numbers = [frame["frame"] for frame in won["frames"]]
    assert numbers == list(range(len(numbers)))
    assert start["starts"] == []
    assert won["starts"][0] == len(start["frames"])
    actions = [won["frames"][number]["action"] for number in won["starts"]]
    assert actions == [CUT_1, CUT_2]


async def test_a_move_names_who_takes_it_and_its_place_on_a_row(sqlite_service: Service) -> None:
    start = await attempt(sqlite_service)

    by_step = {str(move["step"]): (move["actor"], move["row"]) for move in start["possible"]}
    assert by_step[str(CUT_1)][0] == "1"
    assert isinstance(by_step[str(CUT_1)][1], int)


async def test_a_try_can_be_opened_as_a_run(sqlite_service: Service) -> None:
    won = await attempt(sqlite_service, CUT_1, CUT_2)

    session = await sqlite_service.new_session(scenario=won["scenario"])

    assert session["scenario"]["id"] == "power-of-two"


@pytest.mark.parametrize("move", [{"crash": {"broker": 1}}, {}, {"nonsense": 3}])
async def test_a_move_that_cannot_be_made_is_refused_with_its_place(
    sqlite_service: Service, move: dict[str, Any]
) -> None:
    answer = await sqlite_service.client.post(TRIES, json={"moves": [CUT_1, move]})

    assert answer.status_code == 422
    problem = answer.json()
    assert problem["errors"][0]["where"] == "/moves/1"
    assert problem["said"] == problem["errors"][0]["said"]
    assert problem["said"]["en"] == problem["detail"]
    assert problem["said"]["zh"].startswith("这一步现在不能走")


async def test_too_many_moves_are_refused(sqlite_service: Service) -> None:
    answer = await sqlite_service.client.post(TRIES, json={"moves": [CUT_1] * 41})

    assert answer.status_code == 422


@pytest.mark.parametrize("path", ["/challenges/none", f"{API}/challenges/none"])
async def test_a_challenge_that_does_not_exist_is_not_found(
    sqlite_service: Service, path: str
) -> None:
    assert (await sqlite_service.client.get(path)).status_code == 404
