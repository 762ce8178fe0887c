"""The front page: what somebody sees who does nothing."""

import re
import time
from collections.abc import Callable

from playwright.sync_api import Page, expect


def test_a_newcomer_sees_the_loss_and_why_within_twenty_seconds(
    open_page: Callable[..., Page],
) -> None:
    began = time.monotonic()
    page = open_page("/")

    expect(page.locator(".said.lost")).to_contain_text("m2 is lost", timeout=20_000)
    expect(page.locator(".why")).to_be_visible()
    assert time.monotonic() - began < 20
    expect(page.get_by_role("link", name="The same under Kafka 0.11")).to_be_visible()


def test_less_motion_shows_the_end_at_once(open_page: Callable[..., Page]) -> None:
    page = open_page("/", reduced_motion="reduce")

    expect(page.locator(".said.lost")).to_contain_text("m2 is lost", timeout=2_000)
    expect(page.get_by_role("button", name="Play the story again")).to_be_visible()


def test_the_story_can_be_paused(open_page: Callable[..., Page]) -> None:
    page = open_page("/")

    page.get_by_role("button", name="Pause the story").click()

    step = page.locator(".place").inner_text()
    page.wait_for_timeout(900)
    assert page.locator(".place").inner_text() == step


def test_playing_the_failure_starts_at_once(open_page: Callable[..., Page]) -> None:
    page = open_page("/", reduced_motion="reduce")

    page.get_by_role("link", name="Play this failure").click()

    page.wait_for_url(re.compile("/x/"))
    expect(page.get_by_role("button", name="Pause").first).to_be_visible()
