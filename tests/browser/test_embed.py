"""The embed's player: its visible parts, navigation through the story, and its size."""

import json
import urllib.request
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.benchmarks.embed import ALL_GOAL_BYTES, PAGE_GOAL_BYTES, embeds, loaded, page_of
from tests.browser.run_page import visit

SIZES = [(800, 460), (600, 420), (360, 640), (280, 320)]
LESSONS = ["unnoticed-bounce", "three-brokers-three-epochs"]


def _post(address: str, body: dict[str, Any], **headers: str) -> dict[str, Any]:
    request = urllib.request.Request(
        address, json.dumps(body).encode(), {"Content-Type": "application/json", **headers}
    )
    with urllib.request.urlopen(request) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


@pytest.fixture(scope="module")
def shared(base_url: str) -> Callable[[str], str]:
    """Shares a lesson at its end, and returns the address of its player."""

    def share(lesson: str) -> str:
        api = f"{base_url}/api/v1"
        session = _post(f"{api}/sessions", {"scenario_id": lesson})
        body = {"session": session["id"], "at": session["head"]}
        made = _post(f"{api}/shares", body, **{"Idempotency-Key": lesson + session["id"]})
        return f"/e/v1/s/{made['sid']}"

    return share


SCROLLS = """[...document.querySelectorAll('*')]
  .some((one) => one.scrollHeight > one.clientHeight + 1
    && /auto|scroll/.test(getComputedStyle(one).overflowY))"""


def test_everything_that_matters_fits(
    shared: Callable[[str], str], open_page: Callable[..., Page]
) -> None:
    page = open_page("/docs")
    wrong: list[tuple[str, int, str]] = []
    for lesson in LESSONS:
        address = shared(lesson)
        for width, height in SIZES:
            visit(page, address, (width, height))
            for part in (
                ".outcome",
                ".kafka",
                ".sentence",
                "a[target=_blank]",
                "input[type=range]",
            ):
                box = page.locator(part).bounding_box()
                if (
                    box is None
                    or box["y"] < 0
                    or box["y"] + box["height"] > height
                    or box["x"] + box["width"] > width
                ):
                    wrong.append((lesson, width, part))
            if page.evaluate(SCROLLS):
                wrong.append((lesson, width, "scrolls"))

    assert wrong == []


@pytest.mark.parametrize(("lang", "theme"), [("en", "light"), ("zh", "dark")])
def test_the_sentence_and_the_label_of_a_truncation_are_whole_in_a_small_frame(
    lang: str, theme: str, shared: Callable[[str], str], open_page: Callable[..., Page]
) -> None:
    address = f"{shared('kip-101-data-loss')}?lang={lang}&theme={theme}"
    page = open_page("/docs")
    for width, height in ((320, 300), (360, 420)):
        visit(page, address, (width, height))
        check_the_truncation(page, width)


def check_the_truncation(page: Page, width: int) -> None:
    sentence = page.locator(".sentence")
    expect(sentence).to_contain_text("{1, 2}")
    assert sentence.evaluate("one => one.scrollHeight <= one.clientHeight")
    expect(page.locator(".hw-cut-line text")).to_have_count(1)
    label = page.locator(".hw-cut-line rect").bounding_box()
    assert label is not None
    assert label["x"] + label["width"] <= width
    flags = page.locator(".hw-flag-text").all()
    assert len(flags) == 2
    for flag in flags:
        other = flag.bounding_box()
        assert other is not None
        assert (
            label["x"] >= other["x"] + other["width"]
            or label["x"] + label["width"] <= other["x"]
            or label["y"] >= other["y"] + other["height"]
            or label["y"] + label["height"] <= other["y"]
        )


@pytest.mark.parametrize(("lang", "theme"), [("en", "light"), ("zh", "dark")])
def test_the_logs_are_legible_at_every_step_in_a_small_frame(
    lang: str, theme: str, shared: Callable[[str], str], open_page: Callable[..., Page]
) -> None:
    """The longest sentences and verdicts leave them the least room."""
    page = open_page("/docs", viewport={"width": 320, "height": 300}, reduced_motion="reduce")
    small = {}
    for lesson in ("kip-101-data-loss", "power-loss-of-both", "three-brokers-three-epochs"):
        visit(page, f"{shared(lesson)}?lang={lang}&theme={theme}")
        scales = scales_of_the_logs(page)
        assert len(scales) > 8
        small[lesson] = [place for place, scale in scales.items() if scale < 0.7]

    assert {lesson: places for lesson, places in small.items() if places} == {}


def scales_of_the_logs(page: Page) -> dict[str, float]:
    """How large the logs are drawn at each step of an embed; 0 where they are not drawn."""
    track = page.locator("input[type=range]")
    track.press("Home")
    seen: dict[str, float] = {}
    while (place := track.get_attribute("aria-valuetext") or "") not in seen:
        seen[place] = page.evaluate("""() => {
          const logs = document.querySelector(".logs svg");
          return logs === null ? 0 : logs.getBoundingClientRect().width / logs.clientWidth;
        }""")
        page.keyboard.press("ArrowRight")
    return seen


def test_the_producers_are_shown_if_there_is_room_without_the_epochs(
    shared: Callable[[str], str], open_page: Callable[..., Page]
) -> None:
    page = open_page(shared("kip-101-data-loss"), viewport={"width": 800, "height": 460})

    expect(page.get_by_role("region", name="Producer p1")).to_contain_text("lost at step 14")


def test_the_verdict_is_on_the_picture_and_arrows_go_by_steps_and_with_shift_by_messages(
    shared: Callable[[str], str], open_page: Callable[..., Page]
) -> None:
    address = shared("unnoticed-bounce")
    page = open_page(address, viewport={"width": 600, "height": 420}, reduced_motion="reduce")
    words = page.locator(".words")
    expect(page.locator(".outcome.bad")).to_contain_text("lost: m2")
    expect(words.locator("b")).to_contain_text("Step 15 of 15")

    visit(page, f"{address}?frame=12")
    expect(words.locator("b")).to_contain_text("Step 4 of 15")

    page.keyboard.press("ArrowRight")
    expect(words.locator("b")).to_contain_text("Step 5 of 15")
    page.keyboard.press("Shift+ArrowLeft")
    expect(words).to_contain_text("message 3 of 4")


def test_a_link_made_to_a_frame_opens_there(
    shared: Callable[[str], str], open_page: Callable[..., Page]
) -> None:
    page = open_page(f"{shared('unnoticed-bounce')}?frame=14")

    expect(page.locator(".words")).to_contain_text("message 2 of 4")
    assert "frame=14" in (page.get_by_role("link", name="Open").get_attribute("href") or "")


def test_an_embed_is_small_however_long_its_run_is(browser: Browser, base_url: str) -> None:
    """As `make bench ARGS=embed` measures it, on the pages that were built."""
    with httpx.Client(base_url=base_url, timeout=60) as client:
        found = {
            name: (page_of(client, address)[0], loaded(browser, address).sent_bytes)
            for name, address in embeds(client).items()
        }

    assert all(0 < page <= PAGE_GOAL_BYTES for page, _ in found.values()), found
    assert all(page < every <= ALL_GOAL_BYTES for page, every in found.values()), found
