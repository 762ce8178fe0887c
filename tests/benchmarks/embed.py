"""The bytes and times of the embed in another site's page, for a short and for a long run.

In a browser whose processor is made four times slower: everything that is transferred until nothing
more is asked for, when the first figure is there, and when the player is.
"""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from playwright.sync_api import Browser, sync_playwright

from tests.benchmarks.step import serving, sqlite

LESSONS = ("kip-101-data-loss", "three-brokers-three-epochs")
LONG_RUN: dict[str, Any] = {
    "scenario": 1,
    "id": "long",
    "title": "A long run",
    "kafka": "3.7",
    "brokers": [1, 2, 3],
    "topics": [{"name": "t", "partitions": [{"replicas": [1, 2, 3]}]}],
    "steps": [
        step
        for number in range(120)
        for step in (
            {"produce": {"to": "t-0", "values": [f"m{number}"], "as": "p1"}},
            {"fetch": {"broker": 2 + number % 2}},
        )
    ],
}
PAGE_GOAL_BYTES = 12_000
"""The embed's page, gzipped."""
ALL_GOAL_BYTES = 92_000
"""Everything that an embed loads until it asks for nothing more, gzipped, headers included."""
THROTTLE = 4
TIMES = 5
_WAITED = """
new Promise((done) => {
  let live;
  const poll = () => {
    live ??= document.querySelector("main.embed svg") ? performance.now() : undefined;
    const figure = performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
    if (live !== undefined && figure !== undefined) done([figure, live]);
    else requestAnimationFrame(poll);
  };
  poll();
})
"""


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = sqlite(folder, "embed")
        arguments = ("backend.cli", "serve", "--port", "0", "--database", database)
        with serving(Path(folder) / "log", *arguments) as client:
            measure_at(client)


def measure_at(client: httpx.Client) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium())
        for name, address in embeds(client).items():
            size, tag = page_of(client, address)
            again = client.get(address, headers={"If-None-Match": tag}).status_code
            found = [loaded(browser, address, THROTTLE) for _ in range(TIMES)]
            sent, figure, live = (sorted(one[i] for one in found)[TIMES // 2] for i in range(3))
            print(
                f"{name:<28} page {size / 1000:5.1f} kB, in all {sent / 1000:6.1f} kB gzipped "
                f"(goals: {PAGE_GOAL_BYTES / 1000:g}, {ALL_GOAL_BYTES / 1000:g}); "
                f"figure {figure:5.0f} ms, live {live:5.0f} ms (goals: 600, 1500); again: {again}"
            )
        browser.close()


def embeds(client: httpx.Client) -> dict[str, str]:
    """The addresses of the embeds of two lessons and of a long run, by the names of the runs."""
    runs = {name: shared(client, scenario_id=name) for name in LESSONS}
    runs["240 steps"] = shared(client, scenario=LONG_RUN)
    return {name: str(client.base_url.join(f"/e/v1/s/{sid}")) for name, sid in runs.items()}


def page_of(client: httpx.Client, address: str) -> tuple[int, str]:
    """The bytes of an embed's page, gzipped, and its entity tag."""
    page = client.get(address, headers={"Accept-Encoding": "gzip"})
    page.raise_for_status()
    assert page.headers["content-encoding"] == "gzip"
    return int(page.headers["content-length"]), page.headers["etag"]


def chromium() -> str | None:
    """The browser that `scripts/ensure-tool chromium` finds; None for Playwright's own."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = (shutil.which(name) for name in names)
    return os.environ.get("CHROMIUM") or next(filter(None, found), None)


def shared(client: httpx.Client, **body: Any) -> str:
    """The id of a share of a lesson or a scenario, opened at its end."""
    session = client.post("/api/v1/sessions", json=body).json()
    share = client.post(
        "/api/v1/shares",
        json={"session": session["id"], "at": session["head"]},
        headers={"Idempotency-Key": session["id"]},
    )
    share.raise_for_status()
    return str(share.json()["sid"])


class Loaded(NamedTuple):
    """What it took to load an embed: bytes on the wire, and the milliseconds until the figure and
    until the player."""

    sent_bytes: float
    figure_ms: float
    live_ms: float


def loaded(browser: Browser, address: str, throttle: int = 1) -> Loaded:
    """Load an embed in a new browser profile, on a processor made `throttle` times slower."""
    context = browser.new_context(viewport={"width": 800, "height": 460})
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": throttle})
    sent: list[float] = []
    devtools.on("Network.loadingFinished", lambda event: sent.append(event["encodedDataLength"]))
    page.goto(address, wait_until="load")
    figure, live = page.evaluate(_WAITED)
    page.wait_for_load_state("networkidle")
    context.close()
    return Loaded(sum(sent), figure, live)
