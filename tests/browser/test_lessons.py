"""Shipped lessons, stepped from end to end as fast as the keys go: nothing on the page fails.

`make test` steps through every third one, and through those that broke the page once;
`make test-all` through all of them.
"""

import re

import pytest
from playwright.sync_api import ConsoleMessage, Error, Page, expect

from sim_engine import list_shipped

ALL = [scenario.id for scenario in list_shipped()]
ONCE_BROKEN = {
    "retry-duplicates",
    "slow-but-steady-follower",
    "expansion-waits-for-the-joiner",
    "caught-up-outsider",
    "follower-reads",
    "epoch-lookup-table",
}
SAMPLE = [lesson for at, lesson in enumerate(ALL) if at % 3 == 0 or lesson in ONCE_BROKEN]

# Keys as the browser hands them on, one as soon as the one before is done with.
PRESS = """async ([key, times]) => {
  for (let pressed = 0; pressed < times; pressed += 1) {
    const press = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    document.body.dispatchEvent(press);
    await new Promise((done) => setTimeout(done));
  }
}"""


@pytest.fixture
def failures(page: Page) -> list[str]:
    """What failed on the page: a script, or a panel that its boundary caught."""
    found: list[str] = []

    def caught(message: ConsoleMessage) -> None:
        if message.type == "error" and "could not be drawn" in message.text:
            found.append(message.text)

    def uncaught(error: Error) -> None:
        found.append(str(error))

    page.on("console", caught)
    page.on("pageerror", uncaught)
    return found


@pytest.mark.parametrize(
    "chosen",
    [pytest.param(SAMPLE, id="sample"), pytest.param(ALL, id="all", marks=pytest.mark.slow)],
)
def test_no_lesson_breaks_the_page_however_fast_it_is_stepped(
    page: Page, failures: list[str], chosen: list[str]
) -> None:
    broken: dict[str, list[str]] = {}
    first = chosen[0]
    page.goto(f"/lessons/{first}")
    lessons = page.get_by_label("Lessons")
    expect(lessons).to_have_value(first)

    for lesson in chosen:
        # Without loading the page anew: the answer to the choice is another session's address.
        if lesson != lessons.input_value():
            lessons.select_option(lesson)
            page.wait_for_url(re.compile("/x/"))
            expect(page.locator("#why-step")).to_have_text("Start")
        slider = page.get_by_role("slider", name="Timeline")
        steps = int(slider.get_attribute("aria-valuemax") or 0)
        page.evaluate(PRESS, ["ArrowRight", steps])
        expect(slider).to_have_attribute("aria-valuenow", str(steps))
        if failures:
            broken[lesson] = failures[:2]
            failures.clear()

    assert broken == {}


def test_a_lookup_in_long_logs_is_on_the_stage_with_what_it_is_about(page: Page) -> None:
    page.goto("/lessons/epoch-lookup-table")
    page.wait_for_url(re.compile("/x/"))
    expect(page.locator("#why-step")).to_have_text("Start")

    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")

    expect(page.locator("#why-step")).to_contain_text("Step 2 of")
    for name in (
        "Broker 1: a60, offset 79",
        "Broker 1: b1, offset 80",
        "Broker 2: y1, offset 80",
    ):
        expect(page.get_by_role("button", name=name)).to_be_visible()
    folds = page.get_by_role("button", name=re.compile(r"^Show the \d+ folded offsets"))
    between = folds.count()
    first = folds.first.get_attribute("aria-label") or ""

    folds.first.click()

    expect(page.get_by_role("button", name=first)).to_have_count(0)
    page.get_by_role("button", name="Hide again").click()
    expect(folds).to_have_count(between)
