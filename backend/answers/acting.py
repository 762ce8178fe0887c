"""Starts runs, and performs steps in them. The caller stores what was done.

Whoever stores it decides what happens if two act on one run at the same time.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from backend.answers import recipes
from backend.answers.open_run import OpenTimeline, step_key
from backend.answers.replay import engine_errors, limit_reached, played, rerun, under_configs
from backend.answers.requests import ActionCreate, Recipe, SessionCreate
from backend.answers.responses import acted_document
from backend.answers.scenario_input import find_shipped, from_step_error, read_document, read_text
from backend.http.errors import ActionNotPossibleError
from sim_engine.actions.steps import Happening
from sim_engine.identifiers import FrameNumber
from sim_engine.narration import RefusedError as ActionRefusedError
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.scenario_reader.reader import read_step
from sim_engine.simulation.step_execution import LimitReachedError
from sim_engine.simulation.timeline import ActResult, Timeline


@dataclass(frozen=True, slots=True)
class Started:
    """A run that begins, after all steps of its scenario have been performed."""

    timeline: Timeline
    scenario_id: str | None
    """Of a shipped scenario; None for any other."""
    forked_from: dict[str, object] | None = None


def started(body: SessionCreate, origin: OpenTimeline | None = None) -> Started:
    """The run that a request asks for; `origin` is the run of its `session`, if it names one.

    Raises InvalidInputError for an invalid scenario, and LimitError if it is too long.
    """
    if origin is not None:
        return _continued(body, origin)
    if body.run is not None:
        return _from_link(body.run)
    if body.scenario_id is not None:
        scenario = find_shipped(body.scenario_id)
        timeline = played(scenario, body.kafka, body.control)
        return Started(timeline, scenario.id)
    if body.scenario_text is not None:
        text = body.scenario_text
        scenario = read_text(text)
        where = "/scenario_text"
        timeline = played(scenario, body.kafka, body.control, where=where, text=text)
        return Started(timeline, None)
    assert body.scenario is not None
    return Started(played(read_document(body.scenario), body.kafka, body.control), None)


def _from_link(run: Recipe) -> Started:
    with engine_errors():
        timeline, scenario_id = recipes.played(run)
    differs = recipes.digest_of(timeline) != run.digest
    return Started(timeline, scenario_id, {"link": {"engine": run.engine, "differs": differs}})


def _continued(body: SessionCreate, origin: OpenTimeline) -> Started:
    assert body.at is not None
    origin.check_frame(body.at, where="/at")
    # An id that grants the right to act is not disclosed.
    shown_id = origin.session_id if origin.provenance.owned else None
    share = (origin.provenance.forked_from or {}).get("share")
    forked_from = {"session": shown_id} | ({"share": share} if share else {})
    if body.configs is not None or body.producers is not None:
        timeline = under_configs(origin.timeline, body.at, body.configs, body.producers)
        return Started(timeline, None, forked_from)
    timeline = rerun(origin.timeline, body.at, body.kafka, body.control)
    return Started(timeline, origin.scenario_id, forked_from)


def read_action(opened: OpenTimeline, body: ActionCreate) -> tuple[Happening, str]:
    """The step of a request, and its key in the engine's canonical form, however the client wrote
    it. Raises InvalidInputError.
    """
    try:
        step = read_step(body.step, opened.timeline.scenario)
    except ScenarioError as error:
        raise from_step_error(error) from None
    return step, step_key(step.as_step())


def performed(opened: OpenTimeline, body: ActionCreate, step: Happening) -> tuple[ActResult, bytes]:
    """Perform a step, and return its result with the response. Raises the errors that `refusal`
    takes.
    """
    result = opened.timeline.perform(body.after, step)
    return result, acted_document(
        opened, result.frames, body.known, forked=result.forked, repeated=False
    )


def performed_before(
    opened: OpenTimeline, body: ActionCreate, frames: Sequence[FrameNumber]
) -> bytes:
    """The response to a step that had already been performed and created these frames."""
    forked = _began_branch(opened.timeline, body.after, frames[0])
    return acted_document(opened, frames, body.known, forked=forked, repeated=True)


REFUSALS = (ActionRefusedError, LimitReachedError)
"""What the engine raises for a step that it does not perform."""


def refusal(error: ActionRefusedError | LimitReachedError) -> Exception:
    """The caller's error for a step that was not performed."""
    if isinstance(error, ActionRefusedError):
        return ActionNotPossibleError(
            error.said(), reason_code=error.code, numbers=error.numbers, rule=error.rule
        )
    return limit_reached(error, where="/step")


def _began_branch(timeline: Timeline, after: FrameNumber, first: FrameNumber) -> bool:
    """Whether the frame already had another successor before `first` was created."""
    return any(frame.parent == after and frame.frame < first for frame in timeline.frames)
