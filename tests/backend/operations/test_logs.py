"""Log lines: one JSON object each, or text on a terminal, without personal data."""

import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from backend.identifiers import hashed
from backend.operations.logs import JsonLines, LogOutput, TextLines
from tests.backend.conftest import API, Service

SENT = "-".join(["by", "a", "visitor"])  # not in the source, which a trace contains


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
    await service.client.get(f"/s/{share['sid']}?frame=1&note=private")
    await service.client.get(f"/s/{share['sid']}%0d%0afake: line")
    await service.client.delete(
        f"{API}/shares/{share['sid']}", headers={"Authorization": f"Bearer {share['delete_token']}"}
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

    monkeypatch.setattr("backend.routing.compression.Constant.respond", fail)

    await sqlite_service.client.get(f"{API}/scenarios")

    (record,) = [record for record in caplog.records if record.name == "highwater.failure"]
    assert "what went" in str(line(record)["exception"])


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO sessions (id) VALUES (:sent)",
        "INSERT INTO idempotency_keys (key, body_hash, sid, salt, created_at)"
        " VALUES (:sent, '', '', '', CURRENT_TIMESTAMP), (:sent, '', '', '', CURRENT_TIMESTAMP)",
    ],
)
async def test_an_error_of_the_database_is_logged_without_what_was_sent(
    service: Service,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    statement: str,
):
    async def fail(*_arguments: object) -> None:
        async with service.services.database.writing() as db:
            await db.execute(text(statement), {"sent": SENT})

    monkeypatch.setattr("backend.presentations.service.Presentations.scene", fail)

    answer = await service.client.get(f"{API}/presentations/22222/scene")

    assert answer.status_code == 500
    (record,) = [record for record in caplog.records if record.name == "highwater.failure"]
    logged = str(line(record))
    assert "sqlalchemy.exc." in logged
    assert "presentations/routes.py" in logged
    assert SENT not in logged + str(record.exc_info)


async def test_health_checks_do_not_fill_the_log(
    sqlite_service: Service, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO)

    for path in ("/livez", "/readyz", "/metrics"):
        await sqlite_service.client.get(path)

    assert [record for record in caplog.records if record.name == "highwater.request"] == []


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("a-proxys.id_7", "a-proxys.id_7"),
        ("", "[0-9a-f]{16}"),
        ("x" * 65, "[0-9a-f]{16}"),
        ('with "quotes"', "[0-9a-f]{16}"),
    ],
)
async def test_an_answer_and_its_log_line_have_the_same_id(
    sqlite_service: Service, caplog: pytest.LogCaptureFixture, given: str, expected: str
):
    caplog.set_level(logging.INFO)
    formatted: list[dict[str, object]] = []
    handler = logging.Handler()
    handler.emit = lambda record: formatted.append(line(record))  # type: ignore[method-assign]
    logging.getLogger("highwater.request").addHandler(handler)

    response = await sqlite_service.client.get(
        f"{API}/sessions/nope", headers={"X-Request-Id": given} if given else {}
    )
    logging.getLogger("highwater.request").removeHandler(handler)

    found = response.headers["X-Request-Id"]
    assert re.fullmatch(expected, found)
    assert [told["request_id"] for told in formatted] == [found]


def test_unread_lines_are_dropped_and_counted():
    """The writing thread blocks; callers do not."""
    reading, writing = os.pipe()
    output = LogOutput(writing, most_waiting=10)
    output.setFormatter(JsonLines())
    dropped = 0

    def count() -> None:
        nonlocal dropped
        dropped += 1

    output.on_drop = count
    lines = 10_000  # of more than 64 bytes: far more than a pipe holds

    for number in range(lines):
        output.emit(logging.LogRecord("x", logging.INFO, "", 0, f"line {number:064}", None, None))
    assert dropped > 0
    # The lines that were not dropped are complete and in order once the output is read.
    os.set_blocking(reading, True)
    text = b""
    while text.count(b"\n") < lines - dropped:
        text += os.read(reading, 65_536)
    output.close()
    os.close(writing)
    os.close(reading)

    numbers = [int(str(json.loads(said)["event"]).split(" ")[1]) for said in text.splitlines()]
    assert numbers == sorted(numbers)
    assert numbers[0] == 0


def test_a_line_on_a_terminal_is_text():
    record = logging.makeLogRecord({"msg": "request", "levelno": logging.INFO})
    record.fields = {"status": 200, "route": "/s/{sid}"}

    assert re.fullmatch(
        r"\d\d:\d\d:\d\d request status=200 route=/s/\{sid\}", TextLines().format(record)
    )


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_a_service_on_a_terminal_prints_its_address_and_no_json(repository: Path, tmp_path: Path):
    read, written = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "backend.cli", "serve", "--port", "0"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(repository)},
        stdout=written, stderr=written,
    ) as process:  # fmt: skip
        os.close(written)
        printed = b""
        while b"Highwater is on http://127.0.0.1:" not in printed or not printed.endswith(b"\n"):
            printed += os.read(read, 10_000)
        process.terminate()
    os.close(read)

    assert len(printed.splitlines()) == 1, printed.decode()
