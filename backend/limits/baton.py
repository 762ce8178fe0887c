"""Who of those that compute goes on: one thread at a time, and first who has computed least.

Python runs one thread at a time. Threads that all want to run take that from each other, and from
the event loop, which needs many turns for one answer. So those that compute agree on who goes on.

So what takes a moment is done in a moment, however many long runs are on their way. What has
become long also stands still while the event loop answers a request.

Nobody waits for more than a moment: work that asks nobody, while it does something that cannot be
interrupted, is then done beside the work of others, as if there were no agreement. So what is long
has at least a sixth of the time.
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
# After so many turns, work is long.
_LONG_AFTER = 10


@dataclass(slots=True, eq=False)
class _Work:
    """What one thread does. Without the baton it has waited for too long, and goes on anyway."""

    turns: int = 0
    has_baton: bool = False
    until: float = 0.0


class Answering:
    """One request, while the event loop is busy with it. Used in the event loop."""

    def __init__(self, baton: "Baton") -> None:
        self._baton = baton
        self._is_busy = False

    def begin(self) -> None:
        """The event loop works on its answer."""
        self._baton.answering += not self._is_busy
        self._is_busy = True

    def end(self) -> None:
        """It waits for others, or its answer is on its way."""
        self._baton.answering -= self._is_busy
        self._is_busy = False

    @contextmanager
    def aside(self) -> Iterator[None]:
        """In the block it waits for others; what had ended before has ended after it."""
        was_busy = self._is_busy
        self.end()
        try:
            yield
        finally:
            if was_busy:
                self.begin()


class Baton:
    """What the thread that computes has. Used from several threads."""

    def __init__(
        self,
        *,
        turn_s: float = _TURN_S,
        patience_s: float = _PATIENCE_S,
        long_after: int = _LONG_AFTER,
    ) -> None:
        """`turn_s` is how long one goes on while others wait, and `patience_s` how long they do."""
        self._long_after = long_after
        self._turn_s = turn_s
        self._patience_s = patience_s
        self._changed = threading.Condition()
        self._is_taken = False
        self._waiting: list[_Work] = []
        # Written in the event loop alone, so it needs no lock.
        self.answering = 0

    @contextmanager
    def computing(self) -> Iterator[Callable[[], None]]:
        """In the block this thread computes. It often calls what it is given, and so lets others
        go on."""
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
        """Wait for the baton, which is given to the next one first if this one has it."""
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
