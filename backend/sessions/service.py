"""The operations on sessions: start a run, act in it.

A step is committed before its response is sent. If two tabs or two processes act on one session,
the database orders them: the slower one starts again from the stored rows, and then either finds
its step already performed or performs it in its new place.
"""

from dataclasses import dataclass

from sqlalchemy.exc import IntegrityError

from backend.answers.acting import (
    REFUSALS,
    performed,
    performed_before,
    read_action,
    refusal,
    started,
)
from backend.answers.open_run import OpenTimeline, Provenance, StoredStep, stored_steps
from backend.answers.requests import ActionCreate, SessionCreate
from backend.database.database import now
from backend.http.errors import UnavailableError
from backend.identifiers import new_id
from backend.sessions import repository
from backend.sessions.ownership import check_owner, provenance
from backend.sessions.repository import StaleError
from backend.sessions.tables import SessionRow
from backend.sessions.timelines import Timelines
from sim_engine.actions.steps import Happening, TimeStep
from sim_engine.identifiers import ENGINE_VERSION
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.timeline import Timeline

_MOST_TRIES = 20


@dataclass(frozen=True, slots=True)
class Acted:
    """The JSON response to one action, and whether the action had already been performed."""

    repeated: bool
    document: bytes


async def create(
    timelines: Timelines, body: SessionCreate, owner_key: str | None = None
) -> OpenTimeline:
    """Start a run, and return it after all steps of its scenario have been performed.

    Raises InvalidInputError for an invalid scenario, and LimitError if it is too long.
    """
    lanes = timelines.lanes
    if body.session is None:
        # Shipped scenarios are short; submitted ones can have any length.
        compute = lanes.compute_long if body.scenario_id is None else lanes.compute
        run = await compute(started, body)
    else:
        async with timelines.alone_with(body.session) as origin:
            run = await lanes.compute_long(started, body, origin)
    of = provenance(owner_key, run.forked_from)
    return await add(timelines, run.timeline, run.scenario_id, of)


async def add(
    timelines: Timelines, timeline: Timeline, scenario_id: str | None, of: Provenance
) -> OpenTimeline:
    """Store a played run as a new session."""
    # With large logs both take a while, so they do not run in the event loop.
    steps, document = await timelines.lanes.compute(
        lambda: (stored_steps(timeline), scenario_document(timeline.scenario))
    )
    moment = now()
    row = SessionRow(
        id=new_id(),
        scenario=document,
        scenario_id=scenario_id,
        kafka=timeline.profile.kafka,
        control=timeline.profile.control,
        engine=ENGINE_VERSION,
        created_at=moment,
        last_used_at=moment,
        head=timeline.head,
        frame_count=len(timeline.frames),
        step_count=len(steps),
        owner_key_hash=of.owner_key_hash,
        forked_from=of.forked_from,
    )
    async with timelines.database.writing() as db:
        await repository.add(db, row, steps)
    return timelines.open(row, timeline)


async def act(
    timelines: Timelines, session_id: str, body: ActionCreate, authorization: str | None
) -> Acted:
    """Perform one step after a frame, exactly once, however often it is requested.

    Raises ActionNotPossibleError (nothing is stored), NotYoursError and InvalidInputError.
    """
    async with timelines.alone(session_id):
        opened = await timelines.cached_or_latest(session_id)
        check_owner(opened.provenance, authorization)
        step, key = read_action(opened, body)
        if body.after >= opened.frame_count:
            # Another process may have created that frame.
            opened = await timelines.latest(session_id)
            opened.check_frame(body.after, where="/after")
        for _ in range(_MOST_TRIES):
            frames = opened.done.get((body.after, key))
            if frames is not None:
                document = await timelines.lanes.compute(performed_before, opened, body, frames)
                return Acted(repeated=True, document=document)
            try:
                document = await _act_once(timelines, opened, body, step, key)
            except (StaleError, IntegrityError):
                opened = await timelines.latest(session_id)
                continue
            return Acted(repeated=False, document=document)
    raise UnavailableError(
        "Other clients are acting in this run at the same time.", code="busy", retry_after_s=1
    )


async def _act_once(
    timelines: Timelines, opened: OpenTimeline, body: ActionCreate, step: Happening, key: str
) -> bytes:
    """Perform a step and commit it, or change nothing. Returns the response, which is made with the
    step, in one visit of the lane. Raises the errors of `act`, and StaleError or IntegrityError if
    another request was faster.
    """
    next_frame = opened.frame_count
    sound = False  # whether the cached timeline still matches the database
    try:
        # All other steps are a few actions at most.
        lanes = timelines.lanes
        compute = lanes.compute_long if isinstance(step, TimeStep) else lanes.compute
        result, document = await compute(performed, opened, body, step)
        done = StoredStep(body.after, step.as_step(), key, None, tuple(result.frames))
        async with timelines.database.writing() as db:
            await repository.append_step(
                db,
                opened.session_id,
                done,
                position=opened.step_count,
                next_frame=next_frame,
                head=opened.timeline.head,
                frame_count=opened.frame_count,
                now=now(),
            )
        sound = True
    except REFUSALS as refused:
        sound = opened.frame_count == next_frame
        raise refusal(refused) from None
    finally:
        if not sound:
            timelines.forget(opened.session_id)
    opened.note(done)
    timelines.keep(opened)
    return document
