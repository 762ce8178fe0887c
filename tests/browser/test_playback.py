"""Playing a run: its pace, its questions, and what its end offers."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.run_page import (
    LOSS,
    POSITION,
    SIDE,
    Position,
    answers_to,
    open_run,
    position_of,
    question_of,
    wait_for_run,
)


@pytest.fixture
def clocked(page: Page) -> Page:
    """A lesson on a page whose clock only the test advances."""
    page.clock.install()
    open_run(page)
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    return page


def play_until(page: Page, wanted: Locator) -> int:
    """Advances time until something is there; returns how many ms that took."""
    for passed in range(0, 120_000, 250):
        if wanted.count() > 0:
            return passed
        page.clock.run_for(250)
    raise AssertionError("nothing came of playing")


def test_any_key_ends_the_messages_that_are_passing(clocked: Page) -> None:
    clocked.keyboard.press("ArrowRight")
    clocked.keyboard.press("ArrowRight")
    assert position_of(clocked) == Position(2, 14, 1, 7)

    clocked.keyboard.press("1")

    expect(clocked.locator(POSITION)).to_have_text("Step 2 of 14")


def test_playback_stops_at_a_question_and_continues_after_the_answer(clocked: Page) -> None:
    clocked.get_by_role("button", name="Play", exact=True).click()

    assert play_until(clocked, question_of(clocked)) > 5 * 1500
    assert position_of(clocked) == Position(5, 14)
    clocked.clock.run_for(20_000)
    assert position_of(clocked) == Position(5, 14)
    expect(clocked.get_by_role("button", name="Pause", exact=True)).to_have_count(0)

    question_of(clocked).get_by_role("button", name=answers_to(clocked)[0]).click()
    clocked.get_by_role("button", name="Play", exact=True).click()
    repaired = clocked.get_by_role("button", name="Now the same under 0.11 →")
    expect(repaired).to_have_count(0)
    play_until(clocked, clocked.locator(".sentence", has_text=LOSS))
    assert position_of(clocked) == Position(14, 14)
    clocked.clock.run_for(10_000)
    expect(clocked.get_by_role("button", name="Pause", exact=True)).to_have_count(0)
    clocked.clock.resume()
    repaired.click()
    expect(clocked.locator(SIDE).last).to_contain_text("0.11")


def test_playback_goes_on_with_what_happens_after_its_question(clocked: Page) -> None:
    clocked.get_by_role("button", name="Play", exact=True).click()
    play_until(clocked, question_of(clocked))

    question_of(clocked).get_by_role("button", name=answers_to(clocked)[1]).click()
    onward = question_of(clocked).get_by_role("button", name="See what happens")
    expect(onward).to_be_focused()
    onward.press(" ")

    assert position_of(clocked).step == 6
    play_until(clocked, clocked.locator(".sentence", has_text=LOSS))
    assert position_of(clocked) == Position(14, 14)


@pytest.mark.parametrize("lesson", ["kip-101-data-loss", "unnoticed-bounce"])
def test_the_end_of_a_loss_offers_the_release_that_fixed_it_in_view(
    lesson: str, open_page: Callable[..., Page]
) -> None:
    page = open_page(f"/lessons/{lesson}", locale="en-GB", reduced_motion="reduce")
    page.set_viewport_size({"width": 1440, "height": 900})
    wait_for_run(page)
    page.keyboard.press("End")

    repaired = page.get_by_role("button", name="Now the same under 0.11 →")
    panel = page.locator("#run-explanation").bounding_box()
    place = repaired.bounding_box()
    assert panel is not None
    assert place is not None
    assert place["y"] + place["height"] <= panel["y"] + panel["height"]


def test_what_the_run_refutes_is_not_said_at_its_end(page: Page) -> None:
    open_run(page, "/lessons/unnoticed-bounce?kafka=0.11&lang=en")
    page.keyboard.press("End")

    expect(page.get_by_role("link", name=re.compile("^Next: "))).to_be_visible()
    expect(page.get_by_text("Key point")).to_have_count(0)


def test_play_stays_as_long_as_there_is_to_read(clocked: Page) -> None:
    clocked.get_by_role("button", name="Play", exact=True).click()
    # The start has a note, which takes longer to read than the sentence of step 1.
    first = play_until(clocked, clocked.locator(POSITION, has_text="Step 1 of 14"))
    second = play_until(clocked, clocked.locator(POSITION, has_text="Step 2 of 14"))
    assert 4000 < first <= 7500
    assert 1500 <= second < first

    clocked.keyboard.press("ArrowRight")
    expect(clocked.get_by_role("button", name="Pause", exact=True)).to_have_count(0)


def test_messages_pass_where_motion_is_allowed(clocked: Page) -> None:
    seen = []
    clocked.keyboard.press("ArrowRight")
    clocked.keyboard.press("ArrowRight")
    for _ in range(20):
        seen.append(position_of(clocked).message)
        clocked.clock.run_for(65)

    assert [one for at, one in enumerate(seen) if at == 0 or seen[at - 1] != one] == [
        *(1, 2, 3, 4, 5, 6),
        None,
    ]
