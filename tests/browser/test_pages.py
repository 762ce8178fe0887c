"""Every page in both languages and both themes, on narrow screens, and without a mouse."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from backend.pages.site import SITE_PAGES

PAGES = {
    **{page.path: page.path for page in SITE_PAGES},
    "a run": "/lessons/kip-101-data-loss",
    "a run of three brokers": "/lessons/three-brokers-three-epochs",
    "an article": "/articles/4",
    "a challenge": "/challenges/power-of-two",
    "a recording": "/recordings/s27-unnoticed-bounce-clean-election-0.10.2.2",
    "a run that is gone": "/x/00000000000000000000000000",
    "a share that never was": "/s/00000000000000000000000000",
}
LOOKS = [("light", "en-GB"), ("dark", "zh-CN")]


SIZES = [(1440, 900), (390, 844), (320, 640)]


def violations(page: Page, axe_script: Path) -> list[Any]:
    """The findings of axe-core at each size, with the first elements of each."""
    page.add_script_tag(path=axe_script)
    found: list[Any] = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(100)
        result: list[dict[str, Any]] = page.evaluate("axe.run().then((one) => one.violations)")
        found += [
            (width, one["id"], [node["target"] for node in one["nodes"]][:3]) for one in result
        ]
    return found


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("theme", "locale"), LOOKS)
def test_axe_finds_nothing_at_any_size(
    name: str, theme: str, locale: str, open_page: Callable[..., Page], axe_script: Path
) -> None:
    page = open_page(
        PAGES[name], color_scheme=theme, locale=locale, bypass_csp=True, reduced_motion="reduce"
    )
    expect(page.locator("main")).to_be_visible()
    if "/lessons/" in PAGES[name]:
        page.wait_for_url(re.compile("/x/"))
        page.keyboard.press("End")
        page.wait_for_timeout(300)

    assert violations(page, axe_script) == []


DIALOGS = {"help": "?", "share": "s", "search": "f", "a step": "Shift+P", "settings": None}


@pytest.mark.parametrize("name", DIALOGS)
@pytest.mark.parametrize(("theme", "locale"), LOOKS)
def test_axe_finds_nothing_in_a_dialog(
    name: str, theme: str, locale: str, open_page: Callable[..., Page], axe_script: Path
) -> None:
    page = open_page(
        PAGES["a run"], color_scheme=theme, locale=locale, bypass_csp=True, reduced_motion="reduce"
    )
    page.wait_for_url(re.compile("/x/"))
    expect(page.locator("main")).to_be_visible()
    key = DIALOGS[name]
    if key is None:
        page.locator("header .chip.set >> visible=true").first.click()
    else:
        page.keyboard.press(key)
    expect(page.get_by_role("dialog")).to_be_visible()

    assert violations(page, axe_script) == []


@pytest.mark.parametrize(("theme", "locale"), LOOKS)
def test_axe_finds_nothing_in_the_tree_of_branches(
    theme: str, locale: str, open_page: Callable[..., Page], axe_script: Path
) -> None:
    page = open_page(
        PAGES["a run"], color_scheme=theme, locale=locale, bypass_csp=True, reduced_motion="reduce"
    )
    page.wait_for_url(re.compile("/x/"))
    expect(page.locator("#why-step")).to_be_visible()
    page.keyboard.press("1")
    page.get_by_role("toolbar").get_by_role("button").first.click()
    expect(page.locator("#why-step")).to_have_text(re.compile("1"))
    page.keyboard.press("Shift+B")
    expect(page.get_by_role("dialog")).to_be_visible()

    assert violations(page, axe_script) == []


@pytest.mark.parametrize(("theme", "locale"), LOOKS)
def test_axe_finds_nothing_in_the_player_of_an_embed(
    theme: str, locale: str, open_page: Callable[..., Page], axe_script: Path
) -> None:
    page = open_page("/fidelity", color_scheme=theme, locale=locale, bypass_csp=True)
    api = page.request
    session = api.post("/api/v1/sessions", data={"scenario_id": "kip-101-data-loss"}).json()
    made = api.post(
        "/api/v1/shares",
        data={"session": session["id"], "at": session["head"]},
        headers={"Idempotency-Key": session["id"]},
    ).json()
    page.goto(f"/e/v1/s/{made['sid']}")
    expect(page.get_by_role("button", name=re.compile("Play|播放")).first).to_be_visible()

    assert violations(page, axe_script) == []


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
    page.wait_for_url(re.compile("/x/"))
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(page.locator("section.question")).to_be_visible()
    assert violations(page, axe_script) == []

    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("tab").nth(1).click()
    assert violations(page, axe_script) == []

    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("combobox", name="Kafka", exact=True).click()
    page.add_script_tag(path=axe_script)
    assert page.evaluate("axe.run().then((one) => one.violations.map((each) => each.id))") == []


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_wider_than_a_narrow_screen(name: str, open_page: Callable[..., Page]) -> None:
    page = open_page(PAGES[name], viewport={"width": 320, "height": 700})
    expect(page.locator("main")).to_be_visible()

    wider: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")

    assert wider <= 0


def test_the_language_of_the_browser_is_the_first(open_page: Callable[..., Page]) -> None:
    page = open_page("/", locale="zh-CN")

    expect(page.get_by_role("heading", level=1)).to_contain_text("却还是丢了")
    assert page.evaluate("document.documentElement.lang") == "zh-CN"

    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Watch how it is lost")


def test_each_step_is_announced(open_page: Callable[..., Page]) -> None:
    page = open_page(PAGES["a run"])
    page.wait_for_url(re.compile("/x/"))
    said = page.locator("[role=status][aria-live=polite]").last

    page.keyboard.press("ArrowRight")

    expect(said).not_to_have_text("")
    expect(said).to_have_text(page.locator(".sentence").inner_text())


def test_a_share_shows_its_figure_before_any_script(
    open_page: Callable[..., Page], base_url: str
) -> None:
    page = open_page(PAGES["a run"])
    page.wait_for_url(re.compile("/x/"))
    page.get_by_role("button", name="Share").click()
    link = page.get_by_role("textbox", name="Link").input_value()

    without_script = open_page(link, java_script_enabled=False)

    expect(without_script.locator("svg").first).to_be_visible()


@pytest.mark.parametrize("path", ["/s/00000000000000000000000000", "/x/wrong", "/nothing/here"])
def test_a_dead_link_has_the_site_around_it_and_leads_home(
    path: str, open_page: Callable[..., Page]
) -> None:
    page = open_page(path, locale="zh-CN")

    expect(page.get_by_role("heading", level=1)).to_have_text("页面不存在")
    expect(page.get_by_role("banner").get_by_role("link", name="Highwater")).to_be_visible()
    page.get_by_role("alert").get_by_role("link").first.click()
    expect(page).to_have_url(re.compile("/#lessons$"))
