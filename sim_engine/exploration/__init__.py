"""Bounded search for the shortest path to a violation, checked random schedules, and shrinking of
failing scenarios. Finding nothing does not prove that a setup is safe.
"""

from sim_engine.exploration.alphabet import (
    BUDGET_NAMES,
    DEFAULT_BUDGET,
    FAULT_KINDS,
    GRAINS,
    Grain,
    read_budget,
)
from sim_engine.exploration.report import SearchReport, search_report
from sim_engine.exploration.schedule_check import (
    Failure,
    ScheduleResult,
    check_schedule,
    shrink_failure,
)
from sim_engine.exploration.schedules import GOALS, random_schedule
from sim_engine.exploration.search import SearchOptions, SearchResult, SearchWatch, search
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
    "ScheduleResult",
    "SearchOptions",
    "SearchReport",
    "SearchResult",
    "SearchWatch",
    "check_schedule",
    "random_schedule",
    "read_budget",
    "search",
    "search_report",
    "shrink",
    "shrink_failure",
    "violates",
]
