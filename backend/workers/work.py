"""Computations in processes of their own, whose output goes to everyone who listens.

A worker belongs to no connection: the same request joins it while it runs, and for a short time
after it has ended. So a page that is reloaded finds it again. A worker to which nobody listens ends
soon, and at once if another one needs its slot.

A worker's module reads one request as JSON from standard input and writes lines of JSON: the names
of events with their data, at last one called `result`. Without a result, its listeners receive an
`error`.
"""

import asyncio
import contextlib
import signal
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass

import msgspec
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from backend.http.errors import LimitError
from backend.limit_table import Limit
from backend.limits.visitors import current_visitor
from backend.processes.background import in_background
from backend.processes.lines import LINES, Line

# A line contains a whole result.
_LONGEST_LINE_BYTES = 32 * 1024 * 1024
_RETRY_AFTER_S = 5


class Work:
    """A worker's computation, and what its listeners receive: the latest progress, then one last
    event.
    """

    def __init__(self, work_id: str, network: str) -> None:
        self.id = work_id
        self.network = network
        self.listeners = 0
        self.last: bytes | None = None
        """The `result` or `error` event; null while it runs."""
        self.result: bytes | None = None
        """The data of its result as JSON; null while it runs, and after an error."""
        self.process: asyncio.subprocess.Process | None = None
        """Its process, once it has reported something: from then on an interrupt has a result."""
        self.task: asyncio.Task[None] | None = None
        self._latest: bytes | None = None
        self._news = asyncio.Event()

    def report(self, event: bytes, *, is_last: bool) -> None:
        """Pass an event to every listener; a slow listener misses progress."""
        if is_last:
            self.last = event
        else:
            self._latest = event
        self._news.set()
        self._news = asyncio.Event()

    async def end(self) -> None:
        """Wait until it has ended."""
        while self.last is None:
            await self._news.wait()

    async def events(self) -> AsyncGenerator[bytes]:
        """Server-sent events: `started`, `progress` at intervals, then one `result` or `error`."""
        yield event_bytes("started", msgspec.json.encode({"id": self.id}))
        sent: bytes | None = None
        while (last := self.last) is None:
            news = self._news
            if self._latest is None or self._latest is sent:
                await news.wait()
            else:
                sent = self._latest
                yield sent
        yield last


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerKind:
    """What is common to the workers of one module."""

    module: str
    niceness: int
    at_once: Limit
    of_a_visitor: Limit
    waits_for_listeners_s: float
    kept_s: float
    """How long a result is kept for those who ask the same."""
    most_kept: int
    failed: bytes
    """The `error` event of a worker that ends without a result."""


