"""Runs searches in separate processes, and forwards their output to everyone who listens.

A search belongs to no connection: the same search request joins it while it runs, and for a short
time after it has ended. So a page that is reloaded finds its search again. A search to which nobody
listens ends soon, and at once if another one needs its slot.
"""

import asyncio
import contextlib
import signal
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from hashlib import blake2b

import msgspec

from backend.http.errors import LimitError, invalid
from backend.limit_table import SEARCHES_AT_ONCE, SEARCHES_OF_A_VISITOR
from backend.limits.visitors import current_visitor
from backend.processes.background import in_background
from backend.searches.schemas import SearchCreate
from backend.searches.worker import SearchRequest
from backend.sessions.timelines import OpenTimeline, Timelines
from sim_engine.exploration.alphabet import BUDGET_NAMES, DEFAULT_BUDGET
from sim_engine.exploration.search import SearchOptions
from sim_engine.exploration.targets import SOUGHT_NAMES
from sim_engine.scenario_reader.writer import scenario_document

_NICENESS = 19
# A line contains the whole scenario of a counterexample.
_LONGEST_LINE_BYTES = 8 * 1024 * 1024
_WAITS_FOR_LISTENERS_S = 20.0
_KEPT_S = 60.0
_MOST_KEPT = 16


class RunningSearch:
    """A search, and what its listeners receive: the latest progress, then one last event."""

    def __init__(self, search_id: str, network: str) -> None:
        self.id = search_id
        self.network = network
        self.listeners = 0
        self.last: bytes | None = None
        """The `result` or `error` event; null while it runs."""
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

    async def events(self) -> AsyncGenerator[bytes]:
        """Server-sent events: `started`, `progress` at intervals, then one `result` or `error`."""
        yield _event("started", {"id": self.id})
        sent: bytes | None = None
        while (last := self.last) is None:
            news = self._news
            if self._latest is None or self._latest is sent:
                await news.wait()
            else:
                sent = self._latest
                yield sent
        yield last


