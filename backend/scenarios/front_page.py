"""The story of the front page: one lesson under two releases, step by step, and the moments whose
sentences it shows. Both runs have the same steps, and part at one of them.
"""

from dataclasses import dataclass
from typing import Literal

from msgspec import structs

from backend.frames.packing import packed
from sim_engine.documents.frames import FrameDocument, frame_document
from sim_engine.json_types import JsonObject
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.simulation.timeline import Timeline

LESSON = "kip-101-data-loss"
"""Loses an acknowledged record with clean elections only. A lesson of the path."""
RELEASES = ("0.10.2", "0.11")
"""The last release that loses it, and the first that does not."""

MomentName = Literal[
    "copied", "written", "acknowledged", "restarted", "told", "elected", "returned", "end"
]
IntroducedTerm = Literal["record", "leader", "acknowledged", "watermark", "truncate"]


@dataclass(frozen=True)
class Moment:
    """A step whose sentence is shown, and the words that it uses first. The page has the texts by
    these names; `tests/backend/test_front_page.py` compares what they state with the frames.
    """

    name: MomentName
    step: int
    terms: tuple[IntroducedTerm, ...] = ()


MOMENTS = (
    Moment("copied", 2, ("record", "leader")),
    Moment("written", 4),
    Moment("acknowledged", 5, ("acknowledged", "watermark")),
    Moment("restarted", 8),
    Moment("told", 9, ("truncate",)),
    Moment("elected", 12),
    Moment("returned", 13),
    Moment("end", 14),
)


def front_page() -> JsonObject:
    """The document of the story: a frame for each step, which has the events of the whole step."""
    runs = [_scenes(kafka) for kafka in RELEASES]
    return {
        "lesson": LESSON,
        "moments": [_moment_document(moment) for moment in MOMENTS],
        "parts_at": next(
            step
            for step, (one, other) in enumerate(zip(*runs, strict=True))
            if logs_of(one) != logs_of(other)
        ),
        "runs": [
            {"kafka": kafka, "frames": packed(scenes)}
            for kafka, scenes in zip(RELEASES, runs, strict=True)
        ],
    }


def _moment_document(moment: Moment) -> JsonObject:
    return {"name": moment.name, "step": moment.step, "terms": moment.terms}


def logs_of(frame: FrameDocument) -> dict[str, list[str | None]]:
    """The values in the log of each replica."""
    (replicas,) = frame.state.replicas.values()
    return {broker: [record.value for record in one.log] for broker, one in replicas.items()}


def _scenes(kafka: str) -> list[FrameDocument]:
    timeline = Timeline(load_shipped(LESSON), kafka=kafka)
    timeline.run_all()
    steps: list[FrameDocument] = []
    for number in timeline.path(timeline.head):
        frame = frame_document(timeline, number)
        if frame.step == len(steps):
            steps.append(frame)
        else:
            steps[-1] = structs.replace(frame, events=[*steps[-1].events, *frame.events])
    return steps
