"""Health and metrics of the service, for its operator."""

import asyncio
import contextlib
import re
import shutil
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

from backend.answers.long_requests import SearchCreate
from backend.computing.wire import Sample
from backend.limit_table import PICTURES_WAITING
from backend.services import Services
from tests.backend.conftest import API, Service, StartService


async def test_health_asks_the_database_only_when_it_should(fresh_service: Service):
    assert (await fresh_service.client.get("/livez")).status_code == 200
    ready = await fresh_service.client.get("/readyz")
    assert ready.status_code == 200
    assert ready.headers["content-type"] == "application/health+json"

    await fresh_service.services.database.close()
    fresh_service.services.health.drain()

    assert (await fresh_service.client.get("/livez")).status_code == 200
    assert (await fresh_service.client.get("/readyz")).status_code == 503


async def test_what_happens_is_counted(fresh_service: Service):
    session = await fresh_service.new_session()
    await fresh_service.share(session["id"], 0)
    await fresh_service.client.get(f"{API}/sessions/nope")

    text = (await fresh_service.client.get("/metrics")).text

    assert 'highwater_sessions_created_total{source="document"} 1' in text
    assert "highwater_shares_created_total 1" in text
    assert "highwater_shares_stored 1" in text
    assert 'highwater_invalid_input_total{code="not_found"} 1' in text
    assert session["id"] not in text


async def test_embeds_of_a_lesson_are_counted_by_its_id(fresh_service: Service):
    paths = ("/e/v1/lessons/two-rounds?kafka=3.9", "/e/v1/lessons/s26", "/e/v1/lessons/no-such")
    for path in paths:
        await fresh_service.client.get(path)

    text = (await fresh_service.client.get("/metrics")).text

    counted = re.findall(r"^highwater_lesson_embeds_total(.*)$", text, re.MULTILINE)
    assert sorted(counted) == ['{lesson="kip-101-data-loss"} 1.0', '{lesson="two-rounds"} 1.0']


async def test_durations_are_measured_by_route_and_by_task(fresh_service: Service):
    session = await fresh_service.new_session()
    await fresh_service.act(session["id"], 0, {"crash": {"broker": 2}})

    metrics = (await fresh_service.client.get("/metrics")).text

    acting = f'route="{API}/sessions/{{id}}/actions"'
    assert f'highwater_http_request_duration_seconds_count{{method="POST",{acting}}} 1' in metrics
    assert re.search(r"^highwater_sim_duration_seconds_count [1-9]", metrics, re.MULTILINE)
    for operation in ("select", "insert", "update", "commit"):
        assert f'highwater_db_query_seconds_count{{op="{operation}"}}' in metrics


async def test_work_that_waits_is_measured(sqlite_service: Service):
    services: Services = sqlite_service.services
    session = await sqlite_service.new_session()
    search = await services.searches.ask(session["id"], SearchCreate(max_depth=40))
    gate = threading.Event()
    # One visitor may do two short tasks and one long task at a time.
    tasks = [asyncio.create_task(services.lanes.compute(gate.wait)) for _ in range(3)]
    tasks += [asyncio.create_task(services.lanes.compute_long(gate.wait)) for _ in range(3)]
    await asyncio.sleep(0)  # each of them begins or waits
    with contextlib.ExitStack() as drawing:
        for queue, pictures in ((services.figures._waiting, 3), (services.raster._waiting, 2)):
            for _ in range(pictures):
                drawing.enter_context(queue.one_more(PICTURES_WAITING))
        busy = await load(sqlite_service)
    gate.set()
    await asyncio.gather(*tasks)
    await services.searches.close()
    assert search.last is not None
    idle = await load(sqlite_service)

    assert busy == {
        'tasks_waiting{lane="short"}': 1,
        'tasks_waiting{lane="long"}': 2,
        'pictures_waiting{format="svg"}': 3,
        'pictures_waiting{format="png"}': 2,
        "searches_running": 1,
    }
    assert idle == dict.fromkeys(busy, 0)


async def load(service: Service) -> dict[str, float]:
    """The gauges of work that waits."""
    text = (await service.client.get("/metrics")).text
    found = re.findall(
        r"^highwater_((?:tasks_waiting|pictures_waiting|searches_running)\S*) (\S+)$", text, re.M
    )
    return {name: float(value) for name, value in found}


@pytest.mark.parametrize("page", ["docs/how-to/operate.md", "docs/zh/how-to/operate.md"])
async def test_every_metric_that_the_documentation_names_exists(
    sqlite_service: Service, repository: Path, page: str
):
    named = set(re.findall(r"`(highwater_\w+)", (repository / page).read_text(encoding="utf-8")))
    text = (await sqlite_service.client.get("/metrics")).text
    exist = set(re.findall(r"^# TYPE (\w+)", text, re.M))

    assert len(named) > 10
    assert named <= exist


async def test_two_apps_in_one_process_count_apart(
    start_service: StartService, tmp_path: Path, migrated_file: Path
):
    urls = [f"sqlite:///{shutil.copy(migrated_file, tmp_path / name)}" for name in ("a", "b")]
    async with start_service(urls[0]) as one, start_service(urls[1]) as other:
        await one.new_session()

        counted = [(await app.client.get("/metrics")).text for app in (one, other)]

    assert ['{source="document"} 1' in text for text in counted] == [True, False]


async def test_requests_at_the_same_time_share_the_metrics(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    """To write them takes tens of milliseconds, and nobody is refused."""
    metrics = sqlite_service.services.metrics
    written: list[bytes] = []
    write = metrics.exposition

    def count(elsewhere: Iterable[Sample]) -> bytes:
        written.append(write(elsewhere))
        return written[-1]

    monkeypatch.setattr(metrics, "exposition", count)

    answers = await asyncio.gather(*(sqlite_service.client.get("/metrics") for _ in range(3)))
    later = await sqlite_service.client.get("/metrics")

    assert len(written) == 2
    assert [answer.content for answer in answers] == [written[0]] * 3
    assert later.content == written[1]
