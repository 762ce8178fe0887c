"""Bounded search from a state for the shortest way to a violation, random schedules held to what
must be true, and the shortest scenario that still fails. None of them ever says "safe"."""

from sim_engine.exploration.coverage import GOALS
from sim_engine.exploration.schedule_check import Failure, Trial, shrink_failure, try_schedule
from sim_engine.exploration.schedules import random_schedule
from sim_engine.exploration.search import (
    DEFAULT_BUDGET,
    FAULT_KINDS,
    GRAIN,
    SearchOptions,
    SearchResult,
    SearchWatch,
    search,
)
from sim_engine.exploration.shrink import NothingToShrinkError, shrink, violates

__all__ = [
    "DEFAULT_BUDGET",
    "FAULT_KINDS",
    "GOALS",
    "GRAIN",
    "Failure",
    "NothingToShrinkError",
    "SearchOptions",
    "SearchResult",
    "SearchWatch",
    "Trial",
    "random_schedule",
    "search",
    "shrink",
    "shrink_failure",
    "try_schedule",
    "violates",
]
