"""How long the engine may work, as defined by its caller.

The engine has no clock. A caller that must not wait for ever hands it a question, which is asked
before each action and each frame. The answer never changes what a run comes to: no ends the run
with an error.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class BudgetExceededError(Exception):
    """A caller's budget was used up. `frame` is the number of the frame that was to be made."""

    def __init__(self, frame: int) -> None:
        super().__init__(frame)
        self.frame = frame


def _always() -> bool:
    return True


_may_go_on: ContextVar[Callable[[], bool]] = ContextVar("may_go_on", default=_always)


@contextmanager
def within(may_go_on: Callable[[], bool]) -> Iterator[None]:
    """What the engine does in the block ends with `BudgetExceededError` once this answers no."""
    token = _may_go_on.set(may_go_on)
    try:
        yield
    finally:
        _may_go_on.reset(token)


def spend(frame: int) -> None:
    """Before work on this frame. Raises `BudgetExceededError` where no budget is left."""
    if not _may_go_on.get()():
        raise BudgetExceededError(frame)
