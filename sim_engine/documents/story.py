"""A run as a story: a list of steps, each of which expands into frames."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, TypeAlias, get_args

from sim_engine.actions import WORD_NAMES, Action, Ask, Config, Happening, name_of
from sim_engine.documents.author_words import scenario_of_branch
from sim_engine.documents.document import Document
from sim_engine.documents.stored_frames import StoredFrame
from sim_engine.identifiers import FIRST_FRAME, FrameNumber
from sim_engine.json_types import JsonView
from sim_engine.scenario_reader.document import ScenarioJson
from sim_engine.scenario_reader.version import words_under
from sim_engine.simulation.timeline import Timeline
from sim_engine.story import (
    NO_MARKS,
    Act,
    EventData,
    Mark,
    Place,
    Setting,
    StoryFrame,
    StoryStep,
    WordMark,
    story_steps,
)

_ACTIONS_ALONE = frozenset(
    name_of(kind)
    for kind in set(get_args(Happening)) & set(get_args(Action))
    if kind is not Config  # the controller may react to these
)
"""The steps that are performed as a single action."""

StoryMark: TypeAlias = Mark | WordMark
"""The kind of mark that a step has on the timeline."""

StoredAct = Sequence[Any]
"""A played step: the frame before it, the step, and its entry in the scenario's steps. Any: it is
stored as a JSON list with elements of different types.
"""


class StoryStepDocument(Document, frozen=True, kw_only=True):
    """One step of a run: the effect of one entry of the scenario's steps, or of one step by a user.

    Consecutive equal steps are merged. A step that lets time pass is split where something notable
    happens. A frame's step never changes. On a branch, the numbers continue from the parent's.
    """

    step: int
    """Its number on its branch; 0 is the start."""
    title: Mapping[str, str]
    """Its short name on the timeline, by language."""
    summary: Mapping[str, str]
    """A sentence about what happened in it, by language."""
    first_frame: FrameNumber
    last_frame: FrameNumber
    """Its last frame so far. An equal step that follows extends it."""
    telling_frame: FrameNumber
    """Its most important frame."""
    messages: int
    """The number of its frames on this branch."""
    repeated: int
    """The number of equal steps that were merged into it."""
    marks: tuple[StoryMark, ...]
    """The notable events in it, most important first."""
    mark_frames: Mapping[StoryMark, tuple[FrameNumber, ...]]
    """The frames of each mark."""
    mark_counts: Mapping[StoryMark, int]
    """How many records, elections and so on each mark stands for. 0 for an election mark if the
    step only loses a leader."""


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
    return _documents(story_steps(told, setting))


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
    return _documents(story_steps(told, _setting(scenario, kafka, control)))


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


def _documents(steps: Iterable[StoryStep]) -> tuple[StoryStepDocument, ...]:
    return tuple(
        StoryStepDocument(
            step=step.step,
            title=step.title,
            summary=step.summary,
            first_frame=step.first_frame,
            last_frame=step.last_frame,
            telling_frame=step.telling_frame,
            messages=step.messages,
            repeated=step.repeated,
            marks=step.marks,
            mark_frames=step.mark_frames,
            mark_counts=step.mark_counts,
        )
        for step in steps
    )
