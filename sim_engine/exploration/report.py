"""Searches from a frame of a run, and reports on the failure found.

The run up to the frame and the steps found form one scenario. It is shrunk to the necessary steps.
Its preventions and its point of no return are found by running it again.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.exploration.alphabet import after_elections, after_step, whole_budget
from sim_engine.exploration.point_of_no_return import (
    RESCUE_DEPTH,
    RESCUE_STATES,
    point_of_no_return,
)
from sim_engine.exploration.prevention import Prevention, prevented_by
from sim_engine.exploration.search import SearchOptions, SearchResult, SearchWatch, search
from sim_engine.exploration.shrink import NothingToShrinkError, needed_steps, violates
from sim_engine.identifiers import FrameNumber
from sim_engine.scenario_reader.document import Scenario, ScenarioError, ScenarioJson, ScenarioStep
from sim_engine.scenario_reader.reader import read_scenario_document, read_step
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.timeline import PlayedStep, Timeline

Clock = Callable[[], float]

EXPLAINING_SECONDS = 20.0
"""The time limit for finding the point of no return, after the search."""


class SearchReport(Struct, frozen=True, kw_only=True):
    """The result of a search, and the analysis of the failure.

    `scenario` is the shrunk counterexample as a scenario document; null if nothing was found, or if
    the search started inside a step. `point_of_no_return` is a frame of its run. `return_until` is
    the same point in the searched run, as a number of frames after the start of the search; 0 or
    less if it is before the steps found. `return_step` is the number of its step among the steps
    found, from 1; 0 if it is before them.
    """

    result: SearchResult
    scenario: ScenarioJson | None = None
    prevented_by: tuple[Prevention, ...] = ()
    point_of_no_return: FrameNumber | None = None
    return_until: int | None = None
    return_step: int | None = None

    def document(self, options: SearchOptions, seconds: float) -> dict[str, object]:
        """The document that `search --json` prints and the service sends; `seconds` is the duration
        of the search.
        """
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
    """Search from a frame of a run. If a violation is found, analyze it.

    Raises `ValueError` like `search`.
    """
    result = search(timeline.frames[after], options, clock, watch)
    if result.verdict != "violated":
        return SearchReport(result=result)
    began_at = 0.0 if clock is None else clock()

    def is_over() -> bool:
        return clock is not None and clock() - began_at > EXPLAINING_SECONDS

    return _Found(timeline, after, options, result).report(is_over)


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
        found = whole.played_steps[len(whole.played_steps) - len(self._result.steps) :]
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
            in_shrunk = self._point(shrunk, shrunk.played_steps[found_before:], is_over)
        return replace(
            report,
            scenario=scenario_document(shrunk.scenario),
            prevented_by=prevented_by(shrunk.scenario, self._options.property, self._options.acks),
            point_of_no_return=in_shrunk,
        )

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
        self, timeline: Timeline, found: Sequence[PlayedStep], is_over: Callable[[], bool]
    ) -> FrameNumber | None:
        """The point of no return of a run that ends with the steps found."""
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
    """The number of the found step that created a frame, from 1; 0 if none of them did."""
    return next((place for place, step in enumerate(found, 1) if point in step.frames), 0)


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
