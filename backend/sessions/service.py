"""What can be done with a run: start it, act in it, look at it, compare it.

A step is in the database before its answer is sent. Two tabs, or two processes, on one session
are ordered by the database: whoever finds that it was slower starts over from the rows, and then
either finds its own step already done or does it where it now belongs.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from sqlalchemy.exc import IntegrityError

from backend.database import Database, now
from backend.http.errors import (
    ActionNotPossibleError,
    InvalidInputError,
    LimitError,
    Place,
    UnavailableError,
    invalid,
)
from backend.identifiers import new_id
from backend.limits.table import FRAMES_A_SESSION, limit_of_scenario
from backend.sessions import recipes, repository
from backend.sessions.answers import acted_document
from backend.sessions.ownership import Provenance, check_owner, provenance
from backend.sessions.repository import StaleError, StoredStep
from backend.sessions.schemas import ActionCreate, ProducerSettings, Recipe, SessionCreate
from backend.sessions.tables import SessionRow
from backend.sessions.timelines import OpenTimeline, Timelines, step_key, stored_steps
from sim_engine import (
    ENGINE_VERSION,
    ActionRefusedError,
    ActResult,
    FrameNumber,
    Happening,
    LimitReachedError,
    Scenario,
    ScenarioError,
    Timeline,
    TimeStep,
    UnknownRuleError,
    UnknownVersionError,
    load_shipped,
    read_scenario_document,
    read_scenario_text,
    read_step,
    scenario_document,
)

_MOST_TRIES = 20


@dataclass(frozen=True, slots=True)
class Acted:
    """What is answered to one action, as JSON, and whether it had been done before."""

    repeated: bool
    document: bytes


async def create(
    database: Database, timelines: Timelines, body: SessionCreate, owner_key: str | None = None
) -> OpenTimeline:
    """Start a run: all of its scenario's steps are done when this returns."""
    if body.session is not None:
        assert body.at is not None
        return await _create_from_session(
            database, timelines, body, body.session, body.at, owner_key
        )
    if body.run is not None:
        return await _create_from_link(database, timelines, body.run, owner_key)
    if body.scenario_id is not None:
        scenario = find_shipped(body.scenario_id)
        scenario_id: str | None = scenario.id
    elif body.scenario_text is not None:
        scenario = await timelines.compute_long(read_text, body.scenario_text)
        scenario_id = None
    else:
        assert body.scenario is not None
        scenario = read_document(body.scenario)
        scenario_id = None
    # Shipped scenarios are short; submitted ones can have any length.
    compute = timelines.compute_long if scenario_id is None else timelines.compute
    timeline = await compute(_played, scenario, body.kafka, body.control)
    return await add(database, timelines, timeline, scenario, scenario_id, provenance(owner_key))


async def _create_from_link(
    database: Database, timelines: Timelines, run: Recipe, owner_key: str | None
) -> OpenTimeline:
    timeline, scenario_id, digest = await timelines.compute_long(_played_again, run)
    link = {"engine": run.engine, "differs": digest != run.digest}
    of = provenance(owner_key, {"link": link})
    return await add(database, timelines, timeline, timeline.scenario, scenario_id, of)


def _played_again(run: Recipe) -> tuple[Timeline, str | None, str]:
    with engine_errors():
        timeline, scenario_id = recipes.played(run)
    return timeline, scenario_id, recipes.digest_of(timeline)


async def _create_from_session(
    database: Database,
    timelines: Timelines,
    body: SessionCreate,
    session_id: str,
    at: FrameNumber,
    owner_key: str | None,
) -> OpenTimeline:
    async with timelines.alone(session_id):
        origin = await timelines.latest(session_id)
        told = session_id if origin.provenance.owned else None
        share = (origin.provenance.forked_from or {}).get("share")
        of_copy = provenance(owner_key, {"session": told} | ({"share": share} if share else {}))
        check_frame(origin, at, where="/at")
        if body.configs is not None or body.producers is not None:
            timeline = await timelines.compute_long(
                under_configs, origin.timeline, at, body.configs, body.producers
            )
            return await add(database, timelines, timeline, timeline.scenario, None, of_copy)
        timeline = await timelines.compute_long(
            again, origin.timeline, at, body.kafka, body.control
        )
    scenario = origin.timeline.scenario
    return await add(database, timelines, timeline, scenario, origin.scenario_id, of_copy)


