"""What can be done with a run: start it, act in it, look at it, compare it.

A step is in the database before its answer is sent. Two tabs, or two processes, on one session
are ordered by the database: whoever finds that it was slower starts over from the rows, and then
either finds its own step already done or does it where it now belongs.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy.exc import IntegrityError

from backend.database import Database, now
from backend.errors import (
    ActionNotPossibleError,
    InvalidInputError,
    Place,
    UnavailableError,
    invalid,
)
from backend.frame_packing import FrameDocument, packed
from backend.identifiers import new_id
from backend.sessions import repository
from backend.sessions.branches import list_branches
from backend.sessions.repository import StaleError, StoredStep
from backend.sessions.schemas import ActionCreate, SessionCreate
from backend.sessions.tables import SessionRow
from backend.sessions.timelines import OpenTimeline, Timelines, requested_key, stored_steps
from sim_engine import (
    ENGINE_VERSION,
    TIME_STEPS,
    ActionRefusedError,
    LimitReachedError,
    Scenario,
    ScenarioError,
    Timeline,
    UnknownRuleError,
    UnknownVersionError,
    frame_document,
    load_shipped,
    read_scenario_document,
    read_scenario_text,
    scenario_document,
    words_under,
)

MOST_FRAMES_A_REQUEST = 500
_MOST_STEPS = 10_000
_MOST_TRIES = 20


@dataclass(frozen=True, slots=True)
class Acted:
    head: int
    forked: bool
    repeated: bool
    frames: list[FrameDocument]


async def create(database: Database, timelines: Timelines, body: SessionCreate) -> OpenTimeline:
    """Start a run: all of its scenario's steps are done when this returns."""
    if body.session is not None:
        assert body.at is not None
        return await _create_from_session(database, timelines, body, body.session, body.at)
    if body.scenario_id is not None:
        scenario = find_shipped(body.scenario_id)
        scenario_id: str | None = scenario.id
    elif body.scenario_text is not None:
        scenario = await timelines.compute(read_text, body.scenario_text)
        scenario_id = None
    else:
        assert body.scenario is not None
        scenario = read_document(body.scenario)
        scenario_id = None
    timeline = await timelines.compute(_played, scenario, body.kafka, body.control)
    return await add(database, timelines, timeline, scenario, scenario_id)


async def _create_from_session(
    database: Database, timelines: Timelines, body: SessionCreate, session_id: str, at: int
) -> OpenTimeline:
    async with timelines.alone(session_id):
        origin = await timelines.latest(session_id)
        check_frame(origin, at, where="/at")
        timeline = await timelines.compute(again, origin.timeline, at, body.kafka, body.control)
    return await add(database, timelines, timeline, origin.timeline.scenario, origin.scenario_id)


def find_shipped(scenario_id: str) -> Scenario:
    try:
        return load_shipped(scenario_id)
    except KeyError:
        raise invalid("/scenario_id", "no scenario has this id or alias") from None


def read_document(document: dict[str, Any], *, where: str = "/scenario") -> Scenario:
    """A scenario of somebody's own; what is wrong with it is said by place."""
    steps = document.get("steps")
    if isinstance(steps, list):
        _check_length(steps, where)
    try:
        return read_scenario_document(document)
    except ScenarioError as error:
        raise from_scenario_error(error, where=where) from None


def read_text(text: str) -> Scenario:
    """A scenario file of somebody's own; what is wrong with it is said by line and column."""
    where = "/scenario_text"
    try:
        scenario = read_scenario_text(text)
    except ScenarioError as error:
        raise from_scenario_error(error, where=where) from None
    _check_length(scenario.steps, where)
    return scenario


def _check_length(steps: Sequence[object], where: str) -> None:
    if len(steps) > _MOST_STEPS:
        raise invalid(
            f"{where}/steps", f"a scenario has at most {_MOST_STEPS} steps", code="too_many_steps"
        )


def from_scenario_error(error: ScenarioError, *, where: str) -> InvalidInputError:
    """What is wrong, by place; `where` is the scenario's own place in the request."""
    return InvalidInputError(
        "The scenario has mistakes.",
        code="invalid_scenario",
        places=[
            Place(f"{where}{problem.where}", problem.message, problem.line, problem.column)
            for problem in error.problems
        ],
    )


def _from_step_error(error: ScenarioError) -> InvalidInputError:
    # The engine says its places under /step already.
    return InvalidInputError(
        "The step has mistakes.",
        code="invalid_step",
        places=[Place(problem.where, problem.message) for problem in error.problems],
    )


def _played(scenario: Scenario, kafka: str | None, control: str | None) -> Timeline:
    with engine_errors():
        timeline = Timeline(scenario, kafka=kafka, control=control)
        timeline.run_all()
    return timeline


def again(timeline: Timeline, at: int, kafka: str | None, control: str | None) -> Timeline:
    with engine_errors():
        if kafka is None and control is None:
            control = timeline.profile.control
        kafka = kafka or timeline.profile.kafka
        return timeline.replayed(at, kafka=kafka, control=control)


@contextmanager
def engine_errors() -> Iterator[None]:
    """What the engine finds wrong with a version, a controller or a length, as a caller's error."""
    try:
        yield
    except (UnknownVersionError, UnknownRuleError) as error:
        raise invalid("/kafka", str(error), code="unknown_version") from None
    except LimitReachedError as error:
        raise limit_reached(error) from None


def limit_reached(error: LimitReachedError) -> InvalidInputError:
    return InvalidInputError(
        f"The limit of {error.value} {error.limit} is reached.", code="limit_reached"
    )


