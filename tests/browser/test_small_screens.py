"""The page of a run on low or narrow screens: its question, its commands, its end."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.run_page import SIDE, open_lesson, visit

LESSON = "/lessons/kip-101-data-loss?lang=en"
SIZES = {
    "a small phone": (320, 568),
    "a phone": (360, 640),
    "a phone held across": (844, 390),
    "200 % zoom": (720, 450),
}
LOW = [size for size, (_, height) in SIZES.items() if height <= 600]
PLACE = "aria-valuetext"


def open_still(page: Page, size: str, path: str = LESSON) -> None:
    page.emulate_media(reduced_motion="reduce")
    open_lesson(page, path, SIZES[size])


def timeline(page: Page) -> Locator:
    return page.get_by_role("slider", name="Timeline")


def is_above_the_foot(page: Page, element: Locator) -> bool:
    place, foot = element.bounding_box(), page.locator("#run-timeline").bounding_box()
    assert place is not None
    assert foot is not None
    return place["y"] >= 0 and place["y"] + place["height"] <= foot["y"]


AHEAD: dict[str, Callable[[Page], None]] = {
    "key": lambda page: page.keyboard.press("ArrowRight"),
    "button": lambda page: page.get_by_role("button", name="Next step").click(),
    "play": lambda page: page.get_by_role("button", name="Play", exact=True).click(),
}


@pytest.mark.parametrize("size", SIZES)
def test_a_refused_move_brings_its_question_into_view(size: str, page: Page) -> None:
    for ahead in AHEAD.values():
        open_still(page, size)
        for _ in range(5):
            page.keyboard.press("ArrowRight")
        page.get_by_role("tab", name="Messages").dispatch_event("click")
        page.evaluate("scrollTo(0, 12)")

        ahead(page)

        warning = page.get_by_text("Press → again to skip the question.")
        expect(warning).to_be_in_viewport(ratio=1)
        assert is_above_the_foot(page, warning)
        expect(timeline(page)).to_have_attribute(PLACE, re.compile("step 5 of 14"))

        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("tab", name="Messages")).to_have_attribute("aria-selected", "true")
        expect(timeline(page)).to_have_attribute(PLACE, re.compile("step 6 of 14"))
        page.wait_for_function("scrollY === 12")


@pytest.fixture
def tools(page: Page) -> Page:
    """A phone with the sheet of commands open."""
    open_lesson(page, LESSON, (390, 844))
    page.get_by_role("button", name="More", exact=True).press("Enter")
    expect(page.locator("#run-tools")).to_be_visible()
    return page


def test_escape_closes_the_commands_and_returns_the_focus(tools: Page) -> None:
    for control in ("More", "Theme", "Compare with"):
        tools.locator("header").get_by_label(control, exact=True).first.focus()
        tools.keyboard.press("Escape")

        expect(tools.locator("#run-tools")).to_be_hidden()
        more = tools.get_by_role("button", name="More", exact=True)
        expect(more).to_be_focused()
        more.press("Enter")


def test_a_press_outside_or_leaving_it_closes_the_commands(tools: Page) -> None:
    tools.locator(".sentence").click()
    expect(tools.locator("#run-tools")).to_be_hidden()

    more = tools.get_by_role("button", name="More", exact=True)
    more.press("Enter")
    buttons = tools.locator("#run-tools button")
    for _ in range(buttons.count()):
        tools.keyboard.press("Tab")
        expect(tools.locator("#run-tools")).to_be_visible()
    tools.keyboard.press("Tab")
    expect(tools.locator("#run-tools")).to_be_hidden()


def test_a_command_closes_the_commands_and_returns_the_focus(tools: Page) -> None:
    tools.get_by_role("button", name="Embed").press("Enter")

    dialog = tools.get_by_role("dialog")
    expect(dialog).to_be_visible()
    expect(tools.locator("#run-tools")).to_be_hidden()
    tools.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    more = tools.get_by_role("button", name="More", exact=True)
    expect(more).to_be_focused()

    more.press("Enter")
    tools.get_by_role("combobox", name="Compare with").click()
    expect(tools.locator("#run-tools")).to_be_visible()
    tools.get_by_role("option", name="Kafka 0.11", exact=True).click()
    expect(tools.locator(SIDE).last).to_contain_text("0.11")
    expect(tools.locator("#run-tools")).to_be_hidden()


def test_the_keys_of_hidden_controls_show_them(page: Page) -> None:
    for size in SIZES:
        open_still(page, size)

        page.keyboard.press("c")
        expect(page.get_by_role("combobox", name="Compare with")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="More", exact=True)).to_be_focused()

        page.keyboard.press("g")
        field = page.get_by_role("textbox", name="Go to step")
        expect(field).to_be_focused()
        expect(field).to_be_in_viewport(ratio=1)
        page.keyboard.type("3")
        page.keyboard.press("Enter")

        expect(timeline(page)).to_have_attribute(PLACE, re.compile("step 3 of 14"))
        expect(page.get_by_role("button", name="More", exact=True)).to_be_focused()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, size


@pytest.mark.parametrize("size", LOW)
def test_the_end_of_a_lesson_leaves_a_low_screen_its_stage(size: str, page: Page) -> None:
    open_still(page, size)
    page.keyboard.press("End")

    told = page.locator("#run-explanation")
    expect(told.locator(".sentence")).to_be_in_viewport(ratio=1)
    box = told.bounding_box()
    assert box is not None
    assert box["height"] <= 85
    following = page.locator("aside").get_by_role("link")
    expect(following).to_have_count(1)
    assert not told.evaluate("told => told.querySelector('aside') !== null")
    following.scroll_into_view_if_needed()
    same = page.get_by_role("button", name="Now the same under 0.11 →")
    expect(same).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_text_of_the_drawing_is_on_the_stage(lang: str, page: Page) -> None:
    open_still(page, "a small phone", f"/lessons/zombie-leader?lang={lang}")

    for _ in range(11):
        page.keyboard.press("ArrowRight")
        assert (
            page.locator(".hw-stage svg text").evaluate_all(
                """texts => texts
                .map((text) => [text.textContent, text.getBoundingClientRect()])
                .filter(([, { width, left, right }]) => width && (left < 0 || right > innerWidth))
                .map(([text]) => text)"""
            )
            == []
        )


def test_the_menu_of_all_actions_stays_in_view_while_the_others_scroll(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/docs", has_touch=True, is_mobile=True, reduced_motion="reduce")
    for broker in (1, 2):
        visit(page, f"{LESSON}&step=3", (320, 568))
        page.get_by_role("button", name=f"Broker {broker}, ").first.tap()

        bar = page.get_by_role("toolbar", name=f"Actions on broker {broker}")
        expect(bar.get_by_role("button", name=f"All actions on broker {broker}")).to_be_in_viewport(
            ratio=1
        )
        bar.get_by_role("button").nth(-2).focus()
        more = bar.get_by_role("button").last.bounding_box()
        focused = bar.get_by_role("button").nth(-2).bounding_box()
        assert more is not None
        assert focused is not None
        assert focused["x"] + focused["width"] <= more["x"] + 1, broker
