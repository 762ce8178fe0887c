"""A printed run: the title, the drawing and its sentence, on one page, without controls."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.run_page import LESSON, open_run

A4: ViewportSize = {"width": 794, "height": 1123}


def pages_of(pdf: bytes) -> int:
    """The number of pages in a PDF."""
    found = re.search(rb"/Type /Pages\b[^>]*?/Count (\d+)|/Count (\d+)[^>]*?/Type /Pages\b", pdf)
    assert found is not None
    return int(found[1] or found[2])


@pytest.fixture
def printed(page: Page) -> Page:
    """A run at a step, printed on A4."""
    open_run(page, LESSON)
    page.keyboard.press("End")
    expect(page.locator("#why-step")).to_have_text("Step 14 of 14")
    page.emulate_media(media="print")
    page.set_viewport_size(A4)
    return page


def test_a_run_is_printed_on_one_page_with_its_title_and_without_what_one_presses(
    printed: Page,
) -> None:
    expect(printed.get_by_role("heading", level=1)).to_be_in_viewport()
    expect(printed.locator(".hw-stage")).to_be_visible()
    for pressed in ("header .primary", ".foot", ".below", ".lane .menu"):
        for one in printed.locator(f".run-page {pressed}").all():
            expect(one).to_be_hidden()
    expect(printed.locator(".run-page > header")).to_contain_text("Kafka")
    assert pages_of(printed.pdf(format="A4")) == 1


def test_paper_is_white_and_leaves_nothing_of_the_statistics_out(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/insights?lang=en", color_scheme="dark", viewport=A4)
    page.emulate_media(media="print", color_scheme="dark")
    cells = page.get_by_role("table").first

    expect(page.locator("header.site")).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_have_css("color", "rgb(20, 25, 31)")
    right = cells.evaluate("table => table.getBoundingClientRect().right")
    assert right <= A4["width"]


def test_an_embed_is_printed_on_one_page_without_its_controls(
    open_page: Callable[..., Page], printed: Page
) -> None:
    lesson = {"scenario_id": "kip-101-data-loss"}
    session = printed.request.post("/api/v1/sessions", data=lesson).json()["id"]
    shared = printed.request.post(
        "/api/v1/shares", data={"session": session, "at": 0}, headers={"Idempotency-Key": session}
    ).json()
    page = open_page(f"/e/v1/s/{shared['sid']}")
    page.emulate_media(media="print")

    expect(page.locator(".sentence").first).to_be_visible()
    expect(page.locator(".bar")).to_be_hidden()
    assert pages_of(page.pdf(format="A4")) == 1
