"""Schedules computing threads: one at a time, and the visitor who has computed least goes first.

Python runs one thread at a time. Computing threads compete for the interpreter with each other and
with the event loop, which needs it many times for one response. Therefore computing threads pass a
baton, and only the holder computes.

What a visitor has computed is forgotten with time (`_HALVED_EVERY_S`). A visitor who asks for
little is therefore answered quickly, however many long runs others have started. Work of visitors
who have computed much also pauses while the event loop prepares a response, except for one turn in
each `pause_s`: all of it together gets at least a sixth of the time.

A holder that does not yield for `patience_s` loses the baton and continues without it, so that it
cannot block the others.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

_TURN_S = 0.003
_PAUSE_S = 0.015
# Each thread that computes without the baton makes the event loop wait longer for the interpreter.
_PATIENCE_S = 0.5
_HALVED_EVERY_S = 5.0
# Work counts as long if its visitor has recently computed for this time.
_LONG_AFTER_S = 0.5
_MOST_VISITORS = 1000


@dataclass(slots=True, eq=False)
class _Work:
    """The work of one thread. Work without the baton has lost it and continues anyway."""

    visitor: str
    turns: int = 0
    has_baton: bool = False
    until: float = 0.0
    charged_until: float = field(default_factory=time.thread_time)
    may_compute: threading.Event = field(default_factory=threading.Event)


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
        if self._is_busy:
            self._is_busy = False
            self._baton.answered()

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
        pause_s: float = _PAUSE_S,
        patience_s: float = _PATIENCE_S,
        long_after_s: float = _LONG_AFTER_S,
    ) -> None:
        """`turn_s` is how long the holder computes while others wait, `pause_s` how long long work
        pauses for a response, and `patience_s` how long a holder may compute without yielding, in
        seconds.
        """
        self._turn_s = turn_s
        self._pause_s = pause_s
        self._patience_s = patience_s
        self._computed = _Computed(long_after_s)
        self._lock = threading.Lock()
        self._holder: _Work | None = None
        self._taken_at = 0.0
        self._long_turn_ended_at = 0.0
        self._waiting: list[_Work] = []
        # Written only in the event loop, so it needs no lock.
        self.answering = 0

    @contextmanager
    def computing(self, visitor: str = "") -> Iterator[Callable[[], None]]:
        """Compute for a visitor inside the block while holding the baton. The thread must often
        call the given function, which lets other threads run.
        """
        work = _Work(visitor)
        self._take(work)
        try:
            yield partial(self._let_others, work)
        finally:
            with self._lock:
                self._put_down(work)
                self._hand_on()

    def answered(self) -> None:
        """The event loop has one response less to prepare."""
        self.answering -= 1
        if not self.answering and self._waiting:
            with self._lock:
                self._hand_on()

    def _let_others(self, work: _Work) -> None:
        if time.monotonic() < work.until:
            return
        if self._waiting or self.answering or not work.has_baton:
            self._take(work)
        else:
            with self._lock:
                self._charge(work)
                self._taken_at = time.monotonic()
            self._begin_turn(work)

    def _take(self, work: _Work) -> None:
        """Wait for the baton. If this thread has it, pass it on first."""
        with self._lock:
            self._put_down(work)
            work.may_compute.clear()
            self._waiting.append(work)
            self._hand_on()
        while not work.may_compute.wait(self._pause_s):
            with self._lock:
                self._hand_on()
        self._begin_turn(work)

    def _begin_turn(self, work: _Work) -> None:
        work.turns += 1
        work.until = time.monotonic() + self._turn_s

    def _hand_on(self) -> None:
        """Let the next one compute if nobody does. Needs the lock."""
        now = time.monotonic()
        if not self._waiting or (self._holder and now < self._taken_at + self._patience_s):
            return
        following = min(self._waiting, key=lambda work: (self._computed.by(work, now), work.turns))
        pauses_until = self._long_turn_ended_at + self._pause_s
        if self.answering and now < pauses_until and self._computed.is_much(following, now):
            return
        if self._holder is not None:
            self._holder.has_baton = False
        self._waiting.remove(following)
        self._holder, self._taken_at = following, now
        following.has_baton = True
        following.may_compute.set()

    def _put_down(self, work: _Work) -> None:
        """Count what it has computed, and take the baton from it. Needs the lock."""
        self._charge(work)
        if work.has_baton:
            work.has_baton, self._holder = False, None
            now = time.monotonic()
            if self._computed.is_much(work, now):
                self._long_turn_ended_at = now

    def _charge(self, work: _Work) -> None:
        computed_until = time.thread_time()
        self._computed.add(work, computed_until - work.charged_until, time.monotonic())
        work.charged_until = computed_until


class _Computed:
    """The recent processor time of each visitor, in seconds."""

    def __init__(self, much_s: float) -> None:
        self._much_s = much_s
        self._seconds: dict[str, tuple[float, float]] = {}

    def by(self, work: _Work, now: float) -> float:
        """The time that the visitor has recently computed."""
        seconds, at = self._seconds.get(work.visitor, (0.0, now))
        return seconds * _left(at, now)

    def is_much(self, work: _Work, now: float) -> bool:
        """Whether this is so much that the visitor's work counts as long."""
        return self.by(work, now) >= self._much_s

    def add(self, work: _Work, seconds: float, now: float) -> None:
        """Add the time of a turn."""
        self._seconds[work.visitor] = (self.by(work, now) + seconds, now)
        if len(self._seconds) > _MOST_VISITORS:
            self._forget(now)

    def _forget(self, now: float) -> None:
        """Keep the half of the visitors who have computed most."""
        left = {name: spent * _left(at, now) for name, (spent, at) in self._seconds.items()}
        for visitor in sorted(left, key=left.__getitem__)[: _MOST_VISITORS // 2]:
            del self._seconds[visitor]


def _left(at: float, now: float) -> float:
    """The part of a time at `at` that still counts."""
    return float(0.5 ** ((now - at) / _HALVED_EVERY_S))
