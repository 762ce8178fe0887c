"""Searches for a failure after the steps of a scenario."""

import time
from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from highwater_kafka.api.inputs import ScenarioSource, caller_errors
from highwater_kafka.api.runs import Json, Run, plain_json, run
from highwater_kafka.errors import HighwaterError
from sim_engine.command_line.search import search_lines
from sim_engine.exploration.alphabet import BUDGET_NAMES, DEFAULT_BUDGET, GRAINS
from sim_engine.exploration.report import SearchReport, search_report
from sim_engine.exploration.search import SearchOptions


class Search:
    """The result of a search. If it found a failure, a notebook shows the run that leads to it."""

    def __init__(self, report: SearchReport, options: SearchOptions, document: Json) -> None:
        self._report = report
        self._options = options
        self.document = document
        """What `highwater search --json` prints."""

    def __repr__(self) -> str:
        return "\n".join(search_lines(self._report, self._options, self.document))

    @property
    def verdict(self) -> str:
        """`violated`, `none_within_bound`, `not_exercised` or `cut`. Finding nothing does not prove
        that a setup is safe.
        """
        return str(self.document["verdict"])

    @cached_property
    def run(self) -> Run | None:
        """The shortest run that was found to violate the property; None without one."""
        scenario = self._report.scenario
        return None if scenario is None else run(scenario)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        shown = {} if self.run is None else self.run._repr_mimebundle_(include, exclude)
        return {**shown, "text/plain": repr(self)}


def search(
    scenario: ScenarioSource,
    property: str = "NoAckedRecordLost",
    *,
    kafka: str | None = None,
    budget: Mapping[str, int] | None = None,
    grain: Literal["step", "exchange", "message"] = "step",
    acks: Literal["all", 1, 0] = "all",
    max_depth: int = 12,
    states: int = 200_000,
    seconds: float = 60.0,
) -> Search:
    """Search for the shortest way to violate a property, from the end of a scenario. `budget` is
    the number of each fault that it may try, by the names of `highwater search`; `seconds` is
    processor time. An interrupt ends it with what is known by then. Raises HighwaterError.

    >>> found = highwater_kafka.search("kip-101-data-loss", "LogMatching", max_depth=1)
    >>> found.verdict, found.run
    ('none_within_bound', None)
    """
    played = run(scenario, kafka=kafka)._timeline
    if max_depth < 1 or states < 1 or not seconds > 0:
        raise HighwaterError("max_depth and states must be at least 1, and seconds more than 0")
    if grain not in GRAINS:
        raise HighwaterError(f"grain must be {', '.join(GRAINS)}, not {grain!r}")
    if acks not in ("all", 1, 0):
        raise HighwaterError(f"acks must be 'all', 1 or 0, not {acks!r}")
    wrong = [name for name in budget or () if name not in BUDGET_NAMES]
    if wrong:
        raise HighwaterError(f"a budget has no {wrong[0]!r}; it has {', '.join(BUDGET_NAMES)}")
    for name, number in (budget or {}).items():
        if type(number) is not int or number < 0:
            raise HighwaterError(f"a budget has whole numbers from 0, not {name}={number!r}")
    options = SearchOptions(
        property=property,
        grain=grain,
        max_depth=max_depth,
        max_states=states,
        budget=DEFAULT_BUDGET if budget is None else dict(budget),
        seconds=seconds,
        acks=acks,
    )
    began, began_cpu = time.monotonic(), time.process_time()
    with caller_errors():
        try:
            report = search_report(played, played.head, options, time.process_time)
        except ValueError as error:
            raise HighwaterError(str(error)) from None
    document = report.document(
        options, seconds=time.monotonic() - began, cpu_seconds=time.process_time() - began_cpu
    )
    return Search(report, options, plain_json(document))
