"""Searches from a frame of a run, and reports on the failure found.

The run up to the frame and the steps found form one scenario. It is shrunk to the necessary steps.
Its preventions and its point of no return are found by running it again.

A setting, a rule or a release would have prevented the failure if no state of the run violates the
property although all faults still happen. Of rules that depend on each other, only the lowest is
named.

The point of no return of a loss is the frame after which no continuation was found that keeps the
record. A record is kept if it ends up safe: the leader according to the controller has it or,
without a leader, a replica that could be elected cleanly. From each frame since the record was last
safe, a bounded search looks for steps that lead to such a state, with the run's remaining budget.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions import Words
from sim_engine.actions.base import name_of
from sim_engine.actions.steps import Advance, Produce, Settle
from sim_engine.cluster.state import ClusterState
from sim_engine.configs import effective_configs, exists_in, release_groups
from sim_engine.exploration.alphabet import (
    BUDGET_NAMES,
    Budget,
    after_elections,
    allowed_moves,
    entries_used,
    sources,
    spend,
    whole_budget,
)
from sim_engine.exploration.checkpoint import Checkpoints
from sim_engine.exploration.moves import Move
from sim_engine.exploration.search import SearchOptions, SearchResult, SearchWatch, search
from sim_engine.exploration.shrink import NothingToShrinkError, needed_steps, violates
from sim_engine.exploration.state_space import StateSpace
from sim_engine.exploration.states import State
from sim_engine.exploration.targets import (
    NO_ACKED_RECORD_LOST,
    IsSought,
    search_target,
    shown_continuation,
)
from sim_engine.identifiers import FIRST_FRAME, Acks, FrameNumber
from sim_engine.invariants.observation import History
from sim_engine.invariants.safety import LIVENESS_BY_NAME, PROPERTIES_BY_NAME
from sim_engine.narration import RefusedError
from sim_engine.releases import UnknownVersionError, begins_line, line_name, number_of
from sim_engine.scenario_reader.document import Scenario, ScenarioError, ScenarioJson, ScenarioStep
from sim_engine.scenario_reader.reader import read_scenario_document, read_step
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.step_execution import LimitReachedError, StepExecution
from sim_engine.simulation.step_expansion import execute_step
from sim_engine.simulation.timeline import Frame, PlayedStep, Timeline
from sim_engine.versions import RULES, UnknownRuleError, controls_of, rules_by_name

Prevention = Mapping[str, object]
"""`{"config": {name: value}}`, `{"rule": name}` or `{"kafka": release}`."""

_MIN_ISR, _UNCLEAN = "min.insync.replicas", "unclean.leader.election.enable"
_FLUSH, _FLUSH_OF_TOPIC = "log.flush.interval.messages", "flush.messages"


def prevented_by(
    scenario: Scenario, property_name: str, acks: Acks = "all"
) -> tuple[Prevention, ...]:
    """Return the changes that would have prevented a violation: settings first, then rules, then
    the first later release. The scenario must name its release and controller.
    """
    trial = _PreventionTrials(scenario, search_target(property_name, acks))
    return (*trial.by_config(), *trial.by_rule(), *trial.by_release())


class _PreventionTrials:
    def __init__(self, scenario: Scenario, is_sought: IsSought) -> None:
        self._scenario = scenario
        self._is_sought = is_sought
        self._profile = Timeline(replace(scenario, steps=())).profile

    def by_config(self) -> Iterator[Prevention]:
        for name, values in self._stricter():
            for value in values:
                if self._prevents(_with_config(self._scenario, name, value)):
                    yield {"config": {name: value}}
                    break

    def by_rule(self) -> Iterator[Prevention]:
        on = rules_by_name(self._profile)
        needs = {rule.name: rule.needs for rule in RULES.values()}
        preventing: list[str] = []
        for rule in RULES.values():
            exists = rule.since is not None and rule.control in (None, self._profile.control)
            if on[rule.name] or not exists:
                continue
            switched = [name for name in _closure(rule.name, needs) if not on[name]]
            if any(name in preventing for name in switched):
                continue
            rules = {**self._scenario.rules, **dict.fromkeys(switched, True)}
            if self._prevents(replace(self._scenario, rules=rules)):
                preventing.append(rule.name)
                yield {"rule": rule.name}

    def by_release(self) -> Iterator[Prevention]:
        """The first later release, in the order of their numbers; its line, if that means the same
        release or a later patch that prevents the violation too.
        """
        for group in release_groups():
            later = [kafka for kafka in group if number_of(kafka) > self._profile.version]
            if later and self._prevents_under(later[0]):
                line = line_name(later[0])
                is_line = begins_line(later[0]) and self._prevents_under(line)
                yield {"kafka": line if is_line else later[0]}
                return

    def _prevents_under(self, kafka: str) -> bool:
        other = replace(
            self._scenario, kafka=kafka, metadata_version=None, inter_broker_protocol_version=None
        )
        return self._profile.control in controls_of(kafka) and self._prevents(other)

    def _stricter(self) -> Iterator[tuple[str, list[int] | list[bool]]]:
        """Settings that protect records at a cost, each with the values to try, mildest first."""
        scenario, profile = self._scenario, self._profile
        topics = scenario.topics
        configs = [
            effective_configs(profile.kafka, profile.control, scenario.configs, topic.configs)
            for topic in topics
        ]
        copies = max(len(part.replicas) for topic in topics for part in topic.partitions)
        if exists_in(_MIN_ISR, profile.kafka):
            least = min(int(config[_MIN_ISR]) for config in configs)
            yield _MIN_ISR, list(range(least + 1, copies + 1))
        if any(config[_UNCLEAN] for config in configs):
            yield _UNCLEAN, [False]
        if any(int(config[_FLUSH]) > 1 for config in configs):
            yield _FLUSH, [1]

    def _prevents(self, scenario: Scenario) -> bool:
        """Whether a run still has all of its faults and does not violate the property."""
        try:
            timeline = Timeline(scenario)
            for number, step in enumerate(scenario.steps):
                if isinstance(step.step, Words):
                    continue
                done = timeline.run_step(number, step.step)
                if done.refused and _must_happen(step):
                    return False
        except (UnknownRuleError, UnknownVersionError, LimitReachedError):
            return False
        return not any(self._is_sought(frame.verdicts, frame.cluster) for frame in timeline.frames)


def _must_happen(item: ScenarioStep) -> bool:
    return item.step.fault or isinstance(item.step, Produce)


def _with_config(scenario: Scenario, name: str, value: int | bool) -> Scenario:
    """The scenario with a broker setting that no topic overrides."""
    overrides = (name, _FLUSH_OF_TOPIC) if name == _FLUSH else (name,)
    return replace(
        scenario,
        configs={**scenario.configs, name: value},
        topics=tuple(
            replace(
                topic,
                configs={key: kept for key, kept in topic.configs.items() if key not in overrides},
            )
            for topic in scenario.topics
        ),
    )


def _closure(name: str, needs: Mapping[str, tuple[str, ...]]) -> list[str]:
    """A rule and all rules that it depends on."""
    closure = [name]
    for known in closure:
        closure.extend(needed for needed in needs[known] if needed not in closure)
    return closure


RESCUE_DEPTH = 8
RESCUE_STATES = 2_000
"""The bounds of the search for a continuation that keeps the record: steps and states."""

_MOST_FRAMES = 400


def point_of_no_return(
    path: Sequence[Frame], budgets: Sequence[Budget], is_over: Callable[[], bool] = lambda: False
) -> FrameNumber | None:
    """Return the first frame of a path from which no continuation was found that keeps the lost
    records.

    `path` has the frames of one branch from its start, and `budgets` the remaining budget at each.
    Returns None if the path loses nothing, and if `is_over` ended the search.
    """
    lost_at = next(
        (
            place
            for place, frame in enumerate(path)
            if frame.verdicts[NO_ACKED_RECORD_LOST].status == "violated"
        ),
        None,
    )
    if lost_at is None:
        return None
    lost = [
        record.request
        for record in path[lost_at].cluster.clients.produced
        if record.fate == "lost" and record.acks == "all"
    ]
    first = lost_at
    while first > 0 and not _is_kept(path[first - 1].cluster, lost):
        first -= 1
    for place in range(first, lost_at):
        if is_over():
            return None
        if not _can_be_kept(path[place].cluster, lost, budgets[place]):
            return path[place].frame
    return path[lost_at].frame


def _is_kept(cluster: ClusterState, requests: Sequence[int]) -> bool:
    """Whether none of these records is lost or at risk. A record that is not acknowledged yet is
    neither.
    """
    produced = cluster.clients.produced
    return all(
        request >= len(produced) or produced[request].fate in (None, "safe") for request in requests
    )


def _can_be_kept(cluster: ClusterState, requests: Sequence[int], budget: Budget) -> bool:
    level = [(cluster, _without_produces(budget))]
    none_committed = History(committed=())
    space = StateSpace(
        cluster,
        none_committed,
        PROPERTIES_BY_NAME[NO_ACKED_RECORD_LOST],
        timed=spend(budget, name_of(Advance)) is not None,
        composed=True,
    )
    seen: dict[State, tuple[Budget, ...]] = {space.start: (level[0][1],)}
    taken = 1
    offered = sources(cluster, "step")
    for depth in range(RESCUE_DEPTH):
        following: list[tuple[ClusterState, Budget]] = []
        for before, left in level:
            moves = allowed_moves(offered, before, left)
            # Inside a step, let its pending work finish first.
            tried = moves if depth else chain(((Move((Settle(),)), left),), moves)
            for after, rest in _successors(before, tried):
                if _is_kept(after, requests):
                    return True
                if _is_any_lost(after, requests):
                    continue
                state = space.state_of(after, none_committed)
                if not any(covers(known, rest) for known in seen.get(state, ())):
                    seen[state] = (*seen.get(state, ()), rest)
                    following.append((after, rest))
                    taken += 1
                if taken >= RESCUE_STATES:
                    return False
        level = following
    return False


def covers(budget: Budget, other: Budget) -> bool:
    """Whether the one has at least as much of every entry as the other."""
    return all(
        left is None or (less is not None and left >= less)
        for left, less in zip(budget, other, strict=True)
    )


def _is_any_lost(cluster: ClusterState, requests: Sequence[int]) -> bool:
    return any(cluster.clients.produced[request].fate == "lost" for request in requests)


def _successors(
    cluster: ClusterState, moves: Iterable[tuple[Move, Budget]]
) -> Iterator[tuple[ClusterState, Budget]]:
    for move, left in moves:
        execution = StepExecution(cluster, FIRST_FRAME, _MOST_FRAMES)
        try:
            for step in move.steps:
                execute_step(execution, step)
        except (RefusedError, LimitReachedError):
            continue
        before, rest = cluster, left
        for executed in execution.executed:
            within = after_elections(rest, before, executed.transition.cluster)
            if within is None:
                break
            before, rest = executed.transition.cluster, within
        else:
            yield execution.cluster, rest


def _without_produces(budget: Budget) -> Budget:
    """The budget without further records, because new records cannot protect existing ones."""
    index = BUDGET_NAMES.index(name_of(Produce))
    return (*budget[:index], 0, *budget[index + 1 :])


Clock = Callable[[], float]

EXPLAINING_SECONDS = 20.0
"""The time limit for finding the point of no return, after the search."""


class SearchReport(Struct, frozen=True, kw_only=True):
    """The result of a search, and the analysis of the failure.

    `scenario` is the shrunk counterexample as a scenario document, for a liveness property followed
    by its fair continuation; null if nothing was found, or if the search started inside a step.
    `point_of_no_return` is a frame of its run. `return_until` is the same point in the searched
    run, as a number of frames after the start of the search; 0 or less if it is before the steps
    found. `return_step` is the number of its step among the steps found, from 1; 0 if it is before
    them. `is_interrupted` means that the user ended the search or the analysis: the report contains
    what was known by then.
    """

    result: SearchResult
    is_interrupted: bool = False
    scenario: ScenarioJson | None = None
    prevented_by: tuple[Prevention, ...] = ()
    point_of_no_return: FrameNumber | None = None
    return_until: int | None = None
    return_step: int | None = None

    def document(
        self, options: SearchOptions, *, seconds: float, cpu_seconds: float
    ) -> dict[str, object]:
        """The document that `search --json` prints and the service sends, with the duration of the
        search and its processor time.
        """
        result = self.result
        return {
            "property": options.property,
            "verdict": result.verdict,
            "complete": result.complete,
            "limit": result.limit,
            "exercised": result.exercised,
            "scope": {
                "tried": result.scope.tried,
                "left_out": [
                    {"step": one.name, "reason": one.reason, "why": one.why.text()}
                    for one in result.scope.left_out
                ],
            },
            "grain": options.grain,
            "depth": result.depth,
            "states": result.states,
            "transitions": result.transitions,
            "seconds": round(seconds, 3),
            "cpu_seconds": round(cpu_seconds, 3),
            "steps": result.steps,
            "continuation": result.continuation,
            "ending": result.ending,
            "scenario": self.scenario,
            "shrunk": self.scenario is not None,
            "prevented_by": self.prevented_by,
            "point_of_no_return": self.point_of_no_return,
            "return_until": self.return_until,
            "return_step": self.return_step,
            "rescue_bound": {"depth": RESCUE_DEPTH, "states": RESCUE_STATES},
        }


def search_report(
    timeline: Timeline,
    after: FrameNumber,
    options: SearchOptions,
    clock: Clock | None = None,
    watch: SearchWatch | None = None,
    checkpoints: Checkpoints | None = None,
) -> SearchReport:
    """Search from a frame of a run. If a violation is found, analyze it.

    `KeyboardInterrupt` ends both with the report so far. Raises `ValueError` like `search`.
    """
    result = search(timeline.frames[after], options, clock, watch, checkpoints)
    if result.verdict != "violated":
        return SearchReport(result=result, is_interrupted=result.limit == "interrupt")
    began_at = 0.0 if clock is None else clock()

    def is_over() -> bool:
        return clock is not None and clock() - began_at > EXPLAINING_SECONDS

    try:
        return _Found(timeline, after, options, result).report(is_over)
    except KeyboardInterrupt:
        return SearchReport(result=result, is_interrupted=True)


class _Found:
    """A counterexample, as a separate run from the start of its scenario."""

    def __init__(
        self, timeline: Timeline, after: FrameNumber, options: SearchOptions, result: SearchResult
    ) -> None:
        self._timeline = timeline
        self._after = after
        self._options = options
        self._result = result
        on_branch = timeline.path(after)
        done = [step for step in timeline.played_steps if set(on_branch).intersection(step.frames)]
        self._frames_before = len(on_branch) - 1
        self._steps_before = len(done)
        self._is_whole = sum(len(step.frames) for step in done) == self._frames_before
        bare = replace(
            timeline.scenario,
            alias=None,
            chapter=None,
            applies_to={},
            control_run=None,
            kafka=timeline.profile.kafka,
            control=timeline.profile.control,
            steps=(),
        )
        self._scenario = replace(
            bare,
            steps=tuple(
                ScenarioStep(read_step(step, bare))
                for step in (*(dict(step.step) for step in done), *result.steps)
            ),
        )

    def report(self, is_over: Callable[[], bool]) -> SearchReport:
        kept = self._needed_steps()
        whole = self._played() if kept is None else _run(self._scenario)
        found_steps = whole.played_steps[len(whole.played_steps) - len(self._result.steps) :]
        point = self._point(whole, found_steps, is_over)
        report = SearchReport(
            result=self._result,
            return_until=(
                None if point is None else len(whole.path(point)) - 1 - self._frames_before
            ),
            return_step=None if point is None else _step_among(found_steps, point),
        )
        if kept is None:
            return report
        shrunk = _run(
            replace(self._scenario, steps=tuple(self._scenario.steps[index] for index in kept))
        )
        in_shrunk = None if point is None else _same_place(whole, point, shrunk, kept)
        if point is not None and in_shrunk is None:
            found_before = sum(index < self._steps_before for index in kept)
            in_shrunk = self._point(shrunk, shrunk.played_steps[found_before:], is_over)
        return replace(
            report,
            scenario=scenario_document(self._continued(shrunk)),
            prevented_by=prevented_by(shrunk.scenario, self._options.property, self._options.acks),
            point_of_no_return=in_shrunk,
        )

    def _continued(self, shrunk: Timeline) -> Scenario:
        """The shrunk run, for a liveness property with its fair continuation."""
        sought = LIVENESS_BY_NAME.get(self._options.property)
        if sought is None:
            return shrunk.scenario
        end = shown_continuation(shrunk.frames[shrunk.head].cluster, sought.check)
        added = map(ScenarioStep, end.steps if end.never_ends else ())
        return replace(shrunk.scenario, steps=(*shrunk.scenario.steps, *added))

    def _needed_steps(self) -> tuple[int, ...] | None:
        """The necessary steps; None if the run cannot be expressed as a scenario file that still
        fails.
        """
        if not self._is_whole:
            return None
        try:
            read_scenario_document(scenario_document(self._scenario))
            fails = violates(self._options.property, self._options.acks)
            return needed_steps(self._scenario, fails)
        except (ScenarioError, NothingToShrinkError):
            return None

    def _played(self) -> Timeline:
        """The run up to the frame, which may be inside a step, followed by the steps found."""
        profile = self._timeline.profile
        whole = self._timeline.replayed(self._after, kafka=profile.kafka, control=profile.control)
        for step in self._result.steps:
            whole.act(whole.head, step)
        return whole

    def _point(
        self, timeline: Timeline, found_steps: Sequence[PlayedStep], is_over: Callable[[], bool]
    ) -> FrameNumber | None:
        """The point of no return of a run that ends with the steps found."""
        path = [timeline.frames[number] for number in timeline.path(timeline.head)]
        left = whole_budget(self._options.budget)
        budgets = [left] * len(path)
        steps = [read_step(dict(done.step), timeline.scenario) for done in found_steps]
        entry_at = {
            done.frames[0]: entry
            for done, entry in zip(
                found_steps, entries_used(steps, self._options.grain), strict=True
            )
        }
        for place in range(1, len(path)):
            frame = path[place]
            left = spend(left, entry_at.get(frame.frame)) or left
            if any(frame.frame in done.frames for done in found_steps):
                left = after_elections(left, path[place - 1].cluster, frame.cluster) or left
            budgets[place] = left
        return point_of_no_return(path, budgets, is_over)


def _run(scenario: Scenario) -> Timeline:
    timeline = Timeline(scenario)
    timeline.run_all()
    return timeline


def _step_among(steps: Sequence[PlayedStep], point: FrameNumber) -> int:
    """The number of the found step that created a frame, from 1; 0 if none of them did."""
    return next((place for place, step in enumerate(steps, 1) if point in step.frames), 0)


def _same_place(
    whole: Timeline, point: FrameNumber, shrunk: Timeline, kept: Sequence[int]
) -> FrameNumber | None:
    """The frame of the shrunk run that corresponds to a frame of the original run; None if its step
    was removed or has fewer frames there.
    """
    for index, done in enumerate(whole.played_steps):
        if point not in done.frames or index not in kept:
            continue
        frames = shrunk.played_steps[kept.index(index)].frames
        place = done.frames.index(point)
        return frames[place] if place < len(frames) else None
    return None
