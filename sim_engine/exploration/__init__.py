"""Bounded search from a state for the shortest way to a violation. It never says "safe"."""

from sim_engine.exploration.search import (
    DEFAULT_BUDGET,
    FAULT_KINDS,
    GRAIN,
    SearchOptions,
    SearchResult,
    search,
)

__all__ = [
    "DEFAULT_BUDGET",
    "FAULT_KINDS",
    "GRAIN",
    "SearchOptions",
    "SearchResult",
    "search",
]
