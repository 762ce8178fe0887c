"""The computing process: what it answers and measures, and when it ends."""

import asyncio
import os
import re
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from backend.commands.compute import serve_runs
from backend.computing.wire import ANSWERS, Report, ReportAsked, encoded, read
from backend.operations.logs import LogOutput
from sim_engine.campaign.summary import shipped_campaign
from tests.backend.computing.conftest import (
    ENDLESS,
    IN_ONE_LOOP,
    PATIENCE_S,
    computed_s,
    computes,
    number_of_process,
    until,
)
from tests.backend.conftest import API, SCENARIO, Service, StartService

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="reads times from /proc"),
    IN_ONE_LOOP,
]


@pytest.mark.parametrize("body", [{"scenario": SCENARIO}, {"scenario_id": "kip-101-data-loss"}])
async def test_a_run_is_computed_in_the_computing_process(
    apart: Service, passed_on: list[str], body: dict[str, Any]
):
    session = await apart.new_session(**body)
    address = f"{API}/sessions/{session['id']}"
    acted = await apart.act(session["id"], session["head"], {"run": {"ms": 1_000}})
    timeline = await apart.client.get(f"{address}/timeline")

    assert acted.status_code == 201, acted.text
    assert len(timeline.json()["frames"]) > session["head"]
    assert passed_on == [
        f"POST {API}/sessions",
        f"POST {address}/actions",
        f"GET {address}/timeline",
    ]
    assert len(apart.services.timelines) == 0


async def test_what_concerns_no_run_is_answered_by_the_serving_process(
    apart: Service, passed_on: list[str]
):
    paths = ["searches/faults", "schemas/scenario", "insights/campaign", "scenarios"]
    answers = [await apart.client.get(f"{API}/{path}") for path in paths]

    assert [answer.status_code for answer in answers] == [200] * len(paths)
    assert passed_on == []


async def test_ids_that_do_not_exist_are_counted_together_for_both_processes(apart: Service):
    with apart.allowing_misses(3):
        sessions = [await apart.client.get(f"{API}/sessions/{number:026d}") for number in range(2)]
        share = await apart.client.get(f"{API}/shares/{0:026d}")
        scene = await apart.client.get(f"{API}/presentations/aaaaa2/scene")

    assert [answer.status_code for answer in (*sessions, share, scene)] == [404, 404, 404, 429]


async def test_codes_that_do_not_exist_are_counted_once_each(apart: Service):
    paths = ["scene", "events", "scene", "scene"]
    with apart.allowing_misses(3):
        codes = [await apart.client.get(f"{API}/presentations/aaaaa2/{path}") for path in paths]

    assert [answer.status_code for answer in codes] == [404, 404, 404, 429]


@pytest.mark.parametrize(
    "body",
    [
        {"scenario": {"scenario": 1}},
        {"scenario_text": "not: [yaml"},
        {"session": "nonsense", "at": 0},
        {},
    ],
    ids=["invalid", "no YAML", "no session", "empty"],
)
async def test_an_invalid_request_is_answered_as_without_the_computing_process(
    apart: Service, start_service: StartService, body: dict[str, Any]
):
    there = await apart.client.post(f"{API}/sessions", json=body)
    async with start_service(apart.settings.database_url) as alone:
        here = await alone.client.post(f"{API}/sessions", json=body)

    assert (there.status_code, there.json()) == (here.status_code, here.json())
    ignored = {"x-request-id", "date"}
    assert {name: there.headers[name] for name in there.headers if name not in ignored} == {
        name: here.headers[name] for name in here.headers if name not in ignored
    }


async def test_the_owners_key_reaches_the_computing_process(apart: Service):
    session = await apart.new_session(scenario=SCENARIO, owned=True)
    address = f"{API}/sessions/{session['id']}/actions"
    body = {"after": session["head"], "step": {"settle": {}}}
    key = {"Authorization": f"Bearer {session['owner_key']}"}

    assert (await apart.client.post(address, json=body)).status_code == 403
    assert (await apart.client.post(address, json=body, headers=key)).status_code == 201


async def test_the_quotas_count_requests_of_both_processes_together(
    database: str, start_service: StartService
):
    async with start_service(database, computes_apart=True, sessions_a_minute=3) as limited:
        bodies: list[dict[str, Any]] = [{"scenario": SCENARIO}, {"scenario_id": "unnoticed-bounce"}]
        responses = [await limited.client.post(f"{API}/sessions", json=body) for body in bodies * 2]
    assert [response.status_code for response in responses] == [201, 201, 201, 429]
    assert "retry-after" in responses[-1].headers


