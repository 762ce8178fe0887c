"""The learning path as a lesson plan: of each lesson its steps, the author's notes, and the
questions with their answers. All of it is from the lessons themselves, under their own releases.
"""

from collections.abc import Iterator, Mapping

from sim_engine.actions import Ask, Note
from sim_engine.curriculum import PATH, lesson_index, lines_to_remember
from sim_engine.documents.frames import frame_document
from sim_engine.documents.runs import story_to
from sim_engine.json_types import JsonObject
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.simulation.timeline import Timeline


def lesson_plan() -> JsonObject:
    """The document of the plan. Plays every lesson of the path once."""
    return {"lessons": [_lesson(lesson) for lesson in PATH]}


def _lesson(lesson: str) -> JsonObject:
    scenario = load_shipped(lesson)
    timeline = Timeline(scenario)
    timeline.run_all()
    words: dict[int, list[Note | Ask]] = {}
    for step, word in _words(timeline):
        words.setdefault(step, []).append(word)
    return {
        "id": lesson,
        "title": scenario.title,
        "summary": scenario.summary,
        "kafka": timeline.profile.kafka,
        "minutes": lesson_index()[lesson].minutes,
        "remember": lines_to_remember()[lesson],
        "steps": [
            {
                "step": told.step,
                "summary": told.summary,
                "notes": [one.text for one in said if isinstance(one, Note)],
                "questions": [_question(one) for one in said if isinstance(one, Ask)],
            }
            for told in story_to(timeline, timeline.head)
            for said in (words.get(told.step, ()),)
        ],
    }


def _words(timeline: Timeline) -> Iterator[tuple[int, Note | Ask]]:
    """The notes and questions of the run in order, each with the step that it follows."""
    frames = (frame_document(timeline, number) for number in timeline.path(timeline.head))
    steps: Mapping[int | None, int] = {frame.item: frame.step for frame in frames}
    here = 0
    for item, entry in enumerate(timeline.scenario.steps):
        here = steps.get(item, here)
        if item in timeline.words and isinstance(entry.step, Note | Ask):
            yield here, entry.step


def _question(asked: Ask) -> JsonObject:
    return {
        "text": asked.text,
        "answers": asked.answers,
        "correct": asked.correct,
        "reasons": asked.reasons or [],
    }
