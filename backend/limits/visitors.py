"""Visitors: the address of a request, and whether its client is still connected."""

import asyncio
import ipaddress
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.limits.baton import Baton, RequestInProgress


class Visitor:
    """The sender of one request. All senders from one network count as one: see `network_of`."""

    def __init__(self, network: str, answering: RequestInProgress | None = None) -> None:
        self.network = network
        self.answering = RequestInProgress(Baton()) if answering is None else answering
        self._gone = False
        self._when_gone: Callable[[], None] | None = None

    @property
    def is_gone(self) -> bool:
        """Whether the client has disconnected. Thread-safe."""
        return self._gone

    def leave(self) -> None:
        """Record that the connection was closed."""
        self._gone = True
        if self._when_gone is not None:
            self._when_gone()

    def when_gone(self, told: Callable[[], None] | None) -> None:
        """Set the function to call in the event loop when the client disconnects; null
        removes it.
        """
        self._when_gone = told


_visitor: ContextVar[Visitor | None] = ContextVar("visitor", default=None)


def current_visitor() -> Visitor:
    """The visitor of the current request; outside a request, a visitor without a network who never
    disconnects."""
    return _visitor.get() or Visitor("")


@contextmanager
def visiting(visitor: Visitor) -> Iterator[None]:
    """Make this the current visitor inside the block."""
    token = _visitor.set(visitor)
    try:
        yield
    finally:
        _visitor.reset(token)


def network_of(host: str) -> str:
    """The unit for counting visitors: the IPv4 address, or the /64 of an IPv6 address."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return host


class Networks:
    """Addresses and networks, as listed in a setting."""

    def __init__(self, listed: Iterable[str]) -> None:
        self._networks = [ipaddress.ip_network(network) for network in listed]

    def contains(self, host: str) -> bool:
        """Whether an address is in one of them."""
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._networks)


class KnowVisitor:
    """ASGI middleware that identifies the visitor of a request and detects when the client
    disconnects.

    It runs after the body gate, so the amount that it reads ahead of the app is bounded. Until the
    response begins, long work yields to the event loop.
    """

    def __init__(self, app: ASGIApp, baton: Baton) -> None:
        self.app = app
        self._baton = baton

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Runs the app and watches the connection meanwhile."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client = scope.get("client")
        answering = RequestInProgress(self._baton)
        visitor = Visitor(network_of(client[0] if client else ""), answering)

        async def begin(message: Message) -> None:
            answering.end()
            await send(message)

        arrived: asyncio.Queue[Message] = asyncio.Queue()
        watching = asyncio.create_task(_watch(visitor, receive, arrived))
        answering.begin()
        try:
            with visiting(visitor):
                await self.app(scope, arrived.get, begin)
        finally:
            answering.end()
            visitor.when_gone(None)
            watching.cancel()


async def _watch(visitor: Visitor, receive: Receive, arrived: asyncio.Queue[Message]) -> None:
    while True:
        message = await receive()
        arrived.put_nowait(message)
        if message["type"] == "http.disconnect":
            visitor.leave()
            return
        if message.get("more_body", False):
            return  # the body of a request that should have none; it is ignored
