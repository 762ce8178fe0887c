"""The caller's budget for the engine's work.

The engine has no clock. A caller that must not wait forever passes a function, which the engine
calls before each action and each frame. Its result never changes the result of a run: false ends
the run with an error.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from sim_engine.identifiers import FrameNumber


class BudgetExceededError(Exception):
    """The caller's budget is used up. `frame` is the number of the frame that was not created."""

    def __init__(self, frame: FrameNumber) -> None:
        super().__init__(frame)
        self.frame = frame


def _always() -> bool:
    return True


_may_go_on: ContextVar[Callable[[], bool]] = ContextVar("may_go_on", default=_always)


@contextmanager
def within_budget(may_go_on: Callable[[], bool]) -> Iterator[None]:
    """Inside the block, the engine raises `BudgetExceededError` as soon as the function returns
    false.
    """
    token = _may_go_on.set(may_go_on)
    try:
        yield
    finally:
        _may_go_on.reset(token)


def spend(frame: FrameNumber) -> None:
    """Check the budget before work on this frame. Raises `BudgetExceededError` if none is left."""
    if not _may_go_on.get()():
        raise BudgetExceededError(frame)
