"""Timelines in memory: a bounded cache of replayed sessions.

The database is authoritative: an open timeline is a session's rows, replayed, and any process can
create it again. If a change in memory is not committed, the whole timeline is dropped (`forget`)
and never repaired.
"""

from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from functools import partial

from backend.answers.open_run import OpenTimeline, Provenance, StoredStep, engine_changed, replayed
from backend.database.database import Database, now
from backend.frames.rendering import Rendering, rendered_frames
from backend.http.errors import NotFoundError
from backend.limit_table import SESSION_DAYS
from backend.limits.lanes import Lanes
from backend.sessions import repository
from backend.sessions.tables import SessionRow
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.simulation.step_execution import LimitReachedError
from sim_engine.simulation.timeline import Timeline

UNUSED_FOR = timedelta(days=SESSION_DAYS.number)
_TOUCH_AFTER = timedelta(hours=6)
_MOST_TIMELINES = 128
# Approximately: of all timelines in memory.
_MOST_BYTES = 256 * 1024 * 1024


class Timelines:
    """The most recently used sessions of this process."""

    def __init__(self, database: Database, lanes: Lanes) -> None:
        self.database = database
        self.lanes = lanes
        self._rendered = rendered_frames()
        self._open: OrderedDict[str, OpenTimeline] = OrderedDict()
        self._most_timelines = _MOST_TIMELINES
        self._most_bytes = _MOST_BYTES

    def __len__(self) -> int:
        return len(self._open)

    def alone(self, session_id: str) -> AbstractAsyncContextManager[None]:
        """Inside the block, no other task of this process works on that session."""
        return self.lanes.alone(session_id)

    @asynccontextmanager
    async def alone_with(self, session_id: str) -> AsyncIterator[OpenTimeline]:
        """Inside the block, no other task of this process works on that session. Raises the errors
        of `latest`.
        """
        async with self.alone(session_id):
            yield await self.latest(session_id)

    async def latest(self, session_id: str) -> OpenTimeline:
        """The timeline with every committed step. Call it inside `alone`.

        Raises NotFoundError. However long it has not been used, by the clock, a session is there
        until housekeeping, which knows whether the clock can be trusted, deletes it.
        """
        async with self.database.reading() as db:
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
            async with self.database.writing() as db:
                await repository.touch(db, session_id, moment)
        if cached is not None and fresh:
            return cached
        return await self._rebuild(row, steps)

    async def cached_or_latest(self, session_id: str) -> OpenTimeline:
        """A timeline that may lack recent steps of other processes. Saves one query compared with
        `latest`.
        """
        return self._cached(session_id) or await self.latest(session_id)

    def open(self, row: SessionRow, timeline: Timeline) -> OpenTimeline:
        """Cache the timeline of a session's row, after all of its steps."""
        opened = OpenTimeline(
            row.id,
            row.scenario_id,
            row.created_at,
            row.step_count,
            Provenance(row.owner_key_hash, row.forked_from),
            timeline,
            Rendering(timeline, self._rendered),
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
            timeline = await self.lanes.prepare(work)
        except (ScenarioError, LimitReachedError, ValueError) as error:
            raise engine_changed(row.engine) from error
        made = [tuple(done.frames) for done in timeline.played_steps]
        if len(timeline.frames) != row.frame_count or made != [step.frames for step in steps]:
            raise engine_changed(row.engine)
        return self.open(row, timeline)
