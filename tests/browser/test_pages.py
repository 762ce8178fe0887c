"""Every page in both languages and both themes, on narrow screens, and without a mouse."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from backend.pages.site import SITE_PAGES
from tests.browser.run_page import POSITION, open_session, visit, wait_for_run

PAGES = {
    **{page.path: page.path for page in SITE_PAGES},
    "the documentation": "/docs",
    "a tutorial": "/docs/tutorial/first-loss",
    "the settings": "/docs/reference/settings",
    "a run": "/lessons/kip-101-data-loss",
    "a run of three brokers": "/lessons/three-brokers-three-epochs",
    "a held message": "/lessons/missed-deposition?step=10",
    "an article": "/articles/4",
    "a challenge": "/challenges/power-of-two",
    "another challenge": "/challenges/at-risk",
    "a recording": "/recordings/s27-unnoticed-bounce-clean-election-0.10.2.2",
    "a run that is gone": "/x/00000000000000000000000000",
    "a share that never was": "/s/00000000000000000000000000",
}
# Where a part of the page that scrolls could cut off the ring of the keyboard's focus.
RINGED = {*(page.path for page in SITE_PAGES), "a held message", "an article", "another challenge"}
LOOKS = [("light", "en-GB"), ("dark", "zh-CN")]
# Each width in one look at least: what axe finds depends on the look or on the width, not on both.
SIZES = {"light": [(1440, 900), (390, 844)], "dark": [(1440, 900), (320, 640)]}


WIDER = "document.documentElement.scrollWidth - innerWidth"
RINGS = Path(__file__).parents[1].joinpath("clipped_rings.js").read_text(encoding="utf-8")


def violations(page: Page, axe_script: Path, theme: str = "light") -> list[Any]:
    """The findings of axe-core at each size of a look, with the first elements of each."""
    page.add_script_tag(path=axe_script)
    found: list[Any] = []
    for width, height in SIZES[theme]:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(100)
        result: list[dict[str, Any]] = page.evaluate("axe.run().then((one) => one.violations)")
        found += [
            (width, one["id"], [node["target"] for node in one["nodes"]][:3]) for one in result
        ]
    return found


def cut_rings(page: Page) -> list[Any]:
    """The rings of the keyboard's focus that something cuts off at each width."""
    found: list[Any] = []
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 640})
        page.wait_for_timeout(100)
        page.keyboard.press("Tab")
        found += [(width, "focus ring", one) for one in page.evaluate(RINGS)]
    return found


@pytest.mark.parametrize(("theme", "locale"), LOOKS)
def test_axe_finds_nothing_at_any_size_and_nothing_is_too_wide_or_cuts_off_a_focus_ring(
    theme: str, locale: str, open_page: Callable[..., Page], axe_script: Path
) -> None:
    page = open_page(
        "/docs", color_scheme=theme, locale=locale, bypass_csp=True, reduced_motion="reduce"
    )
    wrong: dict[str, list[Any]] = {}

    for name, path in PAGES.items():
        visit(page, path, (320, 640))
        expect(page.locator("main")).to_be_visible()
        found: list[Any] = [(320, "wider", wide)] if (wide := page.evaluate(WIDER)) > 0 else []
        if "/lessons/" in path:
            wait_for_run(page)
            if "step=" not in path:
                page.keyboard.press("End")
                page.wait_for_timeout(300)
        found += violations(page, axe_script, theme)
        if theme == "light" and name in RINGED:
            found += cut_rings(page)
        if found:
            wrong[name] = found

    assert wrong == {}


def a_dialog(key: str) -> Callable[[Page], None]:
    def open_(page: Page) -> None:
        page.keyboard.press(key)
        expect(page.get_by_role("dialog")).to_be_visible()

    return open_


def the_settings(page: Page) -> None:
    page.locator("header .chip.set >> visible=true").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()


def messages_over_time_alone(page: Page) -> None:
    page.keyboard.press("v")
    expect(page.locator(".messages-over-time")).to_be_visible()


def the_tree_of_branches(page: Page) -> None:
    page.keyboard.press("1")
    page.get_by_role("toolbar").get_by_role("button").first.click()
    expect(page.locator(POSITION)).to_have_text(re.compile("1"))
    page.keyboard.press("Shift+B")
    expect(page.get_by_role("dialog")).to_be_visible()


