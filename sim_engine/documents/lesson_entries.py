"""A lesson's entry in the index of lessons, derived from a run."""

import math
from collections.abc import Iterator, Mapping, Sequence

from msgspec import json, to_builtins

from sim_engine.actions import Ask, Note
from sim_engine.curriculum import MISHAPS, Ending, LessonEntry, Mishap
from sim_engine.documents.pictures import picture_of
from sim_engine.documents.story import StoryStepDocument, story_to
from sim_engine.error_codes import ErrorCode
from sim_engine.events import Event
from sim_engine.events.consumer import ConsumerTruncationDetected
from sim_engine.events.election import LeaderLost
from sim_engine.events.isr import IsrShrunk
from sim_engine.events.log import RecordLost
from sim_engine.events.run import PropertyViolated
from sim_engine.identifiers import FrameNumber
from sim_engine.languages import DEFAULT_LANGUAGE
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import list_shipped
from sim_engine.simulation.timeline import Timeline

_CHARACTERS_A_MINUTE = 1_000
"""Reading speed in English words per minute, for a reader who also looks at pictures."""
_TOLD_BY: Sequence[Mishap] = ("lost", "diverged", "went_back")
"""The events that a picture should show, most important first."""


def index_text(endings: Mapping[str, Sequence[Ending]]) -> str:
    """The whole index as JSON, one lesson on each line. `endings` has those of each lesson by its
    id."""
    lines = (
        f" {json.encode(lesson.id).decode()}: "
        f"{json.encode(lesson_entry(lesson, endings[lesson.id]), order='sorted').decode()}"
        for lesson in list_shipped()
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


def lesson_entry(scenario: Scenario, endings: Sequence[Ending]) -> LessonEntry:
    """The index entry of a shipped scenario with these endings."""
    timeline = Timeline(scenario)
    timeline.run_all()
    path = timeline.path(timeline.head)
    story = story_to(timeline, timeline.head)
    events = [event for number in path for event in timeline.frames[number].events]
    mishaps = {kind for event in events for kind in _mishaps(event)}
    shown = _decisive(timeline, story)
    return LessonEntry(
        endings=tuple(endings),
        mishaps=tuple(kind for kind in MISHAPS if kind in mishaps),
        rules=tuple(sorted({event.rule for event in events if event.rule is not None})),
        errors=tuple(sorted({str(event.variant) for event in events if _is_error(event.variant)})),
        steps=story[-1].step,
        minutes=_minutes(timeline, story),
        picture=to_builtins(picture_of(timeline, _frames(timeline, shown))),
    )


def _is_error(variant: str | None) -> bool:
    return variant in ErrorCode.__members__ and variant != ErrorCode.NONE


def _mishaps(event: Event) -> Iterator[Mishap]:
    if isinstance(event, RecordLost) and event.variant in ("acked", "replaced"):
        yield "lost"
    if isinstance(event, LeaderLost):
        yield "leaderless"
    if isinstance(event, IsrShrunk):
        yield "shrank"
    if isinstance(event, ConsumerTruncationDetected):
        yield "went_back"
    if isinstance(event, PropertyViolated):
        if event.variant == "LogMatching":
            yield "diverged"
        if event.variant == "ConsistentRead":
            yield "went_back"


def _frames(timeline: Timeline, step: StoryStepDocument) -> list[FrameNumber]:
    path = timeline.path(timeline.head)
    return [number for number in path if step.first_frame <= number <= step.last_frame]


def _decisive(timeline: Timeline, story: Sequence[StoryStepDocument]) -> StoryStepDocument:
    """The decisive step: the one in which a record is lost; otherwise in which another failure is
    seen; otherwise in which a log is truncated; otherwise the last one.
    """
    for kind in _TOLD_BY:
        for step in story:
            frames = (timeline.frames[number] for number in _frames(timeline, step))
            if any(kind in _mishaps(event) for frame in frames for event in frame.events):
                return step
    return next((step for step in story if "truncation" in step.marks), story[-1])


def _minutes(timeline: Timeline, story: Sequence[StoryStepDocument]) -> int:
    told = sum(len(step.summary[DEFAULT_LANGUAGE]) for step in story)
    # Texts for other releases are not shown in this run, so reading them takes no time.
    for place in timeline.said:
        step = timeline.scenario.steps[place].step
        if isinstance(step, Note | Ask):
            told += len(str(step.arguments()[DEFAULT_LANGUAGE]))
        if isinstance(step, Ask):
            told += sum(len(answer[DEFAULT_LANGUAGE]) for answer in step.answers)
    return max(1, math.ceil(told / _CHARACTERS_A_MINUTE))
