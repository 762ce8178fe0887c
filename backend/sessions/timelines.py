"""Timelines in memory: a bounded cache of replayed sessions.

The database is authoritative: an open timeline is a session's rows, replayed, and any process can
create it again. If a change in memory is not committed, the whole timeline is dropped (`forget`)
and never repaired.
"""

import hashlib
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

import msgspec

from backend.database.database import Database, now
from backend.frames.rendering import Rendering, rendered_frames
from backend.http.errors import NotFoundError, NotReplayableError, invalid
from backend.limit_table import SESSION_DAYS
from backend.limits.lanes import Lanes
from backend.sessions import repository
from backend.sessions.ownership import Provenance
from backend.sessions.repository import StoredStep
from backend.sessions.tables import SessionRow
from sim_engine.identifiers import ENGINE_VERSION, FrameNumber
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.simulation.step_execution import LimitReachedError
from sim_engine.simulation.timeline import Timeline

UNUSED_FOR = timedelta(days=SESSION_DAYS.number)
_TOUCH_AFTER = timedelta(hours=6)
_MOST_TIMELINES = 128
# Approximately: of all timelines in memory.
_MOST_BYTES = 256 * 1024 * 1024

_canonical = msgspec.json.Encoder(order="deterministic")


def step_key(step: object) -> str:
    """A hash of a step that does not depend on the order of its keys."""
    return hashlib.sha256(_canonical.encode(step)).hexdigest()


@dataclass(slots=True)
class OpenTimeline:
    """One session's timeline, and the number of rows that were replayed."""

    session_id: str
    scenario_id: str | None
    created_at: datetime
    step_count: int
    provenance: Provenance
    timeline: Timeline
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
            raise _engine_changed(row) from error
        made = [tuple(done.frames) for done in timeline.played_steps]
        if len(timeline.frames) != row.frame_count or made != [step.frames for step in steps]:
            raise _engine_changed(row)
        return self.open(row, timeline)


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
            (done.after, key), StoredStep(done.after, done.step, key, done.item, tuple(done.frames))
        )
    return list(steps.values())
