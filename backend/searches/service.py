"""Starts a search in a separate process and forwards its output; stops it when the client
disconnects."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Mapping

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
from sim_engine.invariants.safety import PROPERTY_NAMES
from sim_engine.scenario_reader.writer import scenario_document

_NICENESS = 19
# A line contains the whole scenario of a counterexample.
_LONGEST_LINE_BYTES = 8 * 1024 * 1024


class Searches:
    """The running searches of this process."""

    def __init__(self, timelines: Timelines) -> None:
        self._timelines = timelines
        self._running: Counter[str] = Counter()

    @property
    def running(self) -> int:
        """The number of slots in use."""
        return self._running.total()

    async def ask(self, session_id: str, body: SearchCreate) -> SearchRequest:
        """Validate a search and reserve a slot for it, which `end` must release.

        Raises InvalidInputError, and LimitError if no slot is free.
        """
        if body.property not in PROPERTY_NAMES:
            raise invalid("/property", f"properties are {', '.join(PROPERTY_NAMES)}")
        if body.budget is not None and not body.budget.keys() <= set(BUDGET_NAMES):
            raise invalid("/budget", f"a budget may name {', '.join(BUDGET_NAMES)}")
        network = current_visitor().network
        if self._running[network] >= SEARCHES_OF_A_VISITOR.number:
            raise LimitError(SEARCHES_OF_A_VISITOR, retry_after_s=5)
        if self._running.total() >= SEARCHES_AT_ONCE.number:
            raise LimitError(SEARCHES_AT_ONCE, retry_after_s=5)
        self._running[network] += 1
        try:
            async with self._timelines.alone_with(session_id) as opened:
                if body.after is not None:
                    opened.check_frame(body.after, where="/after")
                return await self._timelines.lanes.compute(_request, opened, body)
        except BaseException:
            self.end()
            raise

    async def events(self, request: SearchRequest) -> AsyncGenerator[bytes]:
        """Server-sent events: `progress` at intervals, then one `result` or `error`."""
        async with _worker() as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(msgspec.json.encode(request))
            process.stdin.close()
            ended = False
            async for line in process.stdout:
                message = msgspec.json.decode(line)
                ended = message["event"] == "result"
                yield _event(message["event"], message["data"])
            if not ended:
                failure = {"code": "search_failed", "detail": "The search ended early."}
                yield _event("error", failure)

    def end(self) -> None:
        """Release the slot that `ask` reserved for this visitor."""
        network = current_visitor().network
        self._running[network] -= 1
        if not self._running[network]:
            del self._running[network]


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
