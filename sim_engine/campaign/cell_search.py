"""Searches one cell of a grid for the shortest path to a failure, instead of playing it at random.

A search has no clock and no random numbers. It uses the cell's release, controller, acks, replicas,
settings and rules. Its budget, not the cell's rates, determines which faults may happen and how
often.
"""

import hashlib
from collections.abc import Iterable

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions import Words
from sim_engine.campaign.grid import Cell, start_document
from sim_engine.campaign.grid_reader import MOST_TITLE_CHARACTERS
from sim_engine.exploration.alphabet import faults_among
from sim_engine.exploration.report import Prevention, prevented_by
from sim_engine.exploration.search import (
    NO_ACKED_RECORD_LOST,
    SearchOptions,
    SearchOutcome,
    SearchResult,
    search,
)
from sim_engine.exploration.shrink import needed_steps, violates
from sim_engine.identifiers import ENGINE_VERSION
from sim_engine.json_types import Int32, JsonObject
from sim_engine.scenario_reader.document import Scenario, ScenarioStep
from sim_engine.scenario_reader.reader import read_scenario_document, read_step
from sim_engine.scenario_reader.writer import scenario_text
from sim_engine.simulation.timeline import Timeline

SEARCH_ROW_VERSION = 1
"""Incremented when a field is removed or changes its meaning; new fields do not change it."""


class SearchRow(Struct, frozen=True, kw_only=True):
    """The result of the search of one cell."""

    version: Int32
    """The version of this row's format."""
    engine: str
    """The version of the engine."""
    cell: int
    """The index of the cell in the grid, from 0."""
    property: str
    """The property to violate. In a cell with acks=1, NoAckedRecordLost means the loss of any
    acknowledged record."""
    verdict: SearchOutcome
    """`violated`; `none_within_bound`: no violation up to the depth; `cut`: the limit of states was
    reached before."""
    found: bool
    """Whether a violation was found."""
    steps: int | None
    """The number of steps of the shortest violation; null if none was found."""
    faults: dict[str, int]
    """Kind → number of faults among those steps."""
    fault_count: int
    """The number of faults among those steps."""
    complete: bool
    """Whether the search was exhaustive: it examined every state that is reachable within the
    budget, at any depth."""
    depth: int
    """The depth, in steps, that the search completed."""
    states: int
    """The number of states that it examined."""
    transitions: int
    """The number of actions that it tried."""
    prevented_by: tuple[str, ...]
    """What would have prevented the violation, verified by running the same steps: `NAME=VALUE` of
    a setting, the name of a rule, `kafka RELEASE`."""
    digest: str
    """BLAKE2b-128, in hexadecimal, of the result and the number of examined states."""


class SearchedCell(Struct, frozen=True, kw_only=True):
    """The row of a cell, and its shortest violation as a scenario file; null if none was found."""

    row: SearchRow
    scenario: str | None


def search_cell(cell: Cell, options: SearchOptions) -> SearchedCell:
    """Search one cell from the start of its cluster. The records are sent with the cell's acks.

    The result depends only on the cell, the options and the engine's version, provided that the
    options have no time limit. Raises `ValueError` like `search`.
    """
    options = replace(options, acks=cell.acks, seconds=None)
    start = read_scenario_document(
        start_document(
            cell,
            name=f"searched-cell-{cell.number}",
            title=_title(cell, options.property)[:MOST_TITLE_CHARACTERS],
            latency_seed=1,
        )
    )
    result = search(Timeline(start).frames[0], options)
    if result.verdict != "violated":
        return SearchedCell(row=_row(cell, options, result), scenario=None)
    shortest = _shortest(start, result, options)
    preventions = prevented_by(shortest, options.property, options.acks)
    return SearchedCell(
        row=_row(cell, options, result, shortest, preventions), scenario=scenario_text(shortest)
    )


def _shortest(start: Scenario, result: SearchResult, options: SearchOptions) -> Scenario:
    steps = tuple(ScenarioStep(read_step(step, start)) for step in result.steps)
    continued = replace(start, steps=steps)
    kept = needed_steps(continued, violates(options.property, options.acks))
    return replace(continued, steps=tuple(steps[index] for index in kept))


def _row(
    cell: Cell,
    options: SearchOptions,
    result: SearchResult,
    shortest: Scenario | None = None,
    preventions: Iterable[Prevention] = (),
) -> SearchRow:
    items = () if shortest is None else shortest.steps
    steps = [each.step for each in items if not isinstance(each.step, Words)]
    faults = faults_among(steps)
    row = SearchRow(
        version=SEARCH_ROW_VERSION,
        engine=ENGINE_VERSION,
        cell=cell.number,
        property=options.property,
        verdict=result.verdict,
        found=result.verdict == "violated",
        steps=None if shortest is None else len(steps),
        faults=faults,
        fault_count=sum(faults.values()),
        complete=result.complete,
        depth=result.depth,
        states=result.states,
        transitions=result.transitions,
        prevented_by=tuple(_named(prevention) for prevention in preventions),
        digest="",
    )
    return replace(row, digest=_digest(cell, options, row, [step.as_step() for step in steps]))


def _digest(cell: Cell, options: SearchOptions, row: SearchRow, steps: list[JsonObject]) -> str:
    bounds = (options.grain, options.max_depth, options.max_states, sorted(options.budget.items()))
    encoded = msgspec.json.encode((cell.settings, bounds, row, steps), order="deterministic")
    return hashlib.blake2b(encoded, digest_size=16).hexdigest()


def _title(cell: Cell, property_name: str) -> str:
    is_loss = property_name == NO_ACKED_RECORD_LOST
    what = "An acknowledged record is lost" if is_loss else f"{property_name} is violated"
    settings = ", ".join(
        f"Kafka {value}" if name == "kafka" else f"{name}={msgspec.json.encode(value).decode()}"
        for name, value in cell.settings
    )
    return f"{what}: {settings}".replace('"', "")


def _named(prevention: Prevention) -> str:
    """A prevention in short form: `min.insync.replicas=2`, `KIP-101`, `kafka 0.11`."""
    ((kind, what),) = prevention.items()
    if isinstance(what, dict):
        ((name, value),) = what.items()
        return f"{name}={msgspec.json.encode(value).decode()}"
    return str(what) if kind == "rule" else f"{kind} {what}"
