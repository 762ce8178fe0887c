"""Every request counts, whatever it asks for, and one with a body of any kind."""

import asyncio
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.limit_table import ANSWERING_SECONDS_A_MINUTE, TRANSFERRED_BYTES_A_MINUTE
from backend.limits.baton import Baton
from backend.limits.quotas import Quota
from backend.limits.turns import Turns
from backend.limits.visits import PROBES, Visits
from tests.backend.conftest import API, Service, StartService

Headers = Iterable[tuple[bytes, bytes]]


async def nothing_found(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 404, "headers": []})
    await send({"type": "http.response.body", "body": b"x" * 100})


async def everything_read(scope: Scope, receive: Receive, send: Send) -> None:
    while (await receive()).get("more_body"):
        pass
    await nothing_found(scope, receive, send)


async def answered(
    app: ASGIApp, *, path: str = "/", headers: Headers = (), body: Iterable[bytes] = ()
) -> tuple[int, dict[bytes, bytes], bytes]:
    """Status, headers and body of the response to a request with this body."""
    messages: list[Message] = [
        {"type": "http.request", "body": part, "more_body": True} for part in body
    ]
    messages.append({"type": "http.request", "body": b"", "more_body": False})
    sent: list[Message] = []

    async def receive() -> Message:
        if messages:
            return messages.pop(0)
        await asyncio.Event().wait()
        raise AssertionError("nobody sets it")

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "path": path, "headers": list(headers), "client": ("1.1.1.1", 1)}
    await app(scope, receive, send)
    return sent[0]["status"], dict(sent[0]["headers"]), sent[1]["body"]


def visits(app: ASGIApp, **quotas: Quota) -> Visits:
    return Visits(app, Turns(Baton()), **quotas)


async def test_a_request_for_nothing_counts_with_its_time():
    seconds = Quota(replace(ANSWERING_SECONDS_A_MINUTE, number=1), clock=lambda: 0.0)
    app = visits(nothing_found, seconds=seconds)

    for _ in range(3000):
        status, _, body = await answered(app)
        if status == 429:
            break

    problem = json.loads(body)
    assert (status, problem["limit"]) == (429, "answering_seconds_a_minute")
    for probe in PROBES:
        assert (await answered(app, path=probe))[0] == 404


async def test_a_request_counts_with_its_bytes_and_those_of_the_response():
    transferred = Quota(replace(TRANSFERRED_BYTES_A_MINUTE, number=1000), clock=lambda: 0.0)
    app = visits(everything_read, transferred=transferred)
    upload: dict[str, Any] = {
        "headers": [(b"content-length", b"800")],
        "body": [b"x" * 400, b"x" * 400],
    }

    statuses = [(await answered(app, **upload))[0] for _ in range(3)]

    assert statuses == [404, 404, 429]


async def test_a_body_that_is_not_read_counts_too():
    transferred = Quota(replace(TRANSFERRED_BYTES_A_MINUTE, number=1000), clock=lambda: 0.0)
    app = visits(nothing_found, transferred=transferred)
    headers = [(b"content-length", b"5000")]

    statuses = [(await answered(app, headers=headers))[0] for _ in range(2)]

    assert statuses == [404, 429]


async def test_what_is_refused_is_not_counted():
    transferred = Quota(replace(TRANSFERRED_BYTES_A_MINUTE, number=50), clock=lambda: now)
    app = visits(nothing_found, transferred=transferred)
    now = 0.0

    before = [(await answered(app))[0] for _ in range(10)]
    now = 65.0  # the bucket owed 50 bytes, which it has after a minute
    after = (await answered(app))[0]

    assert (before, after) == ([404] + [429] * 9, 404)


@pytest.mark.parametrize(
    ("headers", "closes"),
    [
        ([], False),
        ([(b"content-length", b"0")], False),
        ([(b"content-length", b"65536")], False),
        ([(b"content-length", b"65537")], True),
        ([(b"transfer-encoding", b"chunked")], True),
    ],
)
async def test_a_large_body_that_was_not_read_ends_the_connection(headers: Headers, closes: bool):
    _, answer, _ = await answered(visits(nothing_found), headers=headers)
    _, read, _ = await answered(visits(everything_read), headers=headers)

    assert answer.get(b"connection") == (b"close" if closes else None)
    assert b"connection" not in read


async def test_each_step_of_a_request_is_measured_and_no_wait():
    turns = Turns(Baton())

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        for _ in range(3):
            sum(range(300_000))
            await asyncio.sleep(0.05)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), 0.01)
        await nothing_found(_scope, _receive, send)

    await answered(Visits(app, turns))

    assert 0.004 < turns.baton.recent.of("1.1.1.1") < 0.15


@pytest.mark.parametrize("path", ["/nope", f"{API}/nope", f"{API}/sessions/{'1' * 26}/nope"])
async def test_a_body_for_nobody_is_not_read(sqlite_service: Service, path: str):
    read = 0

    async def chunks() -> Any:
        nonlocal read
        for _ in range(4):
            read += 1
            yield b"x" * 65_536

    response = await sqlite_service.client.post(path, content=chunks())

    assert response.status_code == 404
    assert read == 0
    assert response.headers["connection"] == "close"


async def test_a_body_for_a_method_that_there_is_not_is_not_read(sqlite_service: Service):
    response = await sqlite_service.client.put(f"{API}/sessions", content=b"{" * 300_000)

    assert response.status_code == 405
    assert response.headers["connection"] == "close"


async def test_the_quotas_of_all_requests_can_be_set(
    start_service: StartService, migrated_file: Path
):
    async with start_service(f"sqlite:///{migrated_file}", transferred_bytes_a_minute=1) as service:
        statuses = [(await service.client.get("/nope")).status_code for _ in range(2)]
        probe = await service.client.get("/livez")

    assert (statuses, probe.status_code) == ([404, 429], 200)
