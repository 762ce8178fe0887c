"""The process that searches: `python -m backend.searches.worker`.

It reads one question as JSON from standard input and writes lines of JSON: progress, and at last
the result. Its parent may kill it at any moment, because it holds no resources.
"""

import os
import sys
import time
from collections.abc import Mapping

import msgspec

from sim_engine import (
    DEFAULT_BUDGET,
    FrameNumber,
    Grain,
    SearchOptions,
    SearchWatch,
    Timeline,
    read_scenario_document,
    search_report,
)

_PROGRESS_EVERY_S = 0.5


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """The steps that lead to a frame, and what to look for from there."""

    scenario: dict[str, object]
    kafka: str
    control: str
    record: list[tuple[FrameNumber, dict[str, object], int | None]]
    after: FrameNumber
    property: str
    grain: Grain
    max_depth: int
    states: int
    budget: dict[str, int] | None
    seconds: float


def main() -> None:
    """Answer the question on standard input."""
    os.nice(10)  # visitors who wait for the service come first
    question = msgspec.json.decode(sys.stdin.buffer.read(), type=Question)
    _write("result", answer(question, _reporter()))


def answer(question: Question, watch: SearchWatch | None = None) -> dict[str, object]:
    """The `result` document; `watch` is told how far the search is."""
    scenario = read_scenario_document(question.scenario)
    timeline = Timeline.replay(
        scenario, kafka=question.kafka, control=question.control, record=question.record
    )
    options = SearchOptions(
        property=question.property,
        grain=question.grain,
        max_depth=question.max_depth,
        max_states=question.states,
        budget=DEFAULT_BUDGET if question.budget is None else question.budget,
        seconds=question.seconds,
    )
    began = time.monotonic()
    report = search_report(timeline, question.after, options, time.monotonic, watch)
    return report.document(options, time.monotonic() - began)


def _reporter() -> SearchWatch:
    began = time.monotonic()
    told = began

    def watch(depth: int, states: int, transitions: int) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told >= _PROGRESS_EVERY_S:
            told = now
            progress = {
                "depth": depth,
                "states": states,
                "transitions": transitions,
                "seconds": round(now - began, 3),
            }
            _write("progress", progress)

    return watch


def _write(event: str, data: Mapping[str, object]) -> None:
    sys.stdout.buffer.write(msgspec.json.encode({"event": event, "data": data}) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
