"""Schedules computing threads: one at a time, and the visitor who has computed least goes first.

Python runs one thread at a time. Computing threads compete for the interpreter with each other and
with the event loop, which needs it many times for one response. Therefore computing threads pass a
baton, and only the holder computes.

What a visitor has used is forgotten with time (`RecentTime`). A visitor who asks for little is
therefore answered quickly, however many long runs others have started. Work of visitors who have
used much also pauses while the event loop prepares a response for somebody who has used less,
except for one turn in each `pause_s`: all of it together gets at least a sixth of the time.

A holder that does not yield for `patience_s` loses the baton and continues without it, so that it
cannot block the others.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from threading import Lock

_HALVED_EVERY_S = 5.0
# Whoever loads a page and acts has recently used about this time.
_MUCH_S = 0.15
_MOST_VISITORS = 1000
_TURN_S = 0.003
_PAUSE_S = 0.015
_LONGEST_PAUSE_S = 0.2
# Each thread that computes without the baton makes the event loop wait longer for the interpreter.
_PATIENCE_S = 0.5


class RecentTime:
    """Thread-safe. The event loop adds what it has used, and so does each computing thread."""

    def __init__(
        self, *, much_s: float = _MUCH_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._much_s = much_s
        self._clock = clock
        self._lock = Lock()
        self._seconds: dict[str, tuple[float, float]] = {}

    def of(self, visitor: str, at: float | None = None) -> float:
        """The time that the visitor has recently used, at a moment of the clock; by default, now.

        Only numbers of the same moment can be compared.
        """
        now = self._clock() if at is None else at
        seconds, added_at = self._seconds.get(visitor, (0.0, now))
        return seconds * _left(now - added_at)

    def waits_for(self, visitor: str, others: Iterable[str]) -> bool:
        """Whether a visitor has used so much that requests of one of these others go first: much,
        and at least twice as much as that other.
        """
        now = self._clock()
        used = self.of(visitor, now)
        return used >= self._much_s and any(
            self.of(other, now) <= used / 2 for other in others if other != visitor
        )

    def add(self, visitor: str, seconds: float) -> None:
        """Add time that was just used."""
        with self._lock:
            self._seconds[visitor] = (self.of(visitor) + seconds, self._clock())
            if len(self._seconds) > _MOST_VISITORS:
                self._forget()

    def _forget(self) -> None:
        """Keep the half of the visitors who have used most."""
        now = self._clock()
        for visitor in sorted(self._seconds, key=lambda visitor: self.of(visitor, now))[
            : _MOST_VISITORS // 2
        ]:
            del self._seconds[visitor]


def _left(age_s: float) -> float:
    """The part of a time of this age that still counts."""
    return float(0.5 ** (age_s / _HALVED_EVERY_S))


@dataclass(slots=True, eq=False)
class _Work:
    """The work of one thread. Work without the baton has lost it and continues anyway."""

    visitor: str
    turns: int = 0
    has_baton: bool = False
    until: float = 0.0
    charged_until: float = field(default_factory=time.thread_time)
    may_compute: threading.Event = field(default_factory=threading.Event)


class Baton:
    """The permission to compute, which one thread has at a time. Thread-safe."""

    def __init__(
        self,
        *,
        turn_s: float = _TURN_S,
        pause_s: float = _PAUSE_S,
        patience_s: float = _PATIENCE_S,
        recent: RecentTime | None = None,
    ) -> None:
        """`turn_s` is how long the holder computes while others wait, `pause_s` how long long work
        pauses for a response, and `patience_s` how long a holder may compute without yielding, in
        seconds. `recent` is the time that each visitor has used, to which the threads add theirs.
        """
        self.recent = RecentTime() if recent is None else recent
        self._turn_s = turn_s
        self._pause_s = pause_s
        self._patience_s = patience_s
        self._lock = threading.Lock()
        self._holder: _Work | None = None
        self._taken_at = 0.0
        self._pauses_until = 0.0
        self._waiting: list[_Work] = []
        # The visitors for whom the event loop prepares responses. Changed only in the loop.
        self.answering: Counter[str] = Counter()

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

    def begin_answer(self, network: str) -> None:
        """The event loop prepares a response for this visitor. Called in the loop."""
        self.answering[network] += 1

    def end_answer(self, network: str) -> None:
        """The event loop has one response less to prepare. Called in the loop."""
        self.answering[network] -= 1
        if not self.answering[network]:
            del self.answering[network]
        if self._waiting:
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
        following = min(
            self._waiting, key=lambda work: (self.recent.of(work.visitor, now), work.turns)
        )
        if now < self._pauses_until and self.recent.waits_for(
            following.visitor, list(self.answering)
        ):
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
            # Work that does not yield, such as decoding, may have taken longer than a turn.
            longer_s = min(2 * (now - self._taken_at), _LONGEST_PAUSE_S)
            self._pauses_until = now + max(self._pause_s, longer_s)

    def _charge(self, work: _Work) -> None:
        computed_until = time.thread_time()
        self.recent.add(work.visitor, computed_until - work.charged_until)
        work.charged_until = computed_until