async def add(
    database: Database,
    timelines: Timelines,
    timeline: Timeline,
    scenario: Scenario,
    scenario_id: str | None,
) -> OpenTimeline:
    """A new session of what was played."""
    steps = stored_steps(timeline)
    moment = now()
    row = SessionRow(
        id=new_id(),
        scenario=scenario_document(scenario),
        scenario_id=scenario_id,
        kafka=timeline.profile.kafka,
        control=timeline.profile.control,
        engine=ENGINE_VERSION,
        created_at=moment,
        last_used_at=moment,
        head=timeline.head,
        frame_count=len(timeline.frames),
        step_count=len(steps),
    )
    async with database.writing() as session:
        await repository.add(session, row, steps)
    opened = OpenTimeline(
        session_id=row.id,
        scenario_id=scenario_id,
        timeline=timeline,
        created_at=moment,
        step_count=len(steps),
    )
    timelines.keep(opened)
    return opened


async def act(
    database: Database, timelines: Timelines, session_id: str, body: ActionCreate
) -> Acted:
    """Do one step after one frame, once, whoever asks how often.

    Raises ActionNotPossibleError (nothing is stored) and InvalidInputError.
    """
    async with timelines.alone(session_id):
        opened = await timelines.cached_or_latest(session_id)
        try:
            key = requested_key(opened.timeline.scenario, body.step)
        except ScenarioError as error:
            raise _from_step_error(error) from None
        if body.after >= opened.frame_count:
            # Perhaps another process made that frame.
            opened = await timelines.latest(session_id)
            check_frame(opened, body.after, where="/after")
        for _ in range(_MOST_TRIES):
            frames = opened.done.get((body.after, key))
            if frames is not None:
                return _repeated(opened, body.after, frames)
            try:
                return await _act_once(database, timelines, opened, body, key)
            except (StaleError, IntegrityError):
                opened = await timelines.latest(session_id)
    raise UnavailableError("Others are acting here at the same time.", code="busy", retry_after_s=1)


async def _act_once(
    database: Database,
    timelines: Timelines,
    opened: OpenTimeline,
    body: ActionCreate,
    key: str,
) -> Acted:
    next_frame = opened.frame_count
    sound = False  # whether memory holds what the database holds
    try:
        result = await _acted(timelines, opened.timeline, body)
        done = opened.timeline.record[-1]
        step = StoredStep(body.after, done.step, key, None, tuple(result.frames))
        async with database.writing() as session:
            await repository.append_step(
                session,
                opened.session_id,
                step,
                position=opened.step_count,
                next_frame=next_frame,
                head=opened.timeline.head,
                frame_count=opened.frame_count,
                now=now(),
            )
        sound = True
    except (ActionRefusedError, ScenarioError, LimitReachedError) as refusal:
        sound = opened.frame_count == next_frame
        raise _refused(refusal) from None
    finally:
        if not sound:
            timelines.forget(opened.session_id)
    opened.step_count += 1
    opened.done[body.after, key] = step.frames
    timelines.keep(opened)
    made = _documents(opened.timeline, step.frames)
    return Acted(result.head, result.forked, False, made)


async def _acted(timelines: Timelines, timeline: Timeline, body: ActionCreate) -> Any:
    if TIME_STEPS.isdisjoint(body.step):  # other steps are a few actions at most
        return timeline.act(body.after, body.step)
    return await timelines.compute(timeline.act, body.after, body.step)


def _refused(error: ActionRefusedError | ScenarioError | LimitReachedError) -> Exception:
    if isinstance(error, ActionRefusedError):
        return ActionNotPossibleError(
            error.reason,
            reason_code=error.code,
            numbers=error.numbers,
            rule=error.rule,
        )
    if isinstance(error, LimitReachedError):
        return limit_reached(error)
    return _from_step_error(error)


def _repeated(opened: OpenTimeline, after: int, frames: Sequence[int]) -> Acted:
    first = frames[0] if frames else opened.frame_count
    forked = any(frame.parent == after and frame.frame < first for frame in opened.timeline.frames)
    documents = _documents(opened.timeline, frames)
    return Acted(frames[-1] if frames else after, forked, True, documents)


def _documents(timeline: Timeline, frames: Sequence[int]) -> list[FrameDocument]:
    """What an action made, as a timeline shows it."""
    shown = frames[:MOST_FRAMES_A_REQUEST]
    return packed(frame_document(timeline, number) for number in shown)


def check_frame(opened: OpenTimeline, frame: int, *, where: str) -> None:
    if frame >= opened.frame_count:
        raise invalid(
            where,
            f"there is no such frame; the last one is {opened.frame_count - 1}",
            code="no_such_frame",
        )


def describe(opened: OpenTimeline) -> dict[str, Any]:
    """What GET /sessions/{id} answers."""
    timeline = opened.timeline
    scenario = scenario_document(timeline.scenario)
    return {
        "id": opened.session_id,
        "head": timeline.head,
        "frames": opened.frame_count,
        "kafka": timeline.profile.kafka,
        "control": timeline.profile.control,
        "engine": ENGINE_VERSION,
        "scenario_id": opened.scenario_id,
        "scenario": scenario,
        "words": words_under(scenario, timeline.profile.kafka, timeline.profile.control),
        "created": opened.created_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "branches": [
            {
                "head": branch.head,
                "first_frame": branch.first_frame,
                "forked_after": branch.forked_after,
                "depth": branch.depth,
            }
            for branch in list_branches(timeline.frames)
        ],
    }


def timeline_document(timeline: Timeline, first: int, last: int, *, full: bool) -> dict[str, Any]:
    """Frames `first` up to `last`, exclusive."""
    documents = (frame_document(timeline, number) for number in range(first, last))
    return {
        "head": timeline.head,
        "total": len(timeline.frames),
        "frames": packed(documents, full=full),
    }
