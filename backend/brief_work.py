"""Requests that the serving process begins because they look short, and gives up if they are not.

A request is given up only while nothing has been stored for it, so that another process can begin
it again.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

BRIEF_S = 0.1
"""The processor time in seconds of one task of such a request. For lessons it takes up to 0.05."""


class NotBriefError(Exception):
    """A task takes longer than `BRIEF_S` and was given up. Nothing was stored."""


class _Brief:
    """One request that may be given up."""

    __slots__ = ("has_stored",)

    def __init__(self) -> None:
        self.has_stored = False


_current: ContextVar[_Brief | None] = ContextVar("brief", default=None)


@contextmanager
def briefly() -> Iterator[None]:
    """Inside the block, a task that takes longer than `BRIEF_S` raises NotBriefError, until
    something has been stored.
    """
    token = _current.set(_Brief())
    try:
        yield
    finally:
        _current.reset(token)


def is_brief() -> bool:
    """Whether a task may take only `BRIEF_S` now."""
    current = _current.get()
    return current is not None and not current.has_stored


def note_stored() -> None:
    """Record that a transaction was committed. The request must now be completed here."""
    current = _current.get()
    if current is not None:
        current.has_stored = True
