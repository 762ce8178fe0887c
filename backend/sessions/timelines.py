"""Timelines in memory: a bounded cache of replayed sessions.

The database is authoritative: an open timeline is a session's rows, replayed, and any process can
create it again. If a change in memory is not committed, the whole timeline is dropped (`forget`)
and never repaired.
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

from backend.brief_work import BRIEF_S, NotBriefError, is_brief
from backend.database import Database, now
from backend.frames.rendering import RenderedFrames, Rendering
from backend.http.errors import LimitError, NotFoundError, NotReplayableError, invalid
from backend.limit_table import COMPUTE_SECONDS, SESSION_DAYS
from backend.limits.baton import Baton
from backend.limits.lanes import Lane, for_seconds, without_end
from backend.sessions import repository
from backend.sessions.ownership import Provenance
from backend.sessions.repository import StoredStep
from backend.sessions.small_scenarios import is_small
from backend.sessions.step_time import LONG_MS, passing_ms
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
_MOST_BYTES = 256 * 1024 * 1024
# No shipped scenario has as many frames.
_LONG_FRAMES = 1000
_MOST_KNOWN_LONG = 10_000

_canonical = msgspec.json.Encoder(order="deterministic")


def step_key(step: object) -> str:
    """A hash of a step that does not depend on the order of its keys."""
    return hashlib.sha256(_canonical.encode(step)).hexdigest()


@dataclass(slots=True)
class OpenTimeline:
    """One session's timeline, and the number of rows that were replayed."""

    session_id: str
    scenario_id: str | None
    timeline: Timeline
    created_at: datetime
    step_count: int
    provenance: Provenance
    rendering: Rendering
    # Frame and step key → the frames that the step created. Refused steps are not included.
    done: dict[tuple[FrameNumber, str], tuple[FrameNumber, ...]] = field(init=False)
    # When it was last kept.
    taken_bytes: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.done = {
            (done.after, step_key(done.step)): tuple(done.frames)
            for done in self.timeline.played_steps
            if done.frames and not done.refused
        }

    @property
    def frame_count(self) -> int:
        """The number of frames on all branches."""
        return len(self.timeline.frames)

    def check_frame(self, frame: FrameNumber, *, where: str) -> None:
        """Raise InvalidInputError, with `where` as its place, for a frame that does not exist."""
        if frame >= self.frame_count:
            raise invalid(
                where,
                f"there is no such frame; the last one is {self.frame_count - 1}",
                code="no_such_frame",
            )


