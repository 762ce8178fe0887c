"""Two partitions on one stage: columns side by side where they fit, otherwise tabs."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.run_page import POSITION

SCENARIO = {
    "scenario": 1,
    "id": "two-partitions",
    "title": "Two partitions",
    "kafka": "4.1",
    "brokers": [1, 2, 3],
    "topics": [
        {
            "name": "t",
            "partitions": [
                {"replicas": [1, 2], "logs": {1: {"log": "a*3/0"}, 2: {"log": "a*3/0"}}},
                {"replicas": [3, 2], "logs": {3: {"log": "b*2/0"}, 2: {"log": "b*2/0"}}},
            ],
        }
    ],
    "steps": [{"produce": {"to": "t-0", "values": ["m1"], "acks": "all", "as": "p1"}}],
}


@pytest.fixture
def run(page: Page) -> Page:
    page.set_viewport_size({"width": 1440, "height": 900})
    session = page.request.post("/api/v1/sessions", data={"scenario": SCENARIO}).json()["id"]
    page.goto(f"/x/{session}?lang=en")
    expect(page.locator(POSITION)).to_have_text("Step 1 of 1")
    return page


def box_of(locator: Locator) -> FloatRect:
    box = locator.bounding_box()
    assert box is not None
    return box


def head_of(page: Page, partition: str) -> Locator:
    return page.get_by_role("group", name="Partitions", exact=True).get_by_role(
        "button", name=partition
    )


def record_of(page: Page, broker: int, partition: str, value: str) -> Locator:
    return page.get_by_role("button", name=re.compile(f"^Broker {broker}, {partition}: {value},"))


def test_partitions_are_side_by_side_and_share_their_rows(run: Page) -> None:
    boxes = [
        record_of(run, 2, partition, value).bounding_box()
        for partition, value in (("t-0", "a3"), ("t-1", "b1"))
    ]
    first, second = boxes
    assert first is not None
    assert second is not None
    assert first["y"] == second["y"]
    assert first["x"] + first["width"] < second["x"]
    expect(run.get_by_role("tab", name="t-1")).to_have_count(0)
    expect(run.get_by_text("no replica of t-1 here")).to_be_visible()
    expect(run.get_by_text("no replica of t-0 here")).to_be_visible()


def test_cards_wrap_in_their_column_and_name_both_ends(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    topics = [{"name": "t", "partitions": [{"replicas": [1, 2, 3]}, {"replicas": [2, 3, 1]}]}]
    produced = {"produce": {"to": "t-0", "values": ["m1"]}}
    sent = [{"send_fetch": {"broker": broker, "partition": "t-0"}} for broker in (2, 3)]
    scenario = {**SCENARIO, "topics": topics, "steps": [produced, *sent]}
    session = page.request.post("/api/v1/sessions", data={"scenario": scenario}).json()["id"]

    page.goto(f"/x/{session}?lang=en&frame=3")

    inbox = page.get_by_role("list", name="Messages to Broker 1")
    cards = inbox.get_by_role("listitem")
    expect(cards).to_have_text([re.compile("^2 → 1 fetch"), re.compile("^3 → 1 fetch")])
    room = box_of(inbox)
    for card in cards.all():
        button = box_of(card.get_by_role("button", name=re.compile("^Hold")))
        assert button["x"] + button["width"] <= room["x"] + room["width"]
        assert button["y"] + button["height"] <= room["y"] + room["height"]


def test_the_column_in_use_is_the_active_partition(run: Page) -> None:
    actions = run.get_by_role("region", name="Possible actions")
    expect(head_of(run, "t-0")).to_have_attribute("aria-pressed", "true")

    record_of(run, 3, "t-1", "b2").click()

    expect(head_of(run, "t-1")).to_have_attribute("aria-pressed", "true")
    produce = actions.get_by_role("button", name=re.compile("^Produce .* to t-1, acks=all"))
    produce.first.click()
    expect(run.locator(POSITION)).to_have_text("Step 2 of 2")
    expect(head_of(run, "t-1")).to_have_attribute("aria-pressed", "true")
    expect(
        run.get_by_role("button", name=re.compile(r"^Broker 3, t-1: .*offset 2"))
    ).to_be_visible()
    # Another step is about the other partition.
    run.keyboard.press("ArrowLeft")
    expect(run.locator(POSITION)).to_have_text("Step 1 of 2")
    expect(head_of(run, "t-0")).to_have_attribute("aria-pressed", "true")


def test_arrow_keys_move_from_column_to_column(run: Page) -> None:
    record_of(run, 2, "t-0", "a3").focus()

    run.keyboard.press("ArrowRight")
    expect(record_of(run, 2, "t-1", "b1")).to_be_focused()
    expect(head_of(run, "t-1")).to_have_attribute("aria-pressed", "true")
    run.keyboard.press("ArrowDown")
    expect(record_of(run, 3, "t-1", "b1")).to_be_focused()
    run.keyboard.press("ArrowUp")
    run.keyboard.press("ArrowLeft")
    expect(record_of(run, 2, "t-0", "a3")).to_be_focused()
    # The keys moved the focus, not the run.
    expect(run.locator(POSITION)).to_have_text("Step 1 of 1")


def test_columns_are_accessible(run: Page, axe_script: Path) -> None:
    run.evaluate(axe_script.read_text(encoding="utf-8"))
    found = run.evaluate("() => axe.run({resultTypes: ['violations']})")

    assert [one["id"] for one in found["violations"]] == []


def test_partitions_that_do_not_fit_have_tabs(run: Page) -> None:
    run.set_viewport_size({"width": 390, "height": 844})

    tab = run.get_by_role("tab", name="t-1")
    expect(tab).to_have_attribute("aria-selected", "false")
    tab.click()

    expect(tab).to_have_attribute("aria-selected", "true")
    expect(run.get_by_role("button", name=re.compile("^Broker 3: b1,"))).to_be_visible()
    assert run.evaluate("() => document.documentElement.scrollWidth") <= 390
