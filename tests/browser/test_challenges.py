"""A player wins a challenge, undoes a move, and opens a challenge without a solution."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect


def test_a_player_wins_a_challenge_with_the_keyboard_alone(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/challenges/power-of-two", reduced_motion="reduce")
    first = page.get_by_role("button", name="Cut the power of broker 1")
    expect(first).to_be_visible()
    expect(page.get_by_text("power losses: 2 of 2 left")).to_be_attached()

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
