"""Log lines on standard output, without ids, tokens or user input: one JSON object each, or on a
terminal one line of text for a person.

Each line about a request has its `request_id`, which the response has as X-Request-Id. A path is
logged as its route's template, an id as eight hex digits of its hash, an exception without what a
visitor sent.

A separate thread writes the lines, so that no other thread ever waits for the output: a pipe
without a reader is full after 64 KiB and then blocks its writer. Lines wait in a bounded queue;
when it is full, further lines are dropped and counted.
"""

import logging
import logging.config
import os
import queue
import random
import re
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from datetime import UTC, datetime

import msgspec
from sqlalchemy.exc import SQLAlchemyError
from starlette.datastructures import MutableHeaders
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.http.errors import HighwaterError
from backend.http.problems import problem
from backend.identifiers import hashed
from backend.operations.metrics import Metrics

_REQUEST_ID = "X-Request-Id"
# A client's request id is used if it is safe in a header and in a log.
_ACCEPTED = re.compile(rb"[A-Za-z0-9._-]{1,64}", re.ASCII)

# Only to tell requests apart. The generator of the system would need a system call for each.
_random = random.Random()  # noqa: S311

current_request_id: ContextVar[str] = ContextVar("request_id", default="")


def request_id_of(headers: list[tuple[bytes, bytes]]) -> str:
    """The id that a proxy or a client chose for a request, or a new one."""
    given = [value for name, value in headers if name == b"x-request-id"]
    if len(given) == 1 and _ACCEPTED.fullmatch(given[0]):
        return given[0].decode("ascii")
    return f"{_random.getrandbits(64):016x}"


_DRIVERS = ("aiosqlite", "asyncpg", "sqlite3", "sqlalchemy")


def trace_of(error: BaseException) -> str:
    """The trace of an exception and of those that led to it, the first one first.

    Of an exception of the database it has the class but not the message: that contains the
    statement, and often a value: `Key (code)=(…) already exists`.
    """
    return "".join(_lines(error, set())).rstrip("\n")


def _lines(error: BaseException, seen: set[int]) -> Iterator[str]:
    seen.add(id(error))
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None and id(before) not in seen:
        yield from _lines(before, seen)
        yield "\nIt led to:\n\n"
    yield "Traceback (most recent call last):\n"
    yield from traceback.format_tb(error.__traceback__)
    if _is_of_database(error):
        yield f"{type(error).__module__}.{type(error).__qualname__}\n"
    else:
        yield from traceback.format_exception_only(error)
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            if id(each) not in seen:
                yield from _lines(each, seen)


def _is_of_database(error: BaseException) -> bool:
    package = type(error).__module__.partition(".")[0]
    return isinstance(error, SQLAlchemyError) or package in _DRIVERS


_MOST_WAITING = 10_000
_LAST_LINES_S = 1.0


