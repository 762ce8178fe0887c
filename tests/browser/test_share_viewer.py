"""A viewer of a share can compare it, share one of its steps, and copy it."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import APIRequestContext, Page, Playwright, expect

from tests.browser.listbox import choose, expect_chosen
from tests.browser.run_page import POSITION


@pytest.fixture(scope="module")
def share(playwright: Playwright, base_url: str) -> str:
    """The lesson of KIP-101, shared at its start; returns the path of its page."""
    api: APIRequestContext = playwright.request.new_context(base_url=base_url)
    session = api.post("/api/v1/sessions", data={"scenario_id": "kip-101-data-loss"}).json()
    made = api.post(
        "/api/v1/shares",
        data={"session": session["id"], "at": 0},
        headers={"Idempotency-Key": "viewer"},
    )
    sid = made.json()["sid"]
    api.dispose()
    return f"/s/{sid}"


def test_a_viewer_compares_two_versions_side_by_side(
    open_page: Callable[..., Page], share: str
) -> None:
    page = open_page(share, reduced_motion="reduce")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator(POSITION)).to_contain_text("Step 3 of 14")

    choose(page, "Compare with", "v0.11")

    page.wait_for_url(re.compile("/x/"))
    expect_chosen(page, "Compare with", "v0.11")
    sides = page.locator(".comparing .side h2")
    expect(sides.nth(0)).to_contain_text("Kafka 0.10.2")
    expect(sides.nth(1)).to_contain_text("Kafka 0.11")
    expect(
        page.locator(".comparing .side").nth(1).get_by_role("region", name="Stage")
    ).to_be_visible()
    page.wait_for_url(re.compile(r"beside=v0\.11"))


def test_a_viewer_opens_the_run_under_another_version(
    open_page: Callable[..., Page], share: str
) -> None:
    page = open_page(share, reduced_motion="reduce")

    choose(page, "Kafka", "0.11")

    expect_chosen(page, "Kafka", "0.11")
    page.wait_for_url(re.compile("/x/"))


def test_a_viewer_passes_on_a_step_and_stores_nothing(
    open_page: Callable[..., Page], share: str
) -> None:
    page = open_page(share, reduced_motion="reduce")
    page.keyboard.press("ArrowRight")
    expect(page.locator(POSITION)).to_contain_text("Step 1 of 14")
    stored: list[str] = []
    page.on("request", lambda asked: stored.append(asked.method) if asked.method != "GET" else None)

    page.keyboard.press("s")

    dialog = page.get_by_role("dialog")
    link = dialog.get_by_role("textbox", name="Link").input_value()
    assert re.fullmatch(rf".*{share}\?frame=\d+", link)
    expect(dialog.get_by_text("Delete")).to_have_count(0)
    assert stored == []
    page.goto(link)
    expect(page.locator(POSITION)).to_contain_text("Step 1 of 14")


def test_a_link_to_a_message_opens_at_the_message_and_one_to_a_step_at_the_step(
    open_page: Callable[..., Page], share: str
) -> None:
    page = open_page(share, reduced_motion="reduce")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(POSITION)).to_have_text("Step 2 of 14")
    page.keyboard.press("z")
    expect(page.locator(POSITION)).to_have_text("Step 2 of 14, message 7 of 7")

    page.keyboard.press("s")
    link = page.get_by_role("dialog").get_by_role("textbox", name="Link").input_value()
    assert re.fullmatch(rf".*{share}\?frame=\d+&level=message", link)
    page.goto("about:blank")
    page.goto(link)

    expect(page.locator(POSITION)).to_have_text("Step 2 of 14, message 7 of 7")
    expect(page.get_by_role("radio", name="Every message")).to_be_checked()

    page.keyboard.press("z")
    expect(page.locator(POSITION)).to_have_text("Step 2 of 14")
    page.wait_for_url(re.compile(r"\?frame=\d+$"))
    page.reload()
    expect(page.locator(POSITION)).to_have_text("Step 2 of 14")
    expect(page.get_by_role("radio", name="Story")).to_be_checked()


def test_a_viewer_copies_the_run_at_the_current_position(
    open_page: Callable[..., Page], share: str
) -> None:
    page = open_page(share, reduced_motion="reduce")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")

    page.get_by_role("button", name="Fork to change it").click()

    page.wait_for_url(re.compile("/x/"))
    expect(page.locator(POSITION)).to_contain_text("Step 2 of 14")
