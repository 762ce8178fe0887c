"""Schedules computing threads: one at a time, and the one that has computed least goes first.

Python runs one thread at a time. Computing threads compete for the interpreter with each other and
with the event loop, which needs it many times for one response. Therefore computing threads pass a
baton, and only the holder computes.

Short work is therefore done quickly, however many long runs are in progress. Long work also pauses
while the event loop prepares a response.

The waiting time is limited: a thread that has waited `patience_s` continues without the baton, so a
holder that does not yield cannot block the others. Long work therefore gets at least a sixth of the
time.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

_TURN_S = 0.003
_PATIENCE_S = 0.015
_LOOK_EVERY_S = 0.001
# Work counts as long after this number of turns.
_LONG_AFTER = 10


@dataclass(slots=True, eq=False)
class _Work:
    """The work of one thread. Work without the baton waited for too long and continues anyway."""

    turns: int = 0
    has_baton: bool = False
    until: float = 0.0


class RequestInProgress:
    """Tracks whether the event loop is busy with one request. Used only in the event loop."""

    def __init__(self, baton: "Baton") -> None:
        self._baton = baton
        self._is_busy = False

    def begin(self) -> None:
        """The event loop starts working on the response."""
        self._baton.answering += not self._is_busy
        self._is_busy = True

    def end(self) -> None:
        """The request waits for other work, or its response is being sent."""
        self._baton.answering -= self._is_busy
        self._is_busy = False

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Inside the block, the request waits for other work. Restores the previous state
        afterwards.
        """
        was_busy = self._is_busy
        self.end()
        try:
            yield
        finally:
            if was_busy:
                self.begin()


class Baton:
    """The permission to compute, which one thread has at a time. Thread-safe."""

    def __init__(
        self,
        *,
        turn_s: float = _TURN_S,
        patience_s: float = _PATIENCE_S,
        long_after: int = _LONG_AFTER,
    ) -> None:
        """`turn_s` is how long the holder computes while others wait, and `patience_s` is how long
        they wait, in seconds.
        """
        self._long_after = long_after
        self._turn_s = turn_s
        self._patience_s = patience_s
        self._changed = threading.Condition()
        self._is_taken = False
        self._waiting: list[_Work] = []
        # Written only in the event loop, so it needs no lock.
        self.answering = 0

    @contextmanager
    def computing(self) -> Iterator[Callable[[], None]]:
        """Compute inside the block while holding the baton. The thread must often call the given
        function, which lets other threads run.
        """
        work = _Work()
        self._take(work)
        try:
            yield partial(self._let_others, work)
        finally:
            self._give(work)

    def _let_others(self, work: _Work) -> None:
        if time.monotonic() < work.until:
            return
        if self._waiting or self.answering or not work.has_baton:
            self._take(work)
        else:
            work.turns += 1
            work.until = time.monotonic() + self._turn_s

    def _take(self, work: _Work) -> None:
        """Wait for the baton. If this thread has it, pass it on first."""
        if work.turns >= self._long_after and self.answering:
            self._give(work)
            until = time.monotonic() + self._patience_s
            while self.answering and time.monotonic() < until:
                time.sleep(_LOOK_EVERY_S)
        with self._changed:
            self._waiting.append(work)
            self._put_down(work)
            work.has_baton = self._changed.wait_for(
                lambda: not self._is_taken and self._next() is work, self._patience_s
            )
            self._waiting.remove(work)
            self._is_taken = self._is_taken or work.has_baton
        work.turns += 1
        work.until = time.monotonic() + self._turn_s

    def _next(self) -> _Work:
        return min(self._waiting, key=lambda work: work.turns)

    def _give(self, work: _Work) -> None:
        with self._changed:
            self._put_down(work)

    def _put_down(self, work: _Work) -> None:
        if work.has_baton:
            work.has_baton = self._is_taken = False
        self._changed.notify_all()
