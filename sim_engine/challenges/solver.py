"""Searches challenges for the fewest moves that win."""

from collections.abc import Mapping

from msgspec import json, to_builtins

from sim_engine.challenges import MOST_MOVES, Challenge, Solution, start_of
from sim_engine.exploration.search import SearchOptions, search

_MOST_STATES = 100_000


def solve(challenge: Challenge) -> Solution:
    """Search from the start until the challenge is won or every state has been examined. There is
    no time limit.
    """
    timeline = start_of(challenge)
    found = search(
        timeline.frames[timeline.head],
        SearchOptions(
            property=challenge.property,
            budget=dict(challenge.budget),
            max_depth=MOST_MOVES,
            max_states=_MOST_STATES,
        ),
    )
    return Solution(
        moves=tuple(to_builtins(step) for step in found.steps),
        states=found.states,
        complete=found.complete,
    )


def solutions_text(found: Mapping[str, Solution]) -> str:
    """All solutions as JSON, one challenge on each line."""
    lines = (f' "{name}": {json.encode(one).decode()}' for name, one in found.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"
