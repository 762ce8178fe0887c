"""Limits of connections: too many, incomplete requests, endless headers, unread responses."""

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from backend import limit_table
from backend.limit_table import UNREAD_BYTES
from backend.limits import connections
from backend.limits.connections import GuardedProtocol, protocol_for
from backend.limits.visitors import Networks

LARGE = b"x" * 32 * 1024 * 1024
GET = b"GET / HTTP/1.1\r\nHost: test\r\n\r\n"
GET_ONCE = b"GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["method"] == "POST":
        while (await receive()).get("more_body"):
            pass
    await Response(LARGE if scope["path"] == "/large" else b"small")(scope, receive, send)


class Server:
    """The protocol in front of a small app, with deadlines that expire immediately."""

    def __init__(self, protocol: type[GuardedProtocol], port: int) -> None:
        self.protocol = protocol
        self.port = port

    @property
    def counted(self) -> connections.Connections:
        return self.protocol.connections_of_process

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port, limit=2**16)

    async def answer(self, request: bytes) -> tuple[int, dict[str, Any]]:
        reader, writer = await self.connect()
        writer.write(request)
        raw = await asyncio.wait_for(reader.read(), 10)
        writer.close()
        head, _, body = raw.partition(b"\r\n\r\n")
        problem = json.loads(body) if b"problem+json" in head else {}
        return int(head.split()[1]), problem


async def until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not happened():
            await asyncio.sleep(0.01)


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    protocol = protocol_for("")
    config = uvicorn.Config(
        app,
        log_config=None,
        ws="none",
        timeout_keep_alive=3_600,  # our own limits end connections here
    )
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()
    listening = await loop.create_server(
        lambda: protocol(config=config, server_state=state, app_state={}), "127.0.0.1", 0
    )
    yield Server(protocol, listening.sockets[0].getsockname()[1])
    for connection in list(protocol.connections_of_process.open):
        connection.transport.abort()
    listening.close()
    await asyncio.sleep(0)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost:",
        b"POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 9\r\n\r\n{",
        GET + b"GET / HT",
    ],
    ids=["nothing", "half a header", "half a body", "half a second request"],
)
async def test_a_request_that_does_not_come_ends_the_connection(server: Server, sent: bytes):
    server.protocol.look_every_s = 0.02
    server.protocol.request_s = 0.1
    reader, writer = await server.connect()
    writer.write(sent)

    with contextlib.suppress(ConnectionResetError):
        await asyncio.wait_for(reader.read(), 30)

    assert not server.counted.open
    assert not server.counted.of
    writer.close()


@pytest.mark.parametrize(
    "beginning",
    [b"GET / HTTP/1.1\r\nX: ", b"POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 9999\r\n\r\n"],
    ids=["headers", "a body"],
)
async def test_a_request_that_comes_byte_by_byte_ends_the_connection(
    server: Server, beginning: bytes
):
    server.protocol.look_every_s = 0.02
    server.protocol.request_s = 0.2
    _, writer = await server.connect()
    writer.write(beginning)

    with contextlib.suppress(ConnectionError):
        for _ in range(3000):
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.005)
            if server.counted.open == set() and writer.transport.is_closing():
                break

    assert not server.counted.open
    writer.transport.abort()


async def test_an_unread_response_closes_the_connection(server: Server):
    server.protocol.look_every_s = 0.02
    server.protocol.reading_s = 0.1
    _, writer = await server.connect()
    writer.write(b"GET /large HTTP/1.1\r\nHost: t\r\n\r\n")

    await until(lambda: bool(server.counted.open))
    await until(lambda: not server.counted.open)

    writer.transport.abort()


async def test_a_response_that_is_read_slowly_arrives_completely(
    server: Server, monkeypatch: pytest.MonkeyPatch
):
    now = 0.0
    monkeypatch.setattr(connections, "time", SimpleNamespace(monotonic=lambda: now))
    server.protocol.look_every_s = 0.001
    server.protocol.reading_s = 5
    reader, writer = await server.connect()
    writer.write(b"GET /large HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n")

    size = 0
    while part := await reader.read(2**18):
        size += len(part)
        now += 0.1
        await asyncio.sleep(0.001)

    assert size > len(LARGE)
    assert now > 2 * server.protocol.reading_s
    writer.close()


async def test_what_waits_to_be_read_is_bounded(server: Server, monkeypatch: pytest.MonkeyPatch):
    most = 2 * len(LARGE)
    monkeypatch.setattr(limit_table, "UNREAD_BYTES", replace(UNREAD_BYTES, number=most))
    writers = []
    for _ in range(5):
        _, writer = await server.connect()
        writer.write(b"GET /large HTTP/1.1\r\nHost: t\r\n\r\n")
        writers.append(writer)

    def unread() -> int:
        return sum(connection.unread_bytes for connection in server.counted.open)

    await until(lambda: 0 < len(server.counted.open) < 5 and 0 < unread() <= most)
    for writer in writers:
        writer.transport.abort()


