"""A run of the maximum length, and a page that stays open: the browser's resources."""

import json
import re
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser.run_page import POSITION, open_run, press, timeline_of

pytestmark = pytest.mark.slow

STEPS = 9_990
MOST_HEAP_BYTES = 250 * 1024 * 1024
MOST_ELEMENTS = 6_000
LONGEST: dict[str, Any] = {
    "scenario": 1,
    "id": "longest",
    "title": "As long as may be",
    "kafka": "3.9",
    "brokers": [1, 2],
    "topics": [{"name": "t", "partitions": [{"replicas": [1, 2]}]}],
    "steps": [{"pause": {"broker": 2}}, {"resume": {"broker": 2}}] * (STEPS // 2),
}


def _compact(body: dict[str, Any]) -> bytes:
    # Compact, because otherwise it exceeds the maximum body size.
    return json.dumps(body, separators=(",", ":")).encode()


def _post(address: str, body: dict[str, Any], **headers: str) -> dict[str, Any]:
    request = urllib.request.Request(
        address, _compact(body), {"Content-Type": "application/json", **headers}
    )
    with urllib.request.urlopen(request, timeout=120) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def _weight(devtools: CDPSession) -> dict[str, float]:
    """The page's memory after a garbage collection."""
    devtools.send("HeapProfiler.enable")
    for _ in range(3):
        devtools.send("HeapProfiler.collectGarbage")
    devtools.send("Performance.enable")
    metrics = devtools.send("Performance.getMetrics")["metrics"]
    return {metric["name"]: metric["value"] for metric in metrics}


def test_a_run_of_ten_thousand_frames_can_be_opened_and_stepped_through(
    open_page: Callable[..., Page], base_url: str
) -> None:
    session = _post(f"{base_url}/api/v1/sessions", {"scenario": LONGEST})
    assert session["frames"] > STEPS

    page = open_page("/")
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    page.goto(f"/x/{session['id']}?frame={session['head']}", timeout=120_000)
    timeline = timeline_of(page)
    expect(timeline).to_be_visible(timeout=120_000)
    weight = _weight(page.context.new_cdp_session(page))

    # 20 responses of 500 frames each, plus the requests of any run; and no element for each frame.
    assert sum("/timeline?" in url for url in asked) <= 21
    assert page.evaluate("document.querySelectorAll('*').length") < MOST_ELEMENTS
    assert weight["JSHeapUsedSize"] < MOST_HEAP_BYTES
    timeline.focus()
    position = page.locator(POSITION)
    for key, times, stands in (
        ("Home", 1, "Start"),
        ("ArrowRight", 50, "Step 50 of 9990"),
        ("End", 1, "Step 9990 of 9990"),
    ):
        press(page, key, times)
        expect(position).to_have_text(stands, timeout=60_000)
    assert page.evaluate("document.querySelectorAll('*').length") < MOST_ELEMENTS
    # It is too large for a link: an error is shown, and the page stays as it is.
    body = {"session": session["id"], "at": session["head"]}
    refused = page.request.post(
        f"{base_url}/api/v1/shares", data=body, headers={"Idempotency-Key": "longest"}
    )
    assert (refused.status, refused.json()["limit"]) == (413, "share_bytes")


def test_a_page_that_stays_open_grows_no_heavier(page: Page) -> None:
    open_run(page)
    devtools = page.context.new_cdp_session(page)

    def use(rounds: int) -> dict[str, float]:
        for number in range(rounds):
            page.set_viewport_size({"width": 700 + number % 600, "height": 600 + number % 300})
            page.emulate_media(color_scheme="dark" if number % 2 else "light")
            page.keyboard.press("ArrowRight" if number % 20 < 10 else "ArrowLeft")
        page.keyboard.press("Home")
        page.wait_for_load_state("networkidle")
        return _weight(devtools)

    before = use(600)  # one-time objects exist, at every width
    after = use(1000)

    assert after["JSHeapUsedSize"] < before["JSHeapUsedSize"] * 1.1
    for name in ("Nodes", "JSEventListeners"):
        assert after[name] < before[name] * 1.1, name
    # A laptop that slept for a day continues where it was.
    page.clock.install()
    page.clock.fast_forward("24:00:00")
    page.keyboard.press("ArrowRight")
    expect(page.locator(POSITION)).to_have_text(re.compile("Step 1 of 14"))