STATES: dict[str, Callable[[Page], None]] = {
    "help": a_dialog("?"),
    "share": a_dialog("s"),
    "search": a_dialog("f"),
    "a step": a_dialog("Shift+P"),
    "settings": the_settings,
    "messages over time alone": messages_over_time_alone,
    "the tree of branches": the_tree_of_branches,
}


@pytest.mark.parametrize(("theme", "locale"), LOOKS)
def test_axe_finds_nothing_in_a_state_of_a_run(
    theme: str, locale: str, open_page: Callable[..., Page], axe_script: Path
) -> None:
    page = open_page(
        PAGES["a run"], color_scheme=theme, locale=locale, bypass_csp=True, reduced_motion="reduce"
    )
    wait_for_run(page)
    expect(page.locator(POSITION)).to_be_visible()
    wrong: dict[str, list[Any]] = {}

    for name, bring in STATES.items():
        page.set_viewport_size({"width": 1280, "height": 720})
        bring(page)
        if found := violations(page, axe_script, theme):
            wrong[name] = found
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)

    assert wrong == {}


@pytest.mark.parametrize(("theme", "locale"), LOOKS)
def test_axe_finds_nothing_in_the_player_of_an_embed(
    theme: str, locale: str, open_page: Callable[..., Page], axe_script: Path
) -> None:
    page = open_page("/docs", color_scheme=theme, locale=locale, bypass_csp=True)
    api = page.request
    session = api.post("/api/v1/sessions", data={"scenario_id": "kip-101-data-loss"}).json()
    made = api.post(
        "/api/v1/shares",
        data={"session": session["id"], "at": session["head"]},
        headers={"Idempotency-Key": session["id"]},
    ).json()
    page.goto(f"/e/v1/s/{made['sid']}")
    expect(page.get_by_role("button", name=re.compile("Play|播放")).first).to_be_visible()

    assert violations(page, axe_script, theme) == []


@pytest.mark.parametrize(("theme", "locale"), LOOKS)
def test_axe_finds_nothing_in_a_question_a_list_or_the_other_tabs(
    theme: str, locale: str, open_page: Callable[..., Page], axe_script: Path
) -> None:
    page = open_page(
        PAGES["a run"],
        color_scheme=theme,
        locale=locale,
        bypass_csp=True,
        reduced_motion="reduce",
        viewport={"width": 390, "height": 844},
    )
    wait_for_run(page)
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(page.locator("section.question")).to_be_visible()
    assert violations(page, axe_script, theme) == []

    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("tab").nth(1).click()
    assert violations(page, axe_script, theme) == []

    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("combobox", name="Kafka", exact=True).click()
    page.add_script_tag(path=axe_script)
    assert page.evaluate("axe.run().then((one) => one.violations.map((each) => each.id))") == []


def test_the_language_of_the_browser_is_the_first(open_page: Callable[..., Page]) -> None:
    page = open_page("/", locale="zh-CN")

    expect(page.get_by_role("heading", level=1)).to_contain_text("一个版本丢了它")
    assert page.evaluate("document.documentElement.lang") == "zh-CN"

    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("One release loses it")


def test_each_step_is_announced(open_page: Callable[..., Page]) -> None:
    page = open_page(PAGES["a run"])
    wait_for_run(page)
    said = page.locator("[role=status][aria-live=polite]").last

    page.keyboard.press("ArrowRight")

    expect(said).not_to_have_text("")
    expect(said).to_have_text(page.locator(".sentence").inner_text())


def test_a_share_shows_its_figure_before_any_script(
    open_page: Callable[..., Page], base_url: str
) -> None:
    page = open_page("/articles")
    open_session(page)
    page.get_by_role("button", name="Share").click()
    link = page.get_by_role("textbox", name="Link").input_value()

    without_script = open_page(link, java_script_enabled=False)

    expect(without_script.locator("svg").first).to_be_visible()


def test_a_dead_link_has_the_site_around_it_and_leads_home(open_page: Callable[..., Page]) -> None:
    page = open_page("/docs", locale="zh-CN")
    for path in ("/s/00000000000000000000000000", "/x/wrong", "/nothing/here"):
        page.goto(path)

        expect(page.get_by_role("heading", level=1)).to_have_text("页面不存在")
        expect(page.get_by_role("banner").get_by_role("link", name="Highwater")).to_be_visible()
        page.get_by_role("alert").get_by_role("link").first.click()
        expect(page).to_have_url(re.compile("/#lessons$"))
