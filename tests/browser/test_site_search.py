"""The search of the site, by keyboard, in the app and in the documentation."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    return open_page("/glossary?lang=en", reduced_motion="reduce")


def field(page: Page) -> Locator:
    return page.get_by_role("dialog").get_by_role("combobox")


def test_slash_searches_on_every_page_and_opens_the_exact_place(page: Page) -> None:
    page.keyboard.press("/")
    expect(field(page)).to_be_focused()
    page.keyboard.type("NotEnoughReplicasException")
    first = page.get_by_role("option").first
    expect(first).to_contain_text("NOT_ENOUGH_REPLICAS")
    expect(first).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("dialog").get_by_role("status")).to_contain_text("in all")

    page.keyboard.press("Enter")

    page.wait_for_url(re.compile("/lessons/|/x/"))
    expect(page.get_by_role("dialog")).to_have_count(0)
    # In a run too, and with what was searched last, ready to be replaced.
    expect(page.locator(".panel")).to_be_visible()
    page.keyboard.press("/")
    expect(field(page)).to_have_value("NotEnoughReplicasException")
    page.keyboard.type("recovery point")
    expect(page.get_by_role("option").first).to_contain_text("recovery point")
    # The results of the last letter have arrived: new ones begin at the first again.
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/glossary#recovery-point"))
    expect(page.locator("#recovery-point")).to_be_in_viewport()


@pytest.mark.parametrize(
    ("address", "file"), [("/glossary", "**/SearchDialog*"), ("/docs", "**/assets/search.js*")]
)
def test_a_phone_loses_nothing_that_is_typed_while_the_search_is_loaded(
    open_page: Callable[..., Page], address: str, file: str
) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = open_page(f"{address}?lang=zh", reduced_motion="reduce", **phone)
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route(file, hold)
    page.get_by_role("button", name="搜索").locator("visible=true").tap()
    expect(page.get_by_role("textbox", name="搜索")).to_be_focused()

    # The keyboard of a phone sends text and no keys.
    page.keyboard.insert_text("脑裂")
    for route in waiting:
        route.continue_()

    expect(field(page)).to_have_value("脑裂")
    expect(field(page)).to_be_focused()
    page.get_by_role("button", name="关闭").tap()
    expect(page.get_by_role("button", name="搜索").locator("visible=true")).to_be_focused()


def test_the_documentation_has_the_same_search(page: Page) -> None:
    page.goto("/docs/how-to/share?lang=zh")
    page.keyboard.press("/")
    field(page).fill("脑裂")
    expect(page.get_by_role("option").first).to_contain_text("不知道自己被取代")

    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="搜索全部内容").click()
    page.get_by_role("option").first.click()

    page.wait_for_url(re.compile("/lessons/zombie-leader|/x/"))


def test_an_address_with_words_opens_their_results_on_a_phone(
    open_page: Callable[..., Page],
) -> None:
    page = open_page("/?q=zzzqqq&lang=en", has_touch=True, viewport={"width": 390, "height": 844})
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Nothing found for “zzzqqq”")

    dialog.get_by_role("link", name="Fidelity: what is left out").click()

    page.wait_for_url(re.compile("/fidelity"))
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