def _with_a_header(size: int) -> bytes:
    return b"GET / HTTP/1.1\r\nHost: t\r\nX: ".ljust(size, b"x")


def _with_an_address(size: int) -> bytes:
    return b"GET /".ljust(size - 20, b"x") + b" HTTP/1.1\r\nHost: t\r\n"


def _with_long_headers(size: int) -> bytes:
    lines = b"GET / HTTP/1.1\r\n" + (b"a: " + b"x" * 8000 + b"\r\n") * (size // 8005 - 1)
    return (lines + b"a: ").ljust(size, b"x")


@pytest.mark.parametrize("is_complete", [True, False], ids=["complete", "without end"])
@pytest.mark.parametrize("size", [16_400, 40_000, 120_000, 260_000])
@pytest.mark.parametrize("head", [_with_a_header, _with_an_address, _with_long_headers])
async def test_long_headers_are_refused_with_the_limit(
    server: Server, head: Callable[[int], bytes], size: int, is_complete: bool
):
    status, problem = await server.answer(head(size) + b"\r\n\r\n" * is_complete)

    assert (status, problem["code"]) == (431, "headers_too_large")
    assert (problem["limit"], problem["number"]) == ("header_bytes", 16_384)


@pytest.mark.parametrize("is_complete", [True, False], ids=["complete", "without end"])
async def test_many_headers_are_refused_with_the_limit(server: Server, is_complete: bool):
    head = b"GET / HTTP/1.1\r\n" + b"a:b\r\n" * (101 + (not is_complete))

    status, problem = await server.answer(head + b"\r\n" * is_complete)

    assert (status, problem["code"]) == (431, "headers_too_large")
    assert (problem["limit"], problem["number"]) == ("headers", 100)


async def test_headers_within_the_limit_are_read(server: Server):
    head = b"GET / HTTP/1.1\r\nHost: t\r\nConnection: close\r\n" + b"a:b\r\n" * 98

    status, _ = await server.answer(head + b"\r\n")

    assert status == 200


@pytest.mark.parametrize("head", [_with_a_header, _with_an_address])
async def test_the_longest_headers_that_are_allowed_are_read(
    server: Server, head: Callable[[int], bytes]
):
    ending = b"\r\nConnection: close\r\n\r\n"

    status, _ = await server.answer(head(16_384 - len(ending)) + ending)

    assert status == 200


async def test_a_request_after_a_body_has_headers_of_its_own(server: Server):
    body = b"x" * 60_000
    first = b"POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 60000\r\n\r\n" + body
    reader, writer = await server.connect()

    writer.write(first + first + _with_a_header(20_000) + b"\r\n\r\n")

    answers = await asyncio.wait_for(reader.read(), 10)
    assert re.findall(rb"HTTP/1.1 (\d+)", answers) == [b"200", b"200", b"431"]
    writer.close()


async def test_what_is_no_request_is_refused_in_words(server: Server):
    status, problem = await server.answer(b"\x16\x03\x01 nonsense\r\n\r\n")

    assert (status, problem["code"]) == (400, "bad_request")


async def test_a_visitor_has_so_many_connections(server: Server):
    server.counted.most_of_a_visitor = 2
    held = [await server.connect() for _ in range(2)]
    await until(lambda: len(server.counted.open) == 2)

    status, problem = await server.answer(GET)

    assert (status, problem["limit"]) == (429, "connections_of_a_visitor")
    held[0][1].close()
    await until(lambda: len(server.counted.open) == 1)
    assert (await server.answer(GET_ONCE))[0] == 200
    held[1][1].close()


async def test_the_connections_of_a_proxy_are_not_one_visitors(server: Server):
    server.counted.most_of_a_visitor = 2
    server.counted.proxies = Networks(["127.0.0.0/8"])
    held = [await server.connect() for _ in range(5)]
    await until(lambda: len(server.counted.open) == 5)

    status, _ = await server.answer(GET_ONCE)

    assert status == 200
    server.counted.most = 5
    assert (await server.answer(GET))[0] == 503
    for _, writer in held:
        writer.close()


async def test_who_asks_for_a_websocket_is_answered_and_causes_no_advice(
    server: Server, caplog: pytest.LogCaptureFixture
):
    upgrade = b"Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n"

    status, _ = await server.answer(b"GET / HTTP/1.1\r\nHost: t\r\n" + upgrade)

    assert status == 200
    assert not caplog.records
