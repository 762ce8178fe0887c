"""A step of a session over HTTP, compared with a bare route that writes one row.

Each runs in its own uvicorn process, on an SQLite file that is fsynced on every commit. The
requests alternate, so that other load on the machine affects both. Goal: the p99 is at most twice
as high.
"""

import contextlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

REQUESTS = 400
WARM_UP = 40
SCENARIO: dict[str, Any] = {
    "scenario": 1,
    "id": "benchmark",
    "title": "Three brokers",
    "kafka": "3.7",
    "brokers": [1, 2, 3],
    "topics": [{"name": "t", "partitions": [{"replicas": [1, 2, 3]}]}],
    "steps": [],
}


def measure() -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        logs, ours_url, bare_url = Path(folder), sqlite(folder, "ours"), sqlite(folder, "bare")
        ours = stack.enter_context(
            serving(logs / "ours", "backend.cli", "serve", "--port", "0", "--database", ours_url)
        )
        bare = stack.enter_context(serving(logs / "bare", "tests.benchmarks.bare", bare_url))
        step_ms: list[float] = []
        row_ms: list[float] = []
        session = ours.post("/api/v1/sessions", json={"scenario": SCENARIO}).json()
        head = session["head"]
        for number in range(REQUESTS + WARM_UP):
            step = {"produce": {"to": "t-0", "values": [f"m{number}"], "as": "p1"}}
            # As the page does, which has all frames up to the head.
            body = {"after": head, "step": step, "known": head + 1}
            answer, took = timed(ours, f"/api/v1/sessions/{session['id']}/actions", body)
            head = answer["head"]
            step_ms.append(took)
            row_ms.append(timed(bare, "/rows", body)[1])
    report("POST …/actions", step_ms[WARM_UP:])
    report("a bare route, one row", row_ms[WARM_UP:])
    medians, tails = (
        percentile(step_ms[WARM_UP:], share) / percentile(row_ms[WARM_UP:], share)
        for share in (0.5, 0.99)
    )
    print(f"ratio of the p50s: {medians:.2f}, of the p99s: {tails:.2f} (goal: 2)")


def sqlite(folder: str, name: str) -> str:
    return f"sqlite:///{Path(folder) / name}.db"


def timed(client: httpx.Client, path: str, body: dict[str, Any]) -> tuple[dict[str, Any], float]:
    started = time.perf_counter()
    response = client.post(path, json=body)
    took = 1000 * (time.perf_counter() - started)
    response.raise_for_status()
    answer: dict[str, Any] = response.json()
    return answer, took


@contextlib.contextmanager
def serving(log: Path, module: str, *arguments: str) -> Iterator[httpx.Client]:
    """Starts a server that prints its address on standard error, and stops it."""
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments], stdout=output, stderr=output
        )
    try:
        with httpx.Client(base_url=address(process, log), timeout=30) as client:
            yield client
    finally:
        process.terminate()
        process.wait(timeout=30)


def address(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and process.poll() is None:
        if found := re.search(r"http://[\d.]+:\d+", log.read_text()):
            return found[0]
        time.sleep(0.05)
    raise RuntimeError(f"the server did not start: {log.read_text()}")


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def report(name: str, values: list[float]) -> None:
    print(
        f"{name:<24} p50 {percentile(values, 0.5):6.1f} ms   p99 {percentile(values, 0.99):6.1f} ms"
    )
