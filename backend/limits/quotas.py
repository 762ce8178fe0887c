"""Rate limits for expensive requests: one token bucket for each visitor and kind of request.

A bucket contains one minute's tokens and refills at that rate. A whole class can start at once,
while a visitor who never stops is slowed down.

Each process of a service has its own buckets, sized to its share of the limit. A visitor whose
requests are spread over all processes gets the full limit, and never more.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping

from backend.http.errors import LimitError
from backend.limit_table import Limit

_MOST_VISITORS = 10_000


class Quota:
    """The buckets of one limit, by network. The least recently used buckets are evicted, so they
    are full when they are next used.
    """

    def __init__(
        self, limit: Limit, *, processes: int = 1, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`processes` is the number of processes that share the limit."""
        self._limit = limit
        self._most = max(1.0, limit.number / processes)
        self._rate = self._most / 60
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, network: str) -> None:
        """Take a token from the network's bucket. Raises LimitError, with the time until the next
        token, if the bucket is empty.
        """
        now = self._clock()
        tokens, before = self._buckets.pop(network, (self._most, now))
        tokens = min(self._most, tokens + (now - before) * self._rate)
        enough = tokens >= 1
        self._buckets[network] = (tokens - enough, now)
        if len(self._buckets) > _MOST_VISITORS:
            self._buckets.popitem(last=False)
        if not enough:
            raise LimitError(self._limit, retry_after_s=math.ceil((1 - tokens) / self._rate))


Quotas = Mapping[str, Quota]
"""Limit name → buckets."""
