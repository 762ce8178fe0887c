"""Recipes of runs: a scenario and the steps taken, for links that need no storage.

The document travels in the fragment of an address (docs/reference/links.md). The client that opens
the link sends it back, so it is not trusted: it is validated like a scenario file and like a user's
steps.
"""

import hashlib
from collections.abc import Mapping, Sequence

from backend.answers.replay import limit_reached
from backend.answers.requests import Recipe
from backend.http.errors import InvalidInputError, invalid, invalid_in_words
from sim_engine.budget import spend
from sim_engine.documents.frames import frame_document
from sim_engine.documents.runs import canonical_line
from sim_engine.identifiers import ENGINE_VERSION, FrameNumber
from sim_engine.json_types import JsonObject
from sim_engine.scenario_reader.document import ScenarioError, StepJson
from sim_engine.scenario_reader.reader import load_shipped, read_scenario_document
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.step_execution import LimitReachedError
from sim_engine.simulation.timeline import Timeline

_DIGEST_CHARACTERS = 16


def recipe_of(timeline: Timeline, at: FrameNumber, end: FrameNumber, level: str) -> JsonObject:
    """The recipe of the branch that ends at `end`. The link opens at `at`, which must be on the
    branch.
    """
    profile = timeline.profile
    branch = timeline.replayed(end, kafka=profile.kafka, control=profile.control)
    scenario = scenario_document(timeline.scenario)
    # If the branch was forked inside a step, replaying that step creates all of its frames; the
    # rest of them are on another branch.
    path = branch.path(branch.head)
    return {
        "scenario": scenario,
        "kafka": profile.kafka,
        "control": profile.control,
        "record": _record(branch, scenario["steps"]),
        "at": path[timeline.frames[at].depth],
        "level": level,
        "engine": ENGINE_VERSION,
        "digest": digest_of(branch),
    }


def _record(branch: Timeline, steps: Sequence[StepJson]) -> list[object]:
    """The steps that were taken, each in its shortest form.

    A number is an entry of the scenario's steps, and an object is a user's step. Both follow the
    newest frame; otherwise they are in a list, after the number of the frame that they follow. An
    entry that was performed with a different step is stored with that step and its number.
    """
    record: list[object] = []
    head = FrameNumber(0)
    for done in branch.played_steps:
        as_written = done.item is not None and steps[done.item] == done.step
        if done.item is not None and not as_written:
            record.append([done.after, done.step, done.item])
        else:
            entry = done.item if as_written else done.step
            record.append(entry if done.after == head else [done.after, entry])
        head = done.frames[-1] if done.frames else done.after
    return record


def played(recipe: Recipe) -> tuple[Timeline, str | None]:
    """Replay a recipe. Returns the run, and the id of its shipped scenario or None.

    Raises InvalidInputError with the place of the step that is invalid or not possible, and
    LimitError with the place of the one that makes the run too long.
    """
    try:
        scenario = read_scenario_document(recipe.scenario)
    except ScenarioError as error:
        raise _mistake("/run/scenario", error) from None
    timeline = Timeline(scenario, recipe.kafka, recipe.control)
    steps = scenario_document(scenario)["steps"]
    head = FrameNumber(0)
    for place, entry in enumerate(recipe.record):
        where = f"/run/record/{place}"
        after, step, item = _act(entry, steps, head, where)
        if not 0 <= after < len(timeline.frames):
            raise invalid(where, "follows a frame that does not exist", code="no_such_frame")
        try:
            done = timeline.follow(after, step, item)
        except ScenarioError as error:
            raise _mistake(where, error) from None
        except LimitReachedError as error:
            raise limit_reached(error, where=where) from None
        head = done.frames[-1] if done.frames else after
    return timeline, _shipped_id(timeline)


def _act(
    entry: object, steps: Sequence[StepJson], head: FrameNumber, where: str
) -> tuple[FrameNumber, Mapping[str, object], int | None]:
    match entry:
        case [int() as after, Mapping() as step, int() as item] if _is_place(item, steps):
            return FrameNumber(after), step, item
        case [int() as after, said]:
            head = FrameNumber(after)
        case said:
            pass
    if isinstance(said, int) and _is_place(said, steps):
        return head, steps[said], said
    if isinstance(said, Mapping):
        return head, said, None
    raise invalid(
        where,
        "must be an entry of the scenario's steps, or a step in the format of "
        "docs/reference/links.md",
    )


def _is_place(number: int, steps: Sequence[StepJson]) -> bool:
    """Whether a value is the number of an entry; `true` is not."""
    return not isinstance(number, bool) and 0 <= number < len(steps)


def digest_of(timeline: Timeline) -> str:
    """The first digits of the digest of all frames, which `run --json` prints in full."""
    digest = hashlib.sha256()
    for frame in timeline.frames:
        spend(frame.frame)
        digest.update(canonical_line(frame_document(timeline, frame.frame)))
    return digest.hexdigest()[:_DIGEST_CHARACTERS]


def _shipped_id(timeline: Timeline) -> str | None:
    try:
        shipped = load_shipped(timeline.scenario.id)
    except KeyError:
        return None
    return shipped.id if shipped == timeline.scenario else None


def _mistake(where: str, error: ScenarioError) -> InvalidInputError:
    problem = error.problems[0]
    at = problem.where.removeprefix("/step") if "/record/" in where else problem.where
    return invalid_in_words(f"{where}{at}", problem.said(), code="invalid_run")