async def test_a_search_streams_its_events_through_both_processes(
    apart: Service, passed_on: list[str]
):
    session = await apart.new_session(scenario=SCENARIO)
    address = f"{API}/sessions/{session['id']}/searches"
    async with apart.client.stream("POST", address, json={"max_depth": 2}) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        lines = [line async for line in response.aiter_lines()]
    assert "event: result" in lines
    assert passed_on[-1] == f"POST {address}"


@pytest.mark.parametrize(
    ("room", "body"),
    [("drafts", {"scenario": {"scenario": 1}}), ("imports", {"text": "Topic: t"})],
    ids=["drafts", "imports"],
)
async def test_what_people_write_is_read_by_the_computing_process(
    apart: Service, passed_on: list[str], room: str, body: dict[str, Any]
):
    await apart.client.post(f"{API}/{room}", json=body)

    assert passed_on == [f"POST {API}/{room}"]


async def test_work_stops_when_its_client_disconnects(apart: Service):
    asking = asyncio.ensure_future(
        apart.client.post(f"{API}/sessions", json=ENDLESS, timeout=PATIENCE_S)
    )
    process = number_of_process()
    await until(computes(process, for_s=0.5))

    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)

    async def computes_no_longer() -> bool:
        before = computed_s(process)
        await asyncio.sleep(0.5)
        return computed_s(process) - before < 0.1

    await until(computes_no_longer)


async def test_its_counters_are_part_of_the_metrics_and_count_what_is_passed_on_once(
    database: str, start_service: StartService
):
    async with start_service(database, computes_apart=True) as counted:
        await counted.new_session(scenario=SCENARIO)
        await counted.new_session(scenario_id="unnoticed-bounce")
        text = (await counted.client.get("/metrics")).text

    created = re.findall(
        r'^highwater_sessions_created_total\{source="(\w+)"\} ([\d.]+)', text, re.M
    )
    assert sorted(created) == [("document", "1.0"), ("shipped", "1.0")]
    assert text.count("# TYPE highwater_sessions_created_total") == 1
    asked = re.findall(r'^highwater_http_requests_total\{.*route="(.*?)".*\} (.*)', text, re.M)
    assert [number for route, number in asked if "sessions" in route] == ["2.0"]


async def test_work_that_waits_in_it_is_measured_until_it_ends(apart: Service):
    long = 'highwater_tasks_waiting{lane="long"}'
    asking = [
        asyncio.ensure_future(
            apart.client.post(f"{API}/sessions", json=ENDLESS, timeout=PATIENCE_S)
        )
        for _ in range(3)
    ]

    async def is_measured() -> bool:
        return f"{long} 2.0" in (await apart.client.get("/metrics")).text

    await until(is_measured)
    os.kill(number_of_process(), signal.SIGKILL)
    await asyncio.gather(*asking)

    async def is_restarted() -> bool:
        text = (await apart.client.get("/metrics")).text
        return f"{long} 0.0" in text and "highwater_computing_restarts_total 1.0" in text

    await until(is_restarted)


async def test_a_run_of_a_submitted_grid_is_computed_in_the_computing_process(
    apart: Service, passed_on: list[str]
):
    campaign = shipped_campaign()
    shipped = await apart.client.get(f"{API}/insights/campaign/runs/1/0")
    body = {"grid": campaign.grid, "cell": 1, "seed": 0}
    submitted = await apart.client.post(f"{API}/insights/runs", json=body)

    assert passed_on == [f"POST {API}/insights/runs"]
    assert submitted.json() == shipped.json()


async def test_log_lines_that_the_computing_process_drops_are_counted(
    apart: Service, tmp_path: Path
):
    address = tmp_path / "socket"
    with open(os.devnull, "wb") as nowhere:
        output = LogOutput(nowhere.fileno())
        serving = asyncio.create_task(serve_runs(apart.settings, address, output))

        async def listens() -> bool:
            return address.exists()

        await until(listens)
        output.on_drop()
        reader, writer = await asyncio.open_unix_connection(address)
        writer.write(encoded(ReportAsked()))
        report = await read(reader, ANSWERS)
        writer.close()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        output.close()

    assert isinstance(report, Report)
    dropped = [it.value for it in report.samples if it.name == "highwater_log_lines_dropped_total"]
    assert dropped == [1.0]
