"""The serving process's side: it keeps the computing process running and passes requests to it.

The threads of one Python process take turns, so a long run slows down every response of the process
that computes it, whatever its priority. In a process of its own it does not. That process runs the
same app on the same database, as a second server would, at a low priority; if it stops responding
it is killed and started again.
"""

import asyncio
import contextlib
import logging
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from backend.computing import wire
from backend.http.errors import ClientGoneError, UnavailableError
from backend.limits.visitors import current_visitor
from backend.settings import Settings

_log = logging.getLogger("highwater.computing")
_MODULE = "backend.commands.compute"
# With its defaults, glibc keeps up to 64 MiB of freed memory in each of its arenas, of which there
# are as many as threads. Other C libraries ignore these variables.
_OF_ALLOCATOR = {
    "MALLOC_ARENA_MAX": "2",
    "MALLOC_MMAP_THRESHOLD_": str(256 * 1024),
    "MALLOC_TRIM_THRESHOLD_": str(1024 * 1024),
}
# In seconds: how long a request waits for the process to start, and how long the process may take
# to start and to report.
_WAITS_S = 15.0
_STARTS_S = 180.0
# In seconds: how long the service's own start waits for that. Then it answers probes and signals.
_START_AWAITED_S = 30.0
_POLL_S = 0.02
_REPORTS_EVERY_S = 5.0
_PATIENCE_S = 30.0
_RESTARTS_AFTER_S = 1.0
# Bodies are much smaller.
_READ_BYTES = 1024 * 1024


def can_compute_apart() -> bool:
    """Whether this system has what the two processes need. Windows lacks the sockets."""
    return sys.platform != "win32"


