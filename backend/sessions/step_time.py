"""The simulated time of steps. A step that lets much time pass takes long to compute, even if it
creates few frames.
"""

from collections.abc import Iterable
from typing import cast, get_args

from sim_engine import TimeStep, name_of

TIME_STEPS = tuple(map(name_of, get_args(TimeStep)))
"""The steps that let time pass. Those that state a time have it as `ms`."""

LONG_MS = 5 * 60 * 1000
"""Steps that let more time pass take long to compute. With the cluster of a lesson, this time takes
up to 50 ms; no lesson lets as much pass.
"""


def passing_ms(steps: Iterable[object]) -> int:
    """The time that these steps let pass, in ms. Invalid steps count as none."""
    arguments = (_member(step, name) for step in steps for name in TIME_STEPS)
    times = (_member(its, "ms") for its in arguments)
    return sum(ms for ms in times if isinstance(ms, int))


def _member(value: object, name: str) -> object:
    return cast("dict[str, object]", value).get(name) if isinstance(value, dict) else None
