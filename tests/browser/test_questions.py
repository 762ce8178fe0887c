"""The questions of the shipped lessons: all answers are in sight without scrolling, and no way
ahead skips a question unasked.

`make test` looks at the longest questions, `make test-all` at all of them.
"""

from collections.abc import Callable
from functools import cache

import pytest
from playwright.sync_api import Page, expect

from sim_engine.actions import Ask
from sim_engine.documents.runs import story_to
from sim_engine.story.steps import StoryStepDocument
from tests.browser.run_page import PAINTED, POSITION, open_run, press, timeline_of
from tests.sim_engine.played import lessons_played


@cache
def steps_with_questions() -> tuple[tuple[str, int], ...]:
    """(lesson, step) of each question, the one with the longest question and answers first."""
    found: dict[tuple[str, int], int] = {}
    for timeline in lessons_played():
        scenario = timeline.scenario
        entries = (scenario.steps[place].step for place in sorted(timeline.words))
        asked = [step for step in entries if isinstance(step, Ask)]
        if asked:
            steps = [step for step in story_to(timeline, timeline.head) if has_question(step)]
            assert len(steps) == len(asked), scenario.id
            for step, question in zip(steps, asked, strict=True):
                texts = (question.text, *question.answers)
                found[scenario.id, step.step] = sum(len(text["en"]) for text in texts)
    return tuple(sorted(found, key=lambda at: -found[at]))


def has_question(step: StoryStepDocument) -> bool:
    return "question" in step.marks


LONGEST = 5

# The answers that are not whole in the window and in their list.
HIDDEN = """(question) => {
  const room = question.getBoundingClientRect();
  const [top, bottom] = [Math.max(0, room.top) - 1, Math.min(innerHeight, room.bottom) + 1];
  return [...question.querySelectorAll("li button")].filter((answer) => {
    const place = answer.getBoundingClientRect();
    return place.top < top || place.bottom > bottom;
  }).map((answer) => answer.textContent);
}"""


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    "questions",
    [
        pytest.param(slice(LONGEST), id="longest"),
        pytest.param(slice(LONGEST, None), id="others", marks=pytest.mark.slow),
    ],
)
def test_all_answers_are_in_sight(questions: slice, language: str, page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.emulate_media(reduced_motion="reduce")
    hidden = {}

    for lesson, step in steps_with_questions()[questions]:
        page.goto(f"/lessons/{lesson}?step={step}&lang={language}")
        question = page.locator("section.question")
        expect(question.locator("li button")).not_to_have_count(0)
        page.evaluate(PAINTED)
        hidden[lesson, step] = question.evaluate(HIDDEN)

    assert {where: answers for where, answers in hidden.items() if answers} == {}


def go_to_typed(page: Page) -> None:
    page.keyboard.press("g")
    page.keyboard.type("9")
    page.keyboard.press("Enter")


def drag_ahead(page: Page) -> None:
    track = timeline_of(page).bounding_box()
    assert track is not None
    page.mouse.move(track["x"] + 0.7 * track["width"], track["y"] + 24)
    page.mouse.down()
    page.mouse.move(track["x"] + 0.9 * track["width"], track["y"] + 24, steps=5)
    page.mouse.up()


WAYS_AHEAD: dict[str, Callable[[Page], None]] = {
    "space": lambda page: page.keyboard.press(" "),
    "end": lambda page: page.keyboard.press("End"),
    "button": lambda page: page.get_by_role("button", name="Go to the end").click(),
    "typed": go_to_typed,
    "drag": drag_ahead,
}


def test_the_second_attempt_skips_a_question(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    for go_ahead in WAYS_AHEAD.values():
        open_run(page)
        press(page, "ArrowRight", 5)
        question = page.locator("section.question")
        expect(question).to_be_visible()

        go_ahead(page)

        expect(question).to_contain_text("Press → again to skip the question.")
        expect(page.locator(POSITION)).to_have_text("Step 5 of 14")
        go_ahead(page)
        # Playback first gives time to read.
        expect(page.locator(POSITION)).not_to_have_text("Step 5 of 14", timeout=15_000)
