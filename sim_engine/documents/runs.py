"""A whole run: its story, which is a list of steps that each expand into frames, how it ended, and
a digest that identifies it.

Frames that were stored as JSON are read back here, possibly from another engine. They stay JSON,
because a share shows every field that it was stored with. The fields that code reads by name are
typed.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from typing import Annotated, Any, NotRequired, TypedDict, get_args

import msgspec
from msgspec import Meta
from msgspec.structs import asdict

from sim_engine.actions import WORD_NAMES, Ask
from sim_engine.actions.base import name_of
from sim_engine.actions.steps import Action, Config, Happening
from sim_engine.documents.author_words import scenario_of_branch
from sim_engine.documents.frames import ChangeDocument, FrameDocument, frame_document
from sim_engine.documents.state import MessageMoveDocument, StateDocument, state_document
from sim_engine.events.base import EventNumber
from sim_engine.identifiers import ENGINE_VERSION, FIRST_FRAME, BrokerId, FrameNumber
from sim_engine.invariants.observation import Status, Verdicts
from sim_engine.json_types import Document, JsonView
from sim_engine.scenario_reader.document import ScenarioJson
from sim_engine.scenario_reader.version import words_under
from sim_engine.simulation.timeline import Timeline
from sim_engine.story.event_groups import EventData
from sim_engine.story.steps import (
    NO_MARKS,
    Act,
    Place,
    Setting,
    StoryFrame,
    StoryStepDocument,
    WordMark,
    story_steps,
)
from sim_engine.versions import Control


class StoredEventSubject(TypedDict):
    """The replicas that an event is about."""

    replicas: NotRequired[Sequence[BrokerId]]


class StoredEvent(TypedDict):
    """The fields of an event that its texts need."""

    kind: str
    variant: NotRequired[str]
    numbers: Mapping[str, EventNumber]
    subject: StoredEventSubject


class StoredProperty(TypedDict):
    """The fields of a property's verdict from which its status is determined."""

    status: Status
    first_frame: FrameNumber | None
    until_frame: FrameNumber | None


class StoredFrame(TypedDict):
    """The fields of a frame that code uses to find, group and describe it.

    The meaning of `state` and `patch` depends on the list in which it is stored: see
    `backend.frames.packing`.
    """

    frame: FrameNumber
    parent: FrameNumber | None
    depth: int
    item: int | None
    step: int
    events: Sequence[StoredEvent]
    headline: int
    cause: NotRequired[int]
    changes: Sequence[object]
    moves: Sequence[object]
    state: NotRequired[object]
    patch: NotRequired[object]
    properties: Mapping[str, StoredProperty]


def read_frame(stored: StoredFrame) -> FrameDocument:
    """A stored frame with its complete state, as a document.

    Raises `msgspec.ValidationError` if it has no complete state.
    """
    return msgspec.convert(stored, FrameDocument)


def changes_of(stored: StoredFrame) -> tuple[ChangeDocument, ...]:
    """The changes of a stored frame."""
    return msgspec.convert(stored["changes"], tuple[ChangeDocument, ...])


def moves_of(stored: StoredFrame) -> tuple[MessageMoveDocument, ...]:
    """The messages that were sent, delivered or lost in a stored frame."""
    return msgspec.convert(stored["moves"], tuple[MessageMoveDocument, ...])


def headline_of(stored: StoredFrame) -> StoredEvent | None:
    """The most important event of a stored frame; null if it has none."""
    events = stored["events"]
    return events[stored["headline"]] if events else None


_ACTIONS_ALONE = frozenset(
    name_of(kind)
    for kind in set(get_args(Happening)) & set(get_args(Action))
    if kind is not Config  # the controller may react to these
)
"""The steps that are performed as a single action."""

StoredAct = Sequence[Any]
"""A played step: the frame before it, the step, and its entry in the scenario's steps. Any: it is
stored as a JSON list with elements of different types.
"""


def story_to(
    timeline: Timeline, head: FrameNumber, *, since: FrameNumber = FIRST_FRAME
) -> tuple[StoryStepDocument, ...]:
    """The steps from the one that contains frame `since`, or from the start, up to frame `head`.

    Raises `IndexError` if no frame has this number.
    """
    first_step = timeline.frames[since].place.step
    path = timeline.path(head)
    frames = (timeline.frames[number] for number in path)
    profile = timeline.profile
    setting = _setting(scenario_of_branch(timeline, path), profile.kafka, profile.control)
    told = (
        StoryFrame(
            frame.frame,
            frame.place,
            tuple(EventData(event.kind, event.variant, event.numbers()) for event in frame.events),
        )
        for frame in frames
        if frame.place.step >= first_step
    )
    return tuple(story_steps(told, setting))


