"""The operations on sessions: start a run, act in it, read it, compare it.

A step is committed before its response is sent. If two tabs or two processes act on one session,
the database orders them: the slower one starts again from the stored rows, and then either finds
its step already performed or performs it in its new place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy.exc import IntegrityError

from backend.database.database import now
from backend.http.errors import ActionNotPossibleError, UnavailableError
from backend.identifiers import new_id
from backend.sessions import recipes, repository
from backend.sessions.ownership import Provenance, check_owner, provenance
from backend.sessions.replay import engine_errors, limit_reached, played, rerun, under_configs
from backend.sessions.repository import StaleError, StoredStep
from backend.sessions.responses import acted_document
from backend.sessions.scenario_input import find_shipped, from_step_error, read_document, read_text
from backend.sessions.schemas import ActionCreate, Recipe, SessionCreate
from backend.sessions.tables import SessionRow
from backend.sessions.timelines import OpenTimeline, Timelines, step_key, stored_steps
from sim_engine.actions.steps import Happening, TimeStep
from sim_engine.identifiers import ENGINE_VERSION, FrameNumber
from sim_engine.narration.sentences import RefusedError as ActionRefusedError
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.scenario_reader.reader import read_step
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.step_execution import LimitReachedError
from sim_engine.simulation.timeline import ActResult, Timeline

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
    if body.session is not None:
        assert body.at is not None
        return await _create_from_session(timelines, body, body.session, body.at, owner_key)
    if body.run is not None:
        return await _create_from_link(timelines, body.run, owner_key)
    if body.scenario_id is not None:
        scenario = find_shipped(body.scenario_id)
        scenario_id: str | None = scenario.id
    elif body.scenario_text is not None:
        scenario = await timelines.lanes.compute_long(read_text, body.scenario_text)
        scenario_id = None
    else:
        assert body.scenario is not None
        # With large logs this takes long, so it does not run in the event loop.
        scenario = await timelines.lanes.compute_long(read_document, body.scenario)
        scenario_id = None
    # Shipped scenarios are short; submitted ones can have any length.
    compute = timelines.lanes.compute_long if scenario_id is None else timelines.lanes.compute
    where = "/scenario" if body.scenario_text is None else "/scenario_text"
    play = partial(played, where=where, text=body.scenario_text)
    timeline = await compute(play, scenario, body.kafka, body.control)
    return await add(timelines, timeline, scenario_id, provenance(owner_key))


async def _create_from_link(
    timelines: Timelines, run: Recipe, owner_key: str | None
) -> OpenTimeline:
    timeline, scenario_id, digest = await timelines.lanes.compute_long(_played_again, run)
    link = {"engine": run.engine, "differs": digest != run.digest}
    of = provenance(owner_key, {"link": link})
    return await add(timelines, timeline, scenario_id, of)


def _played_again(run: Recipe) -> tuple[Timeline, str | None, str]:
    with engine_errors():
        timeline, scenario_id = recipes.played(run)
    return timeline, scenario_id, recipes.digest_of(timeline)


async def _create_from_session(
    timelines: Timelines,
    body: SessionCreate,
    session_id: str,
    at: FrameNumber,
    owner_key: str | None,
) -> OpenTimeline:
    async with timelines.alone_with(session_id) as origin:
        shown_id = session_id if origin.provenance.owned else None
        share = (origin.provenance.forked_from or {}).get("share")
        of_copy = provenance(owner_key, {"session": shown_id} | ({"share": share} if share else {}))
        origin.check_frame(at, where="/at")
        if body.configs is not None or body.producers is not None:
            timeline = await timelines.lanes.compute_long(
                under_configs, origin.timeline, at, body.configs, body.producers
            )
            return await add(timelines, timeline, None, of_copy)
        timeline = await timelines.lanes.compute_long(
            rerun, origin.timeline, at, body.kafka, body.control
        )
    return await add(timelines, timeline, origin.scenario_id, of_copy)


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
        try:
            step = read_step(body.step, opened.timeline.scenario)
        except ScenarioError as error:
            raise from_step_error(error) from None
        # The key of the step in the engine's canonical form, however the client wrote it.
        key = step_key(step.as_step())
        if body.after >= opened.frame_count:
            # Another process may have created that frame.
            opened = await timelines.latest(session_id)
            opened.check_frame(body.after, where="/after")
        for _ in range(_MOST_TRIES):
            frames = opened.done.get((body.after, key))
            if frames is not None:
                document = await timelines.lanes.compute(_again, opened, body, frames)
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
    after = body.after
    next_frame = opened.frame_count
    sound = False  # whether the cached timeline still matches the database
    try:
        # All other steps are a few actions at most.
        lanes = timelines.lanes
        compute = lanes.compute_long if isinstance(step, TimeStep) else lanes.compute
        result, document = await compute(_performed, opened, body, step)
        done = StoredStep(after, step.as_step(), key, None, tuple(result.frames))
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
    except (ActionRefusedError, LimitReachedError) as refusal:
        sound = opened.frame_count == next_frame
        raise _refused(refusal) from None
    finally:
        if not sound:
            timelines.forget(opened.session_id)
    opened.step_count += 1
    opened.done[after, key] = done.frames
    timelines.keep(opened)
    return document


def _performed(
    opened: OpenTimeline, body: ActionCreate, step: Happening
) -> tuple[ActResult, bytes]:
    result = opened.timeline.perform(body.after, step)
    return result, acted_document(
        opened, result.frames, body.known, forked=result.forked, repeated=False
    )


def _again(opened: OpenTimeline, body: ActionCreate, frames: Sequence[FrameNumber]) -> bytes:
    forked = _began_branch(opened.timeline, body.after, frames[0])
    return acted_document(opened, frames, body.known, forked=forked, repeated=True)


def _refused(error: ActionRefusedError | LimitReachedError) -> Exception:
    if isinstance(error, ActionRefusedError):
        return ActionNotPossibleError(
            error.said(), reason_code=error.code, numbers=error.numbers, rule=error.rule
        )
    return limit_reached(error, where="/step")


def _began_branch(timeline: Timeline, after: FrameNumber, first: FrameNumber) -> bool:
    """Whether the frame already had another successor before `first` was created."""
    return any(frame.parent == after and frame.frame < first for frame in timeline.frames)
