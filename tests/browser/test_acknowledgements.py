"""The way of an acknowledgement: from the leader's record to the producer, for a moment."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.run_page import LESSON, POSITION, frame_shown, open_run, wait_for_run

WATCH = """
() => {
  window.departed = [];
  const noted = new WeakSet();
  const note = (tick) => {
    const animation = tick.getAnimations().find((one) => one.animationName === "hw-acknowledge");
    if (animation === undefined || noted.has(animation)) return;
    noted.add(animation);
    const { delay, duration } = animation.effect.getTiming();
    const at = (ms) => {
      animation.currentTime = delay + ms;
      const { x, y, width, height } = tick.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    };
    window.departed.push({ duration, start: at(0), end: at(duration - 0.01) });
    document.documentElement.dataset.departed = window.departed.length;
  };
  new MutationObserver(() => document.querySelectorAll(".hw-acknowledgement").forEach(note))
    .observe(document.body, { subtree: true, childList: true, attributeFilter: ["class"] });
}
"""
"""Notes each acknowledgement that departs, with its first and its last place: as soon as it is
drawn, because a slow browser tells of the start of an animation when it and its element are gone.
"""


def departed(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("window.departed")
    return found


def is_inside(place: tuple[float, float], item: Locator) -> bool:
    box = item.bounding_box()
    assert box is not None
    x, y = place
    return box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"]


def go_to_step_4(page: Page) -> None:
    page.keyboard.press("g")
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    expect(page.locator(POSITION)).to_have_text("Step 4 of 14")
    frame_shown(page)
    page.evaluate(WATCH)


def test_an_acknowledgement_goes_from_the_leaders_record_to_the_producer_once(page: Page) -> None:
    open_run(page)
    go_to_step_4(page)

    page.keyboard.press("ArrowRight")
    expect(page.locator("html[data-departed]")).to_have_count(1)
    expect(page.locator(POSITION)).to_have_text("Step 5 of 14")
    frame_shown(page)

    # The step as a whole, which is shown after its messages, does not repeat it.
    (one,) = departed(page)
    assert one["duration"] == 200
    record = page.get_by_role("button", name=re.compile("^Broker 2: m2, offset 1"))
    assert is_inside(one["start"], record)
    chip = page.get_by_role("region", name="Producer p1").get_by_role(
        "button", name=re.compile("m2")
    )
    assert is_inside(one["end"], chip)
    # It stays above the record without taking its clicks.
    record.click()
    expect(record).to_have_attribute("aria-pressed", "true")


def test_with_reduced_motion_no_acknowledgement_moves(open_page: Callable[..., Page]) -> None:
    page = open_page(LESSON, reduced_motion="reduce")
    wait_for_run(page)
    go_to_step_4(page)

    page.keyboard.press("ArrowRight")
    expect(page.locator(POSITION)).to_have_text("Step 5 of 14")
    frame_shown(page)

    assert departed(page) == []
