"""What is printed: the title, the drawing and its sentence, on one page, and nothing to press."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.run_page import LESSON, open_run


def pages_of(pdf: bytes) -> int:
    """How many pages a PDF says that it has."""
    found = re.search(rb"/Type /Pages\b[^>]*?/Count (\d+)|/Count (\d+)[^>]*?/Type /Pages\b", pdf)
    assert found is not None
    return int(found[1] or found[2])


@pytest.fixture
def printed(page: Page) -> Page:
    """A run, at a step, as it is printed on A4."""
    open_run(page, LESSON)
    page.keyboard.press("End")
    expect(page.locator("#why-step")).to_have_text("Step 14 of 14")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 794, "height": 1123})
    return page


def test_a_run_is_printed_on_one_page_with_its_title_and_without_what_one_presses(
    printed: Page,
) -> None:
    expect(printed.get_by_role("heading", level=1)).to_be_in_viewport()
    expect(printed.locator(".hw-stage")).to_be_visible()
    for pressed in ("header", ".foot", ".row-actions"):
        for one in printed.locator(f".run-page {pressed}").all():
            expect(one).to_be_hidden()
    assert pages_of(printed.pdf(format="A4")) == 1


def test_an_embed_is_printed_on_one_page_without_its_controls(
    open_page: Callable[..., Page], printed: Page
) -> None:
    session = printed.url.split("/x/")[1].split("?")[0]
    shared = printed.request.post(
        "/api/v1/shares",
        data={"session": session, "at": 0},
        headers={"Idempotency-Key": session},
    ).json()
    page = open_page(f"/e/v1/s/{shared['sid']}")
    page.emulate_media(media="print")

    expect(page.locator(".sentence").first).to_be_visible()
    expect(page.locator(".bar")).to_be_hidden()
    assert pages_of(page.pdf(format="A4")) == 1
