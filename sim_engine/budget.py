"""The caller's budget for the engine's work.

The engine has no clock. A caller that must not wait forever passes a function, which the engine
calls before each action and each frame, and between the parts of work that grows with the size of
the cluster. Its result never changes the result of a run: false ends the run with an error.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from sim_engine.identifiers import FIRST_FRAME, FrameNumber


class BudgetExceededError(Exception):
    """The caller's budget is used up. `frame` is the number of the frame that was not created."""

    def __init__(self, frame: FrameNumber) -> None:
        super().__init__(frame)
        self.frame = frame


class _Budget:
    """One caller's budget, and the frame on which the engine works."""

    __slots__ = ("frame", "may_go_on")

    def __init__(self, may_go_on: Callable[[], bool]) -> None:
        self.may_go_on = may_go_on
        self.frame = FIRST_FRAME


_budget: ContextVar[_Budget | None] = ContextVar("budget", default=None)


@contextmanager
def within_budget(may_go_on: Callable[[], bool]) -> Iterator[None]:
    """Inside the block, the engine raises `BudgetExceededError` as soon as the function returns
    false.
    """
    token = _budget.set(_Budget(may_go_on))
    try:
        yield
    finally:
        _budget.reset(token)


@contextmanager
def beyond_budget() -> Iterator[None]:
    """Inside the block, the budget is still checked, but its end is ignored: for work without which
    the caller would have no result at all.
    """
    budget = _budget.get()

    def may_go_on() -> bool:
        if budget is not None:
            budget.may_go_on()
        return True

    with within_budget(may_go_on):
        yield


def spend(frame: FrameNumber) -> None:
    """Check the budget before work on this frame. Raises `BudgetExceededError` if none is left."""
    budget = _budget.get()
    if budget is not None:
        budget.frame = frame
        _check(budget)


def go_on() -> None:
    """Check the budget in the middle of work on a frame. Raises `BudgetExceededError` if none is
    left.
    """
    budget = _budget.get()
    if budget is not None:
        _check(budget)


def _check(budget: _Budget) -> None:
    if not budget.may_go_on():
        raise BudgetExceededError(budget.frame)
