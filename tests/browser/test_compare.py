"""Two runs next to each other: visible together, aligned, and ringed where they differ."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.listbox import choose
from tests.browser.run_page import LESSON, POSITION, SIDE, open_run


def _opened(page: Page, path: str, against: str) -> tuple[Locator, Locator]:
    """Opens a run at its end next to another one; returns the logs of both sides."""
    open_run(page, path)
    page.keyboard.press("End")
    choose(page, "Compare with", against)
    sides = page.locator(SIDE)
    expect(sides.last.locator("svg.hw-logs")).to_be_visible()
    expect(sides.last.get_by_role("heading")).to_contain_text(re.compile("(different|same) here"))
    return sides.first.locator("svg.hw-logs"), sides.last.locator("svg.hw-logs")


def _rows(logs: Locator) -> dict[str, float]:
    """The height on the page at which the name of each broker is."""
    names = logs.locator("text.hw-name").all()
    boxes = [(name.text_content() or "", name.bounding_box()) for name in names]
    return {text: box["y"] for text, box in boxes if box is not None}


def test_the_rows_of_a_broker_are_at_one_height_on_both_sides(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.emulate_media(reduced_motion="reduce")
    for lesson, against in (
        ("missed-deposition", "smissed-deposition-noticed"),
        ("kip-101-data-loss", "v0.11"),
        ("three-ways-to-stop", "v0.11"),
    ):
        here, there = _opened(page, f"/lessons/{lesson}?lang=en", against)

        assert len(_rows(here)) >= 2, lesson
        assert _rows(here) == _rows(there), lesson
        foot = page.locator(".foot").bounding_box()
        for logs in (here, there):
            box = logs.bounding_box()
            assert box is not None
            assert foot is not None
            assert box["y"] + box["height"] <= foot["y"], lesson


def test_differing_records_and_offsets_are_ringed_on_both_sides(page: Page) -> None:
    here, there = _opened(page, LESSON, "v0.11")
    verdict = page.get_by_role("region", name="Compare", exact=True).get_by_role("listitem")
    first = verdict.filter(has_text="First difference")
    first.get_by_role("button", name="show").click()
    expect(page.locator(POSITION)).to_have_text(re.compile("Step 9 of 14"))
    heading = page.locator(SIDE).last.get_by_role("heading")

    # Broker 1 has truncated m2 here; there, m2 and the end of the log after it.
    expect(heading).to_contain_text("broker 1 (records, LEO)")
    expect(here.locator(".hw-differs")).to_have_count(1)
    expect(there.locator(".hw-differs")).to_have_count(2)

    page.keyboard.press("Home")
    expect(heading).to_contain_text("same here")
    expect(page.locator(".hw-differs")).to_have_count(0)


def test_the_loss_is_the_first_sentence_and_leads_to_its_step(page: Page) -> None:
    _opened(page, "/lessons/unnoticed-bounce?lang=en", "v0.11")
    page.keyboard.press("Home")
    verdict = page.get_by_role("region", name="Compare", exact=True).get_by_role("listitem")

    expect(verdict.first).to_contain_text(
        "Only in Kafka 0.10.2, step 15: An acknowledged record is lost"
    )
    expect(verdict.filter(has_text="First difference")).to_contain_text(
        "step 9: broker 1’s log is m1 in Kafka 0.10.2, m1 m2 in Kafka 0.11"
    )
    verdict.first.get_by_role("button", name="show").click()
    expect(page.locator(POSITION)).to_have_text(re.compile("Step 15 of 15"))


def test_the_loss_is_on_the_first_screen_of_a_phone_that_has_scrolled_down(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.clock.install()
    page.goto("/lessons/unnoticed-bounce?lang=en&step=14")
    expect(page.locator(".sentence")).to_be_visible()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    page.get_by_role("button", name="Play", exact=True).click()
    page.clock.run_for(60_000)
    repaired = page.get_by_role("button", name="Now the same under 0.11 →")
    expect(repaired).to_have_count(1)
    page.clock.resume()
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert page.evaluate("scrollY") > 100

    # A click by the test would scroll first.
    repaired.evaluate("button => button.click()")

    loss = "Only in Kafka 0.10.2, step 15: An acknowledged record is lost"
    expect(page.get_by_role("listitem").filter(has_text=loss)).to_be_in_viewport(ratio=1)
