"""A run told in steps, each of which opens into its messages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Annotated, Any, get_args

from msgspec import Meta

from sim_engine.actions import Action, Config, Happening, Words, name_of
from sim_engine.documents.document import Document
from sim_engine.identifiers import FIRST_FRAME, FrameNumber
from sim_engine.json_types import JsonView
from sim_engine.scenario_reader.applicability import words_under
from sim_engine.scenario_reader.to_document import scenario_document
from sim_engine.simulation.timeline import Timeline
from sim_engine.story import (
    START,
    Act,
    Happened,
    Mark,
    Place,
    Setting,
    StoryStep,
    ToldFrame,
    WordMark,
    marks_of,
    place_after,
    tell,
)

StoredFrame = JsonView
"""A frame as JSON, perhaps one that an older engine wrote."""

_ACTIONS_ALONE = frozenset(
    name_of(kind)
    for kind in set(get_args(Happening)) & set(get_args(Action))
    if kind is not Config  # of which the controller may make something
)
"""The steps that are performed as they are said."""

StoredAct = Sequence[Any]
"""What was done: after which frame, the step, and the entry of the scenario's steps that it is."""

_WORDS = frozenset(name_of(kind) for kind in get_args(Words))


class StoryStepDocument(Document, frozen=True, kw_only=True):
    """One step of a run: what one entry of the scenario's steps, or one act of a person, did.

    Equal ones in a row are one step, and a step in which time passes is divided where something of
    note happens. A frame's step never changes; on a branch the numbers go on from the parent's.
    """

    step: Annotated[int, Meta(description="Its number on its branch; 0 is the start.")]
    title: Annotated[
        Mapping[str, str], Meta(description="What a timeline calls it, by language; short.")
    ]
    summary: Annotated[
        Mapping[str, str], Meta(description="What happened in it, in one sentence, by language.")
    ]
    first_frame: FrameNumber
    last_frame: Annotated[
        FrameNumber,
        Meta(description="Its last frame so far: an equal act after it belongs to it too."),
    ]
    telling_frame: Annotated[
        int, Meta(description="The frame in which that happens which tells most of the step.")
    ]
    messages: Annotated[int, Meta(description="How many frames it opens into on this branch.")]
    repeated: Annotated[int, Meta(description="How many equal acts it is.")]
    marks: Annotated[
        tuple[Mark | WordMark, ...],
        Meta(description="What of note happens in it, the most telling first."),
    ]


def story_to(
    timeline: Timeline, head: FrameNumber, *, since: FrameNumber = FIRST_FRAME
) -> tuple[StoryStepDocument, ...]:
    """The steps from the start to frame `head`, those before the one of frame `since` left out.

    Raises `IndexError` for a number that no frame has.
    """
    first_step = timeline.frames[since].place.step
    frames = (timeline.frames[number] for number in timeline.path(head))
    profile = timeline.profile
    setting = _setting(scenario_document(timeline.scenario), profile.kafka, profile.control)
    told = (
        ToldFrame(
            frame.frame,
            frame.place,
            tuple(Happened(event.kind, event.variant, event.numbers()) for event in frame.events),
        )
        for frame in frames
        if frame.place.step >= first_step
    )
    return _documents(tell(told, setting))


def stored_story(
    frames: Sequence[StoredFrame],
    record: Sequence[StoredAct],
    *,
    scenario: JsonView,
    kafka: str,
    control: str,
) -> tuple[list[int], tuple[StoryStepDocument, ...]]:
    """The step of each frame of a branch that was stored, and what its steps are told as.

    `record` is what made the frames; each entry's frame is one of the branch played alone. Frames
    that were stored without their step are given the one that they would have now.
    """
    setting = _setting(scenario, kafka, control)
    said = frozenset(words_under(scenario, kafka, control)["steps"])
    told: list[ToldFrame] = []
    before = START
    for frame, act in zip(frames, [None, *_acts(frames, record)], strict=True):
        events = tuple(
            Happened(event["kind"], event.get("variant"), event["numbers"])
            for event in frame["events"]
        )
        if act is not None:
            marks = marks_of((event.kind, event.variant) for event in events)
            derived = place_after(before, act, marks, said)
            step = frame.get("step", derived.step)
            before = Place(step=step, act=act, noted=derived.noted)
        told.append(ToldFrame(frame["frame"], before, events))
    return [frame.place.step for frame in told], _documents(tell(told, setting))


def _acts(frames: Sequence[StoredFrame], record: Sequence[StoredAct]) -> Iterator[Act]:
    """What made each frame after the first.

    An entry of the scenario made the frames of its item. What a person did made as many as its step
    always makes, or else those up to the frame that the next step was done after; a branch that
    left a step in the middle has fewer, and its next frame is not numbered in a row. What is left
    over is the last step's.
    """
    position = next_number = 1
    for number, (_, step, item) in enumerate(record):
        is_last = number == len(record) - 1
        most = len(frames) if is_last else record[number + 1][0] - next_number + 1
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
            next_number = record[number + 1][0] + 1
    if position < len(frames):
        yield from repeat(act, len(frames) - position)


def _frames_always_made(step: JsonView) -> int | None:
    """How many frames a step makes that is one action, or one for each value; null for others."""
    ((kind, arguments),) = step.items()
    return len(arguments.get("values", ("",))) if kind in _ACTIONS_ALONE else None


def _setting(scenario: JsonView, kafka: str, control: str) -> Setting:
    steps: Sequence[JsonView] = scenario["steps"]
    words: dict[int, set[WordMark]] = {}
    for place in words_under(scenario, kafka, control)["steps"]:
        before = (at for at in range(place - 1, -1, -1) if not _WORDS & steps[at].keys())
        words.setdefault(next(before, -1), set()).add(
            "question" if "ask" in steps[place] else "note"
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
        )
        for step in steps
    )
