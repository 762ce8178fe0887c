"""A run: the tree of frames that steps have created from one initial state. A frame is the state
after one action, with its events, its place in the story and its verdicts.

A timeline is a function only of its scenario, its version and its steps in order. A run is
therefore stored as its steps, and replaying them restores it byte for byte.
"""

from collections.abc import Iterable, Iterator, Mapping, Set

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions import Words
from sim_engine.actions.steps import Happening
from sim_engine.budget import spend
from sim_engine.cluster.start import start_cluster
from sim_engine.cluster.state import ClusterState, ConsumedRecord
from sim_engine.events.base import Event, EventSubject
from sim_engine.events.clients import ReadReplaced
from sim_engine.events.run import PropertyViolated, Started
from sim_engine.identifiers import (
    FIRST_FRAME,
    FIRST_OFFSET,
    NO_LEADER,
    FrameNumber,
    Offset,
    TopicPartition,
)
from sim_engine.invariants.clients import record_instead
from sim_engine.invariants.fates import judge_fates
from sim_engine.invariants.observation import (
    History,
    PropertyDocument,
    Verdicts,
    observe,
    start_history,
)
from sim_engine.invariants.safety import evaluate
from sim_engine.narration import RefusedError
from sim_engine.records import Record
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import read_step
from sim_engine.scenario_reader.version import places_of_words, profile_for
from sim_engine.simulation.choices import ChoiceDocument, list_choices
from sim_engine.simulation.step_execution import ExecutedAction, LimitReachedError, StepExecution
from sim_engine.simulation.step_expansion import execute_step, without_effect
from sim_engine.simulation.transition import Transition
from sim_engine.simulation.working_copy import MessageMove
from sim_engine.story.event_groups import headline_of
from sim_engine.story.steps import START, Act, Place, marks_of, place_after
from sim_engine.versions import Profile


