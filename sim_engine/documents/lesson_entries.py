"""A lesson's entry in the index of lessons, derived from a run, with a small picture: the ends of a
few logs, high watermarks and truncated records."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import json, to_builtins

from sim_engine.actions import Ask, Note
from sim_engine.curriculum import MISHAPS, Ending, LessonEntry, Mishap
from sim_engine.documents.brokers import ReplicaDocument
from sim_engine.documents.runs import story_to
from sim_engine.documents.state import state_document
from sim_engine.events.base import Event
from sim_engine.events.clients import ConsumerTruncationDetected
from sim_engine.events.controller import LeaderLost
from sim_engine.events.isr import IsrShrunk
from sim_engine.events.log import LogTruncated, RecordLost, UnflushedRecordsLost
from sim_engine.events.run import PropertyViolated
from sim_engine.identifiers import BrokerId, ErrorCode, FrameNumber, Offset
from sim_engine.json_types import Document
from sim_engine.languages import DEFAULT_LANGUAGE
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import list_shipped
from sim_engine.simulation.timeline import Timeline
from sim_engine.story.steps import StoryStepDocument

SLOTS = 6
"""The maximum number of offsets in a picture."""
ROWS = 3
_BEFORE = 2
"""The number of offsets shown before the one that the step is about."""

CellKind = Literal["committed", "written", "differs", "cut"]


class PictureCell(Document, frozen=True, kw_only=True):
    """One record. `cut`: the replica lost it in this step."""

    offset: Offset
    epoch: int | None
    """The leader epoch of its batch; null if it has none."""
    kind: CellKind


class PictureRow(Document, frozen=True, kw_only=True):
    """One replica."""

    broker: BrokerId
    leads: bool
    runs: bool
    high_watermark: int | None
    """Null while its process is not running."""
    cells: tuple[PictureCell, ...]


class PictureDocument(Document, frozen=True, kw_only=True):
    """Some replicas of one partition, over the same offsets, starting at `first`."""

    first: int
    rows: tuple[PictureRow, ...]


def picture_of(timeline: Timeline, frames: Iterable[FrameNumber]) -> PictureDocument:
    """The picture of a step's last frame. `frames` are all frames of the step."""
    numbers = list(frames)
    events = [event for number in numbers for event in timeline.frames[number].events]
    state = state_document(timeline.frames[numbers[-1]].cluster)
    partition = _partition(events, state.replicas)
    replicas = state.replicas[partition]
    cut = {broker: _cut_of(events, partition, BrokerId(int(broker))) for broker in replicas}
    brokers = _brokers(replicas, cut)
    first = _first_offset([replicas[broker] for broker in brokers], cut)
    return PictureDocument(
        first=first,
        rows=tuple(
            _row(BrokerId(int(broker)), replicas[broker], cut[broker], first) for broker in brokers
        ),
    )


def _partition(events: Iterable[Event], replicas: Mapping[str, object]) -> str:
    """The partition with a truncation, otherwise the first one."""
    named = [
        event.partition for event in events if isinstance(event, LogTruncated) and event.values
    ]
    return next(iter([*named, *replicas]))


def _cut_of(events: Iterable[Event], partition: str, broker: BrokerId) -> range:
    """The offsets that a replica lost in the step."""
    cut = [
        range(event.to if isinstance(event, LogTruncated) else event.kept, event.before)
        for event in events
        if isinstance(event, LogTruncated | UnflushedRecordsLost)
        and (event.partition, event.broker) == (partition, broker)
    ]
    return range(min(one.start for one in cut), max(one.stop for one in cut)) if cut else range(0)


def _brokers(replicas: Mapping[str, ReplicaDocument], cut: Mapping[str, range]) -> list[str]:
    """The replicas that fit: first those that lost records or differ, then the others in order."""
    notable = [broker for broker in replicas if cut[broker] or replicas[broker].diverging_offsets]
    chosen = set([*notable, *(broker for broker in replicas if broker not in notable)][:ROWS])
    return [broker for broker in replicas if broker in chosen]


def _first_offset(replicas: Iterable[ReplicaDocument], cut: Mapping[str, range]) -> int:
    shown = list(replicas)
    lowest = min(replica.log_start_offset for replica in shown)
    highest = max(
        [replica.log_end_offset for replica in shown] + [gone.stop for gone in cut.values() if gone]
    )
    about = [gone.start for gone in cut.values() if gone]
    about += [replica.diverging_offsets[0] for replica in shown if replica.diverging_offsets]
    last_start = max(lowest, highest - SLOTS)
    return min(last_start, max(lowest, min(about) - _BEFORE)) if about else last_start


def _row(broker: BrokerId, replica: ReplicaDocument, cut: range, first: int) -> PictureRow:
    high_watermark = replica.high_watermark
    if high_watermark is None:
        high_watermark = replica.checkpoints.high_watermark
    in_view = range(first, first + SLOTS)
    cells = {
        offset: PictureCell(offset=Offset(offset), epoch=None, kind="cut")
        for offset in cut
        if offset in in_view
    }
    for record in replica.log:
        if record.offset not in in_view:
            continue
        kind: CellKind = "written"
        if record.offset in replica.diverging_offsets:
            kind = "differs"
        elif high_watermark is not None and record.offset < high_watermark:
            kind = "committed"
        cells[record.offset] = PictureCell(offset=record.offset, epoch=record.epoch, kind=kind)
    return PictureRow(
        broker=broker,
        leads=replica.role == "leader",
        runs=replica.role != "none",
        high_watermark=replica.high_watermark,
        cells=tuple(cells[offset] for offset in sorted(cells)),
    )


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
    characters = sum(len(step.summary[DEFAULT_LANGUAGE]) for step in story)
    # Texts for other releases are not shown in this run, so reading them takes no time.
    for place in timeline.words:
        step = timeline.scenario.steps[place].step
        if isinstance(step, Note | Ask):
            characters += len(str(step.arguments()[DEFAULT_LANGUAGE]))
        if isinstance(step, Ask):
            characters += sum(len(answer[DEFAULT_LANGUAGE]) for answer in step.answers)
    return max(1, math.ceil(characters / _CHARACTERS_A_MINUTE))
