"""Large responses of the computing process travel in pieces and arrive whole."""

import asyncio
import sys
from contextlib import ExitStack, nullcontext
from pathlib import Path

import pytest
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from backend.computing.process import _Streamed
from backend.computing.server import serve
from backend.computing.wire import ANSWERS, Asked, Begun, Piece, Report, encoded, read
from backend.limits.visitors import Visitor, visiting
from backend.operations.logs import RequestLog
from backend.operations.metrics import Metrics
from tests.backend.conftest import API, SCENARIO, Service

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such sockets")

BODY = bytes(range(256)) * 5000
MOST_BYTES = 256 * 1024
BROKERS = list(range(1, 10))
LARGE = {
    **SCENARIO,
    "brokers": BROKERS,
    "topics": [
        {
            "name": "t",
            "partitions": [
                {
                    "replicas": BROKERS,
                    "logs": {
                        str(broker): {"log": "x*1000/0", "high_watermark": 0} for broker in BROKERS
                    },
                }
            ],
        }
    ],
    "steps": [],
}


async def test_no_piece_is_large(tmp_path: Path) -> None:
    address = tmp_path / "socket"
    serving = asyncio.create_task(serve(Response(BODY), lambda: Report(0.0, []), address))
    while not address.exists():
        await asyncio.sleep(0.01)
    reader, writer = await asyncio.open_unix_connection(address)
    writer.write(encoded(Asked("GET", "/", b"", headers=[], network="", body=b"")))

    begun = await read(reader, ANSWERS)
    pieces: list[Piece] = []
    while not pieces or pieces[-1].more:
        piece = await read(reader, ANSWERS)
        assert isinstance(piece, Piece)
        pieces.append(piece)
    writer.close()
    serving.cancel()

    assert isinstance(begun, Begun)
    assert max(len(piece.body) for piece in pieces) <= MOST_BYTES
    assert b"".join(piece.body for piece in pieces) == BODY


async def test_a_client_that_leaves_is_no_failure(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        assert (await receive())["type"] == "http.disconnect"
        for _ in range(3):
            await Response(BODY)(scope, receive, send)
        ended.set()

    ended = asyncio.Event()
    address = tmp_path / "socket"
    logged = RequestLog(app, Metrics())
    serving = asyncio.create_task(serve(logged, lambda: Report(0.0, []), address))
    while not address.exists():
        await asyncio.sleep(0.01)
    _, writer = await asyncio.open_unix_connection(address)
    writer.write(encoded(Asked("GET", "/", b"", headers=[], network="", body=b"")))
    writer.close()
    async with asyncio.timeout(10):
        await ended.wait()
    serving.cancel()

    assert "failed" not in caplog.messages


@pytest.mark.parametrize("leaves", [True, False])
async def test_only_the_end_of_the_process_is_a_failure_of_a_stream(*, leaves: bool) -> None:
    """A page that is left while it listens to a search closes the connection."""
    reader = asyncio.StreamReader()
    reader.feed_eof()
    visitor = Visitor("")
    if leaves:
        visitor.leave()
    sent = []

    async def receive() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    streamed = _Streamed(Piece(b"event: started", more=True), reader, ExitStack(), 200)
    with visiting(visitor), nullcontext() if leaves else pytest.raises(ConnectionError):
        await streamed({"type": "http"}, receive, send)

    assert sent[-1]["body"] == b"event: started"


async def test_a_large_response_arrives_whole(apart_alone: Service) -> None:
    session = await apart_alone.new_session(scenario=LARGE)
    path = f"{API}/sessions/{session['id']}/timeline"
    computing = apart_alone.services.computing
    assert computing is not None

    streamed = await apart_alone.client.get(path)
    complete = await computing.get(path)

    assert len(complete.body) > MOST_BYTES
    assert streamed.content == bytes(complete.body)