class Searches:
    """The searches of this process: those that run, and the latest results."""

    def __init__(self, timelines: Timelines) -> None:
        self._timelines = timelines
        self._running: dict[str, RunningSearch] = {}
        self._ended: dict[str, RunningSearch] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        """Those of running searches, and of ended ones whose process has not ended yet."""

    @property
    def running(self) -> int:
        """The number of slots in use."""
        return len(self._running)

    async def ask(self, session_id: str, body: SearchCreate) -> RunningSearch:
        """Start a search, or join the one that asks the same. `leave` must follow.

        Raises InvalidInputError, and LimitError if no slot is free.
        """
        if body.property not in SOUGHT_NAMES:
            raise invalid("/property", f"properties are {', '.join(SOUGHT_NAMES)}")
        if body.budget is not None and not body.budget.keys() <= set(BUDGET_NAMES):
            raise invalid("/budget", f"a budget may name {', '.join(BUDGET_NAMES)}")
        async with self._timelines.alone_with(session_id) as opened:
            if body.after is not None:
                opened.check_frame(body.after, where="/after")
            request = await self._timelines.lanes.compute(_request, opened, body)
        search_id = _id_of(session_id, request)
        search = self._running.get(search_id) or self._ended.get(search_id)
        if search is None:
            search = RunningSearch(search_id, current_visitor().network)
            self._reserve(search)
            search.task = asyncio.create_task(self._run(search, request))
            # A task that is cancelled early runs none of its code.
            search.task.add_done_callback(lambda _task: self._has_ended(search, None))
            self._tasks.add(search.task)
            search.task.add_done_callback(self._tasks.discard)
        search.listeners += 1
        return search

    def leave(self, search: RunningSearch) -> None:
        """Count one listener less. Without any, a search continues for a short time, so that a page
        that is reloaded finds it again.
        """
        search.listeners -= 1
        if not search.listeners and search.last is None:
            asyncio.get_running_loop().call_later(_WAITS_FOR_LISTENERS_S, self._end, search)

    def stop(self, session_id: str, search_id: str) -> None:
        """End a search of a session with what it has examined: its listeners receive that result. A
        search that has ended is no error.
        """
        search = self._running.get(search_id)
        if search is None or not search_id.startswith(_prefix_of(session_id)):
            return
        if search.process is None:
            assert search.task is not None, "it has a slot"
            search.task.cancel()
            return
        with contextlib.suppress(ProcessLookupError):
            search.process.send_signal(signal.SIGINT)

    async def close(self) -> None:
        """End all searches, and wait for the ends of their processes."""
        for search in self._running.values():
            assert search.task is not None, "it has a slot"
            search.task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _reserve(self, search: RunningSearch) -> None:
        """Take a slot, if need be that of a search without listeners."""
        own = [other for other in self._running.values() if other.network == search.network]
        if len(own) >= SEARCHES_OF_A_VISITOR.number and not self._end_one_of(own):
            raise LimitError(SEARCHES_OF_A_VISITOR, retry_after_s=5)
        everyones = list(self._running.values())
        if len(everyones) >= SEARCHES_AT_ONCE.number and not self._end_one_of(everyones):
            raise LimitError(SEARCHES_AT_ONCE, retry_after_s=5)
        self._running[search.id] = search

    def _end_one_of(self, searches: list[RunningSearch]) -> bool:
        return any(self._end(search) for search in searches)

    def _end(self, search: RunningSearch) -> bool:
        """Kill a search if it has no listeners; whether it has ended."""
        if search.listeners or search.last is not None:
            return False
        assert search.task is not None, "it has a slot"
        search.task.cancel()
        self._has_ended(search, None)
        return True

    async def _run(self, search: RunningSearch, request: SearchRequest) -> None:
        result: Mapping[str, object] | None = None
        async with _worker() as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(msgspec.json.encode(request))
            process.stdin.close()
            async for line in process.stdout:
                search.process = process
                message = msgspec.json.decode(line)
                if message["event"] == "result":
                    result = message["data"]
                else:
                    search.report(_event("progress", message["data"]), is_last=False)
        self._has_ended(search, result)

    def _has_ended(self, search: RunningSearch, result: Mapping[str, object] | None) -> None:
        """Release the slot of a search and pass on its result; null for an error."""
        if search.last is not None:
            return
        del self._running[search.id]
        search.report(_FAILED if result is None else _event("result", result), is_last=True)
        if result is None or result["limit"] == "interrupt":
            return
        # For a page that is reloaded when its search ends.
        if len(self._ended) == _MOST_KEPT:
            del self._ended[next(iter(self._ended))]
        self._ended[search.id] = search
        asyncio.get_running_loop().call_later(_KEPT_S, self._ended.pop, search.id, None)


@contextlib.asynccontextmanager
async def _worker() -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *in_background(_NICENESS, "backend.searches.worker"),
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


_ID_BYTES = 8


def _prefix_of(session_id: str) -> str:
    return blake2b(session_id.encode(), digest_size=_ID_BYTES).hexdigest()


def _id_of(session_id: str, request: SearchRequest) -> str:
    """The same for the same search from the same frame: a frame of a session never changes."""
    asked = msgspec.json.encode((request.after, request.options), order="deterministic")
    return _prefix_of(session_id) + blake2b(asked, digest_size=_ID_BYTES).hexdigest()


def _request(opened: OpenTimeline, body: SearchCreate) -> SearchRequest:
    timeline = opened.timeline
    return SearchRequest(
        scenario={**scenario_document(timeline.scenario)},
        kafka=timeline.profile.kafka,
        control=timeline.profile.control,
        steps=[(done.after, done.step, done.item) for done in timeline.played_steps],
        after=timeline.head if body.after is None else body.after,
        options=SearchOptions(
            property=body.property,
            grain=body.grain,
            max_depth=body.max_depth,
            max_states=body.states,
            budget=DEFAULT_BUDGET if body.budget is None else body.budget,
            seconds=body.seconds,
            acks=body.acks,
        ),
    )


def _event(name: str, data: Mapping[str, object]) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + msgspec.json.encode(data) + b"\n\n"


_FAILED = _event("error", {"code": "search_failed", "detail": "The search ended early."})
