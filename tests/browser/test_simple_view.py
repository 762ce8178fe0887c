"""The simple view of the first lessons, and everything."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

FIRST = "/lessons/a-record-and-its-copy"


def test_a_first_lesson_shows_only_what_the_words_have_introduced(page: Page) -> None:
    page.goto(FIRST)

    expect(page.get_by_text("Two brokers, each with a log.")).to_be_visible()
    expect(page.locator(".hw-stage")).to_have_count(0)
    for later in ("high watermark", "LEO 0", "min.insync.replicas"):
        expect(page.locator(".figure").get_by_text(later)).to_have_count(0)
    page.goto("/lessons/what-counts-as-safe")
    expect(page.locator(".figure").get_by_text("high watermark 0").first).to_be_visible()


def test_the_keyboard_leads_through_the_lesson_to_the_next(page: Page) -> None:
    page.goto(f"{FIRST}?step=5")
    expect(page.get_by_text("Step 5 of 5")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Next: Where a log ends"))).to_be_visible()

    page.keyboard.press("ArrowRight")

    expect(page).to_have_url(re.compile("/lessons/where-a-log-ends"))
    expect(page.get_by_text("its offset: its place in the log")).to_be_visible()


def test_everything_is_one_key_and_a_button_and_is_remembered(page: Page) -> None:
    page.goto(FIRST)
    expect(page.locator(".figure")).to_be_visible()

    page.keyboard.press("e")
    expect(page.locator(".hw-stage")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Everything is shown.")).to_be_attached()
    page.reload()
    expect(page.locator(".hw-stage")).to_be_visible()
    page.get_by_role("button", name="Simple view").click()
    expect(page.locator(".hw-stage")).to_have_count(0)
    page.reload()
    expect(page.locator(".figure")).to_be_visible()


def test_another_lesson_shows_everything(page: Page) -> None:
    page.goto("/lessons/two-rounds")

    expect(page.locator(".hw-stage")).to_be_visible()
    expect(page.get_by_role("button", name="Simple view")).to_have_count(0)


def test_the_simple_view_is_accessible_and_fits_a_phone(page: Page, axe_script: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for lesson in ("a-record-and-its-copy", "who-led-when"):
        page.goto(f"/lessons/{lesson}?step=2")
        expect(page.locator(".note").first).to_be_visible()
        page.evaluate(axe_script.read_text(encoding="utf-8"))
        found = page.evaluate(
            "async () => (await axe.run()).violations.map((v) => v.id + v.nodes[0].html)"
        )
        assert found == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
