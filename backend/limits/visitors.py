"""Visitors: the address of a request, and whether its client is still connected."""

import ipaddress
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar

from backend.limits.turns import Turn


class Visitor:
    """The sender of one request. All senders from one network count as one: see `network_of`."""

    def __init__(self, network: str, turn: Turn | None = None) -> None:
        self.network = network
        self._turn = turn
        self._gone = False
        self._when_gone: Callable[[], None] | None = None

    @property
    def is_gone(self) -> bool:
        """Whether the client has disconnected. Thread-safe."""
        return self._gone

    def aside(self) -> AbstractContextManager[None]:
        """Inside the block, the request waits for work outside the event loop."""
        return nullcontext() if self._turn is None else self._turn.aside()

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