class ComputingProcess:
    """One computing process. Used only in the event loop."""

    def __init__(self, settings: Settings, *, on_restart: Callable[[], None]) -> None:
        """`on_restart` is called before each start but the first."""
        self._settings = settings
        self._on_restart = on_restart
        self._folder: Path | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._ready = asyncio.Event()
        self._tried = asyncio.Event()
        self._report = wire.Report(0.0, [])
        self._reported_at = -math.inf
        self.on_stored: Callable[[int], None] = lambda number: None
        """Called with the number of bytes that the process stored for a request."""

    def start(self) -> None:
        """Start the process. Requests wait for it until it accepts connections."""
        self._folder = Path(tempfile.mkdtemp(prefix="highwater-"))
        self._keeping = asyncio.create_task(self._keep_running())

    async def tried(self) -> None:
        """Return once the process accepts connections, its first start has failed, or it has taken
        so long that the service starts without it, not ready.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_START_AWAITED_S):
                await self._tried.wait()

    async def close(self) -> None:
        """End the process."""
        if self._keeping is not None:
            self._keeping.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._keeping
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def waited_s(self) -> float:
        """How long its oldest queued work had waited at its last report, or how long ago that
        report was: while the process does not report, all of its work waits. In seconds, infinite
        before the first report.
        """
        return max(self._report.waited_s, time.monotonic() - self._reported_at)

    async def samples(self) -> list[wire.Sample]:
        """Its metrics; as of its last report if it does not answer within a second, and none if it
        has not reported since it was started.
        """
        with contextlib.suppress(TimeoutError, UnavailableError):
            async with asyncio.timeout(1):
                await self._ask_for_report()
        return self._report.samples

    async def respond(self, request: Request, body: bytes) -> Response:
        """Its response to a request with this body. It stops working on it if the client
        disconnects.

        Raises UnavailableError, which is retryable, if the process is not running or ends before
        it responds, and ClientGoneError if the client has disconnected.
        """
        visitor = current_visitor()
        asked = wire.Asked(
            method=request.method,
            path=request.scope["path"],
            query=request.scope["query_string"],
            headers=[(name, value) for name, value in request.scope["headers"]],
            network=visitor.network,
            body=body,
        )
        with visitor.aside():
            return await self._response_to(asked)

    async def get(self, path: str) -> Response:
        """Its complete response to a GET request of this process itself. Raises the errors of
        `respond`.
        """
        response = await self._response_to(
            wire.Asked("GET", path, b"", headers=[], network=current_visitor().network, body=b"")
        )
        return await response.complete() if isinstance(response, _Streamed) else response

    async def _response_to(self, asked: wire.Asked) -> Response:
        visitor = current_visitor()
        with contextlib.ExitStack() as connection:
            reader = await self._ask(asked, connection)
            visitor.when_gone(connection.close)
            if visitor.is_gone:
                connection.close()
            begun = await wire.read(reader, wire.ANSWERS)
            first = await wire.read(reader, wire.ANSWERS)
            if not isinstance(begun, wire.Begun) or not isinstance(first, wire.Piece):
                raise _gone() if visitor.is_gone else _away()
            self.on_stored(begun.stored_bytes)
            response: Response
            if first.more:
                streaming = connection.pop_all()
                visitor.when_gone(streaming.close)
                response = _Streamed(first, reader, streaming, begun.status)
            else:
                response = Response(first.body, status_code=begun.status)
            response.raw_headers = begun.headers
            return response

    async def _ask(
        self, question: wire.Question, connection: contextlib.ExitStack
    ) -> asyncio.StreamReader:
        """Send a question. Its answer follows on the reader, until `connection` is closed."""
        try:
            async with asyncio.timeout(_WAITS_S):
                await self._ready.wait()
            assert self._folder is not None, "it has been started"
            reader, writer = await asyncio.open_unix_connection(
                self._folder / "socket", limit=_READ_BYTES
            )
        except (TimeoutError, OSError):
            raise _away() from None
        connection.callback(writer.close)
        with contextlib.suppress(ConnectionError):  # reading finds that the process has ended
            writer.write(wire.encoded(question))
            await writer.drain()
        return reader

    async def _keep_running(self) -> None:
        while True:
            try:
                await self._run_once()
            except OSError:  # the system refuses to start another process
                _log.exception("computing_process_failed")
                self._tried.set()
            # What waited in it waits no longer.
            self._report = wire.Report(0.0, [])
            await asyncio.sleep(_RESTARTS_AFTER_S)
            self._on_restart()

    async def _run_once(self) -> None:
        """Run a process until it ends or stops reporting."""
        async with self._started() as process:
            ended = asyncio.create_task(process.wait())
            while not ended.done() and await self._reports():
                await asyncio.wait([ended], timeout=_REPORTS_EVERY_S)
            # The status is null if the process did not report in time.
            _log.error("computing_process_ended", extra={"fields": {"status": process.returncode}})

    @contextlib.asynccontextmanager
    async def _started(self) -> AsyncIterator[asyncio.subprocess.Process]:
        assert self._folder is not None
        address = self._folder / "socket"
        address.unlink(missing_ok=True)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", _MODULE, str(address)),
            stdin=subprocess.PIPE,
            env={**_OF_ALLOCATOR, **os.environ},
        )
        assert process.stdin is not None
        # The pipe stays open: the process ends when this one does, however that ends.
        process.stdin.write(self._settings.model_dump_json().encode() + b"\n")
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_STARTS_S):
                    while process.returncode is None and not await _listens(address):
                        await asyncio.sleep(_POLL_S)
                self._ready.set()
            self._tried.set()
            yield process
        finally:
            self._ready.clear()
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _reports(self) -> bool:
        """Whether the process reports in time."""
        try:
            async with asyncio.timeout(_PATIENCE_S):
                return await self._ask_for_report()
        except (TimeoutError, UnavailableError):
            return False

    async def _ask_for_report(self) -> bool:
        with contextlib.ExitStack() as connection:
            report = await wire.read(await self._ask(wire.ReportAsked(), connection), wire.ANSWERS)
        if not isinstance(report, wire.Report):
            return False
        self._report = report
        self._reported_at = time.monotonic()
        return True


class _Streamed(StreamingResponse):
    """A response whose body arrives in pieces. Its connection is closed even if nobody reads it.

    Sending it raises ConnectionError if the process ends before the body does, but not for a client
    that has disconnected, which closes the connection.
    """

    def __init__(
        self,
        first: wire.Piece,
        reader: asyncio.StreamReader,
        connection: contextlib.ExitStack,
        status: int,
    ) -> None:
        self._pieces = _pieces(first, reader)
        super().__init__(self._pieces, status_code=status)
        self._connection = connection

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._connection:
            try:
                await super().__call__(scope, receive, send)
            except ConnectionError:
                if not current_visitor().is_gone:
                    raise

    async def complete(self) -> Response:
        """The response with all of its body. Raises UnavailableError if the process ends before."""
        with self._connection:
            try:
                pieces = [piece async for piece in self._pieces]
            except ConnectionError:
                raise _away() from None
        response = Response(b"".join(pieces), status_code=self.status_code)
        response.raw_headers = self.raw_headers
        return response


async def _pieces(piece: wire.Piece, reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while piece.more:
        yield piece.body
        following = await wire.read(reader, wire.ANSWERS)
        if not isinstance(following, wire.Piece):
            raise ConnectionAbortedError("the computing process ended")
        piece = following
    yield piece.body


async def _listens(address: Path) -> bool:
    """Whether a process accepts connections there. A socket has its name before it does."""
    try:
        _, writer = await asyncio.open_unix_connection(address)
    except OSError:
        return False
    writer.close()
    return True


def _gone() -> ClientGoneError:
    return ClientGoneError("The visitor has disconnected.", code="client_gone")


def _away() -> UnavailableError:
    return UnavailableError("Runs cannot be computed at this moment.", code="busy", retry_after_s=2)
