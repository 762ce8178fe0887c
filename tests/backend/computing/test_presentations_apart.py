"""Presentations of submitted runs: the computing process computes, the serving process streams."""

import asyncio
import os
import signal
import sys

import pytest
from starlette.responses import Response

from tests.backend.computing.conftest import IN_ONE_LOOP, number_of_process, until
from tests.backend.conftest import API, Service, StartService
from tests.backend.test_presentations import MOMENT, present

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="reads processes from /proc"),
    IN_ONE_LOOP,
]


async def test_followers_see_a_submitted_run_that_only_the_computing_process_has(apart: Service):
    presented = await present(apart)
    follower = await presented.follow()
    first = await follower.told("scene")
    await presented.show(frame=3)
    second = await follower.told("scene", lambda scene: scene["version"] == 2)
    await follower.leave()

    assert len(first["frames"]) == 1
    assert len(second["frames"]) == 4
    assert len(apart.services.timelines) == 0


async def test_the_scene_is_the_same_as_without_the_computing_process(
    apart: Service, start_service: StartService
):
    presented = await present(apart)
    await presented.show(frame=3, whole=True)
    address = f"{API}/presentations/{presented.code}/scene"
    there = await apart.client.get(address)
    async with start_service(apart.settings.database_url) as alone:
        here = await alone.client.get(address)

    assert there.status_code == 200, there.text
    assert there.json() == here.json()
    assert here.json()["version"] == 2


async def test_all_followers_together_cost_the_computing_process_one_request_for_each_scene(
    apart: Service, monkeypatch: pytest.MonkeyPatch
):
    presented = await present(apart)
    computing = apart.services.computing
    assert computing is not None
    asked: list[str] = []
    get = computing.get

    async def counted(path: str) -> Response:
        asked.append(path)
        return await get(path)

    monkeypatch.setattr(computing, "get", counted)
    followers = [await presented.follow() for _ in range(200)]
    await asyncio.gather(*(follower.told("scene") for follower in followers))
    await presented.show(frame=3)
    await asyncio.gather(
        *(follower.told("scene", lambda scene: scene["version"] == 2) for follower in followers)
    )
    for follower in followers:
        await follower.leave()

    assert asked == [f"{API}/presentations/{presented.code}/scene"] * 2


async def test_a_change_reaches_the_followers_before_the_next_poll(
    apart: Service, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("backend.presentations.service._LOOK_EVERY_S", 3600)
    presented = await present(apart)
    follower = await presented.follow()
    await follower.told("scene")
    await presented.show(frame=3)

    assert await follower.told("scene", lambda scene: scene["version"] == 2)
    await follower.leave()


async def test_followers_stay_while_the_computing_process_is_replaced(apart: Service):
    presented = await present(apart)
    follower = await presented.follow()
    await follower.told("scene")
    os.kill(number_of_process(), signal.SIGKILL)

    async def is_shown() -> bool:
        response = await apart.client.put(
            f"{API}/presentations/{presented.code}",
            json={**MOMENT, "frame": 3},
            headers=presented.authorization,
        )
        return response.status_code == 204

    await until(is_shown)
    assert await follower.told("scene", lambda scene: len(scene["frames"]) == 4)
    await follower.leave()


async def test_the_last_scene_of_an_ended_presentation_reaches_its_followers(apart: Service):
    presented = await present(apart)
    follower = await presented.follow()
    await follower.told("scene")
    ended = await apart.client.delete(
        f"{API}/presentations/{presented.code}", headers=presented.authorization
    )

    assert ended.status_code == 204
    assert await follower.told("scene", lambda scene: scene["ended"])
    assert await follower.is_over()
