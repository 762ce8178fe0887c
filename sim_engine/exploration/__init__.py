"""Bounded search from a state for the shortest way to a violation, and the shortest scenario that
still shows one. Neither ever says "safe"."""

from sim_engine.exploration.search import (
    DEFAULT_BUDGET,
    FAULT_KINDS,
    GRAIN,
    SearchOptions,
    SearchResult,
    search,
)
from sim_engine.exploration.shrink import NothingToShrinkError, shrink, violates

__all__ = [
    "DEFAULT_BUDGET",
    "FAULT_KINDS",
    "GRAIN",
    "NothingToShrinkError",
    "SearchOptions",
    "SearchResult",
    "search",
    "shrink",
    "violates",
]
