"""The most important frame of a run, for a picture of it."""

from dataclasses import dataclass

from sim_engine.documents.frames import FrameDocument, frame_document
from sim_engine.documents.runs import story_to
from sim_engine.events.log import RecordLost
from sim_engine.identifiers import FrameNumber
from sim_engine.simulation.timeline import Timeline

_TOLD_FIRST = ("NoAckedRecordLost", "LogMatching", "AckedRecordAtRisk")
"""The properties whose violation is the main event of a story. For a story without such a violation
the picture shows the last frame.
"""


@dataclass(frozen=True, slots=True)
class TellingPicture:
    """The frame of a run that is drawn, with its options, in any language."""

    frame: FrameDocument
    options: dict[str, object]


def telling_picture(timeline: Timeline) -> TellingPicture:
    """The card of a run."""
    story = story_to(timeline, timeline.head)
    steps = {
        str(frame): step.step
        for step in story
        for frame in range(step.first_frame, step.last_frame + 1)
    }
    options = {
        "card": True,
        "theme": "light",
        "kafka": timeline.profile.kafka,
        "stepsOf": steps,
        "steps": story[-1].step,
    }
    return TellingPicture(telling_frame(timeline), options)


def telling_frame(timeline: Timeline) -> FrameDocument:
    """The most important frame of a run: the first in which a record is lost; otherwise the first
    in which a property is violated; otherwise the last.
    """
    last = frame_document(timeline, timeline.head)
    number = _first_loss(timeline)
    if number is None:
        number = _first_violation(last)
    return last if number is None else frame_document(timeline, number)


def _first_loss(timeline: Timeline) -> FrameNumber | None:
    for number in timeline.path(timeline.head):
        if any(isinstance(event, RecordLost) for event in timeline.frames[number].events):
            return number
    return None


def _first_violation(frame: FrameDocument) -> FrameNumber | None:
    for name in _TOLD_FIRST:
        first = frame.properties[name].first_frame
        if first is not None:
            return first
    return None
