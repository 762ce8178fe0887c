"""A lesson that is read keeps its permanent address, until the reader acts."""

import re

from playwright.sync_api import Page, Request, expect

from tests.browser.listbox import choose
from tests.browser.run_page import LESSON, POSITION, acted, press


def test_reading_stores_nothing_and_shows_the_moment_in_the_address(page: Page) -> None:
    stored: list[Request] = []
    page.on("request", lambda one: stored.append(one) if one.method != "GET" else None)

    page.goto(f"{LESSON}?step=4&message=2&lang=en")
    expect(page.locator(POSITION)).to_have_text("Step 4 of 14, message 2 of 3")
    press(page, "ArrowRight", 1)
    expect(page).to_have_url(re.compile(rf"{LESSON}\?step=4&message=3&lang=en$"))
    page.reload()
    expect(page.locator(POSITION)).to_have_text("Step 4 of 14, message 3 of 3")
    choose(page, "Kafka", "0.11")
    expect(page).to_have_url(re.compile(rf"{LESSON}\?step=4&message=3&kafka=0.11"))
    page.get_by_text("In an operator’s words").click()
    expect(page.locator(".operator")).to_contain_text("UnderReplicatedPartitions")
    choose(page, "Compare with", "v0.10.2")
    expect(page.locator(".comparing .side")).to_have_count(2)
    page.go_back()
    expect(page).to_have_url(re.compile(rf"{LESSON}\?step=4&message=3"))
    expect(page).not_to_have_url(re.compile("kafka"))

    assert stored == []


def test_a_run_begins_with_the_readers_action_and_leads_back_to_the_lesson(page: Page) -> None:
    page.goto(f"{LESSON}?step=4&lang=en")
    expect(page.locator(POSITION)).to_have_text("Step 4 of 14")

    page.get_by_role("button", name="Crash broker 1", exact=True).click()
    session = acted(page)

    expect(page.locator(POSITION)).to_have_text("Step 5 of 5")
    expect(page.get_by_text("You left the lesson after step 4")).to_be_visible()
    expect(page).to_have_url(re.compile(r"frame=40&lesson=kip-101-data-loss&step=4"))
    page.go_back()
    expect(page.locator(POSITION)).to_have_text("Step 4 of 14")
    expect(page).to_have_url(re.compile(rf"{LESSON}\?step=4"))
    page.go_forward()
    expect(page.locator(POSITION)).to_have_text("Step 5 of 5")
    page.reload()
    page.get_by_role("link", name="The lesson at step 4").click()
    expect(page.locator(POSITION)).to_have_text("Step 4 of 14")

    page.go_back()
    expect(page.locator(POSITION)).to_have_text("Step 5 of 5")
    page.goto(page.url.replace(session, "0" * 26))
    expect(page.get_by_role("heading", level=1)).to_have_text("This run has expired")
    page.get_by_role("link", name="Open the lesson at step 4").click()
    expect(page.locator(POSITION)).to_have_text("Step 4 of 14")
