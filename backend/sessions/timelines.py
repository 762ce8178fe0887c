"""Timelines in memory: a bounded cache of what the database's steps come to.

Nothing here is the truth. A session is its rows; an open timeline is those rows, replayed, and
any process can make it again. What is changed in memory and then not committed is forgotten
whole (`forget`), never repaired.
"""

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import ParamSpec, TypeVar
from weakref import WeakValueDictionary

import msgspec

from backend.database import Database, now
from backend.frames.rendering import RenderedFrames, Rendering
from backend.http.errors import LimitError, NotFoundError, NotReplayableError
from backend.limits.baton import Baton
from backend.limits.lanes import Lane, for_seconds, without_end
from backend.limits.table import COMPUTE_SECONDS, SESSION_DAYS
from backend.sessions import repository
from backend.sessions.ownership import Provenance
from backend.sessions.repository import StoredStep
from backend.sessions.tables import SessionRow
from sim_engine import (
    ENGINE_VERSION,
    BudgetExceededError,
    FrameNumber,
    LimitReachedError,
    ScenarioError,
    Timeline,
    read_scenario_document,
)

UNUSED_FOR = timedelta(days=SESSION_DAYS.number)
_P = ParamSpec("_P")
_T = TypeVar("_T")
_TOUCH_AFTER = timedelta(hours=6)
_MOST_TIMELINES = 128
_MOST_FRAMES = 60_000

_canonical = msgspec.json.Encoder(order="deterministic")


def step_key(step: object) -> str:
    """The same for the same step, however its keys were ordered."""
    return hashlib.sha256(_canonical.encode(step)).hexdigest()


