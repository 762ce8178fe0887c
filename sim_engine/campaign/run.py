"""One run of a campaign: cell and key in, row out. No frame documents are created.

A run that loses an acknowledged record is played again with fewer faults, to find the smallest set
with which it still does. Faults are removed in halves, quarters and so on, down to single ones,
until none can be removed (delta debugging, Zeller and Hildebrandt). A try continues from the start
of the first fault that it removes, because nothing changes before. It ends at the time of the
original loss. A record that is not lost by then can still be lost when every fault is repaired and
the cluster settles.

A cell can also be searched for the shortest path to a failure, instead of being played at random. A
search has no clock and no random numbers. It uses the cell's release, controller, acks, replicas,
settings and rules. A budget, not the cell's rates, determines which faults may happen and how
often.
"""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions import Words
from sim_engine.actions.base import name_of
from sim_engine.actions.steps import Produce, Run
from sim_engine.campaign.grid import FAULT_KINDS, PARTITION, Cell, start_document
from sim_engine.campaign.grid_reader import MOST_TITLE_CHARACTERS
from sim_engine.campaign.play import Fault, Plan, Player, RunKey, draw_plan
from sim_engine.campaign.row import ROW_VERSION, Measures, RunRow
from sim_engine.campaign.summary import Example
from sim_engine.cluster.start import start_cluster
from sim_engine.cluster.state import ClusterState
from sim_engine.exploration.alphabet import Grain, faults_among
from sim_engine.exploration.report import Prevention, prevented_by
from sim_engine.exploration.search import (
    SearchLimit,
    SearchOptions,
    SearchOutcome,
    SearchResult,
    search,
)
from sim_engine.exploration.shrink import NothingToShrinkError, needed_steps, shrink, violates
from sim_engine.exploration.targets import NO_ACKED_RECORD_LOST
from sim_engine.identifiers import ENGINE_VERSION, NO_LEADER, Acks
from sim_engine.invariants.fates import Cause, Losses
from sim_engine.json_types import Int32, JsonObject
from sim_engine.scenario_reader.document import Scenario, ScenarioStep, StepJson
from sim_engine.scenario_reader.reader import read_scenario_document, read_step
from sim_engine.scenario_reader.version import profile_for
from sim_engine.scenario_reader.writer import scenario_document, scenario_text
from sim_engine.simulation.step_execution import ExecutedAction, LimitReachedError
from sim_engine.simulation.timeline import Timeline


