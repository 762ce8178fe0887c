"""A player wins a challenge, undoes a move, and opens a challenge without a solution."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.run_page import POSITION


def test_a_player_wins_a_challenge_with_the_keyboard_alone(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/challenges/power-of-two", reduced_motion="reduce")
    first = page.get_by_role("button", name="Cut the power of broker 1")
    expect(first).to_be_visible()
    expect(page.get_by_text("power losses: 2 of 2 left")).to_be_attached()
    faults = page.get_by_role("list", name="Faults left")
    expect(faults.get_by_role("listitem").filter(has_text="none")).to_have_text(
        ["broker crashes none", "lost fetch responses none", "more records none"]
    )

    first.press("Enter")
    expect(page.get_by_text("power losses: 1 of 2 left")).to_be_attached()
    page.keyboard.press("u")
    expect(page.get_by_text("power losses: 2 of 2 left")).to_be_attached()
    page.keyboard.press("r")
    expect(page.get_by_text("power losses: 1 of 2 left")).to_be_attached()
    page.get_by_role("button", name="Cut the power of broker 2").press("Enter")

    expect(page.get_by_text("Violated", exact=True)).to_be_visible()
    expect(page.locator(".won")).to_contain_text("Solved in 2 moves. That is the fewest known.")
    page.get_by_role("button", name="Open as a run").click()
    page.wait_for_url(re.compile("/x/"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_won_challenge_is_a_success_and_can_be_shared(
    open_page: Callable[..., Page], theme: str
) -> None:
    page = open_page(
        "/challenges/power-of-two?lang=en", reduced_motion="reduce", color_scheme=theme
    )
    page.get_by_role("button", name="Cut the power of broker 1").click()
    expect(page.get_by_text("What still protects m1")).to_be_visible()
    page.get_by_role("button", name="Cut the power of broker 2").click()

    expect(page.locator(".won")).to_contain_text("Solved in 2 moves.")
    good = {"light": "rgb(23, 107, 58)", "dark": "rgb(114, 207, 149)"}[theme]
    expect(page.locator(".won")).to_have_css("color", good)
    expect(page.get_by_text("What still protects m1")).to_have_count(0)
    expect(page.get_by_text("acknowledged before the start · lost at step 2")).to_be_visible()
    expect(page.get_by_text("down since step 1, not detected").first).to_be_visible()
    page.get_by_role("button", name="Share my try").click()

    page.wait_for_url(re.compile("/x/"))
    expect(page.get_by_role("dialog", name="Share")).to_be_visible()
    expect(page.locator(POSITION)).to_have_text(re.compile(r"Step (\d+) of \1"))
    expect(page).not_to_have_url(re.compile("share"))


def test_a_try_survives_a_reload_until_one_starts_over(open_page: Callable[..., Page]) -> None:
    page = open_page("/challenges/power-of-two", reduced_motion="reduce")
    page.get_by_role("button", name="Cut the power of broker 1").click()
    expect(page.get_by_text("power losses: 1 of 2 left")).to_be_attached()

    page.reload()
    expect(page.get_by_text("power losses: 1 of 2 left")).to_be_attached()
    expect(page.locator(".moves .last")).to_contain_text("Cut the power of broker 1")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("power losses: 2 of 2 left")).to_be_attached()
    page.reload()
    page.get_by_role("button", name="Redo").click()
    expect(page.get_by_text("power losses: 1 of 2 left")).to_be_attached()
    page.get_by_role("button", name="Start over").click()
    expect(page.get_by_text("power losses: 2 of 2 left")).to_be_attached()
    page.reload()

    expect(page.get_by_text("power losses: 2 of 2 left")).to_be_attached()
    expect(page.get_by_role("button", name="Redo")).to_be_disabled()


def test_an_unwinnable_challenge_states_what_was_searched(open_page: Callable[..., Page]) -> None:
    page = open_page("/challenges", reduced_motion="reduce")

    page.get_by_role("link", name="Only one power loss").click()

    expect(page.locator(".unbeatable").last).to_contain_text("142 states")
