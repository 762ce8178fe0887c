"""The focus of the keyboard stays where the reader works, when a control or a page is replaced."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.listbox import choose, expect_chosen, listbox
from tests.browser.run_page import POSITION, open_run, press, visit

CLIPPED_RINGS = Path(__file__).parents[1].joinpath("clipped_rings.js").read_text(encoding="utf-8")
IN_CHOICES = "document.activeElement.closest('.choices') !== null"


@pytest.fixture
def run(page: Page) -> Page:
    page.emulate_media(reduced_motion="reduce")
    open_run(page)
    return page


def timers_of(page: Page) -> Locator:
    return page.get_by_role("list", name="due next").get_by_role("button")


def test_the_focus_returns_from_a_presentation_to_its_button(run: Page) -> None:
    button = run.get_by_role("button", name="Present")
    for present in (lambda: button.press("Enter"), button.click):
        present()
        expect(run.get_by_role("main", name="Presentation")).to_be_focused()

        run.keyboard.press("Escape")

        expect(button).to_be_focused()


def test_the_focus_stays_on_the_list_of_versions_of_the_next_page(run: Page) -> None:
    listbox(run, "Kafka").focus()
    press(run, "ArrowDown", 1)
    expect(run.get_by_role("option", name="0.11", exact=True)).to_be_visible()  # loaded
    expect(run.locator("[role=option].active")).to_contain_text("0.10.2")
    press(run, "ArrowDown", 1)
    run.keyboard.press("Enter")

    expect_chosen(run, "Kafka", "0.11")
    expect(listbox(run, "Kafka")).to_be_focused()


def test_the_focus_stays_on_the_list_of_lessons_of_the_next_page(run: Page) -> None:
    expect(listbox(run, "Lessons")).not_to_have_attribute("aria-disabled", "true")  # loaded
    listbox(run, "Lessons").focus()
    press(run, "ArrowDown", 2)
    before = run.url
    run.keyboard.press("Enter")

    expect(run).not_to_have_url(before)
    expect(run.locator(POSITION)).to_have_text("Start")
    expect(listbox(run, "Lessons")).to_be_focused()


def test_a_click_on_a_lesson_leaves_the_keys_to_the_next_page(run: Page) -> None:
    before = run.url
    choose(run, "Lessons", "two-rounds")

    expect(run).not_to_have_url(before)
    expect_chosen(run, "Lessons", "two-rounds")
    expect(run.locator(POSITION)).to_have_text("Start")
    expect(run.locator("body")).to_be_focused()


def test_the_focus_stays_with_the_timers(run: Page) -> None:
    for timer in (timers_of(run).nth(0), timers_of(run).nth(2)):
        timer.focus()
        step = run.locator(POSITION).inner_text()
        run.keyboard.press("Enter")
        expect(run.locator(POSITION)).not_to_have_text(step)

        assert run.evaluate("document.activeElement.closest('ul')?.ariaLabel") == "due next"


def test_the_focus_stays_with_the_actions(run: Page) -> None:
    run.get_by_role("button", name="Crash broker 2", exact=True).first.press("Enter")
    expect(run.locator(".sentence")).to_have_text("Broker 2 crashes.")

    expect(run.get_by_role("button", name="Start broker 2", exact=True).first).to_be_visible()
    assert run.evaluate(IN_CHOICES)
    run.keyboard.press("Tab")
    assert run.evaluate(IN_CHOICES)


def test_a_click_on_an_action_leaves_the_keys_to_the_page(run: Page) -> None:
    run.get_by_role("button", name="Crash broker 2", exact=True).first.click()
    expect(run.locator(".sentence")).to_have_text("Broker 2 crashes.")

    expect(run.locator("body")).to_be_focused()


def test_the_focus_goes_from_a_question_to_the_actions_after_it(run: Page) -> None:
    press(run, "ArrowRight", 5)
    question = run.get_by_role("region", name="What do you think?")
    question.get_by_role("listitem").first.get_by_role("button").press("Enter")
    question.get_by_role("button", name="See what happens").press("Enter")
    expect(question).to_have_count(0)

    expect(run.locator("#run-actions")).to_be_focused()


def test_the_focus_stays_with_the_actions_of_a_row(run: Page) -> None:
    name = run.get_by_role("button", name=re.compile("^Broker 1, ")).first
    run.keyboard.press("1")
    bar = run.get_by_role("toolbar", name="Actions on broker 1")
    bar.get_by_role("button", name="Crash").press("Enter")
    expect(run.locator(".sentence")).to_have_text("Broker 1 crashes.")

    expect(bar.get_by_role("button", name="Start")).to_be_visible()
    assert bar.evaluate("bar => bar.contains(document.activeElement)")
    run.keyboard.press("Escape")
    expect(name).to_be_focused()


def test_the_focus_stays_on_a_button_that_leads_no_further(run: Page) -> None:
    for name, keys in (
        ("Step back", ("Home", "ArrowRight")),
        ("Go to the end", ("End", "ArrowLeft")),
        ("Next step", ("End", "ArrowLeft")),
    ):
        button = run.get_by_role("button", name=name)
        for key in keys:
            press(run, key, 1)
        expect(button).not_to_have_attribute("aria-disabled", "true")
        button.focus()

        press(run, "Enter", 2)

        expect(button).to_have_attribute("aria-disabled", "true")
        expect(button).to_be_focused()


def test_the_focus_returns_from_a_field_to_where_it_was(run: Page) -> None:
    before = run.get_by_role("button", name=re.compile("^Broker 1, ")).first
    for place in (None, before):
        for keys in ("a", "Escape"), ("g", "Escape"), ("g", "3", "Enter"):
            if place is not None:
                place.focus()
            else:
                run.evaluate("document.activeElement.blur()")

            for key in keys:
                run.keyboard.press(key)

            expect(place or run.get_by_role("slider", name="Timeline")).to_be_focused()


def test_escape_leads_from_a_closed_list_to_the_timeline(run: Page) -> None:
    for name in ("Kafka", "Compare with"):
        run.get_by_role("combobox", name=name).focus()

        run.keyboard.press("Escape")

        # The list would use the arrow keys itself.
        expect(run.get_by_role("slider", name="Timeline")).to_be_focused()


def test_the_focus_stays_on_a_closed_list_of_the_browser(run: Page) -> None:
    closed = run.get_by_role("combobox", name="Speed")
    closed.focus()

    run.keyboard.press("Escape")

    expect(closed).to_be_focused()


def test_the_focus_goes_to_the_stage_when_a_comparison_is_closed(run: Page) -> None:
    choose(run, "Compare with", "v0.11")
    close = run.get_by_role("button", name="Stop comparing")
    expect(close).to_be_visible()

    close.press("Enter")

    expect(close).to_have_count(0)
    expect(run.locator("#run-stage")).to_be_focused()


def test_nothing_covers_the_ring_of_a_part_that_a_skip_link_leads_to(run: Page) -> None:
    covered = {}
    for width in (1440, 390):
        visit(run, "/lessons/missed-deposition?step=10", (width, 900))
        for part in ("Stage", "Explanation", "Actions"):
            run.get_by_role("link", name=part, exact=True).press("Enter")
            expect(run.locator(":focus-visible[tabindex='-1']")).to_be_visible()
            expect(run.locator(f"#run-{part.lower()}")).to_be_focused()
            covered[part, width] = run.evaluate(CLIPPED_RINGS)

    assert {where: rings for where, rings in covered.items() if rings} == {}
