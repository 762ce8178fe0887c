"""The process that searches: `python -m backend.searches.worker`.

It reads one search request as JSON from standard input and writes lines of JSON: progress, and
finally the result. SIGINT and SIGTERM end the search with the result so far. Its parent may kill it
at any moment, because it holds no resources.
"""

import contextlib
import signal
import sys
import time

import msgspec

from backend.processes.lines import write_line
from sim_engine.exploration.report import search_report
from sim_engine.exploration.search import SearchOptions, SearchWatch
from sim_engine.identifiers import FrameNumber
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.simulation.timeline import Timeline

_PROGRESS_EVERY_S = 0.5


class SearchRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The steps that lead to a frame, and the search to run from there."""

    scenario: dict[str, object]
    kafka: str
    control: str
    steps: list[tuple[FrameNumber, dict[str, object], int | None]]
    after: FrameNumber
    options: SearchOptions


def main() -> None:
    """Run the search that standard input requests."""
    for end in (signal.SIGINT, signal.SIGTERM):
        # Its parent may ignore SIGINT, which a child process inherits.
        signal.signal(end, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):  # before the search begins
        request = msgspec.json.decode(sys.stdin.buffer.read(), type=SearchRequest)
        result = run_search(request, _reporter())
        # Who asks the same again after an interrupt wants a result.
        write_line("result", result, keep=result["limit"] != "interrupt")


def run_search(request: SearchRequest, watch: SearchWatch | None = None) -> dict[str, object]:
    """Run the search and return the `result` document; `watch` is called with its progress."""
    scenario = read_scenario_document(request.scenario)
    timeline = Timeline.replay(
        scenario, kafka=request.kafka, control=request.control, steps=request.steps
    )
    began, began_cpu = time.monotonic(), time.process_time()
    report = search_report(timeline, request.after, request.options, time.process_time, watch)
    return report.document(
        request.options,
        seconds=time.monotonic() - began,
        cpu_seconds=time.process_time() - began_cpu,
    )


def _reporter() -> SearchWatch:
    began = time.monotonic()
    reported = -_PROGRESS_EVERY_S

    def watch(depth: int, states: int, transitions: int) -> None:
        nonlocal reported
        now = time.monotonic()
        if now - reported >= _PROGRESS_EVERY_S:
            reported = now
            progress = {
                "depth": depth,
                "states": states,
                "transitions": transitions,
                "seconds": round(now - began, 3),
            }
            write_line("progress", progress)

    return watch


if __name__ == "__main__":
    main()
