"""The computing process's side of the socket: it runs the app for each request that arrives."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from starlette.types import ASGIApp, Message, Scope

from backend.computing.wire import QUESTIONS, Asked, Begun, Headers, Piece, Report, encoded, read
from backend.database.stored_bytes import collecting

# Sending many megabytes at once would occupy the event loop for tens of milliseconds.
_PIECE_BYTES = 256 * 1024


async def serve(app: ASGIApp, report: Callable[[], Report], address: Path) -> None:
    """Answer requests on this socket until cancelled."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            question = await read(reader, QUESTIONS)
            if isinstance(question, Asked):
                await _run(app, question, reader, writer)
            elif question is not None:
                writer.write(encoded(report()))
                await writer.drain()
        except ConnectionError:
            pass  # nobody waits for the response any more
        finally:
            writer.close()

    server = await asyncio.start_unix_server(answer, address)
    async with server:
        await server.serve_forever()


async def _run(
    app: ASGIApp, asked: Asked, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    request: Message | None = {"type": "http.request", "body": asked.body, "more_body": False}

    async def receive() -> Message:
        nonlocal request
        if request is None:
            with contextlib.suppress(ConnectionError):
                await reader.read()  # until the serving process closes the connection
            return {"type": "http.disconnect"}
        first, request = request, None
        return first

    begun = b""

    async def send(message: Message) -> None:
        nonlocal begun
        if message["type"] == "http.response.start":
            # Sent with the first piece of the body, because each message wakes the serving process.
            headers: Headers = list(message.get("headers", []))
            begun = encoded(Begun(message["status"], headers, stored.number))
            return
        # Nobody waits for a response whose connection is closed, and that is no failure of the app,
        # which learns of it from `receive`.
        try:
            for piece in _pieces(message):
                writer.write(begun + encoded(piece))
                begun = b""
                await writer.drain()
        except ConnectionError as error:
            # The stream keeps the error, and with its traceback it would keep the response.
            for kept in filter(None, (error, reader.exception())):
                kept.__traceback__ = None

    with collecting() as stored:
        await app(_scope(asked), receive, send)


def _pieces(message: Message) -> Iterator[Piece]:
    """A part of a response's body as it is sent."""
    body, more = memoryview(message.get("body", b"")), message.get("more_body", False)
    while len(body) > _PIECE_BYTES:
        yield Piece(bytes(body[:_PIECE_BYTES]), more=True)
        body = body[_PIECE_BYTES:]
    yield Piece(bytes(body), more)


def _scope(asked: Asked) -> Scope:
    """The request as ASGI describes it."""
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": asked.method,
        "scheme": "http",
        "path": asked.path,
        "raw_path": asked.path.encode(),
        "root_path": "",
        "query_string": asked.query,
        "headers": asked.headers,
        "client": (asked.network, 0),
        "server": ("computing", None),
        "state": {},
    }
