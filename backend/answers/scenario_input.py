"""Scenarios and steps as they are submitted: read, and their errors as errors for the caller."""

from collections.abc import Mapping, Sequence

from backend.http.errors import InvalidInputError, LimitError, Place, invalid
from backend.limit_table import limit_of_scenario
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES
from sim_engine.languages import say as say_message
from sim_engine.scenario_reader.document import Scenario, ScenarioError
from sim_engine.scenario_reader.reader import (
    load_shipped,
    read_scenario_document,
    read_scenario_text,
)


def find_shipped(scenario_id: str) -> Scenario:
    """A shipped scenario by id or alias. Raises InvalidInputError if there is none."""
    try:
        return load_shipped(scenario_id)
    except KeyError:
        raise invalid("/scenario_id", "no scenario has this id or alias") from None


def read_document(document: Mapping[str, object], *, where: str = "/scenario") -> Scenario:
    """Parse a submitted scenario. Raises InvalidInputError with the place of each error; `where` is
    the place of the scenario in the request.
    """
    steps = document.get("steps")
    if isinstance(steps, list):
        _check_length(steps, where)
    try:
        return read_scenario_document(document)
    except ScenarioError as error:
        raise from_scenario_error(error, where=where) from None


def read_text(text: str) -> Scenario:
    """Parse a submitted scenario file. Raises InvalidInputError with the line and column of each
    error.
    """
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


def from_scenario_error(
    error: ScenarioError, *, where: str, code: str = "invalid_scenario"
) -> InvalidInputError:
    """The errors of a scenario, a step or a grid with their places; `where` is its place in
    the request. `code` is also the name of the message about all of them.
    """
    texts = in_words(code)
    return InvalidInputError(
        texts[DEFAULT_LANGUAGE],
        code=code,
        places=[
            Place(
                f"{where}{problem.where}",
                problem.message,
                problem.line,
                problem.column,
                problem.repair,
                problem.said(),
            )
            for problem in error.problems
        ],
        members={"said": texts, **_limit_passed(error)},
    )


def from_step_error(error: ScenarioError) -> InvalidInputError:
    """The step's errors with their places, as an InvalidInputError."""
    # The engine's places already begin with /step.
    return from_scenario_error(error, where="", code="invalid_step")


def in_words(message: str) -> dict[str, str]:
    """A text of the service in every language."""
    return {lang: say_message(lang, "service", message) for lang in LANGUAGES}


def _limit_passed(error: ScenarioError) -> dict[str, object]:
    passed = [problem.limit for problem in error.problems if problem.limit is not None]
    return limit_of_scenario(passed[0]).members() if passed else {}
