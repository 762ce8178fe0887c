"""Actions played one after another on a state, each of them a frame.

A `Play` does actions and keeps what each came to; a trial of one does not count until it is
adopted. What a step has done before it gets stuck stays.
"""

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions import Action
from sim_engine.cluster.state import ClusterState
from sim_engine.events import Event
from sim_engine.events.metadata import MetadataApplied, MetadataCacheUpdated
from sim_engine.identifiers import FrameNumber
from sim_engine.simulation.budget import spend
from sim_engine.simulation.fetch_rounds import observable
from sim_engine.simulation.message_moves import MessageMove, unseen
from sim_engine.simulation.transition import Transition, perform

ONLY_READ = (MetadataApplied, MetadataCacheUpdated)
"""What a broker merely takes note of: steps and autoplay make no frame of it."""


class LimitReachedError(Exception):
    """A run has become too long: which limit, and what it is."""

    def __init__(self, limit: str, value: int) -> None:
        super().__init__(limit, value)
        self.limit = limit
        self.value = value


class Played(Struct, frozen=True, gc=False):
    """One action of a step, and what it came to. `action` is null for what is no action."""

    action: Action | None
    transition: Transition


class Play:
    """The actions of one step, as they are done.

    `first_frame` is the number that its first frame will have; `most_frames` is how many it may
    make.
    """

    def __init__(self, cluster: ClusterState, first_frame: FrameNumber, most_frames: int) -> None:
        self.cluster = cluster
        self.played: list[Played] = []
        self.unseen: tuple[MessageMove, ...] = ()
        """The message moves since the last frame, from actions that created no frame."""
        self._first_frame = first_frame
        self._most_frames = most_frames

    @property
    def next_frame(self) -> FrameNumber:
        """The number of the frame that the next action makes."""
        return FrameNumber(self._first_frame + len(self.played))

    def act(self, action: Action) -> Transition:
        """Do one action and keep its frame. Raises `RefusedError` and keeps none."""
        spend(self.next_frame)
        transition = perform(self.cluster, action, self.next_frame)
        self._keep(Played(action, transition))
        return transition

    def act_quietly(self, action: Action) -> bool:
        """Do an action of autoplay; keep its frame only if it changed something one can see."""
        spend(self.next_frame)
        transition = perform(self.cluster, action, self.next_frame)
        only_read = all(isinstance(happened, ONLY_READ) for happened in transition.events)
        if only_read or observable(transition.cluster) == observable(self.cluster):
            self.pass_over(transition)
            return False
        self._keep(Played(action, transition))
        return True

    def pass_over(self, transition: Transition) -> None:
        """Take over what an action came to, and make no frame of it."""
        self.cluster = transition.cluster
        self.unseen += unseen(transition.moves)

    def note(self, happened: Event) -> None:
        """Create a frame that changes nothing but has an event."""
        self._keep(Played(None, Transition(self.cluster, (happened,))))

    def _keep(self, played: Played) -> None:
        if len(self.played) >= self._most_frames:
            raise LimitReachedError("frames", self._first_frame + self._most_frames)
        transition = played.transition
        self.cluster = transition.cluster
        if self.unseen:
            transition = replace(transition, moves=(*self.unseen, *transition.moves))
            self.unseen = ()
        self.played.append(Played(played.action, transition))

    def trial(self) -> "Play":
        """A play from here whose actions do not count until `adopt`."""
        return Play(self.cluster, self.next_frame, self._most_frames - len(self.played))

    def adopt(self, trial: "Play") -> None:
        """Take over all that a trial did."""
        for played in trial.played:
            self._keep(played)
        self.cluster = trial.cluster
        self.unseen += trial.unseen