class LogOutput(logging.Handler):
    """Writes each line to a file descriptor; `on_drop` is called for each line that is dropped."""

    def __init__(self, descriptor: int, *, most_waiting: int = _MOST_WAITING) -> None:
        super().__init__()
        self.on_drop: Callable[[], None] = lambda: None
        self._descriptor = descriptor
        self._waiting: queue.Queue[bytes | None] = queue.Queue(most_waiting)
        self._thread = threading.Thread(target=self._write, name="log-output", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a line. Never waits."""
        try:
            self._waiting.put_nowait(self.format(record).encode(errors="replace") + b"\n")
        except queue.Full:
            self.on_drop()
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """Write the queued lines, if this takes only a moment."""
        super().close()
        try:
            self._waiting.put_nowait(None)
        except queue.Full:
            return
        self._thread.join(_LAST_LINES_S)

    def _write(self) -> None:
        while (line := self._waiting.get()) is not None:
            try:
                # Not through sys.stdout: at the end of the process the interpreter would wait for
                # the lock of its buffer, which a blocked thread never releases.
                while line:
                    line = line[os.write(self._descriptor, line) :]
            except OSError:
                self.on_drop()


_requests = logging.getLogger("highwater.request")
_failures = logging.getLogger("highwater.failure")
_QUIET = frozenset({"/livez", "/readyz", "/metrics"})


class JsonLines(logging.Formatter):
    """`extra={"fields": {…}}` of a log call adds these fields to the line."""

    def format(self, record: logging.LogRecord) -> str:
        """One JSON object on one line."""
        moment = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, object] = {
            "ts": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **({"request_id": request} if (request := current_request_id.get()) else {}),
            **record.__dict__.get("fields", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line["exception"] = trace_of(record.exc_info[1])
        return msgspec.json.encode(line).decode()


class TextLines(logging.Formatter):
    """The same fields as text, after the local time."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, and the lines of an exception."""
        fields = record.__dict__.get("fields", {})
        shown = [
            time.strftime("%H:%M:%S", time.localtime(record.created)),
            *([record.levelname.lower()] if record.levelno > logging.INFO else []),
            record.getMessage(),
            *(f"{name}={value}" for name, value in fields.items()),
        ]
        if record.exc_info:
            shown.append(f"\n{self.formatException(record.exc_info)}")
        return " ".join(shown)


def configure_logging() -> LogOutput:
    """Send all log lines of the process to this output. Our access log replaces uvicorn's."""
    output = LogOutput(sys.stdout.fileno())
    is_terminal = sys.stdout.isatty()
    output.setFormatter(TextLines() if is_terminal else JsonLines())
    logging.basicConfig(handlers=[output], level=logging.INFO, force=True)
    logging.getLogger("uvicorn.access").disabled = True
    logging.getLogger("alembic").setLevel(logging.WARNING)
    if is_terminal:  # a person waits for one line, the address
        logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    return output


class RequestLog:
    """ASGI middleware that logs and counts each request, and handles unexpected exceptions."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with 500 and a problem document if the app raises before its response begins."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        request_id = request_id_of(scope["headers"])
        reset = current_request_id.set(request_id)
        # A request that is passed on to the computing process has the same id in its lines.
        kept = [header for header in scope["headers"] if header[0] != b"x-request-id"]
        scope["headers"] = [*kept, (b"x-request-id", request_id.encode())]
        status = 0
        sent_bytes = 0

        async def watch(message: Message) -> None:
            nonlocal status, sent_bytes
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[_REQUEST_ID] = request_id
            elif message["type"] == "http.response.body":
                sent_bytes += len(message.get("body", b""))
            await send(message)

        self._metrics.requests_in_progress.inc()
        try:
            await self.app(scope, receive, watch)
        except Exception:
            _failures.exception("failed", extra={"fields": {"route": _route(scope)}})
            if status:
                raise
            failure = HighwaterError(
                "An unexpected error occurred. It was logged.", code="internal"
            )
            await problem(failure)(scope, receive, watch)
        finally:
            self._metrics.requests_in_progress.dec()
            self._note(scope, status, sent_bytes, time.perf_counter() - started)
            current_request_id.reset(reset)

    def _note(self, scope: Scope, status: int, sent_bytes: int, seconds: float) -> None:
        route = _route(scope)
        method = scope["method"] if scope["method"] in _METHODS else "other"
        self._metrics.requests.labels(route=route, method=method, status=f"{status // 100}xx").inc()
        self._metrics.request_seconds.labels(route=route, method=method).observe(seconds)
        if scope["path"] in _QUIET and status < 400:
            return
        fields: dict[str, object] = {
            "route": route,
            "method": scope["method"][:16],
            "status": status,
            "dur_ms": round(seconds * 1000, 1),
            "bytes": sent_bytes,
        }
        parameters = scope.get("path_params") or {}
        for name, field in (
            ("id", "session_h8"),
            ("session_id", "session_h8"),
            ("sid", "share_h8"),
        ):
            if name in parameters:
                fields[field] = hashed(str(parameters[name]))
        _requests.info("request", extra={"fields": fields})


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def _route(scope: Scope) -> str:
    """The template of the matched route; one constant for all addresses without a route."""
    route = scope.get("route")
    return route.path if isinstance(route, Route) else "unmatched"
