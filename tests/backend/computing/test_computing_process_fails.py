"""What happens when the computing process ends, hangs or cannot be started."""

import asyncio
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from backend.computing import process as computing
from backend.operations import health
from tests.backend.computing.conftest import (
    ENDLESS,
    PATIENCE_S,
    computes,
    computing_processes,
    is_running,
    number_of_process,
    until,
)
from tests.backend.conftest import API, SCENARIO, Service, StartService
from tests.backend.test_restart_by_force import serving

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads times from /proc")


async def readiness(service: Service) -> int:
    return (await service.client.get("/readyz")).status_code


async def test_a_killed_computing_process_is_replaced_and_nothing_acknowledged_is_lost(
    apart_alone: Service,
):
    session = await apart_alone.new_session(scenario=SCENARIO)
    asking = asyncio.ensure_future(
        apart_alone.client.post(f"{API}/sessions", json=ENDLESS, timeout=PATIENCE_S)
    )
    killed = number_of_process()
    await until(computes(killed, for_s=0.3))
    os.kill(killed, signal.SIGKILL)

    response = await asking
    assert response.status_code == 503, response.text
    assert "retry-after" in response.headers

    address = f"{API}/sessions/{session['id']}"
    # Whatever concerns no run is answered meanwhile.
    assert (await apart_alone.client.get(f"{API}/scenarios")).status_code == 200

    async def is_back() -> bool:
        return (await apart_alone.client.get(address)).status_code == 200

    await until(is_back)
    assert number_of_process() != killed
    assert (await apart_alone.client.get(address)).json()["head"] == session["head"]


async def test_a_computing_process_that_does_not_respond_is_killed(
    database: str, start_service: StartService, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(computing, "_REPORTS_EVERY_S", 0.1)
    async with start_service(database, computes_apart=True) as apart:
        await apart.new_session(scenario=SCENARIO)  # it has started
        monkeypatch.setattr(computing, "_PATIENCE_S", 1.0)
        stopped = number_of_process()
        os.kill(stopped, signal.SIGSTOP)

        async def is_replaced() -> bool:
            return computing_processes() not in ([], [stopped])

        await until(is_replaced)
        assert not is_running(stopped)


async def test_a_computing_process_that_cannot_be_started_is_tried_again(
    database: str, start_service: StartService, monkeypatch: pytest.MonkeyPatch
):
    start = asyncio.create_subprocess_exec
    refusals = [OSError("no more processes")]

    async def refused_once(*command: str, **options: Any) -> asyncio.subprocess.Process:
        if refusals:
            raise refusals.pop()
        return await start(*command, **options)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", refused_once)
    async with start_service(database, computes_apart=True) as apart:
        await apart.new_session(scenario=SCENARIO)
        text = (await apart.client.get("/metrics")).text

    assert not refusals
    assert "highwater_computing_restarts_total 1.0" in text


async def test_a_service_whose_computing_process_does_not_start_is_not_ready_until_it_does(
    database: str, start_service: StartService, monkeypatch: pytest.MonkeyPatch
):
    start = asyncio.create_subprocess_exec
    refuses = True

    async def refused(*command: str, **options: Any) -> asyncio.subprocess.Process:
        if refuses:
            raise OSError("no more processes")
        return await start(*command, **options)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", refused)
    async with start_service(database, computes_apart=True) as apart:
        at_first = await readiness(apart)
        refuses = False

        async def is_ready() -> bool:
            return await readiness(apart) == 200

        monkeypatch.setattr(computing, "_REPORTS_EVERY_S", 0.05)
        await until(is_ready)

    assert at_first == 503


async def test_a_service_whose_computing_process_has_ended_for_long_is_not_ready(
    apart_alone: Service, monkeypatch: pytest.MonkeyPatch
):
    await apart_alone.new_session(scenario=SCENARIO)  # it has started
    monkeypatch.setattr(computing, "_RESTARTS_AFTER_S", PATIENCE_S)
    os.kill(number_of_process(), signal.SIGKILL)

    async def has_ended() -> bool:
        return not computing_processes()

    await until(has_ended)
    at_first = await readiness(apart_alone)
    monkeypatch.setattr(health, "_LONGEST_WAIT_S", 1.0)

    async def is_unready() -> bool:
        return await readiness(apart_alone) == 503

    await until(is_unready)
    assert at_first == 200


async def test_a_service_stays_ready_while_its_computing_process_is_replaced(apart_alone: Service):
    await apart_alone.new_session(scenario=SCENARIO)  # it has started
    killed = number_of_process()
    os.kill(killed, signal.SIGKILL)
    seen: set[int] = set()

    async def is_replaced() -> bool:
        seen.add(await readiness(apart_alone))
        return computing_processes() not in ([], [killed])

    await until(is_replaced)
    await apart_alone.new_session(scenario=SCENARIO)
    seen.add(await readiness(apart_alone))
    assert seen == {200}


async def test_the_computing_process_ends_with_the_service(
    database: str, start_service: StartService
):
    async with start_service(database, computes_apart=True):
        process = number_of_process()
    assert not is_running(process)


def test_the_computing_process_ends_when_the_service_is_killed(
    database: str, tmp_path: Path, repository: Path
):
    with serving(database, tmp_path / "frontend", repository) as server:
        number = server.process.pid
        children = Path(f"/proc/{number}/task/{number}/children").read_text().split()
        assert children
        server.end(signal.SIGKILL)

    end = time.monotonic() + PATIENCE_S
    while any(is_running(int(child)) for child in children):
        assert time.monotonic() < end
        time.sleep(0.05)


def test_windows_computes_in_the_serving_process(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "platform", "win32")
    assert not computing.can_compute_apart()
