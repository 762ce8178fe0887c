"""The scenario that a caller names, and the caller's mistakes as the package's one error."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from highwater_kafka.errors import HighwaterError, Problem
from sim_engine.cluster_import.parsed_state import UnreadableError
from sim_engine.command_line.run import find_scenario, play
from sim_engine.error_texts import WrongInputError, WrongValueError
from sim_engine.scenario_reader.document import Scenario, ScenarioError
from sim_engine.scenario_reader.reader import read_scenario_document, read_scenario_text
from sim_engine.simulation.timeline import Timeline

ScenarioSource: TypeAlias = str | os.PathLike[str] | Mapping[str, object]
"""The path of a file, the id of a shipped scenario, the text of a file (more than one line, or
JSON), or a document that is already parsed."""


@contextmanager
def caller_errors() -> Iterator[None]:
    """Raise what is wrong with the input as HighwaterError."""
    try:
        yield
    except ScenarioError as error:
        problems = [Problem(one.where, one.line, one.column, one.message) for one in error.problems]
        raise HighwaterError(str(error), problems) from None
    except (WrongInputError, UnreadableError, WrongValueError) as error:
        raise HighwaterError(str(error)) from None
    except OSError as error:
        raise HighwaterError(f"{error.filename}: {error.strerror}") from None


def played(source: ScenarioSource, kafka: str | None, control: str | None) -> Timeline:
    """Play all steps of a scenario. Raises HighwaterError."""
    check_release(kafka)
    with caller_errors():
        scenario, name = _scenario(source)
        return play(scenario, kafka, control, name=name)


def check_release(kafka: object) -> None:
    """Raises HighwaterError for a release that is a number: 3.1 and 3.10 would be the same."""
    if not isinstance(kafka, str | None):
        raise HighwaterError(f"a release is a text such as '3.9', not {kafka!r}")


def _scenario(source: ScenarioSource) -> tuple[Scenario, str]:
    """The scenario, and its name in errors."""
    if isinstance(source, Mapping):
        return read_scenario_document(source), "scenario"
    if not isinstance(source, str | os.PathLike):
        raise HighwaterError(
            "a scenario is the path of a file, the id of a shipped scenario, the text of a file, "
            f"or a dict, not {type(source).__name__}"
        )
    name = os.fspath(source)
    if isinstance(source, str) and is_text(source):
        return read_scenario_text(source, filename="text"), "text"
    if isinstance(source, os.PathLike) and not Path(source).exists():
        raise HighwaterError(f"{name}: there is no such file")
    return find_scenario(name), name


def is_text(source: str) -> bool:
    """Whether this is the content of a file, also of an empty one, and not the name of one."""
    return "\n" in source or not source.strip() or source.lstrip().startswith("{")
