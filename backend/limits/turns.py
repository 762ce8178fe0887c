"""Turns: whose request the event loop begins next.

The event loop works on one thing at a time, so every request that it begins delays all others.
Therefore few requests of one visitor are in progress at the same time; the others wait in the
visitor's own queue. Requests of a visitor who has recently used much processor time also wait while
somebody who has used less is answered, except for one in each `pause_s`.
"""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager

from backend.limits.baton import Baton

_AT_ONCE = 3
_PAUSE_S = 0.02
_LONGEST_PAUSE_S = 0.5
# A request that takes longer waits for something else than the event loop, such as its body.
_PATIENCE_S = 0.25


class Turns:
    """The requests that the event loop works on, and those that wait. Used only in the loop."""

    def __init__(
        self,
        baton: Baton,
        *,
        at_once: int = _AT_ONCE,
        pause_s: float = _PAUSE_S,
        patience_s: float = _PATIENCE_S,
    ) -> None:
        """Threads with this `baton` pause for the requests that the loop works on."""
        self.baton = baton
        self.patience_s = patience_s
        self._at_once = at_once
        self._pause_s = pause_s
        self._begun: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[asyncio.Future[Turn]]] = OrderedDict()
        # The visitors whose responses have not begun. They may wait for other work.
        self._answered: Counter[str] = Counter()
        self._pauses_until = 0.0
        self._waking: asyncio.TimerHandle | None = None

    async def take(self, network: str, *, is_first: bool = False) -> "Turn":
        """Return once it is this request's turn, which the caller ends. With `is_first` it passes
        the other requests of its visitor.
        """
        if network not in self._waiting and self._may_begin(network):
            return self._begin(network)
        turn: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()
        queue = self._waiting.setdefault(network, deque())
        if is_first:
            queue.appendleft(turn)
        else:
            queue.append(turn)
        self._wake_later()
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                turn.result().end()
            raise

    def leave(self, network: str) -> None:
        """A request of this visitor needs the loop no longer, or waits for something else."""
        self._begun[network] -= 1
        if not self._begun[network]:
            del self._begun[network]
        self._begin_waiting()

    def answered(self, network: str) -> None:
        """The response to a request of this visitor begins."""
        self._answered[network] -= 1
        if not self._answered[network]:
            del self._answered[network]
            self._begin_waiting()

    def note_spent(self, network: str, seconds: float) -> None:
        """A request has used this much of the event loop's time. If its visitor should have waited
        for somebody, the next one pauses for longer: others have at least two thirds of the time.
        """
        self.baton.recent.add(network, seconds)
        if self._waits_for_others(network):
            now = asyncio.get_running_loop().time()
            pause_s = min(2 * seconds, _LONGEST_PAUSE_S)
            self._pauses_until = max(self._pauses_until, now + pause_s)

    def _may_begin(self, network: str) -> bool:
        if self._begun[network] >= self._at_once:
            return False
        now = asyncio.get_running_loop().time()
        return now >= self._pauses_until or not self._waits_for_others(network)

    def _waits_for_others(self, network: str) -> bool:
        return self.baton.recent.waits_for(network, self._answered)

    def _begin(self, network: str) -> "Turn":
        self._begun[network] += 1
        if self._waits_for_others(network):
            self._pauses_until = asyncio.get_running_loop().time() + self._pause_s
        self._answered[network] += 1
        return Turn(self, network)

    def _begin_waiting(self) -> None:
        """Begin what may begin, of all visitors in turn."""
        for network in list(self._waiting):
            queue = self._waiting[network]
            while queue and self._may_begin(network):
                turn = queue.popleft()
                if not turn.done():  # unless it was cancelled
                    turn.set_result(self._begin(network))
            if queue:
                self._waiting.move_to_end(network)
            else:
                del self._waiting[network]
        self._wake_later()

    def _wake_later(self) -> None:
        if self._waiting and self._waking is None:
            self._waking = asyncio.get_running_loop().call_later(self._pause_s, self._wake)

    def _wake(self) -> None:
        self._waking = None
        self._begin_waiting()


class Turn:
    """One request's turn, from its begin until its response begins."""

    def __init__(self, turns: Turns, network: str) -> None:
        self._turns = turns
        self._network = network
        self._is_busy = False
        self._has_place = True
        self._is_preferred = True
        self._late = asyncio.get_running_loop().call_later(turns.patience_s, self._give_up)
        self._work()

    def end(self) -> None:
        """The response begins, or the request has ended. Later calls have no effect."""
        self._late.cancel()
        self._rest()
        self._give_up()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Inside the block, the request waits for other work, and the next request of its visitor
        may begin.
        """
        was_busy = self._is_busy
        self._rest()
        self._leave()
        try:
            yield
        finally:
            if was_busy:
                self._work()

    def _work(self) -> None:
        self._is_busy = True
        self._turns.baton.begin_answer(self._network)

    def _rest(self) -> None:
        if self._is_busy:
            self._is_busy = False
            self._turns.baton.end_answer(self._network)

    def _leave(self) -> None:
        if self._has_place:
            self._has_place = False
            self._turns.leave(self._network)

    def _give_up(self) -> None:
        self._leave()
        if self._is_preferred:
            self._is_preferred = False
            self._turns.answered(self._network)