def stored_story(
    frames: Sequence[StoredFrame],
    acts: Sequence[StoredAct],
    *,
    scenario: ScenarioJson,
    kafka: str,
    control: str,
) -> tuple[StoryStepDocument, ...]:
    """The steps of a stored branch.

    `acts` are the steps that created the frames; each entry's frame number is relative to this
    branch.
    """
    told = (
        StoryFrame(
            frame["frame"],
            Place(step=frame["step"], act=act, noted=NO_MARKS),
            tuple(
                EventData(event["kind"], event.get("variant"), event["numbers"])
                for event in frame["events"]
            ),
        )
        for frame, act in zip(frames, [None, *_acts(frames, acts)], strict=True)
    )
    return tuple(story_steps(told, _setting(scenario, kafka, control)))


def _acts(frames: Sequence[StoredFrame], acts: Sequence[StoredAct]) -> Iterator[Act]:
    """The step that created each frame after the first.

    An entry of the scenario created the frames with its item. A user's step created a fixed number
    of frames if its kind always does, otherwise all frames up to the one before the next step. A
    branch that forks in the middle of a step has fewer, and the next frame number is not
    consecutive. All remaining frames belong to the last step.
    """
    position = next_number = 1
    for number, (_, step, item) in enumerate(acts):
        is_last = number == len(acts) - 1
        most = len(frames) if is_last else acts[number + 1][0] - next_number + 1
        made = _frames_always_made(step) or most
        act = Act(number=number, step=step, item=item)
        first = position
        while position < len(frames) and frames[position]["item"] == item:
            in_a_row = frames[position]["frame"] == frames[position - 1]["frame"] + 1
            if item is None and (position - first >= made or (position > first and not in_a_row)):
                break
            yield act
            position += 1
        if not is_last:
            next_number = acts[number + 1][0] + 1
    if position < len(frames):
        yield from repeat(act, len(frames) - position)


def _frames_always_made(step: JsonView) -> int | None:
    """The number of frames of a step that is one action, or one action for each value; null for
    other steps."""
    ((kind, arguments),) = step.items()
    if kind not in _ACTIONS_ALONE:
        return None
    values = arguments.get("values") if isinstance(arguments, Mapping) else None
    return len(values) if isinstance(values, Sequence) else 1


def _setting(scenario: ScenarioJson, kafka: str, control: str) -> Setting:
    steps = scenario["steps"]
    words: dict[int, set[WordMark]] = {}
    for place in words_under(scenario, kafka, control)["steps"]:
        before = (at for at in range(place - 1, -1, -1) if not WORD_NAMES & steps[at].keys())
        words.setdefault(next(before, -1), set()).add(
            "question" if name_of(Ask) in steps[place] else "note"
        )
    return Setting(
        brokers=len(scenario["brokers"]),
        partitions=sum(len(topic["partitions"]) for topic in scenario["topics"]),
        words=words,
    )


_canonical = msgspec.json.Encoder(order="sorted")


class FinalDocument(StateDocument, frozen=True, kw_only=True):
    """The state after the last step, with the release whose rules led to it."""

    kafka: str
    """The release, as the scenario or `--kafka` names it."""


class RunDocument(Document, frozen=True, kw_only=True):
    """A run of all steps of a scenario under one version: the output of `run --json`."""

    scenario: str
    """The scenario's id."""
    kafka: str
    """The Kafka release of the run."""
    control: Control
    engine: str
    """The engine's version."""
    frames: Annotated[int, Meta(ge=1)]
    """The number of frames."""
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    """The SHA-256 of all frames, each in canonical JSON with a final line feed. The same run has
    the same digest on every machine."""
    final: FinalDocument
    """The state after the last step."""
    properties: Verdicts
    """Property name → verdict."""
    story: tuple[StoryStepDocument, ...]
    """The run's steps, from its start."""


def run_document(timeline: Timeline) -> RunDocument:
    """The document of a run that has performed all of its steps."""
    last = timeline.frames[timeline.head]
    kafka = timeline.profile.kafka
    return RunDocument(
        scenario=timeline.scenario.id,
        kafka=kafka,
        control=timeline.profile.control,
        engine=ENGINE_VERSION,
        frames=len(timeline.frames),
        digest=run_digest(timeline),
        final=FinalDocument(kafka=kafka, **asdict(state_document(last.cluster))),
        properties=last.verdicts,
        story=story_to(timeline, timeline.head),
    )


def run_digest(timeline: Timeline) -> str:
    """The SHA-256 of all frames in canonical JSON, in hexadecimal."""
    digest = hashlib.sha256()
    for frame in timeline.frames:
        digest.update(canonical_line(frame_document(timeline, frame.frame)))
    return digest.hexdigest()


def canonical_line(frame: FrameDocument | Mapping[str, object]) -> bytes:
    """A frame in the form that digests use: JSON without spaces, with sorted keys and a final line
    feed.

    Also accepts a frame that was decoded from JSON.
    """
    return _canonical.encode(frame) + b"\n"
