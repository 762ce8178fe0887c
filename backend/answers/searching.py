"""A search for a failure from a frame of a run."""

import time
from collections.abc import Callable

import msgspec

from backend.answers.long_requests import SearchCreate
from backend.answers.open_run import OpenTimeline
from backend.answers.progress import every
from backend.http.errors import invalid
from sim_engine.exploration.alphabet import BUDGET_NAMES, DEFAULT_BUDGET
from sim_engine.exploration.report import search_report
from sim_engine.exploration.search import SearchOptions
from sim_engine.exploration.targets import SOUGHT_NAMES
from sim_engine.identifiers import FrameNumber
from sim_engine.json_types import JsonObject
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.writer import scenario_document
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


def check_search(body: SearchCreate) -> None:
    """Raises InvalidInputError if there is no such property or fault."""
    if body.property not in SOUGHT_NAMES:
        raise invalid("/property", f"properties are {', '.join(SOUGHT_NAMES)}")
    if body.budget is not None and not body.budget.keys() <= set(BUDGET_NAMES):
        raise invalid("/budget", f"a budget may name {', '.join(BUDGET_NAMES)}")


def search_request(opened: OpenTimeline, body: SearchCreate) -> SearchRequest:
    """What a search of a run needs, for any process; `check_search` has accepted it. Raises
    InvalidInputError for an unknown frame.
    """
    if body.after is not None:
        opened.check_frame(body.after, where="/after")
    timeline = opened.timeline
    return SearchRequest(
        scenario={**scenario_document(timeline.scenario)},
        kafka=timeline.profile.kafka,
        control=timeline.profile.control,
        steps=[(done.after, done.step, done.item) for done in timeline.played_steps],
        after=timeline.head if body.after is None else body.after,
        options=SearchOptions(
            property=body.property,
            grain=body.grain,
            max_depth=body.max_depth,
            max_states=body.states,
            budget=DEFAULT_BUDGET if body.budget is None else body.budget,
            seconds=body.seconds,
            acks=body.acks,
        ),
    )


def run_search(
    request: SearchRequest, report: Callable[[JsonObject], None] | None = None
) -> dict[str, object]:
    """Run the search and return the `result` document; `report` is called with its progress.
    `KeyboardInterrupt`, also one that `report` raises, ends it with the result so far.
    """
    scenario = read_scenario_document(request.scenario)
    timeline = Timeline.replay(
        scenario, kafka=request.kafka, control=request.control, steps=request.steps
    )
    began, began_cpu = time.monotonic(), time.process_time()
    is_due = every(_PROGRESS_EVERY_S)

    def watch(depth: int, states: int, transitions: int) -> None:
        if report is not None and is_due():
            report(
                {
                    "depth": depth,
                    "states": states,
                    "transitions": transitions,
                    "seconds": round(time.monotonic() - began, 3),
                }
            )

    found = search_report(timeline, request.after, request.options, time.process_time, watch)
    return found.document(
        request.options,
        seconds=time.monotonic() - began,
        cpu_seconds=time.process_time() - began_cpu,
    )
