"""A teacher presents to other browsers: they follow, answer, and see the answers once revealed."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.run_page import LESSON, POSITION, timeline_of, wait_for_run
from tests.browser.test_pages import violations

WINDOWS = [(320, 568), (390, 844), (844, 390), (720, 450)]
# The smallest type (px) of what is shown outside of drawings.
SMALLEST_TEXT = """shown => Math.min(...[...shown.querySelectorAll('*')]
  .filter(part => part.checkVisibility() && part.closest('svg, .visually-hidden') === null
    && [...part.childNodes].some(node => node.nodeType === 3 && node.data.trim() !== ''))
  .map(part => parseFloat(getComputedStyle(part).fontSize)))"""
SIZES = [{"width": 390, "height": 844}, {"width": 1024, "height": 768}]


def test_a_class_follows_a_presentation_and_answers_its_question(
    open_page: Callable[..., Page], axe_script: Path
) -> None:
    teacher = open_page(LESSON, locale="en-GB", reduced_motion="reduce", bypass_csp=True)
    wait_for_run(teacher)
    expect(teacher.locator("main")).to_be_visible()
    # A window that fills the screen cannot be resized, and axe looks at each size.
    teacher.evaluate("delete Element.prototype.requestFullscreen")
    teacher.keyboard.press("Shift+F")
    shown = teacher.get_by_role("main", name="Presentation")
    code = shown.locator(".code").inner_text()
    assert re.fullmatch("/p/[a-z0-9]{5}", code)
    # The tests' service is at an address of this computer.
    expect(shown.get_by_role("note")).to_contain_text(re.compile("nobody else|其他人打不开"))

    students = [
        open_page(code, locale=locale, reduced_motion="reduce", bypass_csp=True, viewport=size)
        for locale, size in zip(("en-GB", "zh-CN"), SIZES, strict=True)
    ]
    expect(shown).to_contain_text("2 followers")
    onward = shown.get_by_role("button", name="watch it")
    expect(shown.get_by_role("button", name="reveal the answers")).to_have_count(0)
    for _ in range(4):
        teacher.keyboard.press("PageDown")
    expect(shown).to_contain_text("Step 4 of 14")
    before = onward.bounding_box()
    teacher.keyboard.press("PageDown")
    expect(shown).to_contain_text("Step 5 of 14")
    # A second click on it would otherwise reveal the answers.
    expect(shown.get_by_role("button", name="reveal the answers")).to_be_visible()
    assert onward.bounding_box() == before
    # The cause is drawn, and what follows from it is not yet.
    messages = shown.get_by_role("region", name="Messages over time")
    expect(messages.get_by_role("button", name="HW 2, dropped")).to_be_in_viewport()
    expect(messages).not_to_contain_text("truncates m2")
    first, second = students
    question = first.get_by_role("heading", name="Broker 1 is about to crash and restart")
    expect(question).to_be_visible()
    # It shows neither the correct answer nor the next step.
    expect(shown).not_to_contain_text("next:")
    first.get_by_role("button", name="It truncates m2 from its log.").click()
    second.get_by_role("button", name="把 m2 保留在日志里。").click()
    expect(shown).to_contain_text("2 have answered")
    expect(shown.get_by_text("50 %")).to_have_count(0)
    assert violations(first, axe_script) == []

    teacher.keyboard.press("v")

    expect(shown.get_by_text("50 %")).to_have_count(2)
    expect(first.get_by_text("1 of 2, and Kafka 0.10.2 agrees")).to_be_visible()
    assert violations(teacher, axe_script) == []

    # A follower that reconnects sees the current scene.
    second.reload()
    teacher.keyboard.press("ArrowRight")
    expect(second.get_by_role("heading", level=1)).to_be_visible()
    expect(second.locator("main")).to_contain_text("6")
    teacher.keyboard.press("b")
    expect(first.get_by_role("status")).to_have_text("The presenter has blanked the screen.")

    teacher.keyboard.press("Escape")

    expect(shown).to_have_count(0)
    expect(first.get_by_role("status")).to_have_text("The presentation has ended.", timeout=15_000)
    first.get_by_role("link", name="Continue yourself").click()
    expect(first).to_have_url(re.compile(r"/lessons/kip-101-data-loss\?(.*&)?step=[56]\b"))
    expect(timeline_of(first)).to_have_attribute("aria-valuetext", re.compile("^step [56] of 14"))


def test_the_last_step_offers_nothing_to_watch(open_page: Callable[..., Page]) -> None:
    page = open_page(LESSON, locale="en-GB", reduced_motion="reduce")
    wait_for_run(page)
    page.keyboard.press("End")
    page.keyboard.press("Shift+F")
    shown = page.get_by_role("main", name="Presentation")
    onward = shown.get_by_role("button", name="watch it")
    expect(shown).to_contain_text("Step 14 of 14")
    expect(onward).to_have_count(0)

    page.keyboard.press("PageUp")

    expect(onward).to_have_count(1)


def test_a_record_that_was_not_promised_is_not_said_to_be_safe(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/lessons/acks-1-loses-on-failover", locale="en-GB", reduced_motion="reduce")
    wait_for_run(page)
    expect(page.locator(POSITION)).to_have_text("Start")
    page.keyboard.press("End")
    expect(page.locator(POSITION)).to_contain_text("Step 5 of 5")

    page.keyboard.press("Shift+F")

    outcome = page.get_by_role("main", name="Presentation").locator(".outcome")
    expect(outcome).to_contain_text("m1 is lost (acks=1)")
    expect(outcome).to_have_class(re.compile("bad"))


def test_records_can_be_read_from_the_last_row(open_page: Callable[..., Page]) -> None:
    teacher = open_page("/docs", viewport={"width": 1920, "height": 1080}, reduced_motion="reduce")
    for lesson in ("kip-101-data-loss", "missed-deposition"):
        teacher.goto(f"/lessons/{lesson}?step=8")
        check_the_records(teacher)


def check_the_records(teacher: Page) -> None:
    expect(teacher.locator(POSITION)).to_contain_text("Step 8")
    teacher.keyboard.press("Shift+F")
    shown = teacher.get_by_role("main", name="Presentation")
    expect(shown.locator(".hw-cell").first).to_be_visible()

    logs, room = (shown.locator(where).bounding_box() for where in (".hw-logs", ".logs"))
    assert logs is not None
    assert room is not None
    assert logs["height"] <= room["height"] + 1
    for cell in shown.locator(".hw-cell").all():
        box = cell.bounding_box()
        assert box is not None
        assert box["width"] >= 320
        assert box["height"] >= 100


@pytest.mark.parametrize(("width", "height"), WINDOWS)
def test_a_small_window_scrolls_instead_of_cutting_or_overlapping(
    open_page: Callable[..., Page], width: int, height: int
) -> None:
    teacher = open_page(
        f"{LESSON}?step=5",
        locale="en-GB",
        viewport={"width": width, "height": height},
        reduced_motion="reduce",
    )
    expect(teacher.get_by_role("main")).to_contain_text("the response to broker 1 is lost")
    teacher.keyboard.press("Shift+F")
    shown = teacher.get_by_role("main", name="Presentation")
    expect(shown.locator(".code")).to_be_visible()
    expect(shown.locator(".hw-cell").first).to_be_visible()

    parts = (".card", ".logs", ".hw-logs", ".sentence", ".asked", ".asked ul", ".followers")
    boxes = {where: shown.locator(where).bounding_box() for where in parts}
    edges = {
        where: (box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"])
        for where, box in boxes.items()
        if box is not None
    }

    def is_within(inner: str, outer: str) -> bool:
        (left, top, right, bottom), around = edges[inner], edges[outer]
        return (
            left >= around[0] - 1
            and top >= around[1] - 1
            and right <= around[2] + 1
            and bottom <= around[3] + 1
        )

    assert len(edges) == len(boxes)
    assert is_within(".logs", ".card")
    assert is_within(".hw-logs", ".logs")
    assert is_within(".sentence", ".card")
    assert is_within(".asked ul", ".asked")
    assert edges[".asked"][3] <= edges[".followers"][1]
    last = shown.locator(".asked").get_by_text("It asks the leader about m2.")
    last.scroll_into_view_if_needed()
    # A line may begin between two pixels.
    expect(last).to_be_in_viewport(ratio=0.98)


def test_on_a_phone_the_buttons_are_at_one_place_and_a_step_can_be_taken_back(
    open_page: Callable[..., Page],
) -> None:
    phone = {"viewport": SIZES[0], "has_touch": True, "is_mobile": True}
    teacher = open_page(LESSON, locale="en-GB", reduced_motion="reduce", **phone)
    wait_for_run(teacher)
    teacher.get_by_role("button", name="More", exact=True).tap()
    teacher.get_by_role("button", name="Present", exact=True).tap()
    shown = teacher.get_by_role("main", name="Presentation")
    onward = shown.get_by_role("button", name="watch it")
    places = []
    for step in range(1, 5):
        places.append(onward.bounding_box())
        onward.tap()
        expect(shown).to_contain_text(f"Step {step} of 14")

    assert places == places[:1] * 4
    for button in shown.get_by_role("button").locator("visible=true").all():
        if button.evaluate("button => button.closest('footer') !== null"):
            expect(button).to_be_in_viewport(ratio=1)
            box = button.bounding_box()
            assert box is not None
            assert box["height"] >= 44
    # Nothing is smaller than what can be read from a hand.
    assert shown.evaluate(SMALLEST_TEXT) >= 11.5

    shown.get_by_role("button", name="back").tap()

    expect(shown).to_contain_text("Step 3 of 14")


def test_the_focus_stays_in_the_presentation_when_the_screen_is_blanked(
    open_page: Callable[..., Page],
) -> None:
    page = open_page(LESSON, locale="en-GB", reduced_motion="reduce")
    wait_for_run(page)
    expect(page.locator(POSITION)).to_have_text("Start")
    page.keyboard.press("Shift+F")
    shown = page.get_by_role("main", name="Presentation")
    shown.get_by_role("button", name="watch it").focus()

    page.keyboard.press("b")

    expect(shown).to_be_focused()
    page.get_by_role("button", name="watch it").press("Enter")
    expect(shown).to_be_focused()
