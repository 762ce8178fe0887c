"""Building one's own: form, real cluster and file are one text, which is run and kept."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.run_page import POSITION

REAL = Path(__file__).parents[1] / "sim_engine/cluster_import/real/4.1.1"


@pytest.fixture
def build(page: Page) -> Page:
    page.goto("/new")
    expect(page.get_by_role("region", name="Preview")).to_contain_text("HW 3")
    return page


def test_the_form_changes_the_file_and_the_file_the_form(build: Page) -> None:
    build.get_by_role("button", name="+ broker").click()
    build.get_by_role("button", name="Append a record on broker 3").click()
    expect(build.get_by_role("region", name="Preview")).to_contain_text("HW 4")

    build.get_by_role("tab", name="File").click()
    editor = build.get_by_role("textbox", name="Scenario (YAML or JSON)")
    expect(editor).to_contain_text("brokers: [1, 2, 3, 4]")
    expect(editor).to_contain_text('3: {log: "m1/0 m2/0 m3/0 x4/1"}')
    editor.click()
    build.keyboard.press("Control+Home")
    build.keyboard.press("ArrowDown")
    build.keyboard.press("End")
    build.keyboard.type("x")
    build.get_by_role("tab", name="Form").click()
    build.get_by_role("button", name="Undo").click()
    build.get_by_role("tab", name="File").click()
    expect(editor).not_to_contain_text("my-runx")


def test_an_error_stands_under_its_line_and_the_run_waits(build: Page) -> None:
    build.get_by_role("tab", name="File").click()
    editor = build.get_by_role("textbox", name="Scenario (YAML or JSON)")
    editor.click()
    build.keyboard.press("Control+End")
    build.keyboard.type("  - crash: {broker: 9}")

    sentence = "there is no broker 9; brokers are 1, 2, 3"
    expect(build.locator(".cm-sentence")).to_have_text(sentence)
    expect(build.get_by_role("alert")).to_contain_text("✖ 1 error")
    expect(build.get_by_role("button", name="Run it")).to_be_disabled()
    expect(build.get_by_role("region", name="Preview")).to_contain_text("HW 3")


def test_the_editor_knows_the_format(build: Page) -> None:
    build.get_by_role("tab", name="File").click()
    build.get_by_role("textbox", name="Scenario (YAML or JSON)").click()
    build.keyboard.press("Control+End")
    build.keyboard.type("  - powe")

    offer = build.locator(".cm-tooltip-autocomplete li").first
    expect(offer).to_contain_text("power_loss")


def test_what_a_real_cluster_prints_is_run_and_kept_under_a_name(build: Page) -> None:
    build.get_by_role("tab", name="From a real cluster").click()
    pasted = (REAL / "topics.txt").read_text() + "==> broker-2/replication-offset-checkpoint <==\n"
    pasted += (REAL / "data-2/replication-offset-checkpoint").read_text()
    build.get_by_role("textbox", name="Output of the tools").fill(pasted)
    build.get_by_role("button", name="Read it").click()
    expect(build.get_by_text("Topic orders: 2 partitions")).to_be_visible()
    expect(build.get_by_text("The input does not contain the leader epoch of t-0.")).to_be_visible()

    build.get_by_role("button", name="Run it").click()
    expect(build).to_have_url(re.compile("/x/"))
    build.get_by_role("button", name="Crash broker 2").first.click()
    expect(build.locator(POSITION)).to_have_text("Step 1 of 1")

    build.get_by_role("link", name="Edit as a file").click()
    editor = build.get_by_role("textbox", name="Scenario (YAML or JSON)")
    expect(editor).to_contain_text("- crash: {broker: 2}")
    mine = build.get_by_role("region", name="My runs")
    mine.get_by_role("textbox", name="Name of Imported cluster").first.fill("Our outage")
    build.keyboard.press("Tab")
    build.reload()
    expect(mine.get_by_role("textbox", name="Name of Our outage")).to_be_visible()


def test_the_page_is_accessible_and_fits_a_phone(build: Page, axe_script: Path) -> None:
    build.set_viewport_size({"width": 320, "height": 700})
    build.evaluate(axe_script.read_text(encoding="utf-8"))
    for tab in ("Form", "From a real cluster", "File"):
        build.get_by_role("tab", name=tab).click()
        found = build.evaluate("() => axe.run({resultTypes: ['violations']})")
        assert [one["id"] for one in found["violations"]] == [], tab
        wide = build.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= 320, tab
