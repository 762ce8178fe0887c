"""The lesson plan: everything that the lessons of the path tell and ask, at the right step."""

from typing import Any

import pytest

from sim_engine.actions import Ask, Note
from sim_engine.curriculum import PATH
from sim_engine.languages import LANGUAGES
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.scenario_reader.version import places_of_words
from sim_engine.versions import resolve_profile
from tests.backend.conftest import Service


@pytest.fixture
async def lessons(sqlite_service: Service) -> list[Any]:
    plan: dict[str, list[Any]] = await sqlite_service.read("lesson-plan")
    return plan["lessons"]


async def test_the_plan_is_the_path_with_every_word_that_its_lessons_show(
    lessons: list[Any],
) -> None:
    assert [lesson["id"] for lesson in lessons] == list(PATH)
    for lesson in lessons:
        scenario = load_shipped(lesson["id"])
        profile = resolve_profile(scenario.kafka)
        places = sorted(places_of_words(scenario, profile.kafka, profile.control))
        shown = [scenario.steps[place].step for place in places]

        notes = [note for step in lesson["steps"] for note in step["notes"]]
        questions = [asked["text"] for step in lesson["steps"] for asked in step["questions"]]

        assert notes == [one.text for one in shown if isinstance(one, Note)], lesson["id"]
        assert questions == [one.text for one in shown if isinstance(one, Ask)], lesson["id"]
        assert questions, lesson["id"]


async def test_a_question_is_at_the_step_that_it_follows(lessons: list[Any]) -> None:
    lesson = next(one for one in lessons if one["id"] == "kip-101-data-loss")

    (asked_at,) = (step for step in lesson["steps"] if step["questions"])

    (question,) = asked_at["questions"]
    assert asked_at["step"] == 5
    assert "the response to broker 1 is lost" in asked_at["summary"]["en"]
    assert question["answers"][question["correct"]]["en"] == "It truncates m2 from its log."
    assert "Its high watermark is 1" in question["reasons"][question["correct"]]["en"]
    assert [step["step"] for step in lesson["steps"]] == list(range(15))


async def test_everything_in_it_is_in_every_language(lessons: list[Any]) -> None:
    texts = [
        text
        for lesson in lessons
        for text in (
            *(lesson[name] for name in ("title", "summary", "remember")),
            *(step["summary"] for step in lesson["steps"]),
            *(note for step in lesson["steps"] for note in step["notes"]),
            *(
                text
                for step in lesson["steps"]
                for asked in step["questions"]
                for text in (asked["text"], *asked["answers"], *asked["reasons"])
            ),
        )
    ]

    assert all(text.keys() >= set(LANGUAGES) for text in texts)
