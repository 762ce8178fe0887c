"""The engine of a page without a service: what its first act downloads, when the step is there, and
how long later steps take in a session of nine brokers.

The files that `make run` builds, from a plain server of files, in Chromium: a worker is started as
the page does, is asked for a session, and performs steps. Warm: the browser has the files, but has
to start Python again, as after a reload of the page. A step's time is from the page's message to
the response, with the run kept.
"""

import functools
import http.server
import json
import statistics
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Request, sync_playwright

from tests.benchmarks.embed import chromium
from tests.benchmarks.step import percentile

BUILD = Path(__file__).resolve().parents[2] / "frontend" / "dist"
BROKERS = list(range(1, 10))
STEPS = 144
TIMES = 3
GOAL_MB, GOAL_FIRST_MS, GOAL_STEP_MS = 5.0, 3_000, 20.0
_SCENARIO = json.dumps(
    {
        "scenario": 1,
        "id": "nine",
        "title": "Nine brokers",
        "kafka": "3.7",
        "brokers": BROKERS,
        "topics": [{"name": "t", "partitions": [{"replicas": BROKERS}]}],
        "steps": [],
    }
)
_ACTED = """
async ([script, text, steps]) => {
  const started = performance.now();
  const worker = new Worker(script, { type: "module" });
  const answered = new Map();
  worker.onmessage = ({ data }) => answered.get(data.id)?.(data);
  const ask = async (id, address, body) => {
    const response = new Promise((done) => answered.set(id, done));
    const asked = { id, wanted: null, method: "POST", address, body: JSON.stringify(body) };
    worker.postMessage(asked);
    const { status, body: said } = await response;
    if (status !== 201) throw new Error(said);
    return JSON.parse(said);
  };
  const run = await ask(1, "/sessions", { scenario_text: text });
  const times = [];
  let [head, first] = [run.head, null];
  for (const [index, step] of steps.entries()) {
    const before = performance.now();
    const acted = await ask(index + 2, `/sessions/${run.id}/actions`, { after: head, step });
    head = acted.head;
    times.push(performance.now() - before);
    first ??= performance.now() - started;
  }
  worker.terminate();
  return [first, times];
}
"""


def steps() -> Iterator[dict[str, Any]]:
    """Records, each fetched by every follower."""
    for number in range(STEPS // len(BROKERS)):
        yield {"produce": {"to": "t-0", "values": [f"m{number}"], "as": "p1"}}
        yield from ({"fetch": {"broker": broker}} for broker in BROKERS[1:])


def measure() -> None:
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium())
        page = browser.new_page()
        sizes: dict[str, int] = {}

        def note(done: Request) -> None:
            sizes.setdefault(done.url, done.sizes()["responseBodySize"])

        page.on("requestfinished", note)
        cold, _ = acted(page, address)
        warm, times = zip(*(acted(page, address) for _ in range(TIMES)), strict=True)
        browser.close()
    megabytes = sum(size for url, size in sizes.items() if "/engine/" in url) / 1e6
    print(f"downloaded, nothing compressed on the way   {megabytes:7.2f} MB (goal {GOAL_MB})")
    print(f"first act, cold                             {cold:7.0f} ms")
    print(
        f"first act, warm                             {statistics.median(warm):7.0f} ms "
        f"(goal {GOAL_FIRST_MS})"
    )
    later = [ms for one in times for ms in one[1:]]
    print(
        f"a step with nine brokers, p50 and p95       {percentile(later, 0.5):7.1f} ms "
        f"{percentile(later, 0.95):7.1f} ms (goal {GOAL_STEP_MS})"
    )


def acted(page: Page, address: str) -> tuple[float, list[float]]:
    """The time until the first step is there, and that of each step."""
    page.goto(f"{address}/index.html")
    (description,) = BUILD.glob("engine/engine-*.json")
    folder = json.loads(description.read_text())["folder"]
    script = f"{address}/engine/{folder}/worker.js#acting"
    first, times = page.evaluate(_ACTED, [script, _SCENARIO, list(steps())])
    return first, times


@contextmanager
def served() -> Iterator[str]:
    """A server of the build's engine, with an empty page."""

    class Host(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *arguments: Any) -> None:
            """Logs nothing."""

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "index.html").write_text("<!doctype html><title>Engine</title>")
        (Path(folder) / "engine").symlink_to(BUILD / "engine")
        handler = functools.partial(Host, directory=folder)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_port}"
            server.shutdown()
