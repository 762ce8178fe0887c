"""A leader that does not know that it was deposed: on the stage and in the strip of properties."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.run_page import POSITION, frames_of, open_run, properties_of, wait_for_run

LESSON = "/lessons/zombie-leader"
STALE = "Broker 1 still believes that it leads t-0"

LOOKS: tuple[dict[str, Any], ...] = (
    {"color_scheme": "light"},
    {"color_scheme": "dark"},
    {"forced_colors": "active"},
)
CROWN = """
(crown) => {
  const { fill, stroke, strokeDasharray } = getComputedStyle(crown);
  const { backgroundColor } = getComputedStyle(crown.closest(".hw-stage"));
  return { fill, stroke, dashes: strokeDasharray, surface: backgroundColor };
}
"""


def open_at(page: Page, step: int) -> None:
    """Opens the end of a step by its address, past the question."""
    last = max(frame["frame"] for frame in frames_of(page) if frame["step"] == step)
    page.goto(f"{page.url.split('?')[0]}?frame={last}&lang=en")
    expect(page.locator(POSITION)).to_have_text(re.compile(f"^Step {step} of"))


def luminance(colour: str) -> float:
    """The relative luminance (WCAG) of a computed colour."""
    shares = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares]
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def test_the_strip_says_that_two_brokers_lead_and_leads_to_the_step(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    open_run(page, LESSON)
    strip = properties_of(page)
    open_at(page, 3)
    expect(strip.get_by_text(STALE)).to_have_count(0)
    open_at(page, 6)
    expect(strip.get_by_text(STALE)).to_be_visible()
    # A narrow strip names it in fewer words; neither is cut.
    for width, words in ((1280, "Broker 1: stale leader"), (1440, STALE)):
        page.set_viewport_size({"width": width, "height": 900})
        told = strip.get_by_text(words)
        expect(told).to_be_visible()
        assert told.evaluate("one => one.scrollWidth <= one.clientWidth")

    strip.get_by_role("button", name=re.compile("^since step 4")).click()

    expect(page.locator(POSITION)).to_have_text(re.compile("^Step 4 of"))
    expect(strip.get_by_text(STALE)).to_be_visible()
    open_at(page, frames_of(page)[-1]["step"])
    expect(strip.get_by_text(STALE)).to_have_count(0)


def test_on_a_phone_the_only_line_of_the_strip_says_it(open_page: Callable[..., Page]) -> None:
    page = open_page(f"{LESSON}?lang=en", viewport={"width": 390, "height": 844}, has_touch=True)
    wait_for_run(page)
    line = properties_of(page)
    height = line.bounding_box()
    for _ in range(4):
        page.keyboard.press("ArrowRight")

    expect(line.get_by_text("Broker 1: stale leader")).to_be_visible()
    expect(line.get_by_text("No acknowledged record is lost")).to_have_count(0)
    now = line.bounding_box()
    assert height is not None
    assert now is not None
    assert now["height"] == height["height"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_crown_of_a_stale_leader_is_a_dashed_outline_that_can_be_seen(
    open_page: Callable[..., Page],
) -> None:
    page = open_page(f"{LESSON}?lang=en")
    wait_for_run(page)
    open_at(page, 4)

    stale = page.get_by_role("button", name=re.compile(r"^Broker 1, still leader · epoch 0\?"))
    expect(stale).to_be_visible()
    crown = page.locator(".hw-broker", has_text="Broker 1").locator("path.hw-stroke-warn")
    seen = []
    for look in LOOKS:
        page.emulate_media(**look)
        drawn = crown.evaluate(CROWN)
        seen.append((drawn["stroke"], drawn["surface"]))
        assert drawn["fill"] == "none", look
        assert drawn["dashes"] != "none", look
        lighter, darker = sorted(
            (luminance(drawn["stroke"]), luminance(drawn["surface"])), reverse=True
        )
        assert (lighter + 0.05) / (darker + 0.05) >= 3, look
    assert len({*seen}) == len(LOOKS)


def test_no_title_of_the_strip_is_cut_beside_a_stale_leader(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    open_run(page, LESSON)
    open_at(page, 9)

    strip = page.get_by_role("list", name="Properties")
    expect(strip.get_by_role("button", name=re.compile(r"^show \d+ more"))).to_be_visible()
    cut = strip.evaluate(
        "strip => [...strip.querySelectorAll('.title')]"
        ".filter((title) => title.scrollWidth > title.clientWidth + 1)"
        ".map((title) => title.textContent)"
    )
    assert cut == []
