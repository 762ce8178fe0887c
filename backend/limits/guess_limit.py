"""Limits the guessing of ids: the number of unknown links that one network may request
in a minute.
"""

import time
from collections import OrderedDict
from collections.abc import Callable

from backend.http.errors import LimitError
from backend.limit_table import MISSES_A_MINUTE

_WINDOW_S = 60
_MOST_PLACES = 10_000


class GuessLimit:
    """The requests for unknown links in the current minute, by network: an IPv4 address or an IPv6
    /64.
    """

    def __init__(
        self,
        *,
        most_a_minute: int = MISSES_A_MINUTE.number,
        processes: int = 1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`processes` is the number of processes that share the limit."""
        self._most = max(1, most_a_minute // processes)
        self._clock = clock
        self._counts: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def check(self, network: str) -> None:
        """Raise LimitError if this network has requested too many unknown links in the current
        minute.
        """
        minute, elapsed = divmod(self._clock(), _WINDOW_S)
        counted_in, count = self._counts.get(network, (int(minute), 0))
        if counted_in == int(minute) and count >= self._most:
            raise LimitError(MISSES_A_MINUTE, retry_after_s=int(_WINDOW_S - elapsed) + 1)

    def add(self, network: str) -> None:
        """Count one request of this network for an unknown link."""
        minute = int(self._clock() // _WINDOW_S)
        counted_in, count = self._counts.pop(network, (minute, 0))
        self._counts[network] = (minute, count + 1 if counted_in == minute else 1)
        while len(self._counts) > _MOST_PLACES:
            self._counts.popitem(last=False)
