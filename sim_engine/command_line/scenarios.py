"""The scenario that a command names, and its run."""

import argparse
import sys
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import TextIO

from sim_engine.error_texts import WrongInputError, error
from sim_engine.releases import UnknownVersionError
from sim_engine.scenario_reader.document import Problem, Scenario, ScenarioError
from sim_engine.scenario_reader.reader import (
    SCENARIO_LIMITS,
    decoded,
    load_shipped,
    read_scenario_file,
    read_scenario_text,
    read_source_file,
    shipped_names,
    shipped_text,
)
from sim_engine.scenario_reader.source import Source, read_source, step_pointer
from sim_engine.simulation.step_execution import LimitReachedError
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import UnknownRuleError

STANDARD_INPUT = "-"
_MOST_BYTES = SCENARIO_LIMITS["scenario_bytes"]


def add_scenario(parser: argparse.ArgumentParser, *, kafka: bool = True) -> None:
    """Declare the argument of a command that runs a scenario and, with `kafka`, a version in place
    of the scenario's.
    """
    parser.add_argument(
        "scenario",
        metavar="FILE|ID",
        help="a file, - for standard input, or the id of a shipped scenario",
    )
    if kafka:
        parser.add_argument(
            "--kafka", metavar="V", help="use this Kafka version instead of the scenario's"
        )


def find_scenario(name: str) -> Scenario:
    """The scenario in a file or in standard input, or the shipped one with this id or alias. Raises
    `WrongInputError` if there is neither, and `ScenarioError` for an invalid file.
    """
    if name == STANDARD_INPUT:
        return read_scenario_text(_given(sys.stdin), filename=name)
    path = Path(name)
    if path.exists():
        return read_scenario_file(path)
    try:
        return load_shipped(name)
    except KeyError:
        close = get_close_matches(name, shipped_names(), n=1)
        if path.suffix or len(path.parts) > 1:
            raise WrongInputError(f"{name}: no such file") from None
        right = (
            f"; did you mean {close[0]}?" if close else "; run `list` to see the shipped scenarios"
        )
        raise WrongInputError(f"{name}: no such file or shipped scenario{right}") from None


@lru_cache(maxsize=1)
def _given(stream: TextIO) -> str:
    """The text of standard input, which can be read once but named several times. Raises
    `ScenarioError`.
    """
    return decoded(stream.buffer.read(_MOST_BYTES + 1), Path(STANDARD_INPUT))


def play(scenario: Scenario, kafka: str | None, control: str | None, *, name: str) -> Timeline:
    """Play all steps of a scenario under a version, with the scenario's controller if the version
    supports it.

    Raises `WrongInputError` for an unknown version, and `ScenarioError` if the run becomes too
    long. `name` is the scenario's name in errors.
    """
    timeline = start(scenario, kafka, control, name=name)
    try:
        timeline.run_all()
    except LimitReachedError as reached:
        reason = error("run_too_long", most=reached.value, name=reached.limit)
        where = step_pointer(reached.item)
        line, column = source_of(scenario, name).place(where) or (None, None)
        problem = Problem(where=where, reason=reason, line=line, column=column)
        raise ScenarioError((problem,), filename=name) from None
    return timeline


def source_of(scenario: Scenario, name: str) -> Source:
    """The text that a scenario was read from, with the places of its parts; empty if unknown."""
    if name == STANDARD_INPUT:
        return read_source(_given(sys.stdin))
    path = Path(name)
    if path.exists():
        return read_source_file(path)
    shipped = scenario.chapter is not None
    return read_source(shipped_text(scenario)) if shipped else Source(document=None)


def start(scenario: Scenario, kafka: str | None, control: str | None, *, name: str) -> Timeline:
    """The initial timeline of a scenario under a version. Raises `WrongInputError` for an unknown
    version or rule.
    """
    try:
        return Timeline(scenario, kafka=kafka, control=control)
    except (UnknownVersionError, UnknownRuleError) as wrong:
        raise WrongInputError(f"{name}: {wrong}") from None
