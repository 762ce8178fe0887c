"""My cluster: from what a cluster prints to a verdict, its runs and its link."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_pages import LOOKS, RINGS, WIDER, violations

Open = Callable[..., Page]

INCIDENT = """\
Topic: payments\tTopicId: h4f2ViYwTHSpxCibC4uCOw\tPartitionCount: 2\tReplicationFactor: 3\tConfigs: min.insync.replicas=1
\tTopic: payments\tPartition: 0\tLeader: 2\tReplicas: 2,3,1\tIsr: 2\tElr: \tLastKnownElr:
\tTopic: payments\tPartition: 1\tLeader: 3\tReplicas: 3,1,2\tIsr: 3,1,2\tElr: \tLastKnownElr:
"""  # noqa: E501  # as the tool prints it
DECIDED_MS = 120_000
CUT_AT = """Math.max(0, ...[...document.querySelectorAll('[role="grid"], [role="grid"] .cell')].map(
  (element) => element.scrollWidth - element.clientWidth))"""


def assessed(page: Page, text: str = INCIDENT) -> Page:
    """The verdict about a pasted text, complete: one click after the text is pasted."""
    page.goto("/assess")
    page.get_by_role("textbox").first.fill(text)
    page.get_by_role("button", name=re.compile("Show what it can lose|看看会丢什么")).click()
    share = page.get_by_role("button", name=re.compile("^(Share|分享)$"))
    expect(share).to_be_enabled(timeout=DECIDED_MS)
    return page


def test_a_pasted_incident_has_a_verdict_after_one_click_and_its_run_after_the_second(
    page: Page,
) -> None:
    assessed(page)

    expect(page.get_by_role("heading", level=1)).to_contain_text("payments-0")
    cell = page.get_by_role("gridcell", name=re.compile("payments-0, one broker loses power: "))
    expect(cell).to_have_accessible_name(re.compile("can be lost|lost"))
    cell.hover()
    page.get_by_role("button", name="Watch this run").click()

    page.wait_for_url(re.compile("/x/"))
    expect(page.locator(".track[role=slider]")).to_be_visible()
    expect(page.get_by_role("banner")).to_contain_text("payments-0, one broker loses power")
    page.go_back()
    expect(cell).to_be_visible()
    # The tab keeps the paste for a reload.
    page.reload()
    expect(cell).to_be_visible(timeout=DECIDED_MS)


ONE_COPY = """\
Topic: audit\tPartitionCount: 1\tReplicationFactor: 2\tConfigs: min.insync.replicas=1
\tTopic: audit\tPartition: 0\tLeader: 6\tReplicas: 6,1\tIsr: 6
"""


def test_a_search_runs_by_itself_and_its_loss_is_a_run_with_the_readers_brokers(page: Page) -> None:
    assessed(page, ONE_COPY)
    searches = page.get_by_role("region", name="Searches")

    found = searches.get_by_text("an acknowledged record is lost in 2 steps with 1 power loss")
    expect(found).to_be_visible(timeout=DECIDED_MS)
    expect(searches).to_contain_text(
        re.compile("with up to . broker crash(es)?, 1 more record: no acknowledged record is lost")
    )
    expect(searches).to_contain_text(re.compile("All [0-9,]+ states were tried, in whole steps"))
    searches.get_by_text("What was left out").first.click()
    expect(searches.get_by_text("Left out: power losses, disk losses")).to_be_visible()
    stop = searches.get_by_role("button", name="Stop")
    stop.click()
    expect(stop).to_have_count(0)
    expect(searches.get_by_role("button", name="Search audit-0")).to_be_visible()
    searches.get_by_role("button", name="Watch this run").click()

    page.wait_for_url(re.compile("/x/"))
    expect(page.locator(".track[role=slider]")).to_be_visible()
    expect(page.get_by_role("banner")).to_contain_text("audit-0")
    page.go_back()
    expect(found).to_be_visible()


def test_racks_decide_whether_all_lose_power_together(page: Page) -> None:
    assessed(page)
    films = page.get_by_role("region", name="Known ways to lose")
    expect(films).to_contain_text("depends on your racks")

    page.get_by_role("button", name="racks none named").click()
    for broker in (1, 2, 3):
        page.get_by_label(f"Rack of broker {broker}").fill("a")
    page.get_by_role("button", name="Apply").click()

    expect(page.get_by_role("button", name="racks 1 rack")).to_be_visible()
    expect(page.get_by_role("button", name="Share", exact=True)).to_be_enabled(timeout=DECIDED_MS)
    expect(films).not_to_contain_text("depends on your racks")
    expect(films).to_contain_text("are all in rack a")
    page.get_by_role("button", name="undo the changes").click()
    expect(page.get_by_role("button", name="racks none named")).to_be_visible()


def test_the_table_works_with_the_keyboard_alone(page: Page) -> None:
    assessed(page)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    grid = page.get_by_role("grid")
    while not grid.evaluate("grid => grid.contains(document.activeElement)"):
        page.keyboard.press("Tab")

    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    focused = page.locator(":focus")
    expect(focused).to_have_accessible_name(re.compile("payments-0, one broker loses power"))
    page.keyboard.press("Tab")
    expect(grid.locator(":focus")).to_have_count(0)
    page.keyboard.press("Shift+Tab")
    expect(focused).to_have_accessible_name(re.compile("payments-0, one broker loses power"))
    page.keyboard.press("Enter")

    page.wait_for_url(re.compile("/x/"))
    expect(page.locator(".track[role=slider]")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.go_back()
    expect(focused).to_have_accessible_name(re.compile("payments-0, one broker loses power"))


def test_a_changed_setting_redraws_the_table_and_can_be_taken_back(page: Page) -> None:
    assessed(page)
    before = page.get_by_role("grid").inner_text()

    page.get_by_label("min.insync.replicas").select_option("2")

    expect(page.get_by_role("button", name="undo the changes")).to_be_visible()
    share = page.get_by_role("button", name="Share", exact=True)
    expect(share).to_be_enabled(timeout=DECIDED_MS)
    assert page.get_by_role("grid").inner_text() != before
    page.get_by_role("button", name="undo the changes").click()
    expect(page.get_by_role("grid")).to_have_text(before, use_inner_text=True)


def test_a_link_shows_the_verdict_to_others_and_is_deleted_by_its_author(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    assessed(page)
    sentence = page.get_by_role("heading", level=1).inner_text()

    page.get_by_role("button", name="Share", exact=True).click()
    link = page.locator("a.address")
    expect(link).to_be_visible(timeout=DECIDED_MS)  # it computes the verdict again
    address = page.evaluate("navigator.clipboard.readText()")
    assert re.search(r"/assess/s/[0-9a-z]{26}$", address)
    other = page.context.new_page()
    other.goto(address)
    expect(other.get_by_role("heading", level=1)).to_have_text(sentence)
    expect(other.get_by_role("grid")).to_be_visible()
    page.get_by_role("button", name="Delete the link").click()
    expect(page.get_by_text("The link was deleted.")).to_be_visible()
    other.reload()
    expect(other.get_by_role("grid")).to_have_count(0)


def test_the_report_is_copied_without_storing_anything(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    assessed(page)

    page.get_by_role("button", name="Copy as Markdown").click()

    expect(page.get_by_role("button", name="Copied")).to_be_visible(timeout=DECIDED_MS)
    report = page.evaluate("navigator.clipboard.readText()")
    assert report.startswith("## ")
    assert "payments-0" in report
    expect(page.locator("a.address")).to_have_count(0)


def test_a_text_that_no_tool_prints_is_an_error_with_its_line(page: Page) -> None:
    page.goto("/assess")
    page.get_by_role("textbox").first.fill("what is this\n")
    page.get_by_role("button", name="Show what it can lose").click()

    expect(page.get_by_role("alert")).to_contain_text("1 line cannot be parsed")
    expect(page.get_by_role("textbox").first).to_have_value("what is this\n")


@pytest.mark.parametrize(("theme", "locale"), LOOKS)
def test_axe_finds_nothing_in_a_verdict_and_nothing_is_too_wide(
    theme: str, locale: str, open_page: Open, axe_script: Path
) -> None:
    page = open_page(
        "/assess", color_scheme=theme, locale=locale, bypass_csp=True, reduced_motion="reduce"
    )
    assessed(page)

    wide = []
    for width in (1440, 1280, 1180, 1000, 861, 860, 390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        page.wait_for_timeout(100)
        if page.evaluate(WIDER) > 0 or page.evaluate(CUT_AT) > 0:
            wide.append(width)
    assert wide == []
    assert violations(page, axe_script) == []
    assert page.evaluate(RINGS) == []


def test_a_phone_has_cards_with_lines_and_tiles(open_page: Open) -> None:
    page = open_page("/assess?lang=en", viewport={"width": 390, "height": 844})
    assessed(page)

    expect(page.get_by_role("grid")).to_have_count(0)
    line = page.get_by_role("button", name=re.compile("payments-0, it loses power"))
    expect(line).to_be_visible()
    tile = page.get_by_role("button", name=re.compile("payments-1, disk"))
    box = tile.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    tile.click()
    expect(page.get_by_role("button", name=re.compile("^payments-1")).first).to_have_attribute(
        "aria-expanded", "true"
    )


def test_twenty_thousand_partitions_scroll_smoothly(open_page: Open) -> None:
    """Alike partitions are one row, and of their names only those in view are drawn."""
    lines = [
        f"\tTopic: big\tPartition: {number}\tLeader: {1 + number % 3}\t"
        f"Replicas: {','.join(str(1 + (number + place) % 3) for place in range(3))}\t"
        f"Isr: {','.join(str(1 + (number + place) % 3) for place in range(3))}"
        for number in range(20_000)
    ]
    head = "Topic: big\tPartitionCount: 20000\tReplicationFactor: 3\tConfigs: min.insync.replicas=2"
    page = open_page("/assess?lang=en", viewport={"width": 1440, "height": 900})
    text = "\n".join([head, *lines]).encode()
    described = {"name": "topics.txt", "mimeType": "text/plain", "buffer": text}
    page.locator("input[type=file]").set_input_files(described)  # type: ignore[arg-type]
    page.get_by_role("button", name="Show what it can lose").click()
    expect(page.get_by_role("button", name="Share", exact=True)).to_be_enabled(timeout=DECIDED_MS)

    head_cell = page.get_by_role("rowheader").first
    expect(head_cell).to_contain_text("and 19,996 more")
    head_cell.click()
    assert page.locator("[role=grid] *").count() < 1_000
    names = page.get_by_role("group", name=re.compile("19,999 partitions like"))
    names.evaluate("list => list.scrollTo(0, list.scrollHeight)")
    expect(names).to_contain_text("big-19999")
