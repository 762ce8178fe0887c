"""A run by steps of its story and by messages: key presses, playback, questions, the address."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.run_page import (
    LESSON,
    LOSS,
    POSITION,
    Position,
    answers_to,
    frame_shown,
    frames_of,
    open_run,
    position_of,
    press,
    properties_of,
    question_of,
    timeline_of,
    wait_for_run,
)


def test_right_moves_by_steps_and_shift_right_by_messages(run: Page) -> None:
    run.keyboard.press("ArrowRight")
    expect(run.locator(POSITION)).to_have_text("Step 1 of 14")
    run.keyboard.press("Shift+ArrowRight")
    expect(run.locator(POSITION)).to_have_text("Step 2 of 14, message 1 of 7")
    run.keyboard.press("ArrowRight")
    expect(run.locator(POSITION)).to_have_text("Step 2 of 14")
    run.keyboard.press("Shift+ArrowLeft")
    expect(run.locator(POSITION)).to_have_text("Step 2 of 14, message 6 of 7")

    run.keyboard.press("ArrowLeft")

    expect(run.locator(POSITION)).to_have_text("Step 1 of 14")


def test_z_changes_the_step_size(run: Page) -> None:
    levels = run.get_by_role("radiogroup", name="Step size")
    run.keyboard.press("ArrowRight")
    expect(levels.get_by_role("radio", name="Story")).to_be_checked()

    run.keyboard.press("z")
    expect(levels.get_by_role("radio", name="Every message")).to_be_checked()
    expect(timeline_of(run)).to_have_attribute("aria-valuemax", "39")
    run.keyboard.press("ArrowRight")
    expect(run.locator(POSITION)).to_have_text("Step 2 of 14, message 1 of 7")
    # Shift uses the other step size.
    run.keyboard.press("Shift+ArrowRight")
    expect(run.locator(POSITION)).to_have_text("Step 2 of 14, message 7 of 7")

    levels.get_by_role("radio", name="Story").click()
    expect(timeline_of(run)).to_have_attribute("aria-valuemax", "14")
    expect(run.locator(POSITION)).to_have_text("Step 2 of 14")


def test_fourteen_presses_and_a_skipped_question_reach_the_end(run: Page) -> None:
    press(run, "ArrowRight", 5)
    expect(question_of(run)).to_be_visible()
    run.keyboard.press("ArrowRight")
    expect(question_of(run)).to_contain_text("Press → again to skip the question.")
    assert position_of(run) == Position(5, 14)

    press(run, "ArrowRight", 9)

    expect(run.locator(POSITION)).to_have_text("Step 14 of 14")
    expect(run.get_by_role("button", name="Next step")).to_be_disabled()


def test_the_loss_is_on_the_screen_within_fifteen_presses(run: Page) -> None:
    sentence = run.locator(".sentence")
    for _ in range(15):
        run.keyboard.press("ArrowRight")
        # Between two presses a user waits until the step's sentence is shown.
        expect(run.locator(POSITION)).to_have_text(re.compile(r"Step \d+ of 14$"))
        if LOSS in sentence.inner_text():
            break

    expect(sentence).to_contain_text(LOSS)
    expect(sentence).to_be_in_viewport()
    expect(properties_of(run).get_by_text("An acknowledged record is lost")).to_be_in_viewport()


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (12, "m2 is at risk: the controller’s leader of t-0"),
        (14, "m2 is lost: no replica has it any more"),
    ],
)
def test_a_loss_is_explained_once_and_leaves_room_for_the_authors_note(
    open_page: Callable[..., Page], step: int, told: str
) -> None:
    page = open_page(f"{LESSON}?step={step}", viewport={"width": 1440, "height": 900})
    panel = page.get_by_role("region", name=f"Step {step} of 14")
    expect(panel.locator(".telling")).to_have_text(re.compile(f"^{told}"))
    assert panel.inner_text().count(told) == 1
    expect(
        panel.get_by_text(re.compile("An acknowledged record is (lost|at risk): m2"))
    ).to_be_hidden()

    note, place = panel.get_by_text("Author’s note").bounding_box(), panel.bounding_box()
    assert note is not None
    assert place is not None
    assert note["y"] + 3 * note["height"] <= place["y"] + place["height"]


def test_the_claims_of_articles_are_about_the_steps_of_the_lesson(page: Page) -> None:
    open_run(page)
    claim = page.get_by_role("heading", name=re.compile("^Claim "))
    press(page, "ArrowRight", 7)  # the question after step 5 needs a second press
    expect(page.locator(POSITION)).to_have_text("Step 6 of 14")
    expect(claim.first).to_be_visible()

    page.keyboard.press("ArrowLeft")
    page.keyboard.press("2")
    page.keyboard.press("k")

    expect(page.locator(".sentence")).to_have_text("Broker 2 crashes.")
    expect(claim).to_have_count(0)


def test_a_question_hides_what_is_ahead(run: Page) -> None:
    track = timeline_of(run)
    for presses in (1, 4):  # on a first visit, from the start
        press(run, "ArrowRight", presses)
        expect(track.get_by_text("What comes next is hidden until you answer")).to_be_visible()
        expect(track.locator(".mark.question")).to_have_text("?")
        for mark in ("loss", "truncation", "election"):
            expect(track.locator(f".mark.{mark}")).to_have_count(0)
        expect(track.locator(".label", has_text=re.compile("^([6-9]|1[0-4]) "))).to_have_count(0)
        expect(run.get_by_role("button", name="records lost")).to_have_count(0)
        expect(run.get_by_text("Marks", exact=True)).to_have_count(0)

    expect(question_of(run)).to_be_visible()
    run.keyboard.press("]")
    assert position_of(run) == Position(5, 14)

    question_of(run).get_by_role("button", name=answers_to(run)[0]).click()

    expect(track.locator(".mark.loss")).to_have_count(1)
    expect(run.get_by_role("button", name="records lost 1")).to_be_visible()


def test_a_question_replaces_the_actions_until_the_reader_continues(run: Page) -> None:
    actions = run.get_by_role("region", name="Possible actions")
    expect(actions).to_be_visible()
    press(run, "ArrowRight", 5)
    expect(question_of(run)).to_be_visible()
    expect(actions).to_have_count(0)
    # Every answer is visible.
    for answer in question_of(run).get_by_role("listitem").all():
        expect(answer).to_be_in_viewport(ratio=1)

    question_of(run).get_by_role("button", name=answers_to(run)[1]).click()

    expect(question_of(run)).to_contain_text("Incorrect. See what happens.")
    wrong = question_of(run).get_by_role("button", pressed=True)
    expect(wrong).to_contain_text("✗")
    expect(question_of(run).get_by_role("button", name=answers_to(run)[0])).to_contain_text("✓")
    question_of(run).get_by_role("button", name="See what happens →").click()
    expect(run.locator(POSITION)).to_have_text("Step 6 of 14")
    expect(actions).to_be_visible()


def test_a_correct_answer_is_confirmed_and_one_press_continues(run: Page) -> None:
    press(run, "ArrowRight", 5)

    question_of(run).get_by_role("button", name=answers_to(run)[0]).click()

    expect(question_of(run)).to_contain_text("Correct.")
    expect(question_of(run).get_by_text("✗")).to_have_count(0)
    run.keyboard.press("ArrowRight")
    expect(run.locator(POSITION)).to_have_text("Step 6 of 14")


def test_a_question_is_skipped_by_its_button(run: Page) -> None:
    press(run, "ArrowRight", 5)

    question_of(run).get_by_role("button", name="Skip the question").click()

    expect(run.locator(POSITION)).to_have_text("Step 6 of 14")
    run.keyboard.press("ArrowLeft")
    expect(run.locator(POSITION)).to_have_text("Step 5 of 14")
    expect(question_of(run)).to_have_count(0)


def test_the_address_after_each_press_is_a_frame_of_the_branch_and_a_reload_stays(
    run: Page,
) -> None:
    frames = frames_of(run)
    for step in range(1, 5):
        run.keyboard.press("ArrowRight")
        expect(run.locator(POSITION)).to_have_text(f"Step {step} of 14")

        last = max(frame["frame"] for frame in frames if frame["step"] == step)
        assert frame_shown(run) == last

    sentence = run.locator(".sentence").inner_text()
    run.reload()

    expect(run.locator(POSITION)).to_have_text("Step 4 of 14")
    expect(run.locator(".sentence")).to_have_text(sentence)
    assert frame_shown(run) == 12


def test_the_address_after_acting_is_a_frame_of_the_new_branch(run: Page) -> None:
    press(run, "ArrowRight", 4)
    run.get_by_role("button", name="Crash broker 1").click()
    expect(run.locator(POSITION)).to_have_text("Step 5 of 5")
    assert frame_shown(run) == 40

    run.keyboard.press("ArrowLeft")
    expect(run.locator(POSITION)).to_have_text("Step 4 of 5")
    assert frame_shown(run) == 12
    run.keyboard.press("ArrowRight")
    run.reload()

    expect(run.locator(POSITION)).to_have_text("Step 5 of 5")
    assert frame_shown(run) == 40


def test_a_link_into_a_step_opens_that_message(run: Page) -> None:
    address = run.url.split("?")[0]

    run.goto(f"{address}?frame=35")

    expect(run.locator(POSITION)).to_have_text("Step 14 of 14, message 6 of 10")
    expect(run.locator(".sentence")).to_contain_text("m2 is lost")
    expect(run.get_by_role("list", name="Earlier in this step")).to_contain_text("removes m2")
    shown = run.get_by_role("group").get_by_role("button", name=re.compile("^6 "))
    expect(shown).to_have_attribute("aria-current", "step")
    run.keyboard.press("ArrowRight")
    expect(run.locator(POSITION)).to_have_text("Step 14 of 14")


def test_where_less_motion_is_asked_for_no_messages_pass(open_page: Callable[..., Page]) -> None:
    page = open_page(LESSON, reduced_motion="reduce")
    wait_for_run(page)
    expect(page.locator(POSITION)).to_have_text("Start")
    page.evaluate(
        """(selector) => {
            window.seen = [];
            const shown = document.querySelector(selector);
            const note = () => window.seen.push(shown.textContent.trim());
            new MutationObserver(note)
                .observe(shown, { characterData: true, childList: true, subtree: true });
        }""",
        POSITION,
    )

    press(page, "ArrowRight", 2)
    expect(page.locator(POSITION)).to_have_text("Step 2 of 14")
    # An action creates several messages, which do not pass either.
    page.get_by_role("button", name="Run for 1000 ms", exact=True).click()
    expect(page.locator(POSITION)).to_have_text(re.compile("^Step 3 of 3"))

    assert page.evaluate("seen.filter((text) => text.includes('message'))") == []


@pytest.mark.parametrize(("lang", "theme"), [("en", "light"), ("zh", "dark")])
def test_the_point_of_no_return_leaves_the_marks_legible_and_leads_to_its_label(
    lang: str, theme: str, open_page: Callable[..., Page]
):
    page = open_page("/articles", color_scheme=theme)
    lesson = {"scenario_id": "kip-101-data-loss"}
    session = page.request.post("/api/v1/sessions", data=lesson).json()["id"]
    page.evaluate(
        "(key) => sessionStorage.setItem(key, '[\"36\"]')", f"highwater-beside-no-return-{session}"
    )
    page.goto(f"/x/{session}?frame=0&lang={lang}")
    track = page.get_by_role("slider")
    expect(track.locator("text.mark").first).to_be_visible()
    page.keyboard.press("End")

    line = track.locator(".no-return path").bounding_box()
    label = track.locator(".no-return text").bounding_box()
    top = track.locator(".no-return path").evaluate("(path) => path.getBBox().y")
    baselines = track.locator("text.mark").evaluate_all(
        "(marks) => marks.map((mark) => Number(mark.getAttribute('y')))"
    )
    assert line is not None
    assert label is not None
    assert top > max(baselines)
    assert line["y"] + line["height"] >= label["y"] + label["height"] / 2
    assert min(abs(label["x"] + label["width"] - line["x"]), abs(label["x"] - line["x"])) < 8


def test_a_question_at_the_end_gives_way_to_the_actions(page: Page) -> None:
    scenario = {
        "scenario": 1,
        "id": "asked-at-the-end",
        "title": "Asked at the end",
        "kafka": "3.9",
        "brokers": [1, 2],
        "topics": [{"name": "t", "partitions": [{"replicas": [1, 2]}]}],
        "steps": [
            {"crash": {"broker": 1}},
            {"ask": {"en": "Who leads?", "answers": ["Broker 1.", "Broker 2."], "correct": 0}},
        ],
    }
    session = page.request.post("/api/v1/sessions", data={"scenario": scenario}).json()["id"]
    page.goto(f"/x/{session}?lang=en")
    expect(page.locator(POSITION)).to_have_text("Step 1 of 1")
    question_of(page).get_by_role("button", name="Broker 1.").click()
    expect(question_of(page)).to_contain_text("Correct.")

    question_of(page).get_by_role("button", name="To the actions").click()

    expect(question_of(page)).to_have_count(0)
    expect(page.get_by_role("button", name="Crash broker 2").first).to_be_visible()
