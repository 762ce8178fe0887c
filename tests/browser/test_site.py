"""The pages around the runs: their header, the gallery of a new service, the glossary."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.run_page import visit, wait_for_run

Open = Callable[..., Page]


def is_expanded(page: Page, button: str) -> bool:
    """What a screen reader is told; Playwright's roles do not know buttons of popovers."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    found = next(node for node in nodes if node.get("name", {}).get("value") == button)
    return any(one["name"] == "expanded" and one["value"]["value"] for one in found["properties"])


@pytest.mark.parametrize("width", [320, 430])
def test_the_links_of_the_site_are_a_menu_in_one_row_on_a_phone(
    open_page: Open, width: int
) -> None:
    page = open_page("/docs")
    for path in ("/glossary", "/docs"):
        for lang, menu in (("en", "Menu"), ("zh", "菜单")):
            visit(page, f"{path}?lang={lang}", (width, 700))
            check_the_menu(page, menu)


def check_the_menu(page: Page, menu: str) -> None:
    header = page.locator("header.site").bounding_box()
    assert header is not None
    assert header["height"] <= 56
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    links = page.locator("#site-links")
    button = page.get_by_role("button", name=menu, exact=True)

    expect(links).to_be_hidden()
    button.focus()
    page.keyboard.press("Enter")
    assert is_expanded(page, menu)
    expect(links.get_by_role("link")).to_have_count(10)
    page.keyboard.press("Tab")
    expect(links.get_by_role("link").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(links).to_be_hidden()
    expect(button).to_be_focused()


def test_the_menu_closes_when_it_leads_to_a_part_of_the_same_page(open_page: Open) -> None:
    page = open_page("/?lang=en", viewport={"width": 390, "height": 700}, reduced_motion="reduce")

    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("link", name="Lessons", exact=True).click()

    expect(page.get_by_role("link", name="Articles", exact=True)).to_be_hidden()


def test_a_wide_screen_shows_the_links_without_a_menu(open_page: Open) -> None:
    page = open_page("/glossary?lang=en", viewport={"width": 1440, "height": 900})

    expect(page.get_by_role("navigation").get_by_role("link")).to_have_count(10)
    expect(page.get_by_role("button", name="Menu", exact=True)).to_be_hidden()


def test_the_links_say_which_page_is_shown(open_page: Open) -> None:
    page = open_page("/", viewport={"width": 1440, "height": 900})
    for path, named in (
        ("/", "Lessons"),
        ("/articles/1", "Articles"),
        ("/glossary", "Glossary"),
        ("/docs", "Docs"),
    ):
        page.goto(f"{path}?lang=en")

        current = page.locator("#site-links [aria-current]")
        expect(current).to_have_text([named])
        expect(current).to_have_attribute("aria-current", "page")


def test_the_gallery_of_a_new_service_has_the_findings_and_says_how_a_run_gets_there(
    open_page: Open,
) -> None:
    page = open_page("/gallery?lang=en")
    expect(page.get_by_role("status")).to_contain_text("No run has been listed yet")
    expect(page.get_by_text("allow the gallery to list the run")).to_be_visible()
    own = page.get_by_role("list", name="From the project")
    expect(own.get_by_role("listitem")).to_have_count(12)
    expect(own.get_by_role("link", name="Read the finding")).to_have_count(5)

    own.get_by_role("link", name="An acknowledged record is lost", exact=True).click()

    wait_for_run(page)


def test_each_term_of_the_glossary_has_a_lesson(open_page: Open) -> None:
    page = open_page("/glossary?lang=en")
    terms = page.locator(".glossary > dl > div")
    expect(terms.locator(".lesson a")).to_have_count(terms.count())

    page.locator("#high-watermark .lesson a").click()

    wait_for_run(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("two rounds")