def smallest_loss(cell: Cell, plan: Plan) -> "LosingRun":
    """The run with a smallest set of faults that still loses a record. The whole plan must lose
    one.

    None of its faults can be removed alone.
    """
    losses = Losses()
    best = LosingRun(Player(cell, plan, _start(cell, plan), _watching(losses)), losses, {})
    assert best.loses(), "the whole run lost a record"
    size = max(1, len(best.player.begun) // 2)
    while True:
        smaller = _with_fewer(best, size)
        if smaller is not None:
            best = smaller
        elif size == 1:
            return best
        size = max(1, min(size // 2, len(best.player.begun) // 2))


def _with_fewer(best: "LosingRun", size: int) -> "LosingRun | None":
    """The run after removing every removable block of `size` faults, the latest first; `None` if
    none is removable.
    """
    changed = None
    faults = [fault.number for fault in best.player.begun]
    for first in reversed(range(0, len(faults), size)):
        begun = {fault.number for fault in best.player.begun}
        left_out = [number for number in faults[first : first + size] if number in begun]
        if not left_out:
            continue
        tried = best.without(left_out)
        if tried.loses():
            best = changed = tried
    return changed


class LosingRun:
    """A run up to its loss: the player, which has the steps and faults, and the cause of the loss;
    with the snapshots needed to replay its end.
    """

    def __init__(
        self, player: Player, losses: Losses, before: dict[int, tuple[Player, Losses]]
    ) -> None:
        self.player = player
        self.losses = losses
        self._before = before
        """Number of a fault → the player and the losses before that fault."""

    def loses(self) -> bool:
        """Play the run. Returns whether it loses a record."""
        with suppress(LimitReachedError):
            self.player.play(lambda: self.losses.first is not None, self._keep)
        return self.losses.first is not None

    def _keep(self, number: int) -> None:
        losses = self.losses.copy()
        self._before[number] = self.player.branch(self.player.plan, _watching(losses)), losses

    def without(self, left_out: Sequence[int]) -> "LosingRun":
        """The same run without some of its faults, up to the time of the loss."""
        first = left_out[0]
        at, seen = self._before[first]
        losses = seen.copy()
        kept = frozenset(fault.number for fault in self.player.begun) - set(left_out)
        plan = at.plan.with_only(kept, since=at.position, until_ms=self.player.now_ms)
        before = {number: kept for number, kept in self._before.items() if number < first}
        return LosingRun(at.branch(plan, _watching(losses)), losses, before)


def _watching(losses: Losses) -> Callable[[ExecutedAction], None]:
    def watch(executed: ExecutedAction) -> None:
        for happened in executed.transition.events:
            losses.see(happened)

    return watch


MOST_TRIES = 600
"""Shrinking an example stops after this many candidates and returns the shortest one found."""

_RUN = name_of(Run)


def run_cell(key: RunKey, cell: Cell) -> RunRow:
    """Play one run of a cell and return its row.

    The row depends only on the key, the cell and the engine's version. If the run loses an
    acknowledged record and the cell has `shrink`, faults are removed until none can be, and the
    cause is that of the smallest set.
    """
    plan = draw_plan(cell, key)
    row = _row(key, plan, *_play(cell, plan))
    if row.lost == 0 or not cell.shrink:
        return row
    smallest = smallest_loss(cell, plan)
    return replace(
        row,
        cause=smallest.losses.cause,
        cause_rule=smallest.losses.rule,
        smallest=_kinds(smallest.player.begun),
    )


def run_scenario(key: RunKey, cell: Cell) -> Scenario:
    """The run as a scenario, whose steps create the same frames."""
    plan = draw_plan(cell, key)
    player, _ = _play(cell, plan)
    return _scenario(cell, key, plan, player)


def shortest_example(key: RunKey, cell: Cell) -> Example | None:
    """Return the shortest example of the loss of one run; None if the run loses nothing."""
    plan = draw_plan(cell, key)
    player, measures = _play(cell, plan)
    losses = measures.losses
    if losses.first is None:
        return None
    # The cause must be the same as in the run's row.
    if cell.shrink:
        smallest = smallest_loss(cell, plan)
        player, losses = smallest.player, smallest.losses
    cause = losses.cause
    assert cause is not None, "the smallest set loses a record too"
    tries = 0

    scenario = _with_longer_runs(_scenario(cell, key, plan, player), cause)

    def loses(candidate: Scenario) -> bool:
        nonlocal tries
        if not _is_of_one_cell(candidate, scenario):
            return False
        tries += 1
        return tries <= MOST_TRIES and _cause_in(candidate) == cause

    try:
        shortest = shrink(scenario, loses)
    except NothingToShrinkError:
        raise AssertionError("a run and its scenario lose the same") from None
    return Example(
        cell=key.cell,
        seed=key.run,
        cause=cause,
        faults=_kinds(player.begun),
        steps=len(shortest.steps),
        scenario={**scenario_document(shortest)},
    )


def _with_longer_runs(scenario: Scenario, cause: Cause) -> Scenario:
    """Merge consecutive steps that advance time, if the result stays the same."""
    document = scenario_document(scenario)
    steps: list[StepJson] = []
    for step in document["steps"]:
        if _RUN in step and steps and _RUN in steps[-1]:
            steps[-1] = {_RUN: Run(ms=_ms(steps[-1]) + _ms(step)).arguments()}
        else:
            steps.append(step)
    merged = read_scenario_document({**document, "steps": steps})
    return merged if _cause_in(merged) == cause else scenario


def _ms(step: StepJson) -> int:
    ms = step[_RUN]["ms"]
    assert isinstance(ms, int), "the reader checked the step"
    return ms


def _is_of_one_cell(candidate: Scenario, scenario: Scenario) -> bool:
    """Whether a candidate has the same cluster, settings and acks as the scenario."""
    return (
        (candidate.brokers, candidate.configs, candidate.topics, candidate.rules)
        == (scenario.brokers, scenario.configs, scenario.topics, scenario.rules)
    ) and _acks_in(candidate) <= _acks_in(scenario)


def _acks_in(scenario: Scenario) -> set[Acks]:
    return {item.step.acks for item in scenario.steps if isinstance(item.step, Produce)}


def _kinds(faults: list[Fault]) -> tuple[str, ...]:
    return tuple(sorted(fault.kind for fault in faults))


def _cause_in(scenario: Scenario) -> Cause | None:
    """The cause of the first loss of an acknowledged record in a scenario."""
    return _losses_in(scenario).cause


def _losses_in(scenario: Scenario) -> Losses:
    timeline = Timeline(scenario)
    timeline.run_all()
    losses = Losses()
    for frame in timeline.frames:
        for happened in frame.events:
            losses.see(happened)
    return losses


# --- playing ---------------------------------------------------------------------------------


def _play(cell: Cell, plan: Plan) -> tuple[Player, Measures]:
    cluster = _start(cell, plan)
    measures = Measures(cell, cluster, plan.horizon_ms)
    player = Player(cell, plan, cluster, measures.watch)
    try:
        player.play(lambda: False)
    except LimitReachedError:
        measures.is_censored = True
    return player, measures


def _start(cell: Cell, plan: Plan) -> ClusterState:
    scenario = read_scenario_document(
        start_document(cell, name="run", title="run", latency_seed=plan.latency_seed)
    )
    return start_cluster(scenario, profile_for(scenario))


# --- the result ------------------------------------------------------------------------------


def _scenario(cell: Cell, key: RunKey, plan: Plan, player: Player) -> Scenario:
    name = f"campaign-{key.campaign}-cell-{key.cell}-run-{key.run}"
    title = f"Campaign {key.campaign}, cell {key.cell}, run {key.run}"
    document = start_document(cell, name=name, title=title, latency_seed=plan.latency_seed)
    document["steps"] = [step.as_step() for step in player.steps]
    return read_scenario_document(document)


def _row(key: RunKey, plan: Plan, player: Player, measures: Measures) -> RunRow:
    digest = measures.finish(player.cluster)
    produced = player.cluster.clients.produced
    acked = [record for record in produced if record.outcome == "acked"]
    safe = {record.value for record in acked if record.fate == "safe"}
    faults = [fault.kind for fault in player.begun]
    has_lost = measures.losses.first is not None
    return RunRow(
        version=ROW_VERSION,
        engine=ENGINE_VERSION,
        cell=key.cell,
        seed=key.run,
        status="censored" if measures.is_censored else "complete",
        exercised=bool(acked) and bool(faults),
        digest=digest,
        frames=player.frames,
        steps=len(player.steps),
        duration_ms=plan.horizon_ms,
        produced=player.sent,
        acked=len({record.id for record in acked}),
        failed=sum(record.outcome in ("failed", "no_answer") for record in produced),
        lost=len({record.id for record in acked if record.fate == "lost"}),
        at_risk=len(measures.at_risk),
        recovered=len(measures.at_risk & safe),
        duplicates=_duplicates(player.cluster),
        diverged=measures.has_violated("LogMatching"),
        inconsistent_read=measures.has_violated("ConsistentRead"),
        unavailable_ms=measures.unavailable_ms,
        unreadable_ms=measures.unreadable_ms,
        isr_changes=measures.isr_changes,
        elections=measures.elections,
        unclean_elections=measures.unclean_elections,
        truncated=sum(measures.truncated_by.values()),
        truncated_by=dict(sorted(measures.truncated_by.items())),
        rules=tuple(sorted(measures.rules)),
        faults={kind: faults.count(kind) for kind in FAULT_KINDS if kind in faults},
        fault_count=len(faults),
        faults_before_loss=_faults_before(player, measures) if has_lost else None,
        lost_at_ms=measures.lost_at_ms,
        cause=measures.losses.cause,
        cause_rule=measures.losses.rule,
        smallest=None,
        lag_histogram=tuple(measures.lag_histogram),
        uncommitted=measures.appended - measures.committed,
        max_lag=measures.max_lag,
    )


def _faults_before(player: Player, measures: Measures) -> int:
    assert measures.lost_at_ms is not None, "a record was lost"
    return sum(fault.at_ms <= measures.lost_at_ms for fault in player.begun)


def _duplicates(cluster: ClusterState) -> int:
    """The number of records in the final leader's log that duplicate an earlier one."""
    leader = cluster.controller.partition(PARTITION).leader
    if leader == NO_LEADER:
        return 0
    values = [record.value for record in cluster.replica(leader, PARTITION).log.records]
    return len(values) - len(set(values))


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
    grain: Grain
    """The unit of a step: a user's step, an exchange or a message."""
    allowed: dict[str, int]
    """The budget: name → how often that may happen."""
    max_depth: int
    """The limit of steps."""
    max_states: int
    """The limit of states."""
    tried: tuple[str, ...]
    """The steps and timers that the search may try."""
    left_out: tuple[str, ...]
    """`NAME REASON` of each step and timer that it does not try; reasons are those of
    `LeftOutReason`."""
    verdict: SearchOutcome
    """`violated`; `none_within_bound`: no violation up to the depth; `not_exercised`: no examined
    state could have violated the property; `cut`: the limit was reached before."""
    found: bool
    """Whether a violation was found, and confirmed by playing its steps."""
    exercised: bool
    """Whether a state that was examined could have violated the property."""
    steps: int | None
    """The number of steps of the shortest violation; null if none was found."""
    faults: dict[str, int]
    """Kind → number of faults among those steps."""
    fault_count: int
    """The number of faults among those steps."""
    cause: Cause | None
    """The cause of the first loss of an acknowledged record among those steps; null if there is
    none."""
    cause_rule: str | None
    """The rule by which a log was last truncated before that loss, so that a copy was removed;
    null if none was."""
    complete: bool
    """Whether the search was exhaustive in its scope: it examined every state that the steps it
    tries can reach within the budget, at any depth."""
    limit: SearchLimit | None
    """What prevented that; null for a complete search and for a violation."""
    depth: int
    """The depth, in steps, that the search completed."""
    states: int
    """The number of states that it examined."""
    transitions: int
    """The number of actions that it tried."""
    shares: int
    """The number of shares over which its states were split; 1 for a search in one piece."""
    cpu_ms: int
    """The processor time of the search in ms, of all its shares together. Unlike everything else in
    the row, it is not the same on every machine."""
    prevented_by: tuple[str, ...]
    """What would have prevented the violation, verified by running the same steps: `NAME=VALUE` of
    a setting, the name of a rule, `kafka RELEASE`."""
    digest: str
    """BLAKE2b-128, in hexadecimal, of everything else in the row but the processor time."""


class SearchedCell(Struct, frozen=True, kw_only=True):
    """The row of a cell, and its shortest violation as a scenario file; null if none was found."""

    row: SearchRow
    scenario: str | None


def cell_start(cell: Cell, options: SearchOptions) -> tuple[Scenario, SearchOptions]:
    """The start of a cell's cluster, and what to search for from there: with the cell's acks and
    its budget, if it has one, and without a limit of time.
    """
    budget = options.budget if cell.budget is None else dict(cell.budget)
    options = replace(options, acks=cell.acks, budget=budget, seconds=None)
    start = read_scenario_document(
        start_document(
            cell,
            name=f"searched-cell-{cell.number}",
            title=_title(cell, options.property)[:MOST_TITLE_CHARACTERS],
            latency_seed=1,
        )
    )
    return start, options


def search_cell(
    cell: Cell, options: SearchOptions, clock: Callable[[], float] = lambda: 0.0
) -> SearchedCell:
    """Search one cell from the start of its cluster, in one piece.

    `clock` is the processor time in seconds; without one, the row's is 0. Apart from that, the
    result depends only on the cell, the options and the engine's version. Raises `ValueError` like
    `search`.
    """
    began = clock()
    start, options = cell_start(cell, options)
    result = search(Timeline(start).frames[0], options)
    return searched_cell(cell, options, result, cpu_ms=round((clock() - began) * 1_000))


def searched_cell(
    cell: Cell, options: SearchOptions, result: SearchResult, *, shares: int = 1, cpu_ms: int
) -> SearchedCell:
    """The row of a cell and its witness, from the result of its search with the cell's own options.

    The steps that were found are played and judged first; only what violates the property in a run
    is a violation.
    """
    start, options = cell_start(cell, options)
    shortest = _shortest(start, result, options) if result.verdict == "violated" else None
    items = () if shortest is None else shortest.steps
    steps = [each.step for each in items if not isinstance(each.step, Words)]
    faults = faults_among(steps)
    losses = _losses_in(start if shortest is None else shortest)
    if result.verdict == "violated" and shortest is None:
        result = replace(result, verdict="cut", limit="unconfirmed")
    preventions = () if shortest is None else prevented_by(shortest, options.property, options.acks)
    row = SearchRow(
        version=SEARCH_ROW_VERSION,
        engine=ENGINE_VERSION,
        cell=cell.number,
        property=options.property,
        grain=options.grain,
        allowed=dict(options.budget),
        max_depth=options.max_depth,
        max_states=options.max_states,
        tried=result.scope.tried,
        left_out=tuple(f"{one.name} {one.reason}" for one in result.scope.left_out),
        verdict=result.verdict,
        found=shortest is not None,
        exercised=result.exercised,
        steps=None if shortest is None else len(steps),
        faults=faults,
        fault_count=sum(faults.values()),
        cause=losses.cause,
        cause_rule=losses.rule,
        complete=result.complete,
        limit=result.limit,
        depth=result.depth,
        states=result.states,
        transitions=result.transitions,
        shares=shares,
        cpu_ms=cpu_ms,
        prevented_by=tuple(_named(prevention) for prevention in preventions),
        digest="",
    )
    return SearchedCell(
        row=replace(row, digest=_digest(cell, row, [step.as_step() for step in steps])),
        scenario=None if shortest is None else scenario_text(shortest),
    )


def _shortest(start: Scenario, result: SearchResult, options: SearchOptions) -> Scenario | None:
    """The needed steps of a result; None if they do not violate the property in a run."""
    steps = tuple(ScenarioStep(read_step(step, start)) for step in result.steps)
    continued = replace(start, steps=steps)
    try:
        kept = needed_steps(continued, violates(options.property, options.acks))
    except NothingToShrinkError:
        return None
    return replace(continued, steps=tuple(steps[index] for index in kept))


def _digest(cell: Cell, row: SearchRow, steps: list[JsonObject]) -> str:
    encoded = msgspec.json.encode(
        (cell.settings, replace(row, cpu_ms=0), steps), order="deterministic"
    )
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
