"""Health and metrics of the service, for its operator."""

import re
import shutil
from pathlib import Path

from tests.backend.conftest import API, Service, StartService


async def test_health_asks_the_database_only_when_it_should(fresh_service: Service):
    assert (await fresh_service.client.get("/livez")).status_code == 200
    ready = await fresh_service.client.get("/readyz")
    assert ready.status_code == 200
    assert ready.headers["content-type"] == "application/health+json"

    await fresh_service.app.state.services.database.close()
    fresh_service.app.state.services.health.drain()

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


async def test_durations_are_measured_by_route_and_by_task(fresh_service: Service):
    session = await fresh_service.new_session()
    await fresh_service.act(session["id"], 0, {"crash": {"broker": 2}})

    metrics = (await fresh_service.client.get("/metrics")).text

    acting = 'route="/sessions/{id}/actions"'
    assert f'highwater_http_request_duration_seconds_count{{method="POST",{acting}}} 1' in metrics
    assert re.search(r"^highwater_sim_duration_seconds_count [1-9]", metrics, re.MULTILINE)
    for operation in ("select", "insert", "update", "commit"):
        assert f'highwater_db_query_seconds_count{{op="{operation}"}}' in metrics


async def test_two_apps_in_one_process_count_apart(
    start_service: StartService, tmp_path: Path, migrated_file: Path
):
    urls = [f"sqlite:///{shutil.copy(migrated_file, tmp_path / name)}" for name in ("a", "b")]
    async with start_service(urls[0]) as one, start_service(urls[1]) as other:
        await one.new_session()

        counted = [(await app.client.get("/metrics")).text for app in (one, other)]

    assert ['{source="document"} 1' in text for text in counted] == [True, False]
