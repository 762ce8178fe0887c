"""What a page reads of a lesson under one release, as the contents of files.

A lesson's run depends on nothing but the lesson, the release and this build, so each file is the
same for every reader. No service and no database is needed to make it.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Literal

import msgspec
from msgspec import Struct

from backend.answers.replay import engine_errors
from backend.frames.packing import packed
from backend.http.errors import NotFoundError
from sim_engine.curriculum import SimpleView, simple_view
from sim_engine.documents.author_words import unrefuted_words
from sim_engine.documents.comparison import comparison_document
from sim_engine.documents.frames import frame_document
from sim_engine.documents.operator_words import frame_words
from sim_engine.documents.runs import StoredFrame, story_to
from sim_engine.identifiers import ENGINE_VERSION
from sim_engine.scenario_reader.document import Scenario, ScenarioJson
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.scenario_reader.version import WordsShown
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.timeline import Timeline
from sim_engine.story.steps import StoryStepDocument
from sim_engine.versions import resolve_profile

LessonPart = Literal["run", "choices", "words", "comparison"]
"""The run itself; the possible actions after each frame; what an operator would see in each; where
it diverges from another run.
"""

_encoder = msgspec.json.Encoder()


class LessonRun(Struct, frozen=True):
    """A lesson's run under one release, as its file contains it."""

    kafka: str
    control: str
    engine: str
    scenario: ScenarioJson
    words: WordsShown
    simple: SimpleView | None
    """Null if the lesson shows everything."""
    story: tuple[StoryStepDocument, ...]
    frames: list[StoredFrame]
    """Packed, as in a share: a complete state now and then, patches in between. The index of each
    is its number."""


class LessonFileKey(Struct, frozen=True):
    """Names a file: the id of its lesson, and a release."""

    part: LessonPart
    lesson: str
    kafka: str
    other: str | None = None
    """Of a comparison: the lesson's other release, or the id of another lesson under this one."""


def is_release(other: str) -> bool:
    """Whether a lesson is compared with itself under this release, and not with another lesson."""
    return other[:1].isdigit()


def lesson_file_key(
    part: LessonPart, lesson: str, kafka: str | None = None, other: str | None = None
) -> LessonFileKey:
    """The file of a lesson by its id or alias, under a release, by default under its own. Of a
    comparison, `other` is another release or another lesson.

    Raises NotFoundError if there is no such lesson, and InvalidInputError if there is no such
    release.
    """
    scenario = _found(lesson)
    if other is not None:
        other = _release(other) if is_release(other) else _found(other).id
    return LessonFileKey(part, scenario.id, _release(kafka or scenario.kafka), other)


def _found(name: str) -> Scenario:
    try:
        return load_shipped(name)
    except KeyError:
        raise NotFoundError("No scenario has this id or alias.") from None


def _release(name: str) -> str:
    with engine_errors():
        return resolve_profile(name).kafka


def lesson_file(key: LessonFileKey) -> bytes:
    """A file of a lesson, as JSON.

    Raises UnknownVersionError if there is no such release, or if the lesson's initial state is
    impossible in it.
    """
    timeline = _played(key.lesson, key.kafka)
    if key.other is None:
        contents = _CONTENTS[key.part](timeline)
    elif is_release(key.other):
        contents = comparison_document(timeline, _played(key.lesson, key.other))
    else:
        profile = timeline.profile
        other = _played(key.other, profile.kafka, profile.control)
        contents = comparison_document(timeline, other)
    return _encoder.encode(contents)


def run_of(timeline: Timeline) -> LessonRun:
    """A played scenario, which need not be a lesson, as the run in a lesson's file."""
    return read_run(_encoder.encode(_run(timeline)))


@lru_cache(maxsize=2)
def _played(lesson: str, kafka: str, control: str | None = None) -> Timeline:
    """The files of a run are mostly made one after another; a comparison needs two runs."""
    timeline = Timeline(load_shipped(lesson), kafka=kafka, control=control)
    timeline.run_all()
    return timeline


def read_run(file: bytes) -> LessonRun:
    """The run in a file of a lesson."""
    run = msgspec.json.decode(file)
    # A frame keeps every field that it has, also those that its type does not name.
    return msgspec.structs.replace(
        msgspec.convert({**run, "frames": []}, LessonRun), frames=run["frames"]
    )


def _run(timeline: Timeline) -> Mapping[str, object]:
    profile = timeline.profile
    return {
        "kafka": profile.kafka,
        "control": profile.control,
        "engine": ENGINE_VERSION,
        "scenario": scenario_document(timeline.scenario),
        "words": unrefuted_words(timeline.scenario, profile.kafka, profile.control),
        "simple": simple_view(timeline.scenario),
        "story": story_to(timeline, timeline.head),
        "frames": packed(
            frame_document(timeline, number) for number in timeline.path(timeline.head)
        ),
    }


def _choices(timeline: Timeline) -> list[object]:
    return [timeline.choices(number) for number in timeline.path(timeline.head)]


def _words(timeline: Timeline) -> list[object]:
    return [frame_words(timeline, number) for number in timeline.path(timeline.head)]


_CONTENTS: Mapping[str, Callable[[Timeline], object]] = {
    "run": _run,
    "choices": _choices,
    "words": _words,
}