def find_shipped(scenario_id: str) -> Scenario:
    """A shipped scenario by id or alias. Raises InvalidInputError."""
    try:
        return load_shipped(scenario_id)
    except KeyError:
        raise invalid("/scenario_id", "no scenario has this id or alias") from None


def read_document(document: dict[str, object], *, where: str = "/scenario") -> Scenario:
    """Parses a submitted scenario. Errors state their place."""
    steps = document.get("steps")
    if isinstance(steps, list):
        _check_length(steps, where)
    try:
        return read_scenario_document(document)
    except ScenarioError as error:
        raise from_scenario_error(error, where=where) from None


def read_text(text: str) -> Scenario:
    """Parses a submitted scenario file. Errors state line and column."""
    where = "/scenario_text"
    try:
        scenario = read_scenario_text(text)
    except ScenarioError as error:
        raise from_scenario_error(error, where=where) from None
    _check_length(scenario.steps, where)
    return scenario


def _check_length(steps: Sequence[object], where: str) -> None:
    limit = limit_of_scenario("steps")
    if len(steps) > limit.number:
        raise LimitError(limit, where=f"{where}/steps")


def from_scenario_error(error: ScenarioError, *, where: str) -> InvalidInputError:
    """What is wrong, by place; `where` is the scenario's own place in the request."""
    return InvalidInputError(
        "The scenario has mistakes.",
        code="invalid_scenario",
        places=[
            Place(f"{where}{problem.where}", problem.message, problem.line, problem.column)
            for problem in error.problems
        ],
        members=_limit_passed(error),
    )


def _limit_passed(error: ScenarioError) -> dict[str, object]:
    passed = [problem.limit for problem in error.problems if problem.limit is not None]
    return limit_of_scenario(passed[0]).members() if passed else {}


def _from_step_error(error: ScenarioError) -> InvalidInputError:
    # The engine says its places under /step already.
    return InvalidInputError(
        "The step has mistakes.",
        code="invalid_step",
        places=[Place(problem.where, problem.message) for problem in error.problems],
        members=_limit_passed(error),
    )


def _played(scenario: Scenario, kafka: str | None, control: str | None) -> Timeline:
    with engine_errors():
        timeline = Timeline(scenario, kafka=kafka, control=control)
        timeline.run_all()
    return timeline


def again(timeline: Timeline, at: FrameNumber, kafka: str | None, control: str | None) -> Timeline:
    """What was done up to `at`, done again under a version or controller."""
    with engine_errors():
        if kafka is None and control is None:
            control = timeline.profile.control
        kafka = kafka or timeline.profile.kafka
        return timeline.replayed(at, kafka=kafka, control=control)


def under_configs(
    timeline: Timeline,
    at: FrameNumber,
    configs: Mapping[str, object] | None,
    producers: ProducerSettings | None,
) -> Timeline:
    """The steps up to `at`, done again in a cluster, or with producers, that have other settings.

    What is None stays as it is.
    """
    produce = {} if producers is None else producers.arguments()
    document = scenario_document(timeline.scenario)
    document["configs"] = {**document["configs"], **(configs or {})}
    document["steps"] = [_produced_with(step, produce) for step in document["steps"]]
    scenario = read_document(document, where="")
    profile = timeline.profile
    with engine_errors():
        branch = timeline.replayed(at, kafka=profile.kafka, control=profile.control)
        other = Timeline(scenario, kafka=profile.kafka, control=profile.control)
        for done in branch.record:
            other.follow(other.head, _produced_with(done.step, produce), done.item)
    return other


def _produced_with(step: Mapping[str, object], produce: Mapping[str, object]) -> dict[str, object]:
    given = step.get("produce")
    return {**step, "produce": {**given, **produce}} if isinstance(given, dict) else dict(step)