class Timelines:
    """The most recently used sessions of this process."""

    def __init__(
        self,
        database: Database,
        *,
        most_timelines: int = _MOST_TIMELINES,
        most_bytes: int = _MOST_BYTES,
        budget_s: float = COMPUTE_SECONDS.number,
        observe: Callable[[float], None] | None = None,
        baton: Baton | None = None,
    ) -> None:
        """`most_bytes` is the approximate memory of all cached timelines. `observe` is called with
        the duration of each task in seconds; `budget_s` is the CPU time in seconds that one task
        may use.
        """
        self._database = database
        self._rendered = RenderedFrames()
        self._open: OrderedDict[str, OpenTimeline] = OrderedDict()
        self._known_long: OrderedDict[str, None] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._most_timelines = most_timelines
        self._most_bytes = most_bytes
        self._observe = observe
        self._budget_s = budget_s
        baton = Baton() if baton is None else baton
        self._short = Lane("short", at_once=8, of_a_visitor=2, baton=baton)
        # Two lanes are not faster, because they share the baton, but short work never queues behind
        # long work.
        self._long = Lane("long", at_once=8, of_a_visitor=1, baton=baton)

    def __len__(self) -> int:
        return len(self._open)

    @asynccontextmanager
    async def alone(self, session_id: str) -> AsyncIterator[None]:
        """Inside the block, no other task of this process works on that session."""
        lock = self._locks.get(session_id)
        if lock is None:
            lock = self._locks[session_id] = asyncio.Lock()
        async with lock:
            yield

    async def compute(
        self, work: Callable[_P, _T], /, *arguments: _P.args, **named: _P.kwargs
    ) -> _T:
        """Run short work outside the event loop when it is the visitor's turn.

        Raises LimitError (compute_seconds) if it takes too long, and NotBriefError if brief work
        does.
        """
        return await self._computed(self._short, partial(work, *arguments, **named))

    async def compute_long(
        self, work: Callable[_P, _T], /, *arguments: _P.args, **named: _P.kwargs
    ) -> _T:
        """Like `compute`, for work that may take seconds: short work does not wait for it."""
        return await self._computed(self._long, partial(work, *arguments, **named))

    async def prepare(self, work: Callable[[], _T]) -> _T:
        """Like `compute_long`, without a time limit, for what is made once for all visitors."""
        return await self._long.do(without_end, self._observed(work))

    async def _computed(self, lane: Lane, work: Callable[[], _T]) -> _T:
        try:
            return await self._do(lane, partial(for_seconds, self._budget_s), work)
        except BudgetExceededError as error:
            raise LimitError(COMPUTE_SECONDS, frame=error.frame) from None

    async def _do(
        self, lane: Lane, may_go_on: Callable[[], Callable[[], bool]], work: Callable[[], _T]
    ) -> _T:
        """Run work in a lane within its budget, or within that of brief work."""
        if not is_brief():
            return await lane.do(may_go_on, self._observed(work))
        try:
            return await lane.do(partial(for_seconds, BRIEF_S), self._observed(work))
        except BudgetExceededError:
            raise NotBriefError from None

    def _observed(self, work: Callable[[], _T]) -> Callable[[], _T]:
        def observed() -> _T:
            started = time.perf_counter()
            try:
                return work()
            finally:
                if self._observe is not None:
                    self._observe(time.perf_counter() - started)

        return observed

    async def is_known(self, session_id: str) -> bool:
        """Whether there is such a session."""
        if session_id in self._open or session_id in self._known_long:
            return True
        async with self._database.reading() as db:
            return await repository.exists(db, session_id)

    async def is_long(self, session_id: str) -> bool:
        """Whether a run may take long to compute: its scenario was submitted and is not small, it
        has many frames, or its steps let much time pass. False for an unknown session.
        """
        if session_id in self._known_long:
            return True
        opened = self._open.get(session_id)
        if opened is not None:
            # If its scenario was submitted, it is small: otherwise it would not be opened here.
            is_long = (
                opened.frame_count > _LONG_FRAMES
                or passing_ms(done.step for done in opened.timeline.played_steps) > LONG_MS
            )
        else:
            async with self._database.reading() as db:
                is_long = await repository.is_long(db, session_id, frames=_LONG_FRAMES, ms=LONG_MS)
                if not is_long:
                    submitted = await repository.submitted_scenario(db, session_id)
                    is_long = submitted is not None and not is_small(submitted)
        if is_long:
            # A run never becomes shorter.
            self.note_long(session_id)
        return is_long

    def becomes_long(self, session_id: str, step: object) -> bool:
        """Whether a step that has not been performed makes a run long. From then on the run counts
        as long in this process, which does not learn when the step is performed.
        """
        if passing_ms([step]) <= LONG_MS:
            return False
        self.note_long(session_id)
        return True

    def note_long(self, session_id: str) -> None:
        """From now on, a run counts as long in this process."""
        self.forget(session_id)
        self._known_long[session_id] = None
        while len(self._known_long) > _MOST_KNOWN_LONG:
            self._known_long.popitem(last=False)

    def waited_s(self) -> float:
        """The longest wait of queued work in any lane, in seconds."""
        return max(self._short.waited_s(), self._long.waited_s())

    def waiting(self) -> dict[str, int]:
        """Lane → the number of its tasks that wait."""
        return {"short": self._short.waiting, "long": self._long.waiting}

    def close(self) -> None:
        """Stop the threads."""
        self._short.close()
        self._long.close()

    async def latest(self, session_id: str) -> OpenTimeline:
        """The timeline with every committed step. Call it inside `alone`.

        Raises NotFoundError. However long it has not been used, by the clock, a session is there
        until housekeeping, which knows whether the clock can be trusted, deletes it.
        """
        async with self._database.reading() as db:
            row = await repository.get(db, session_id)
            if row is None:
                self.forget(session_id)
                raise NotFoundError("There is no such session.")
            cached = self._cached(session_id)
            fresh = cached is not None and cached.step_count == row.step_count
            steps = (
                [] if fresh else await repository.list_steps(db, session_id, count=row.step_count)
            )
        moment = now()
        if moment - row.last_used_at > _TOUCH_AFTER:
            async with self._database.writing() as db:
                await repository.touch(db, session_id, moment)
        if cached is not None and fresh:
            return cached
        return await self._rebuild(row, steps)

    async def cached_or_latest(self, session_id: str) -> OpenTimeline:
        """A timeline that may lack recent steps of other processes. Saves one query compared with
        `latest`.
        """
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
        """A session's cached timeline, replayed if necessary."""
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
        """Cache a timeline, and evict the least recently used ones if there is no room."""
        opened.taken_bytes = opened.timeline.approximate_bytes()
        self._open[opened.session_id] = opened
        self._open.move_to_end(opened.session_id)
        taken = sum(other.taken_bytes for other in self._open.values())
        while len(self._open) > 1 and (
            len(self._open) > self._most_timelines or taken > self._most_bytes
        ):
            _, evicted = self._open.popitem(last=False)
            taken -= evicted.taken_bytes

    def forget(self, session_id: str) -> None:
        """Drop a timeline from memory; the next request replays its rows."""
        self._open.pop(session_id, None)

    def _cached(self, session_id: str) -> OpenTimeline | None:
        cached = self._open.get(session_id)
        if cached is not None:
            self._open.move_to_end(session_id)
        return cached

    async def _rebuild(self, row: SessionRow, steps: Sequence[StoredStep]) -> OpenTimeline:
        self.forget(row.id)
        work = partial(replayed, row.scenario, row.kafka, row.control, steps)
        try:
            # Each step was within the budget when it was accepted.
            timeline = await self._do(self._long, without_end, work)
        except (ScenarioError, LimitReachedError, ValueError) as error:
            raise _engine_changed(row) from error
        made = [tuple(done.frames) for done in timeline.played_steps]
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
    """Replay these steps of a scenario and return the timeline."""
    return Timeline.replay(
        read_scenario_document(scenario),
        kafka=kafka,
        control=control,
        steps=[(step.after, step.step, step.item) for step in steps],
    )


def stored_steps(timeline: Timeline) -> list[StoredStep]:
    """A timeline's played steps in the form in which they are stored.

    A step without frames can occur twice after the same frame (two `settle` in a row); it is stored
    once.
    """
    steps: dict[tuple[FrameNumber, str], StoredStep] = {}
    for done in timeline.played_steps:
        key = step_key(done.step)
        steps.setdefault(
            (done.after, key),
            StoredStep(done.after, done.step, key, done.item, tuple(done.frames)),
        )
    return list(steps.values())
