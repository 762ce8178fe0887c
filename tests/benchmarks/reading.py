"""A lesson that is read, beside the same lesson in a session, in one run.

How many openings a second the service answers, one after another: a reader needs the lesson's file
and its choices; in a session, the page needs the session, its frames, its story and the choices.
And when a browser shows the first figure, for a reader and for somebody whose session is already
there. Compare the two ways, not machines.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import httpx
from playwright.sync_api import Browser, sync_playwright

from tests.benchmarks.page import started
from tests.benchmarks.step import percentile, serving, sqlite

LESSON = "kip-101-data-loss"
OPENINGS = 200
PAGES = 5
_API = "/api/v1"
_RUN = f"{_API}/scenarios/{LESSON}/run"
_FIGURE = """
new Promise((done) => {
  const poll = () => document.querySelector(".hw-stage svg")
    ? done(performance.now()) : requestAnimationFrame(poll);
  poll();
})
"""


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        arguments = ("backend.cli", "serve", "--port", "0", "--database", sqlite(folder, "read"))
        with serving(Path(folder) / "log", *arguments) as client:
            read, in_session = (_openings_a_second(client, one) for one in (_read, _in_session))
            print(f"openings a second: read {read:.0f}, in a session {in_session:.0f}", end=" ")
            print(f"({read / in_session:.1f} times as many)")
            with sync_playwright() as playwright, started(playwright) as browser:
                _measure_figures(browser, client)


def _openings_a_second(client: httpx.Client, open_once: Callable[[httpx.Client], None]) -> float:
    open_once(client)
    start = time.perf_counter()
    for _ in range(OPENINGS):
        open_once(client)
    return OPENINGS / (time.perf_counter() - start)


def _read(client: httpx.Client) -> None:
    for address in (_RUN, f"{_API}/scenarios/{LESSON}/runs/0.10.2/choices"):
        client.get(address).raise_for_status()


def _in_session(client: httpx.Client) -> None:
    made = client.post(f"{_API}/sessions", json={"scenario_id": LESSON})
    made.raise_for_status()
    address = f"{_API}/sessions/{made.json()['id']}"
    for part in ("timeline", "story", "choices?after=0"):
        client.get(f"{address}/{part}").raise_for_status()


def _measure_figures(browser: Browser, client: httpx.Client) -> None:
    def in_session() -> str:
        made = client.post(f"{_API}/sessions", json={"scenario_id": LESSON})
        return f"/x/{made.json()['id']}?frame=0"

    ways: dict[str, Callable[[], str]] = {
        "read": lambda: f"/lessons/{LESSON}",
        "in a session": in_session,
    }
    found: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(PAGES):  # in turn, so that both have the same machine
        for name, address in ways.items():
            page = browser.new_page()
            page.goto(f"{client.base_url}{address()}", wait_until="commit")
            found[name].append(float(page.evaluate(_FIGURE)))
            page.close()
    read, session = (percentile(times, 0.5) for times in found.values())
    print(f"first figure: read {read:.0f} ms, in a session {session:.0f} ms", end=" ")
    print(f"(ratio {session / read:.2f}; without the time to create the session)")