@contextmanager
def engine_errors() -> Iterator[None]:
    """What the engine finds wrong with a version, a controller or a length, as a caller's error."""
    try:
        yield
    except (UnknownVersionError, UnknownRuleError) as error:
        raise invalid("/kafka", str(error), code="unknown_version") from None
    except LimitReachedError as error:
        raise limit_reached(error) from None


def limit_reached(error: LimitReachedError) -> LimitError:
    """The caller's error for a run that has become too long."""
    return LimitError(replace(FRAMES_A_SESSION, number=error.value))


async def add(
    database: Database,
    timelines: Timelines,
    timeline: Timeline,
    scenario: Scenario,
    scenario_id: str | None,
    of: Provenance,
) -> OpenTimeline:
    """A new session of what was played."""
    # Of large logs both take a while: not in the event loop.
    steps, document = await timelines.compute(
        lambda: (stored_steps(timeline), scenario_document(scenario))
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
    async with database.writing() as session:
        await repository.add(session, row, steps)
    return timelines.open(
        session_id=row.id,
        scenario_id=scenario_id,
        timeline=timeline,
        created_at=moment,
        step_count=len(steps),
        provenance=of,
    )


async def act(
    database: Database,
    timelines: Timelines,
    session_id: str,
    body: ActionCreate,
    authorization: str | None,
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
            raise _from_step_error(error) from None
        # Of the step as the engine writes it, however it was sent.
        key = step_key(step.as_step())
        if body.after >= opened.frame_count:
            # Perhaps another process made that frame.
            opened = await timelines.latest(session_id)
            check_frame(opened, body.after, where="/after")
        for _ in range(_MOST_TRIES):
            frames = opened.done.get((body.after, key))
            if frames is not None:
                forked = _began_branch(opened.timeline, body.after, frames[0])
                return await _acted(timelines, opened, frames, body.known, forked, repeated=True)
            try:
                result = await _act_once(database, timelines, opened, body.after, step, key)
            except (StaleError, IntegrityError):
                opened = await timelines.latest(session_id)
                continue
            return await _acted(timelines, opened, result.frames, body.known, result.forked)
    raise UnavailableError("Others are acting here at the same time.", code="busy", retry_after_s=1)


async def _act_once(
    database: Database,
    timelines: Timelines,
    opened: OpenTimeline,
    after: FrameNumber,
    step: Happening,
    key: str,
) -> ActResult:
    """Does a step and commits it, or leaves nothing of it. Raises what `act` does, and StaleError
    or IntegrityError if another request was faster."""
    next_frame = opened.frame_count
    sound = False  # whether memory holds what the database holds
    try:
        # Other steps are a few actions at most.
        compute = timelines.compute_long if isinstance(step, TimeStep) else timelines.compute
        result = await compute(opened.timeline.perform, after, step)
        done = StoredStep(after, step.as_step(), key, None, tuple(result.frames))
        async with database.writing() as session:
            await repository.append_step(
                session,
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
    return result


def _refused(error: ActionRefusedError | LimitReachedError) -> Exception:
    if isinstance(error, ActionRefusedError):
        return ActionNotPossibleError(
            error.reason,
            reason_code=error.code,
            numbers=error.numbers,
            rule=error.rule,
        )
    return limit_reached(error)


def _began_branch(timeline: Timeline, after: FrameNumber, first: FrameNumber) -> bool:
    """Whether something else had been done after a frame before `first` was."""
    return any(frame.parent == after and frame.frame < first for frame in timeline.frames)


async def _acted(
    timelines: Timelines,
    opened: OpenTimeline,
    frames: Sequence[FrameNumber],
    known: int | None,
    forked: bool,
    *,
    repeated: bool = False,
) -> Acted:
    document = await timelines.compute(
        acted_document, opened, frames, known, forked=forked, repeated=repeated
    )
    return Acted(repeated, document)


def check_frame(opened: OpenTimeline, frame: int, *, where: str) -> None:
    """Raises InvalidInputError, with `where` as its place, for a frame that does not exist."""
    if frame >= opened.frame_count:
        raise invalid(
            where,
            f"there is no such frame; the last one is {opened.frame_count - 1}",
            code="no_such_frame",
        )
