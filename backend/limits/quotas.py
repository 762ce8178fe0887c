"""How often one visitor may do what costs: a bucket of tokens for each kind of request.

A bucket holds as many tokens as are allowed a minute, and fills at that rate. So a class that
starts together is served, and whoever goes on for ever is slowed down.

Each process of a service has its own buckets, each as large as its share of the limit: a visitor
whose requests are spread over all of them has what the limit says, and never more.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping

from backend.http.errors import LimitError
from backend.limits.table import Limit

_MOST_VISITORS = 10_000


class Quota:
    """The buckets of one limit, by network; those used longest ago are forgotten, and so full."""

    def __init__(
        self, limit: Limit, *, processes: int = 1, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`processes` is how many share the limit."""
        self._limit = limit
        self._most = max(1.0, limit.number / processes)
        self._rate = self._most / 60
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, network: str) -> None:
        """Take a token. Raises LimitError, which says when there will be one."""
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
"""By the name of their limits."""