class Workers:
    """The workers of one kind: those that run, and the latest results."""

    def __init__(self, kind: WorkerKind) -> None:
        self.kind = kind
        self._running: dict[str, Work] = {}
        self._ended: dict[str, Work] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        """Those of running workers, and of ended ones whose process has not ended yet."""

    @property
    def running(self) -> int:
        """The number of slots in use."""
        return len(self._running)

    def find(self, work_id: str) -> Work | None:
        """The work with this id, if it runs or its result is kept."""
        return self._running.get(work_id) or self._ended.get(work_id)

    def join(self, work_id: str, request: bytes, first: bytes | None = None) -> Work:
        """Start a worker, or join the one with this id; `first` is an event of a new one. `leave`
        must follow.

        Raises LimitError if no slot is free.
        """
        work = self.find(work_id)
        if work is None:
            work = Work(work_id, current_visitor().network)
            self._reserve(work)
            if first is not None:
                work.report(first, is_last=False)
            work.task = asyncio.create_task(self._run(work, request))
            # A task that is cancelled early runs none of its code.
            work.task.add_done_callback(lambda _task: self._has_ended(work, None))
            self._tasks.add(work.task)
            work.task.add_done_callback(self._tasks.discard)
        work.listeners += 1
        return work

    def leave(self, work: Work) -> None:
        """Count one listener less. Without any, a worker continues for a short time, so that a page
        that is reloaded finds it again.
        """
        work.listeners -= 1
        if not work.listeners and work.last is None:
            wait = self.kind.waits_for_listeners_s
            asyncio.get_running_loop().call_later(wait, self._end, work)

    def stop(self, work_id: str) -> None:
        """End a worker with what it has computed: its listeners receive that result. One that has
        ended is no error.
        """
        work = self._running.get(work_id)
        if work is None:
            return
        if work.process is None:
            assert work.task is not None, "it has a slot"
            work.task.cancel()
            return
        with contextlib.suppress(ProcessLookupError):
            work.process.send_signal(signal.SIGINT)

    async def close(self) -> None:
        """End all workers, and wait for the ends of their processes."""
        for work in self._running.values():
            assert work.task is not None, "it has a slot"
            work.task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _reserve(self, work: Work) -> None:
        """Take a slot, if need be that of a worker without listeners."""
        own = [other for other in self._running.values() if other.network == work.network]
        if len(own) >= self.kind.of_a_visitor.number and not self._end_one_of(own):
            raise LimitError(self.kind.of_a_visitor, retry_after_s=_RETRY_AFTER_S)
        everyones = list(self._running.values())
        if len(everyones) >= self.kind.at_once.number and not self._end_one_of(everyones):
            raise LimitError(self.kind.at_once, retry_after_s=_RETRY_AFTER_S)
        self._running[work.id] = work

    def _end_one_of(self, works: list[Work]) -> bool:
        return any(self._end(work) for work in works)

    def _end(self, work: Work) -> bool:
        """Kill a worker if it has no listeners; whether it has ended."""
        if work.listeners or work.last is not None:
            return False
        assert work.task is not None, "it has a slot"
        work.task.cancel()
        self._has_ended(work, None)
        return True

    async def _run(self, work: Work, request: bytes) -> None:
        result: Line | None = None
        async with self._process() as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(request)
            process.stdin.close()
            async for line in process.stdout:
                work.process = process
                message = LINES.decode(line)
                if message.event == "result":
                    result = message
                else:
                    event = event_bytes(message.event, bytes(message.data))
                    work.report(event, is_last=False)
        self._has_ended(work, result)

    def _has_ended(self, work: Work, result: Line | None) -> None:
        """Release the slot of a worker and pass on its result; null for an error."""
        if work.last is not None:
            return
        del self._running[work.id]
        if result is None:
            work.report(self.kind.failed, is_last=True)
            return
        work.result = bytes(result.data)
        work.report(event_bytes("result", work.result), is_last=True)
        if not result.keep:
            return
        # For a page that is reloaded when its worker ends.
        if len(self._ended) == self.kind.most_kept:
            del self._ended[next(iter(self._ended))]
        self._ended[work.id] = work
        loop = asyncio.get_running_loop()
        loop.call_later(self.kind.kept_s, self._ended.pop, work.id, None)

    @contextlib.asynccontextmanager
    async def _process(self) -> AsyncIterator[asyncio.subprocess.Process]:
        process = await asyncio.create_subprocess_exec(
            *in_background(self.kind.niceness, self.kind.module),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_LONGEST_LINE_BYTES,
        )
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


class WorkStream(StreamingResponse):
    """An event stream that leaves its work even if the client never reads from it."""

    def __init__(self, work: Work, leave: Callable[[Work], None]) -> None:
        super().__init__(work.events(), media_type="text/event-stream")
        self._work = work
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events, until the last one or until the client disconnects."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave(self._work)


def event_bytes(name: str, data: bytes) -> bytes:
    """A server-sent event; the data is JSON on one line."""
    return b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"


def failure(code: str, detail: str) -> bytes:
    """The `error` event of a worker that ends without a result."""
    return event_bytes("error", msgspec.json.encode({"code": code, "detail": detail}))
