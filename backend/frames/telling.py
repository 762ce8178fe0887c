"""The most important frame of a run, for a picture of it."""

from collections.abc import Collection, Iterable, Mapping
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
    """The most important frame of a run."""
    last = frame_document(timeline, timeline.head)
    number = telling_number(
        (
            (number, [event.kind for event in timeline.frames[number].events])
            for number in timeline.path(timeline.head)
        ),
        {name: found.first_frame for name, found in last.properties.items()},
        last=timeline.head,
    )
    return last if number == timeline.head else frame_document(timeline, number)


def telling_number(
    frames: Iterable[tuple[FrameNumber, Collection[str]]],
    first_violations: Mapping[str, FrameNumber | None],
    *,
    last: FrameNumber,
) -> FrameNumber:
    """The most important frame of a run: the first in which a record is lost; otherwise the first
    in which a property is violated; otherwise the last.

    `frames` are its frames with the kinds of their events, and `first_violations` are by property.
    """
    lost = next((number for number, kinds in frames if RecordLost.__name__ in kinds), None)
    if lost is not None:
        return lost
    violated = (first_violations[name] for name in _TOLD_FIRST)
    return next((number for number in violated if number is not None), last)
