"""Actions performed one after another on a state, each of them a frame.

A `StepExecution` performs actions and keeps the result of each. A trial of one does not count until
it is adopted. What a step has done before it gets stuck stays.
"""

from msgspec import UNSET, Struct
from msgspec.structs import replace

from sim_engine.actions.steps import Action
from sim_engine.budget import spend
from sim_engine.cluster.state import ClusterState
from sim_engine.events.base import Event
from sim_engine.events.isr import IsrChangesKept, IsrChecked
from sim_engine.events.metadata import MetadataApplied, MetadataCacheUpdated
from sim_engine.events.run import TimeAdvanced
from sim_engine.identifiers import BrokerId, FrameNumber, TopicPartition
from sim_engine.simulation.fetch_rounds import FetchLoops, looks_the_same
from sim_engine.simulation.transition import Transition, perform
from sim_engine.simulation.working_copy import MessageMove, unseen

ONLY_READ = (MetadataApplied, MetadataCacheUpdated)
"""Events without a visible effect: steps and autoplay create no frame for them."""


class LimitReachedError(Exception):
    """A run has become too long: the limit's name and value, and the entry of the scenario's steps
    that exceeded it, null for a user's step.
    """

    def __init__(self, limit: str, value: int) -> None:
        super().__init__(limit, value)
        self.limit = limit
        self.value = value
        self.item: int | None = None


class ExecutedAction(Struct, frozen=True, gc=False):
    """One action of a step, and its result. `action` is null for a frame without an action."""

    action: Action | None
    transition: Transition


class StepExecution:
    """The actions of one step while it is performed.

    `first_frame` is the number of its first frame; `most_frames` is the largest number of frames
    that it may create.
    """

    def __init__(self, cluster: ClusterState, first_frame: FrameNumber, most_frames: int) -> None:
        self.cluster = cluster
        self.executed: list[ExecutedAction] = []
        self.loops = FetchLoops()
        """The fetch rounds that the step has begun."""
        self.unseen: tuple[MessageMove, ...] = ()
        """The message moves since the last frame, from actions that created no frame."""
        self._checks: tuple[IsrChecked | IsrChangesKept, ...] = ()
        """The checks since the last frame that created no frame: of an ISR with a member
        behind, and of ISR changes that it is too early to notify."""
        self._first_frame = first_frame
        self._most_frames = most_frames

    @property
    def next_frame(self) -> FrameNumber:
        """The number of the frame that the next action creates."""
        return FrameNumber(self._first_frame + len(self.executed))

    def act(self, action: Action) -> Transition:
        """Perform one action and keep its frame. Raises `RefusedError` without keeping a frame."""
        spend(self.next_frame)
        transition = perform(self.cluster, action, self.next_frame)
        self._keep(ExecutedAction(action, transition))
        return transition

    def act_quietly(self, action: Action) -> bool:
        """Perform an action of autoplay; keep its frame only if something visible changed."""
        spend(self.next_frame)
        transition = perform(self.cluster, action, self.next_frame)
        only_read = all(isinstance(happened, ONLY_READ) for happened in transition.events)
        if only_read or looks_the_same(transition.cluster, self.cluster):
            self.pass_over(transition)
            return False
        self._keep(ExecutedAction(action, transition))
        return True

    def pass_over(self, transition: Transition) -> None:
        """Adopt the result of an action without creating a frame."""
        self.cluster = transition.cluster
        self.unseen += unseen(transition.moves)
        self._checks += tuple(
            happened
            for happened in transition.events
            if (isinstance(happened, IsrChecked) and happened.replica is not UNSET)
            or (isinstance(happened, IsrChangesKept) and happened.partitions)
        )

    def is_shown(self, broker_id: BrokerId, partition: TopicPartition) -> bool:
        """Whether a follower's next round repeats what this step has shown. The first time, a frame
        reports it.
        """
        repeats = self.loops.begin(self.cluster, broker_id, partition)
        if repeats is not None:
            self.note(repeats)
        return repeats is not None

    def note(self, happened: Event) -> None:
        """Create a frame that changes nothing but has an event."""
        self._keep(ExecutedAction(None, Transition(self.cluster, (happened,))))

    def _keep(self, executed: ExecutedAction) -> None:
        if len(self.executed) >= self._most_frames:
            raise LimitReachedError("frames", self._first_frame + self._most_frames)
        transition = executed.transition
        self.cluster = transition.cluster
        if self.unseen:
            transition = replace(transition, moves=(*self.unseen, *transition.moves))
            self.unseen = ()
        if self._checks and any(isinstance(each, TimeAdvanced) for each in transition.events):
            transition = replace(transition, events=(*transition.events, *self._checks))
        self._checks = ()
        self.executed.append(ExecutedAction(executed.action, transition))

    def trial(self) -> "StepExecution":
        """An execution from here whose actions do not count until `adopt`."""
        return StepExecution(self.cluster, self.next_frame, self._most_frames - len(self.executed))

    def adopt(self, trial: "StepExecution") -> None:
        """Adopt everything that a trial did."""
        for executed in trial.executed:
            self._keep(executed)
        self.cluster = trial.cluster
        self.unseen += trial.unseen
        self._checks += trial._checks