class Frame(Struct, frozen=True, gc=False, kw_only=True):
    """The state after one action, and its events.

    Frames are numbered in the order of their creation, across branches. `depth` counts the actions
    from the start along this frame's branch; `item` is the entry of the scenario's steps that
    created it, null for a user's step; `place` is its position in the story. `events` are in causal
    order; `headline` is the index of the most important one. `moves` are the messages sent,
    delivered and lost, in order, including those without a frame before or after the action.
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
    verdicts: Verdicts


def first_frame(cluster: ClusterState, profile: Profile) -> Frame:
    """The frame of the initial state."""
    history = start_history(cluster)
    cluster, fates = judge_fates(
        replace(cluster, clients=replace(cluster.clients, produced=())), cluster, FIRST_FRAME
    )
    started = Started(
        kafka=profile.kafka,
        control=profile.control,
        brokers=tuple(broker.broker_id for broker in cluster.brokers),
    )
    return Frame(
        frame=FIRST_FRAME,
        parent=None,
        depth=0,
        item=None,
        place=START,
        action=None,
        events=(started, *fates),
        headline=0,
        moves=(),
        cluster=cluster,
        history=history,
        verdicts=evaluate(history, cluster, FIRST_FRAME, {}),
    )


def next_frame(
    before: Frame,
    number: FrameNumber,
    act: Act,
    action: dict[str, object] | None,
    transition: Transition,
    words: Set[int],
) -> Frame:
    """The frame after `before` that an action of an act creates.

    `action` is its document; None if the frame has none. `words` are the indexes in the scenario's
    steps of the notes and questions that are shown. A property that this action violates adds an
    event after those of the transition.
    """
    cluster, events = transition.cluster, transition.events
    history = observe(before.history, before.cluster, cluster, number)
    verdicts = evaluate(history, cluster, number, before.verdicts)
    fallen = tuple(
        _violated_event(name, verdict)
        for name, verdict in verdicts.items()
        if verdict.status == "violated" and before.verdicts[name].status != "violated"
    )
    # A replaced read has a mark, too, but starts no step of the story: step numbers are in links.
    marks = marks_of((happened.kind, happened.variant) for happened in (*events, *fallen))
    all_events = (*events, *fallen, *_replaced_reads(before.cluster, cluster))
    return Frame(
        frame=number,
        parent=before.frame,
        depth=before.depth + 1,
        item=act.item,
        place=place_after(before.place, act, marks, words),
        action=action,
        events=all_events,
        headline=headline_of(all_events),
        moves=transition.moves,
        cluster=cluster,
        history=history,
        verdicts=verdicts,
    )


def _violated_event(name: str, verdict: PropertyDocument) -> Event:
    evidence = verdict.evidence
    # For the current leader, the event that it was elected would be misleading.
    leads = evidence.get("leader") in (evidence.get("replicas") or ())
    told_of_leaders = name in ("StrongIsr", "LeaderCandidateCompleteness")
    return PropertyViolated(
        variant=f"{name}.leading" if leads and told_of_leaders else name,
        property=name,
        partition=evidence.get("partition"),
        replicas=tuple(evidence.get("replicas") or ()),
        offsets=tuple(evidence.get("offsets") or ()),
        values=tuple(str(record["value"]) for record in evidence.get("records") or ()),
        leader=evidence.get("leader"),
        subject=EventSubject(
            partition=evidence.get("partition"),
            replicas=tuple(evidence.get("replicas") or ()),
            offsets=tuple(evidence.get("offsets") or ()),
        ),
    )


def _replaced_reads(before: ClusterState, after: ClusterState) -> Iterator[Event]:
    """For each consumer and partition, the reads for which the leader now has other records."""
    reads = before.clients.consumed
    if not reads or (before.brokers is after.brokers and before.controller is after.controller):
        return
    replacements: dict[tuple[str, TopicPartition], dict[Offset, tuple[ConsumedRecord, Record]]] = {}
    partitions = {read.partition for read in reads}
    unchanged_below = {name: _unchanged_below(before, after, name) for name in partitions}
    for read in reads:
        if read.offset < unchanged_below[read.partition]:
            continue
        instead = record_instead(after, read)
        if instead is not None and record_instead(before, read) is None:
            own = replacements.setdefault((read.consumer, read.partition), {})
            own[read.offset] = (read, instead)
    for (consumer, partition), replaced in replacements.items():
        yield ReadReplaced(
            partition=partition,
            consumer=consumer,
            leader=after.controller.partition(partition).leader,
            values=tuple(read.value for read, _ in replaced.values()),
            offsets=tuple(replaced),
            instead=tuple(record.value for _, record in replaced.values()),
            subject=EventSubject(partition=partition, offsets=tuple(replaced)),
        )


def _unchanged_below(
    before: ClusterState, after: ClusterState, partition: TopicPartition
) -> Offset:
    """An offset below which the leader has the records that the leader had before.

    A leader nearly always only appends: then the many reads of a long run need no comparison.
    """
    leader = after.controller.partition(partition).leader
    if leader == NO_LEADER or leader != before.controller.partition(partition).leader:
        return FIRST_OFFSET
    old, new = before.replica(leader, partition).log, after.replica(leader, partition).log
    same_start = old.log_start_offset == new.log_start_offset
    if same_start and old.records == new.records[: len(old.records)]:
        return old.log_end_offset
    return FIRST_OFFSET


MOST_FRAMES = 10_000

_BYTES_A_FRAME = 4_000

_BYTES_A_RECORD = 150
"""With its part of the scenario and of the logs that contain it."""

_BYTES_A_PLACE = 8
"""Of a record in a copy of its log; most frames copy at most one log."""


class PlayedStep(Struct, frozen=True, gc=False, kw_only=True):
    """One played step: the frame that it followed, its origin, and the frames that it created."""

    after: FrameNumber
    step: dict[str, object]
    item: int | None
    frames: tuple[FrameNumber, ...]
    refused: bool = False


class ActResult(Struct, frozen=True, gc=False, kw_only=True):
    """The result of one step: its frames in order, the last, and whether it started a branch."""

    frames: tuple[FrameNumber, ...]
    head: FrameNumber
    forked: bool


class Timeline:
    """The frames of one run under one version: at most `most_frames`, after which a step raises
    `LimitReachedError`."""

    def __init__(
        self,
        scenario: Scenario,
        kafka: str | None = None,
        control: str | None = None,
        *,
        most_frames: int | None = None,
    ) -> None:
        self.scenario = scenario
        self._most_frames = MOST_FRAMES if most_frames is None else most_frames
        self.profile: Profile = profile_for(scenario, kafka, control)
        self.words = places_of_words(scenario, self.profile.kafka, self.profile.control)
        self.frames: list[Frame] = [
            first_frame(start_cluster(scenario, self.profile), self.profile)
        ]
        self.played_steps: list[PlayedStep] = []
        self.head = FIRST_FRAME
        self._children: dict[FrameNumber, FrameNumber] = {}

    def approximate_bytes(self) -> int:
        """About how much memory the timeline takes, from the number of its frames and the lengths
        of its last logs.
        """
        brokers = self.frames[-1].cluster.brokers
        lengths = [len(replica.log.records) for broker in brokers for replica in broker.replicas]
        a_frame = _BYTES_A_FRAME + _BYTES_A_PLACE * max(lengths, default=0)
        return len(self.frames) * a_frame + sum(lengths) * _BYTES_A_RECORD

    # --- doing -----------------------------------------------------------------------------

    def run_all(self, entries: int | None = None, *, start: int = 0) -> None:
        """Perform every step of the scenario after the head, or only those among its first
        `entries` entries, without those before the entry `start`. An impossible step creates one
        frame that changes nothing and gives the reason.
        """
        for item, entry in enumerate(self.scenario.steps[start:entries], start):
            if not isinstance(entry.step, Words):
                self.run_step(item, entry.step)

    def run_step(self, item: int | None, step: Happening) -> PlayedStep:
        """Perform one step after the head. If it is not possible, one frame gives the reason."""
        try:
            return self._do(self.head, step, item)
        except LimitReachedError as reached:
            reached.item = item
            raise
        except RefusedError as refused:
            written = step.as_step()
            frame = self._add(
                self.head,
                Act(number=len(self.played_steps), step=written, item=item),
                written,
                Transition(self.frames[self.head].cluster, (refused.as_event(),)),
            )
            done = PlayedStep(
                after=self.head, step=written, item=item, frames=(frame.frame,), refused=True
            )
            self.head = frame.frame
            self.played_steps.append(done)
            return done

    def act(self, after: FrameNumber, step: Mapping[str, object]) -> ActResult:
        """Perform a step after any frame. If that frame already has a successor, a branch begins.

        Raises `ScenarioError` for an invalid step and `RefusedError` if it is not possible there;
        nothing is recorded in either case.
        """
        return self.perform(after, read_step(dict(step), self.scenario))

    def perform(self, after: FrameNumber, step: Happening) -> ActResult:
        """Like `act`, for a parsed step."""
        self._require_frame(after)
        forked = after in self._children
        head = self.head
        done = self._do(after, step, None)
        if not done.frames:
            self.played_steps.pop()
            self.head = head
            raise without_effect(step)
        return ActResult(frames=done.frames, head=self.head, forked=forked)

    def choices(self, after: FrameNumber) -> list[ChoiceDocument]:
        """The possible steps after a frame, the most relevant first, and the impossible ones with
        their reasons.
        """
        self._require_frame(after)
        return list_choices(self.frames[after].cluster)

    def _do(self, after: FrameNumber, step: Happening, item: int | None) -> PlayedStep:
        first = FrameNumber(len(self.frames))
        spend(first)
        execution = StepExecution(self.frames[after].cluster, first, self._most_frames - first)
        execute_step(execution, step)
        act = Act(number=len(self.played_steps), step=step.as_step(), item=item)
        made = self.keep(after, act, execution.executed, execution)
        done = PlayedStep(after=after, step=dict(act.step), item=item, frames=made)
        self.played_steps.append(done)
        return done

    def keep(
        self,
        after: FrameNumber,
        act: Act,
        executed: Iterable[ExecutedAction],
        execution: StepExecution,
    ) -> tuple[FrameNumber, ...]:
        """Add the frames of one act after a frame, and move the head to the last of them.

        `execution` did the act. Changes that it made after these actions, without a frame of
        their own, belong to the last frame.
        """
        parent = after
        made: list[FrameNumber] = []
        for one in executed:
            action = None if one.action is None else one.action.as_step()
            parent = self._add(parent, act, action, one.transition).frame
            made.append(parent)
        last = self.frames[parent]
        if made and execution.cluster is not last.cluster:
            self.frames[parent] = replace(
                last, cluster=execution.cluster, moves=(*last.moves, *execution.unseen)
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
        number = FrameNumber(len(self.frames))
        if number >= self._most_frames:
            raise LimitReachedError("frames", self._most_frames)
        spend(number)
        frame = next_frame(self.frames[parent], number, act, action, transition, self.words)
        self.frames.append(frame)
        self._children.setdefault(parent, number)
        return frame

    # --- reading ---------------------------------------------------------------------------

    def _require_frame(self, number: FrameNumber) -> None:
        if not 0 <= number < len(self.frames):
            raise IndexError(number)

    def path(self, frame: FrameNumber) -> list[FrameNumber]:
        """The frames from the start up to and including `frame`."""
        self._require_frame(frame)
        numbers: list[FrameNumber] = []
        at: FrameNumber | None = frame
        while at is not None:
            numbers.append(at)
            at = self.frames[at].parent
        return numbers[::-1]

    def steps_on(self, end: FrameNumber) -> Iterator[tuple[PlayedStep, list[FrameNumber]]]:
        """The steps that were performed on the branch up to frame `end`, in order, each with its
        frames on that branch, which may have left a step in the middle.
        """
        on_branch = set(self.path(end))
        for done in self.played_steps:
            kept = [number for number in done.frames if number in on_branch]
            if kept or (not done.frames and done.after in on_branch):
                yield done, kept

    def tip(self, frame: FrameNumber) -> FrameNumber:
        """The end of the branch through `frame`, following the first successor of each frame."""
        self._require_frame(frame)
        at = frame
        while at in self._children:
            at = self._children[at]
        return at

    def branch(self, through: FrameNumber) -> list[FrameNumber]:
        """The frames of the branch through `through`, from the start to its end."""
        return self.path(self.tip(through))

    # --- replay ----------------------------------------------------------------------------

    @classmethod
    def replay(
        cls,
        scenario: Scenario,
        *,
        kafka: str | None = None,
        control: str | None = None,
        steps: Iterable[tuple[FrameNumber, Mapping[str, object], int | None]],
    ) -> "Timeline":
        """Perform stored steps again: the same frames, to the byte.

        Each entry has the frame that it followed, the step, and its entry in the scenario.
        """
        timeline = cls(scenario, kafka, control)
        for after, step, item in steps:
            timeline.follow(after, step, item)
        return timeline

    def replayed(self, at: FrameNumber, *, kafka: str, control: str | None = None) -> "Timeline":
        """Replay the steps up to `at` on its branch under another version.

        A step that the other version refuses creates one frame that reports it, and the run
        continues. A step of the scenario that created no frame here may create some there. If the
        branch left a step in the middle, so does the other run.
        """
        other = Timeline(self.scenario, kafka, control)
        for done, kept in self.steps_on(at):
            again = other.follow(other.head, done.step, done.item)
            if len(kept) < len(done.frames) and again.frames:
                other.head = again.frames[min(len(kept), len(again.frames)) - 1]
        return other

    def follow(
        self, after: FrameNumber, step: Mapping[str, object], item: int | None
    ) -> PlayedStep:
        """Perform a stored step. If it is not possible, create one frame that reports this."""
        self._require_frame(after)
        self.head = after
        read = read_step(dict(step), self.scenario)
        return self.run_step(item, read)
