"""Bounded search from a state for the shortest path to a violation, random schedules checked
against what must be true, and the shortest scenario that still fails. None of them ever says
"safe"."""

from sim_engine.exploration.alphabet import (
    BUDGET_NAMES,
    DEFAULT_BUDGET,
    FAULT_KINDS,
    GRAINS,
    Grain,
    read_budget,
)
from sim_engine.exploration.coverage import GOALS
from sim_engine.exploration.report import SearchReport, search_report
from sim_engine.exploration.schedule_check import Failure, Trial, shrink_failure, try_schedule
from sim_engine.exploration.schedules import random_schedule
from sim_engine.exploration.search import (
    SearchOptions,
    SearchResult,
    SearchWatch,
    search,
)
from sim_engine.exploration.shrink import NothingToShrinkError, shrink, violates

__all__ = [
    "BUDGET_NAMES",
    "DEFAULT_BUDGET",
    "FAULT_KINDS",
    "GOALS",
    "GRAINS",
    "Failure",
    "Grain",
    "NothingToShrinkError",
    "SearchOptions",
    "SearchReport",
    "SearchResult",
    "SearchWatch",
    "Trial",
    "random_schedule",
    "read_budget",
    "search",
    "search_report",
    "shrink",
    "shrink_failure",
    "try_schedule",
    "violates",
]
