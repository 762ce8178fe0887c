"""If a worker process of the service is killed, only its request fails."""

import asyncio
import os
import signal
from collections.abc import Awaitable
from typing import Any

import httpx
import pytest

from tests.backend.conftest import API, LOSS, Service

Started = list[asyncio.subprocess.Process]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    """The child processes of the service, the newest last."""
    processes: Started = []
    start = asyncio.create_subprocess_exec

    async def remember(*arguments: Any, **options: Any) -> asyncio.subprocess.Process:
        processes.append(await start(*arguments, **options))
        return processes[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", remember)
    return processes


async def killed_while(asking: Awaitable[httpx.Response], started: Started) -> httpx.Response:
    """The response to a request whose process is killed as soon as it exists."""
    task = asyncio.ensure_future(asking)
    while not started:
        assert not task.done(), task.result().text
        await asyncio.sleep(0.01)
    os.kill(started[-1].pid, signal.SIGKILL)
    return await task


async def test_a_killed_search_reports_an_error_and_releases_its_slot(
    sqlite_service: Service, started: Started
):
    session = (await sqlite_service.new_session())["id"]
    address = f"{API}/sessions/{session}/searches"
    long = {"max_depth": 40, "seconds": 60, "budget": {"produce": 10, "drop": 10}}

    # As many as one visitor may have, one after another: a killed process frees its slot.
    for _ in range(3):
        asking = sqlite_service.client.post(address, json=long, timeout=60)
        killed = await killed_while(asking, started)
        assert killed.status_code == 200
        assert killed.text.rsplit("event: ", 1)[1].startswith("error\n")
        assert '"code":"search_failed"' in killed.text
        started.clear()
    # Actions meanwhile are not affected, and the next search is complete.
    acted = await sqlite_service.act(session, 0, {"crash": {"broker": 2}})
    again = await sqlite_service.client.post(
        address, json={"budget": {}, "max_depth": 1}, timeout=60
    )

    assert acted.status_code == 201
    assert "event: result" in again.text


async def test_a_picture_whose_process_is_killed_is_drawn_when_it_is_asked_for_again(
    sqlite_service: Service, started: Started
):
    sid = await sqlite_service.shared(3, scenario=LOSS)
    picture = f"/s/{sid}.png?frame=2"

    killed = await killed_while(sqlite_service.client.get(picture), started)
    again = await sqlite_service.client.get(picture)

    # Whoever shows the link gets the picture of the site, and keeps it for no other time.
    assert (killed.status_code, killed.headers["content-type"]) == (200, "image/png")
    assert killed.headers["cache-control"] == "no-store"
    assert killed.content != again.content
    assert (again.status_code, again.headers["content-type"]) == (200, "image/png")
    ended, drawing = started
    assert (ended.returncode is None, drawing.returncode is None) == (False, True)
