"""The documentation in a browser: without scripts, copy buttons, theme and language, on a phone.

That it is accessible: test_pages.py.
"""

import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

TUTORIAL = "/docs/tutorial/first-loss"


def test_without_scripts_everything_is_there(open_page: Callable[..., Page]) -> None:
    page = open_page(TUTORIAL, java_script_enabled=False, viewport={"width": 390, "height": 800})

    expect(page.get_by_role("heading", level=1)).to_have_text("Your first loss in five minutes")
    # Only the menu: the browser opens it.
    expect(page.get_by_role("button")).to_have_text(["Menu"])
    page.get_by_role("button").click()
    expect(page.get_by_role("link", name="Glossary")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("navigation", name="Contents").get_by_role("link", name="Limits").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Limits")
    page.get_by_role("link", name="中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh")


def test_commands_are_copied_without_prompts_and_output(
    context: BrowserContext, page: Page
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(TUTORIAL)

    page.get_by_role("button", name="Copy").nth(2).click()

    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "highwater run kip-101-data-loss"


def test_theme_and_language_stay_as_they_were_chosen(page: Page) -> None:
    page.goto(TUTORIAL)

    page.get_by_role("button", name="Dark theme").click()
    page.get_by_role("link", name="中文").click()

    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("h1")).to_have_text("五分钟，第一次丢失消息")
    page.goto("/docs")
    expect(page.locator("html")).to_have_attribute("lang", "zh")


def test_on_a_phone_the_list_of_pages_opens(open_page: Callable[..., Page]) -> None:
    page = open_page(TUTORIAL, viewport={"width": 320, "height": 700})
    contents = page.get_by_role("navigation", name="Contents")
    expect(contents).to_be_hidden()

    page.get_by_role("button", name="Contents").press("Enter")

    expect(contents).to_be_visible()
    expect(page.get_by_role("button", name="Contents")).to_have_attribute("aria-expanded", "true")


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("loss.svg", "range=9-35"),
        ("loss-zh.svg", "range=9-35&lang=zh"),
        ("first-loss.svg", "step=9"),
        ("first-loss-zh.svg", "step=9&lang=zh"),
    ],
)
def test_the_pictures_are_what_the_product_draws(
    base_url: str, repository: Path, rewrite: bool, name: str, query: str
) -> None:
    """`pytest tests/browser/test_documentation.py --rewrite` draws them anew."""
    file = repository / "docs/images" / name
    address = f"{base_url}/lessons/kip-101-data-loss.svg?kafka=0.10.2&{query}"

    with urllib.request.urlopen(address) as response:
        drawn = response.read()
    if rewrite:
        file.write_bytes(drawn)

    assert file.read_bytes() == drawn


def test_a_page_shows_its_pictures(open_page: Callable[..., Page]) -> None:
    page = open_page(TUTORIAL, viewport={"width": 390, "height": 800})

    pictures = page.locator("article img")
    expect(pictures).to_have_count(2)
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
        assert picture.evaluate("async (one) => (await one.decode(), one.naturalWidth)") == 800
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
