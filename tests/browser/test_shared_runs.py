"""The tab of shared runs on the insights page: losses by cause, as chart, table, file and text."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import Locator, Page, expect

from sim_engine.invariants.fates import LOSS_CAUSES
from tests.browser.test_pages import LOOKS, violations

RUNS = {cause: 30 - number for number, cause in enumerate((*LOSS_CAUSES, "unknown"))}
SUMMARY: dict[str, Any] = {
    "generated_at": "2026-03-04T12:00:00Z",
    "engine": "0.1.0",
    "shares_read": 400,
    "first_share_at": "2026-03-01T12:00:00Z",
    "last_share_at": "2026-03-04T11:00:00Z",
    "loss": [],
    "faults": [],
    "causes": [
        {"cause": cause, "runs": runs, "lost_acks_all": runs - 20} for cause, runs in RUNS.items()
    ],
    "lessons": [],
}


@pytest.fixture
def shared(open_page: Callable[..., Page]) -> Callable[..., Page]:
    """Opens the tab, with a summary of the service that has every cause."""

    def opened(**settings: Any) -> Page:
        page = open_page("/", **settings)
        page.route("**/api/v1/insights/summary", lambda route: route.fulfill(json=SUMMARY))
        page.goto("/insights")
        page.get_by_role("tab", name=re.compile("Shared runs|分享的运行")).click()
        return page

    return opened


def panel_of(page: Page, title: str) -> Locator:
    heading = page.get_by_role("heading", name=re.compile(title))
    return page.get_by_role("region").filter(has=heading)


def test_losses_are_shown_by_cause_as_chart_table_and_file(shared: Callable[..., Page]) -> None:
    page = shared(locale="en-GB")
    panel = panel_of(page, "Most frequent known cause of a loss: power loss, in 30 shared runs")
    expect(page.get_by_role("heading", level=1)).to_have_text("Shared runs")

    expect(panel.get_by_role("listitem")).to_have_count(len(RUNS))
    expect(panel.get_by_role("listitem").first).to_have_text(
        re.compile("power loss.*30, of which 10 lost a record with acks=all")
    )
    expect(panel).to_contain_text("24 older runs do not determine the cause")
    address = panel.get_by_role("link").get_attribute("href")
    panel.get_by_role("button", name="Table").press("Enter")
    rows = panel.get_by_role("table").get_by_role("row")

    expect(rows).to_have_count(1 + len(RUNS))
    expect(rows.nth(3)).to_have_text(re.compile(r"unclean election\s*28\s*8"))
    expect(rows.last).to_have_text(re.compile(r"unknown\s*24\s*4"))
    assert "%" not in panel.inner_text()
    assert address is not None
    assert unquote(address).partition(",")[2].split() == [
        "cause,runs,lost_acks_all",
        *(f"{cause},{runs},{runs - 20}" for cause, runs in RUNS.items()),
    ]


@pytest.mark.parametrize(("theme", "locale"), LOOKS)
def test_axe_finds_nothing_on_the_tab(
    theme: str, locale: str, shared: Callable[..., Page], axe_script: Path
) -> None:
    page = shared(color_scheme=theme, locale=locale, bypass_csp=True, reduced_motion="reduce")
    expect(panel_of(page, "断电" if locale == "zh-CN" else "power loss")).to_be_visible()

    assert violations(page, axe_script) == []
