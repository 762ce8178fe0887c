"""A search from a frame of a run, and what is said of the failure that it finds.

The run up to there and the steps found are one scenario. It is shrunk to the steps that it needs,
and what prevents it and its point of no return are found by running it again.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.exploration.alphabet import after_elections, after_step, whole_budget
from sim_engine.exploration.prevention import Prevention, prevented_by
from sim_engine.exploration.rescue import RESCUE_DEPTH, RESCUE_STATES, point_of_no_return
from sim_engine.exploration.search import SearchOptions, SearchResult, SearchWatch, search
from sim_engine.exploration.shrink import NothingToShrinkError, needed_steps, violates
from sim_engine.identifiers import FrameNumber
from sim_engine.json_types import JsonObject
from sim_engine.scenario_reader.document import Scenario, ScenarioError, ScenarioStep
from sim_engine.scenario_reader.reader import read_scenario_document, read_step
from sim_engine.scenario_reader.to_document import scenario_document
from sim_engine.simulation.timeline import PlayedStep, Timeline

Clock = Callable[[], float]

EXPLAINING_SECONDS = 20.0
"""How long the point of no return is looked for, after the search."""


class SearchReport(Struct, frozen=True, kw_only=True):
    """What a search came to, and what is known of the failure.

    `scenario` is the counterexample as a scenario document, shrunk; null where nothing was found
    and where the run until the start is no whole number of steps. `point_of_no_return` is a frame
    of its run; `return_until` is the same place in the run as it was searched: how many frames
    after the frame where the search began, 0 or less if it is not among the steps found;
    `return_step` is the step found that it belongs to, counted from 1, and 0 before them.
    """

    result: SearchResult
    scenario: JsonObject | None = None
    prevented_by: tuple[Prevention, ...] = ()
    point_of_no_return: FrameNumber | None = None
    return_until: int | None = None
    return_step: int | None = None

    def document(self, options: SearchOptions, seconds: float) -> dict[str, object]:
        """As `search --json` prints it and the service sends it; `seconds` is how long it took."""
        found = self.result
        return {
            "property": options.property,
            "verdict": found.verdict,
            "complete": found.complete,
            "grain": options.grain,
            "depth": found.depth,
            "states": found.states,
            "transitions": found.transitions,
            "seconds": round(seconds, 3),
            "steps": found.steps,
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
) -> SearchReport:
    """Search from a frame of a run; where a violation is found, say what is known of it.

    Raises `ValueError` as `search` does.
    """
    result = search(timeline.frames[after], options, clock, watch)
    if result.verdict != "violated":
        return SearchReport(result=result)
    began_at = 0.0 if clock is None else clock()

    def is_over() -> bool:
        return clock is not None and clock() - began_at > EXPLAINING_SECONDS

    return _Found(timeline, after, options, result).report(is_over)


class _Found:
    """A counterexample, as a run of its own from the start of its scenario."""

    def __init__(
        self, timeline: Timeline, after: FrameNumber, options: SearchOptions, result: SearchResult
    ) -> None:
        self._timeline = timeline
        self._after = after
        self._options = options
        self._result = result
        on_branch = timeline.path(after)
        done = [step for step in timeline.record if set(on_branch).intersection(step.frames)]
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
        found = whole.record[len(whole.record) - len(self._result.steps) :]
        point = self._point(whole, found, is_over)
        report = SearchReport(
            result=self._result,
            return_until=(
                None if point is None else len(whole.path(point)) - 1 - self._frames_before
            ),
            return_step=None if point is None else _step_among(found, point),
        )
        if kept is None:
            return report
        shrunk = _run(
            replace(self._scenario, steps=tuple(self._scenario.steps[index] for index in kept))
        )
        in_shrunk = None if point is None else _same_place(whole, point, shrunk, kept)
        if point is not None and in_shrunk is None:
            found_before = sum(index < self._steps_before for index in kept)
            in_shrunk = self._point(shrunk, shrunk.record[found_before:], is_over)
        return replace(
            report,
            scenario=scenario_document(shrunk.scenario),
            prevented_by=prevented_by(shrunk.scenario, self._options.property, self._options.acks),
            point_of_no_return=in_shrunk,
        )

    def _needed_steps(self) -> tuple[int, ...] | None:
        """Null where the run cannot be said as a scenario file, so that it fails there too."""
        if not self._is_whole:
            return None
        try:
            read_scenario_document(scenario_document(self._scenario))
            fails = violates(self._options.property, self._options.acks)
            return needed_steps(self._scenario, fails)
        except (ScenarioError, NothingToShrinkError):
            return None

    def _played(self) -> Timeline:
        """The run up to the frame, be that inside a step, and then the steps found."""
        profile = self._timeline.profile
        whole = self._timeline.replayed(self._after, kafka=profile.kafka, control=profile.control)
        for step in self._result.steps:
            whole.act(whole.head, step)
        return whole

    def _point(
        self, timeline: Timeline, found: Sequence[PlayedStep], is_over: Callable[[], bool]
    ) -> FrameNumber | None:
        """The point of no return of a run of which the search found these steps."""
        path = [timeline.frames[number] for number in timeline.path(timeline.head)]
        left = whole_budget(self._options.budget)
        budgets = [left] * len(path)
        for place in range(1, len(path)):
            frame = path[place]
            done = next((step for step in found if frame.frame in step.frames), None)
            if done is not None and done.frames[0] == frame.frame:
                left = after_step(left, read_step(dict(done.step), timeline.scenario)) or left
            if done is not None:
                left = after_elections(left, path[place - 1].cluster, frame.cluster) or left
            budgets[place] = left
        return point_of_no_return(path, budgets, is_over)


def _run(scenario: Scenario) -> Timeline:
    timeline = Timeline(scenario)
    timeline.run_all()
    return timeline


def _step_among(found: Sequence[PlayedStep], point: FrameNumber) -> int:
    """Which of the steps found made a frame, counted from 1; 0 where none of them did."""
    return next((place for place, step in enumerate(found, 1) if point in step.frames), 0)


def _same_place(
    whole: Timeline, point: FrameNumber, shrunk: Timeline, kept: Sequence[int]
) -> FrameNumber | None:
    """Where a frame of a run stands in the run of the steps that were kept; null where that step
    is gone or has fewer frames there."""
    for index, done in enumerate(whole.record):
        if point not in done.frames or index not in kept:
            continue
        frames = shrunk.record[kept.index(index)].frames
        place = done.frames.index(point)
        return frames[place] if place < len(frames) else None
    return None
