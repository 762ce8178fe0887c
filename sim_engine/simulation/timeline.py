"""A run: the tree of frames that steps have made, from one start.

A timeline is a function of its scenario, its version and the steps done, in order; nothing else
goes in. So a run is stored as its steps and comes back, to the byte, by doing them again.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions import Happening, Words
from sim_engine.cluster.start import start_cluster
from sim_engine.cluster.state import ClusterState
from sim_engine.events import Event, EventSubject
from sim_engine.events.run import PropertyViolated, Started
from sim_engine.identifiers import FIRST_FRAME, FrameNumber
from sim_engine.invariants import History, Verdict, evaluate, observe, start_history
from sim_engine.scenario_reader.applicability import places_of_words
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.profiles import profile_for
from sim_engine.scenario_reader.reader import read_step
from sim_engine.simulation.budget import spend
from sim_engine.simulation.choices import Choice, list_choices, without_effect
from sim_engine.simulation.headline import headline_of
from sim_engine.simulation.message_moves import MessageMove
from sim_engine.simulation.play import LimitReachedError, Play, Played
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.step_expansion import play_step
from sim_engine.simulation.transition import Transition
from sim_engine.story import START, Act, Place, marks_of, place_after
from sim_engine.versions import Profile

MOST_FRAMES = 10_000


class Frame(Struct, frozen=True, gc=False, kw_only=True):
    """The state after one action, and what happened.

    Frames are numbered in the order in which they were made, branches included. `depth` counts the
    actions from the start on this frame's branch; `item` is the entry of the scenario's steps that
    made it, null for what a person did; `place` is where it stands in the story. `events` stand in
    the order in which one led to the next; `headline` is the place among them of the one that tells
    most. `moves` says what became of messages, in order; what time did in silence before or after
    the action is among them.
    """

    frame: FrameNumber
    parent: FrameNumber | None
    depth: int
    item: int | None
    place: Place
    action: dict[str, object] | None
    events: tuple[Event, ...]
    headline: int
    moves: tuple[MessageMove, ...]
    cluster: ClusterState
    history: History
    verdicts: tuple[Verdict, ...]


class PlayedStep(Struct, frozen=True, gc=False, kw_only=True):
    """One step that was done: after which frame, by whom, and the frames it made."""

    after: FrameNumber
    step: dict[str, object]
    item: int | None
    frames: tuple[FrameNumber, ...]
    refused: bool = False


class ActResult(Struct, frozen=True, gc=False, kw_only=True):
    """What one step did: its frames in order, the newest of them, and whether it began a branch."""

    frames: tuple[FrameNumber, ...]
    head: FrameNumber
    forked: bool


class Timeline:
    """The frames of one run under one version."""

    def __init__(
        self,
        scenario: Scenario,
        kafka: str | None = None,
        control: str | None = None,
    ) -> None:
        self.scenario = scenario
        self.profile: Profile = profile_for(scenario, kafka, control)
        cluster = start_cluster(scenario, self.profile)
        history = start_history(cluster)
        self.said = places_of_words(scenario, self.profile.kafka, self.profile.control)
        started = Started(
            kafka=self.profile.kafka,
            control=self.profile.control,
            brokers=tuple(broker.broker_id for broker in cluster.brokers),
        )
        self.frames: list[Frame] = [
            Frame(
                frame=FIRST_FRAME,
                parent=None,
                depth=0,
                item=None,
                place=START,
                action=None,
                events=(started,),
                headline=0,
                moves=(),
                cluster=cluster,
                history=history,
                verdicts=evaluate(history, cluster, FIRST_FRAME, ()),
            )
        ]
        self.record: list[PlayedStep] = []
        self.head = FIRST_FRAME
        self._children: dict[FrameNumber, FrameNumber] = {}

    # --- doing -----------------------------------------------------------------------------

    def run_all(self) -> None:
        """Do every step of the scenario after the head. A step that cannot happen makes one frame
        that changes nothing and says why."""
        for item, said in enumerate(self.scenario.steps):
            if not isinstance(said.step, Words):
                self.run_step(item, said.step)

    def run_step(self, item: int | None, step: Happening) -> PlayedStep:
        """Do one step after the head; where it cannot happen, one frame says why."""
        try:
            return self._do(self.head, step, item)
        except RefusedError as refused:
            written = step.as_step()
            frame = self._add(
                self.head,
                Act(number=len(self.record), step=written, item=item),
                written,
                Transition(self.frames[self.head].cluster, (refused.as_event(),)),
            )
            done = PlayedStep(
                after=self.head,
                step=written,
                item=item,
                frames=(frame.frame,),
                refused=True,
            )
            self.head = frame.frame
            self.record.append(done)
            return done

    def act(self, after: FrameNumber, step: Mapping[str, object]) -> ActResult:
        """Do a step after any frame; where that frame has a successor already, a branch begins.

        Raises `ScenarioError` for a step that is wrong in itself and `RefusedError` where it cannot
        happen there; nothing is recorded then.
        """
        return self.perform(after, read_step(dict(step), self.scenario))

    def perform(self, after: FrameNumber, step: Happening) -> ActResult:
        """As `act`, for a step that has been read already."""
        self._require_frame(after)
        forked = after in self._children
        head = self.head
        done = self._do(after, step, None)
        if not done.frames:
            self.record.pop()
            self.head = head
            raise without_effect(step)
        return ActResult(frames=done.frames, head=self.head, forked=forked)

    def choices(self, after: FrameNumber) -> list[Choice]:
        """What can happen after a frame, the most natural next first, and what cannot, with why."""
        self._require_frame(after)
        return list_choices(self.frames[after].cluster)

    def _do(self, after: FrameNumber, step: Happening, item: int | None) -> PlayedStep:
        play = Play(
            self.frames[after].cluster,
            FrameNumber(len(self.frames)),
            MOST_FRAMES - len(self.frames),
        )
        play_step(play, step)
        act = Act(number=len(self.record), step=step.as_step(), item=item)
        made = self.keep(after, act, play.played, play)
        done = PlayedStep(after=after, step=dict(act.step), item=item, frames=made)
        self.record.append(done)
        return done

    def keep(
        self, after: FrameNumber, act: Act, played: Iterable[Played], play: Play
    ) -> tuple[FrameNumber, ...]:
        """Make frames of what one act did after a frame, and go to the last of them.

        `play` is where it was done: what it did in silence afterwards belongs to the last frame.
        """
        parent = after
        made: list[FrameNumber] = []
        for one in played:
            action = None if one.action is None else one.action.as_step()
            parent = self._add(parent, act, action, one.transition).frame
            made.append(parent)
        last = self.frames[parent]
        if made and play.cluster is not last.cluster:
            self.frames[parent] = replace(
                last, cluster=play.cluster, moves=(*last.moves, *play.unseen)
            )
        self.head = parent
        return tuple(made)

    def _add(
        self,
        parent: FrameNumber,
        act: Act,
        action: dict[str, object] | None,
        transition: Transition,
    ) -> Frame:
        before = self.frames[parent]
        cluster, events = transition.cluster, transition.events
        number = FrameNumber(len(self.frames))
        if number >= MOST_FRAMES:
            raise LimitReachedError("frames", MOST_FRAMES)
        spend(number)
        history = observe(before.history, before.cluster, cluster, number)
        verdicts = evaluate(history, cluster, number, before.verdicts)
        fallen = tuple(
            _violated_event(verdict)
            for verdict, old in zip(verdicts, before.verdicts, strict=True)
            if verdict.status == "violated" and old.status != "violated"
        )
        told = (*events, *fallen)
        marks = marks_of((happened.kind, happened.variant) for happened in told)
        frame = Frame(
            frame=number,
            parent=parent,
            depth=before.depth + 1,
            item=act.item,
            place=place_after(before.place, act, marks, self.said),
            action=action,
            events=told,
            headline=headline_of(events),
            moves=transition.moves,
            cluster=cluster,
            history=history,
            verdicts=verdicts,
        )
        self.frames.append(frame)
        self._children.setdefault(parent, number)
        return frame

    # --- reading ---------------------------------------------------------------------------

    def _require_frame(self, number: FrameNumber) -> None:
        if not 0 <= number < len(self.frames):
            raise IndexError(number)

    def path(self, frame: FrameNumber) -> list[FrameNumber]:
        """The frames from the start to `frame`, both included."""
        self._require_frame(frame)
        numbers: list[FrameNumber] = []
        at: FrameNumber | None = frame
        while at is not None:
            numbers.append(at)
            at = self.frames[at].parent
        return numbers[::-1]

    def tip(self, frame: FrameNumber) -> FrameNumber:
        """The end of the branch through `frame`: the successor made first, and so on."""
        self._require_frame(frame)
        at = frame
        while at in self._children:
            at = self._children[at]
        return at

    def branch(self, through: FrameNumber) -> list[FrameNumber]:
        """The frames of the branch through `through`, from the start to its end."""
        return self.path(self.tip(through))

    def is_tip(self, frame: FrameNumber) -> bool:
        """Whether nothing has been done after a frame."""
        return frame not in self._children

    # --- again -----------------------------------------------------------------------------

    @classmethod
    def replay(
        cls,
        scenario: Scenario,
        *,
        kafka: str | None = None,
        control: str | None = None,
        record: Iterable[tuple[FrameNumber, Mapping[str, object], int | None]],
    ) -> "Timeline":
        """Do recorded steps again: the same frames, to the byte.

        Each entry is the frame it was done after, the step, and the scenario's item that it is.
        """
        timeline = cls(scenario, kafka, control)
        for after, step, item in record:
            timeline.follow(after, step, item)
        return timeline

    def replayed(self, at: FrameNumber, *, kafka: str, control: str | None = None) -> "Timeline":
        """What was done up to `at` on its branch, done again under another version.

        A step that the other version refuses makes one frame that says so, and the run goes on. A
        step of the scenario that made no frame here may make some there.
        Where the branch left a step in the middle, so does the other run.
        """
        on_branch = set(self.path(at))
        other = Timeline(self.scenario, kafka, control)
        for done in self.record:
            kept = sum(number in on_branch for number in done.frames)
            if not kept and (done.frames or done.after not in on_branch):
                continue
            again = other.follow(other.head, done.step, done.item)
            if kept < len(done.frames) and again.frames:
                other.head = again.frames[min(kept, len(again.frames)) - 1]
        return other

    def follow(
        self, after: FrameNumber, step: Mapping[str, object], item: int | None
    ) -> PlayedStep:
        """Perform a recorded step. If it is not possible, create one frame that reports this."""
        self._require_frame(after)
        self.head = after
        read = read_step(dict(step), self.scenario)
        return self.run_step(item, read)


def _violated_event(verdict: Verdict) -> Event:
    evidence = verdict.evidence
    # Of who leads already it would say little that it could be elected.
    leads = evidence.get("leader") in (evidence.get("replicas") or ())
    told_of_leaders = verdict.name in ("StrongIsr", "LeaderCandidateCompleteness")
    return PropertyViolated(
        variant=f"{verdict.name}.leading" if leads and told_of_leaders else verdict.name,
        property=verdict.name,
        partition=evidence.get("partition"),
        replicas=tuple(evidence.get("replicas") or ()),
        offsets=tuple(evidence.get("offsets") or ()),
        values=tuple(str(record["value"]) for record in evidence.get("records") or ()),
        leader=evidence.get("leader"),
        evidence=EventSubject(
            partition=evidence.get("partition"),
            replicas=tuple(evidence.get("replicas") or ()),
            offsets=tuple(evidence.get("offsets") or ()),
        ),
    )
