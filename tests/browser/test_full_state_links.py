"""Full-state links: created in the dialog, opened in a different browser, damaged."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.run_page import open_session

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "full_state_links.json").read_text(encoding="utf-8")
)


def test_a_link_that_contains_the_run_opens_at_the_same_step_and_level(
    page: Page, open_page: Callable[..., Page]
):
    open_session(page, step=2)
    page.get_by_role("radio", name="Every message").click()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("s")
    page.get_by_role("tab", name="Full-state link").click()
    field = page.get_by_role("textbox", name="Full-state link")
    expect(field).to_have_value(re.compile("/#z=1[.]"))
    link = field.input_value()
    expect(page.get_by_role("dialog")).to_contain_text("put that site’s address in the place of")
    shown = page.locator("#why-step").inner_text()

    other = open_page(link.replace("/#", "/?lang=en#"))

    expect(other.locator("#why-step")).to_have_text(shown)
    expect(other.get_by_role("radio", name="Every message")).to_be_checked()
    expect(other.get_by_text("Opened from a link that contains the run.")).to_be_visible()


def test_full_state_links_store_nothing(page: Page):
    stored: list[str] = []
    page.on(
        "request",
        lambda sent: (
            stored.append(sent.url) if sent.method == "POST" and "shares" in sent.url else None
        ),
    )
    open_session(page, step=2)
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("textbox", name="Link", exact=True)).to_be_visible()
    assert len(stored) == 1
    page.get_by_role("tab", name="Full-state link").click()
    page.keyboard.press("Escape")

    open_session(page, step=2)
    page.get_by_role("button", name="Share").click()

    expect(page.get_by_role("textbox", name="Full-state link")).to_be_visible()
    assert len(stored) == 1
    page.get_by_role("tab", name="Image").click()
    expect(page.get_by_role("textbox", name="Image")).to_be_visible()
    assert len(stored) == 2


@pytest.mark.parametrize(
    ("lang", "damaged", "newer"),
    [
        ("en", "This link is incomplete", "This link is newer than this site"),
        ("zh", "此链接不完整", "此链接比本站更新"),
    ],
)
def test_an_invalid_link_states_what_to_do(page: Page, lang: str, damaged: str, newer: str):
    for link in VECTORS["refused"]:
        page.goto("about:blank")
        page.goto(f"/?lang={lang}#{link['fragment']}")
        words = damaged if link["kind"] == "damaged" else newer
        expect(page.get_by_role("heading", level=1)).to_have_text(words)
