"""The end of a lesson as a card."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect


def test_one_more_step_at_the_end_of_a_lesson_shows_the_card_and_escape_leads_back(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/lessons/kip-101-data-loss?lang=en&step=14", reduced_motion="reduce")
    expect(page.locator(".panel")).to_contain_text("Key point")

    page.keyboard.press("ArrowRight")

    card = page.get_by_role("article")
    heading = card.get_by_role("heading", name="m2 was acknowledged, and it is lost.")
    expect(heading).to_be_focused()
    expect(card.get_by_role("img")).to_have_count(2)
    expect(card.get_by_role("note")).to_contain_text("nobody else can open its addresses")
    expect(card).to_contain_text("so it is not a safe point for truncation")
    card.get_by_role("combobox", name="Kafka release").select_option("0.9")
    expect(card).to_contain_text("An acknowledged record is lost in 0.9: up to 0.10.2.")
    expect(card.get_by_role("textbox")).to_have_value(
        re.compile(r"/lessons/kip-101-data-loss\?step=9$")
    )
    card.get_by_role("button", name="before, 5").click()
    expect(card.get_by_role("textbox")).to_have_value(re.compile(r"\?step=5$"))
    expect(card.get_by_role("link", name="Continue")).to_have_attribute(
        "href", "/lessons/follower-bounce-with-epochs"
    )
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(page.locator(".panel")).to_contain_text("Step 14 of 14")

    page.get_by_role("button", name="The whole story on one card").click()
    expect(card.get_by_role("combobox", name="Kafka release")).to_have_value("0.9")
    card.get_by_role("button", name="step 14", exact=True).click()
    expect(card).to_be_hidden()
    page.keyboard.press("ArrowRight")
    card.get_by_role("button", name="step 5", exact=True).click()

    expect(card).to_be_hidden()
    expect(page.locator(".panel")).to_contain_text("Step 5 of 14")
