"""Turns: few requests of a visitor are begun at the same time.

The event loop works on requests in the order in which they arrive. Twenty requests that one visitor
sends at once would delay everybody else by the time of twenty. Therefore those beyond the first
three wait in the visitor's own queue, and requests of other visitors pass them.
"""

import asyncio
from collections import Counter, deque

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.limits.visitors import network_of

_AT_ONCE = 3
# A request that waits for a lane or for the database does not keep the event loop busy.
_PATIENCE_S = 0.05


class TakeTurns:
    """ASGI middleware that begins at most `at_once` requests of a visitor at the same time.

    A turn ends when the response begins, or after `patience_s` seconds. Nothing is refused: the
    requests of a network that many people share wait for one another only while the event loop
    works on them.
    """

    def __init__(
        self, app: ASGIApp, *, at_once: int = _AT_ONCE, patience_s: float = _PATIENCE_S
    ) -> None:
        self.app = app
        self._at_once = at_once
        self._patience_s = patience_s
        self._taken: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Runs the app when it is the visitor's turn."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client = scope.get("client")
        network = network_of(client[0] if client else "")
        await self._take(network)
        turn = _Turn(self, network)
        late = asyncio.get_running_loop().call_later(self._patience_s, turn.end)

        async def begin(message: Message) -> None:
            turn.end()
            await send(message)

        try:
            await self.app(scope, receive, begin)
        finally:
            late.cancel()
            turn.end()

    async def _take(self, network: str) -> None:
        """Returns once it is this request's turn, which is then counted."""
        if self._taken[network] < self._at_once:
            self._taken[network] += 1
            return
        given = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(network, deque()).append(given)
        try:
            await given
        except asyncio.CancelledError:
            if given.done() and not given.cancelled():
                self.give_back(network)
            raise

    def give_back(self, network: str) -> None:
        """A turn has ended: the visitor's next request has it, if one waits."""
        queue = self._waiting.get(network)
        while queue:
            following = queue.popleft()
            if not queue:
                del self._waiting[network]
            if not following.done():  # unless it was cancelled
                following.set_result(None)
                return
        self._taken[network] -= 1
        if not self._taken[network]:
            del self._taken[network]


class _Turn:
    """One request's turn, which ends once."""

    def __init__(self, turns: TakeTurns, network: str) -> None:
        self._turns: TakeTurns | None = turns
        self._network = network

    def end(self) -> None:
        """Give the turn back, unless that has been done."""
        turns, self._turns = self._turns, None
        if turns is not None:
            turns.give_back(self._network)
