"""A run's address shows the run to any visitor; an action there creates the visitor's own copy."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.run_page import POSITION, acted, frame_shown, frames_of, open_run, press


def test_another_users_run_can_be_read_and_copied_but_not_changed(
    page: Page, open_page: Callable[..., Page]
) -> None:
    open_run(page)
    press(page, "ArrowRight", 3)
    assert frame_shown(page) == 9
    page.get_by_role("button", name="Crash broker 1").click()
    acted(page)
    expect(page.locator(POSITION)).to_have_text("Step 4 of 4")
    frame_shown(page)
    address = page.evaluate("location.href")
    before = len(frames_of(page))

    other = open_page(address)
    expect(other.get_by_text("This run belongs to someone else.")).to_be_visible()
    other.get_by_role("button", name="Crash broker 2").click()
    expect(other.get_by_text("Forked from")).to_be_visible()

    expect(other.locator(POSITION)).to_have_text("Step 5 of 5")
    assert other.url.partition("?")[0] != address.partition("?")[0]
    assert len(frames_of(page)) == before
    other.get_by_role("link", name="another run").click()
    expect(other).to_have_url(re.compile(re.escape(address.partition("?")[0])))
    page.reload()
    expect(page.get_by_text("This run belongs to someone else.")).to_have_count(0)