@dataclass(slots=True)
class OpenTimeline:
    """One session's timeline, and how many rows it comes from."""

    session_id: str
    scenario_id: str | None
    timeline: Timeline
    created_at: datetime
    step_count: int
    provenance: Provenance
    rendering: Rendering
    # What was done after which frame, by its key, and the frames it made. A step that was
    # refused is not in here: it was not done.
    done: dict[tuple[FrameNumber, str], tuple[FrameNumber, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self.done = {
            (done.after, step_key(done.step)): tuple(done.frames)
            for done in self.timeline.record
            if done.frames and not done.refused
        }

    @property
    def frame_count(self) -> int:
        """How many frames it has, of all branches."""
        return len(self.timeline.frames)


class Timelines:
    """The sessions of this process that were used last."""

    def __init__(
        self,
        database: Database,
        *,
        most_timelines: int = _MOST_TIMELINES,
        most_frames: int = _MOST_FRAMES,
        budget_s: float = COMPUTE_SECONDS.number,
        observe: Callable[[float], None] | None = None,
        baton: Baton | None = None,
    ) -> None:
        """`observe` is told the seconds that each piece of work took; `budget_s` is how many
        seconds of the processor one may take."""
        self._database = database
        self._rendered = RenderedFrames()
        self._open: OrderedDict[str, OpenTimeline] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._most_timelines = most_timelines
        self._most_frames = most_frames
        self._observe = observe
        self._budget_s = budget_s
        baton = Baton() if baton is None else baton
        self._short = Lane("short", at_once=8, of_a_visitor=2, baton=baton)
        # Not faster, as they share the baton; but nobody's moment waits for others' seconds.
        self._long = Lane("long", at_once=8, of_a_visitor=1, baton=baton)

    def __len__(self) -> int:
        return len(self._open)

    @asynccontextmanager
    async def alone(self, session_id: str) -> AsyncIterator[None]:
        """Inside the block, no other code of this process works on that session."""
        lock = self._locks.get(session_id)
        if lock is None:
            lock = self._locks[session_id] = asyncio.Lock()
        async with lock:
            yield

    async def compute(
        self, work: Callable[_P, _T], /, *arguments: _P.args, **named: _P.kwargs
    ) -> _T:
        """Do what takes the processor a moment beside the event loop, in the visitor's turn.

        Raises LimitError, of compute_seconds, where it takes too long.
        """
        return await self._computed(self._short, partial(work, *arguments, **named))

    async def compute_long(
        self, work: Callable[_P, _T], /, *arguments: _P.args, **named: _P.kwargs
    ) -> _T:
        """As `compute`, what may take seconds: nobody waits for it who asks for a moment."""
        return await self._computed(self._long, partial(work, *arguments, **named))

    async def _computed(self, lane: Lane, work: Callable[[], _T]) -> _T:
        try:
            return await lane.do(partial(for_seconds, self._budget_s), self._observed(work))
        except BudgetExceededError as error:
            raise LimitError(COMPUTE_SECONDS, frame=error.frame) from None

    def _observed(self, work: Callable[[], _T]) -> Callable[[], _T]:
        def observed() -> _T:
            started = time.perf_counter()
            try:
                return work()
            finally:
                if self._observe is not None:
                    self._observe(time.perf_counter() - started)

        return observed

    def waited_s(self) -> float:
        """The longest wait of queued work in any lane, in seconds."""
        return max(self._short.waited_s(), self._long.waited_s())

    def close(self) -> None:
        """Ends the threads."""
        self._short.close()
        self._long.close()

    async def latest(self, session_id: str) -> OpenTimeline:
        """The timeline with every committed step. The caller is `alone` with it.

        Raises NotFoundError, or LimitError for a session that was not used for 30 days.
        """
        async with self._database.reading() as session:
            row = await repository.get(session, session_id)
            if row is None:
                self.forget(session_id)
                raise NotFoundError("There is no such session.")
            cached = self._cached(session_id)
            fresh = cached is not None and cached.step_count == row.step_count
            steps = (
                []
                if fresh
                else await repository.list_steps(session, session_id, count=row.step_count)
            )
        moment = now()
        if moment - row.last_used_at > UNUSED_FOR:
            self.forget(session_id)
            raise LimitError(SESSION_DAYS)
        if moment - row.last_used_at > _TOUCH_AFTER:
            async with self._database.writing() as session:
                await repository.touch(session, session_id, moment)
        if cached is not None and fresh:
            return cached
        return await self._rebuild(row, steps)

    async def cached_or_latest(self, session_id: str) -> OpenTimeline:
        """A timeline that may lack what another process did since; one read less than `latest`."""
        return self._cached(session_id) or await self.latest(session_id)

    def open(
        self,
        *,
        session_id: str,
        scenario_id: str | None,
        timeline: Timeline,
        created_at: datetime,
        step_count: int,
        provenance: Provenance,
    ) -> OpenTimeline:
        """A session's timeline, remembered."""
        opened = OpenTimeline(
            session_id=session_id,
            scenario_id=scenario_id,
            timeline=timeline,
            created_at=created_at,
            step_count=step_count,
            provenance=provenance,
            rendering=Rendering(timeline, self._rendered),
        )
        self.keep(opened)
        return opened

    def keep(self, opened: OpenTimeline) -> None:
        """Remember a timeline; those used longest ago make room."""
        self._open[opened.session_id] = opened
        self._open.move_to_end(opened.session_id)
        frames = sum(other.frame_count for other in self._open.values())
        while len(self._open) > 1 and (
            len(self._open) > self._most_timelines or frames > self._most_frames
        ):
            _, evicted = self._open.popitem(last=False)
            frames -= evicted.frame_count

    def forget(self, session_id: str) -> None:
        """Drop a timeline from memory; the next to ask replays its rows."""
        self._open.pop(session_id, None)

    def _cached(self, session_id: str) -> OpenTimeline | None:
        cached = self._open.get(session_id)
        if cached is not None:
            self._open.move_to_end(session_id)
        return cached

    async def _rebuild(self, row: SessionRow, steps: Sequence[StoredStep]) -> OpenTimeline:
        self.forget(row.id)
        # What was accepted once was within the budget, each step of it.
        work = partial(replayed, row.scenario, row.kafka, row.control, steps)
        try:
            timeline = await self._long.do(without_end, self._observed(work))
        except (ScenarioError, LimitReachedError, ValueError) as error:
            raise _engine_changed(row) from error
        made = [tuple(done.frames) for done in timeline.record]
        if len(timeline.frames) != row.frame_count or made != [step.frames for step in steps]:
            raise _engine_changed(row)
        return self.open(
            session_id=row.id,
            scenario_id=row.scenario_id,
            timeline=timeline,
            created_at=row.created_at,
            step_count=len(steps),
            provenance=Provenance(row.owner_key_hash, row.forked_from),
        )


def _engine_changed(row: SessionRow) -> NotReplayableError:
    return NotReplayableError(
        f"This session was made by engine {row.engine}; engine {ENGINE_VERSION} plays it "
        "differently. Start it again from its scenario.",
        code="engine_changed",
    )


def replayed(
    scenario: dict[str, object], kafka: str, control: str, steps: Sequence[StoredStep]
) -> Timeline:
    """The timeline that these steps make of this scenario."""
    return Timeline.replay(
        read_scenario_document(scenario),
        kafka=kafka,
        control=control,
        record=[(step.after, step.step, step.item) for step in steps],
    )


def stored_steps(timeline: Timeline) -> list[StoredStep]:
    """What a timeline's record is in the database.

    A step that made no frame may stand twice after one frame (two `settle` in a row); once says
    as much.
    """
    steps: dict[tuple[FrameNumber, str], StoredStep] = {}
    for done in timeline.record:
        key = step_key(done.step)
        steps.setdefault(
            (done.after, key),
            StoredStep(done.after, done.step, key, done.item, tuple(done.frames)),
        )
    return list(steps.values())
