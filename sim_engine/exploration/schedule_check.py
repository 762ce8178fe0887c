"""Checks a random schedule against everything that must be true of any run, and reports the first
violation."""

from collections.abc import Callable
from functools import partial

from msgspec import Struct

from sim_engine.actions import Words
from sim_engine.events.run import ActionRefused
from sim_engine.exploration.coverage import reached
from sim_engine.exploration.guarantees import Circumstances, guaranteed
from sim_engine.exploration.liveness import find_unsettled
from sim_engine.exploration.schedules import repair_steps
from sim_engine.exploration.shrink import shrink
from sim_engine.exploration.unexplained_changes import find_unexplained
from sim_engine.exploration.well_formed import find_malformed
from sim_engine.identifiers import FrameNumber
from sim_engine.scenario_reader.document import Scenario
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.step_execution import LimitReachedError
from sim_engine.simulation.timeline import Timeline


class Failure(Struct, frozen=True):
    """A failure. Two failures with the same `kind` and `name` count as the same."""

    kind: str
    """One of exception, malformed, unexplained, property, refusal, liveness and replay."""
    name: str
    message: str
    frame: FrameNumber

    def __str__(self) -> str:
        return f"{self.kind} {self.name}, frame {self.frame}: {self.message}"


class ScheduleResult(Struct, frozen=True, kw_only=True):
    """The result of one schedule."""

    failure: Failure | None
    goals: frozenset[str]
    """The coverage goals that were reached."""
    frames: int


class _FailedError(Exception):
    def __init__(self, failure: Failure) -> None:
        super().__init__(failure)
        self.failure = failure


def check_schedule(scenario: Scenario) -> ScheduleResult:
    """Run a schedule, end its faults and let it settle, and check every frame.

    Checked: the engine raises no exception; every state is well formed; every change of a replica's
    beliefs has an event; the version's guarantees hold; a refused step changes nothing; in the end
    every replica is in the ISR with the leader's log and no producer is waiting; and replaying the
    same steps creates the same frames.
    """
    run = _Run(scenario)
    failure = None
    try:
        run.do()
    except _FailedError as failed:
        failure = failed.failure
    except LimitReachedError:
        pass
    return ScheduleResult(
        failure=failure, goals=frozenset(run.goals), frames=len(run.timeline.frames)
    )


def shrink_failure(scenario: Scenario, failure: Failure) -> Scenario:
    """Return the shortest scenario found that fails in the same way."""

    def fails(candidate: Scenario) -> bool:
        found = check_schedule(candidate).failure
        return found is not None and (found.kind, found.name) == (failure.kind, failure.name)

    return shrink(scenario, fails)


class _Run:
    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.timeline = Timeline(scenario)
        self.goals: set[str] = set()
        self._circumstances = Circumstances()
        self._looked_at = 0
        self._look()

    def do(self) -> None:
        for item, said in enumerate(self.scenario.steps):
            if not isinstance(said.step, Words):
                self._guarded(partial(self.timeline.run_step, item, said.step))
        for repair in repair_steps(self.timeline):
            self._guarded(partial(self._try, repair.as_step()))
        unsettled = find_unsettled(self.timeline)
        if unsettled is not None:
            self._fail("liveness", *unsettled)
        self._replay()

    def _try(self, step: dict[str, object]) -> None:
        try:
            self.timeline.act(self.timeline.head, step)
        except RefusedError:
            return

    def _guarded(self, action: Callable[[], object]) -> None:
        before = self.timeline.frames[self.timeline.head].cluster
        try:
            action()
        except (LimitReachedError, _FailedError):
            raise
        except Exception as error:  # every exception is a failure
            self._fail("exception", type(error).__name__, repr(error))
        last = self.timeline.frames[self.timeline.head]
        refused = any(isinstance(happened, ActionRefused) for happened in last.events)
        if refused and last.cluster is not before:
            self._fail("refusal", "changed", "a refused step changed the state")
        self._look()

    def _look(self) -> None:
        """Check every new frame."""
        frames = self.timeline.frames
        for frame in frames[self._looked_at :]:
            before = None if frame.parent is None else frames[frame.parent].cluster
            problem = find_malformed(before, frame.cluster)
            self._looked_at = frame.frame + 1
            if problem is not None:
                self._fail("malformed", "state", problem, frame.frame)
            unexplained = find_unexplained(before, frame)
            if unexplained is not None:
                self._fail("unexplained", "belief", unexplained, frame.frame)
            self._circumstances = self._circumstances.after(frame)
            kept = guaranteed(self.timeline.profile, self._circumstances)
            for verdict in frame.verdicts:
                if verdict.first_frame == frame.frame and verdict.name in kept:
                    self._fail("property", verdict.name, str(verdict.evidence), frame.frame)
            self.goals.update(reached(frame))

    def _fail(self, kind: str, name: str, message: str, frame: FrameNumber | None = None) -> None:
        at = self.timeline.head if frame is None else frame
        raise _FailedError(Failure(kind, name, message, at))

    def _replay(self) -> None:
        again = Timeline.replay(
            self.scenario,
            steps=[(done.after, done.step, done.item) for done in self.timeline.played_steps],
        )
        if again.frames != self.timeline.frames:
            self._fail("replay", "frames", "the same steps created different frames")
