"""The quotas of one visitor: requests of a kind, and guesses of unknown ids, in a minute; bytes
stored in an hour; and votes on one question.

A quota is a token bucket for each visitor. It contains the tokens of one period and refills at that
rate. A whole class can start at once, while a visitor who never stops is slowed down.

Each process of a service has its own buckets, sized to its share of the limit. A visitor whose
requests are spread over all processes gets the full limit, and never more.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping

from backend.http.errors import LimitError
from backend.limit_table import STORED_BYTES_AN_HOUR, VOTES_OF_A_VISITOR, Limit, all_limits

_MOST_VISITORS = 10_000
_MOST_VOTES_KEPT = 200_000
_MINUTE_S, _HOUR_S = 60, 3600


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
        self._rate = self._most / (
            _HOUR_S if limit.name == STORED_BYTES_AN_HOUR.name else _MINUTE_S
        )
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, network: str) -> None:
        """Take a token from the network's bucket. Raises LimitError, with the time until the next
        token, if the bucket is empty.
        """
        self.check(network)
        self.charge(network, 1)

    def check(self, network: str) -> None:
        """Raise the error of `take` if the network's bucket is empty, and take nothing."""
        tokens = self._tokens(network, self._clock())
        if tokens < 1:
            raise LimitError(self._limit, retry_after_s=math.ceil((1 - tokens) / self._rate))

    def charge(self, network: str, amount: float) -> None:
        """Take as many tokens as were used. The bucket may owe some of them afterwards."""
        now = self._clock()
        tokens = self._tokens(network, now) - amount
        self._buckets.pop(network, None)
        self._buckets[network] = (tokens, now)
        if len(self._buckets) > _MOST_VISITORS:
            self._buckets.popitem(last=False)

    def _tokens(self, network: str, now: float) -> float:
        tokens, before = self._buckets.get(network, (self._most, now))
        return min(self._most, tokens + (now - before) * self._rate)


Quotas = Mapping[str, Quota]
"""Limit name → buckets."""


def quotas_of(numbers: Mapping[str, int], *, processes: int) -> Quotas:
    """New buckets for the quotas with these numbers, which are those of the settings; 0: none."""
    limits = (limit for limit in all_limits(numbers) if limit.name in numbers)
    return {limit.name: Quota(limit, processes=processes) for limit in limits}


class VoteLimit:
    """How many voters of one network have answered each question, so that the votes of one visitor
    cannot use up what a question has room for.

    The voters are only in memory, because the database should not contain where a vote came from.
    """

    def __init__(self, *, most: int = VOTES_OF_A_VISITOR.number, processes: int = 1) -> None:
        """`processes` is the number of processes that share the limit."""
        self._most = max(1, most // processes)
        self._voters: OrderedDict[tuple[str, str, str], set[int]] = OrderedDict()
        self._kept = 0

    def __len__(self) -> int:
        return self._kept

    def admit(self, network: str, presentation: str, question: str, voter: str) -> None:
        """Count a voter once for each question. Raises LimitError if the network has too many."""
        place = (network, presentation, question)
        voters = self._voters.pop(place, set())
        self._voters[place] = voters
        number = int(voter, 16)
        if number in voters:
            return
        if len(voters) >= self._most:
            raise LimitError(VOTES_OF_A_VISITOR, retry_after_s=_MINUTE_S)
        voters.add(number)
        self._kept += 1
        while self._kept > _MOST_VOTES_KEPT:
            _, oldest = self._voters.popitem(last=False)
            self._kept -= len(oldest)
