"""Log lines: one JSON object each, and nothing in them that is anybody's."""

import json
import logging

import pytest

from backend.identifiers import hashed
from backend.operations.logs import JsonLines
from tests.backend.conftest import API, Service


def line(record: logging.LogRecord) -> dict[str, object]:
    text = JsonLines().format(record)
    assert "\n" not in text
    parsed: dict[str, object] = json.loads(text)
    return parsed


async def test_no_id_no_token_and_no_words_are_logged(
    service: Service, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO)
    session = await service.new_session()
    share = await service.share(session["id"], 0, key=f"my-secret-key-{session['id']}")
    await service.client.get(f"/s/{share['sid']}?step=1&note=private")
    await service.client.get(f"/s/{share['sid']}%0d%0afake: line")
    await service.client.delete(
        f"{API}/shares/{share['sid']}",
        headers={"Authorization": f"Bearer {share['delete_token']}"},
    )

    lines = [line(record) for record in caplog.records if record.name == "highwater.request"]

    text = json.dumps(lines)
    for private in (
        session["id"],
        share["sid"],
        share["delete_token"],
        "my-secret-key",
        "private",
        "Two brokers",
        "fake",
    ):
        assert private not in text
    assert any(found.get("share_h8") == hashed(share["sid"]) for found in lines)
    assert {"ts", "level", "event", "route", "method", "status", "dur_ms", "bytes"} <= lines[
        0
    ].keys()


async def test_a_failure_is_logged_with_its_cause_in_one_line(
    sqlite_service: Service, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    def fail(*_arguments: object) -> None:
        raise RuntimeError("what went\nwrong")

    monkeypatch.setattr("backend.scenarios.routes.list_shipped", fail)

    await sqlite_service.client.get(f"{API}/scenarios")

    (record,) = [record for record in caplog.records if record.name == "highwater.failure"]
    assert "what went" in str(line(record)["exception"])


async def test_health_checks_do_not_fill_the_log(
    sqlite_service: Service, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO)

    for path in ("/livez", "/readyz", "/metrics"):
        await sqlite_service.client.get(path)

    assert [record for record in caplog.records if record.name == "highwater.request"] == []
