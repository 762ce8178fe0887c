"""Verdicts on runs that a test writes down as a few states."""

from itertools import pairwise

from sim_engine.cluster.state import ClusterState
from sim_engine.invariants import (
    PROPERTY_NAMES,
    History,
    Verdict,
    evaluate,
    observe,
    start_history,
)


def history_of(*states: ClusterState) -> History:
    """The ghost state after these states, the first being frame 0."""
    history = start_history(states[0])
    for frame, (before, after) in enumerate(pairwise(states), start=1):
        history = observe(history, before, after, frame)
    return history


def verdicts_of(*states: ClusterState) -> tuple[Verdict, ...]:
    """The verdicts after these states."""
    verdicts: tuple[Verdict, ...] = ()
    for frame in range(len(states)):
        history = history_of(*states[: frame + 1])
        verdicts = evaluate(history, states[frame], frame, verdicts)
    return verdicts


def verdict_of(name: str, *states: ClusterState) -> Verdict:
    """The verdict on one property after these states."""
    return verdicts_of(*states)[PROPERTY_NAMES.index(name)]


def status_of(name: str, *states: ClusterState) -> str:
    """`holds`, `violated` or `not_exercised` after these states."""
    return verdict_of(name, *states).status
