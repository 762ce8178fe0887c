"""The processor time that each visitor has recently used, in seconds.

It is halved in each `_HALVED_EVERY_S`, so a visitor who uses a part p of a processor for long has
used about 7 p.
"""

import time
from collections.abc import Callable, Iterable
from threading import Lock

_HALVED_EVERY_S = 5.0
# Whoever loads a page and acts has recently used about this time.
_MUCH_S = 0.15
_MOST_VISITORS = 1000


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
