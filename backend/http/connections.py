"""What a connection may take: its share of all, a deadline to ask, and one to read the answer.

uvicorn times only the pause between two requests. A client that sends half a request, or does not
read what it asked for, would hold its connection and its answer for as long as it likes.
"""

import sys
import time
from asyncio import TimerHandle, Transport
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from backend.http.errors import BadRequestError, HighwaterError, LimitError, problem
from backend.limits.table import (
    CONNECTIONS,
    CONNECTIONS_OF_A_VISITOR,
    HEADER_BYTES,
    READING_SECONDS,
    REQUEST_SECONDS,
    UNREAD_BYTES,
)
from backend.limits.visitors import Networks, network_of

_LOOK_EVERY_S = 5.0
# Less than this in `READING_SECONDS` is no reading.
_LEAST_READ_BYTES = 64 * 1024
_CLIENTS_STATES = (h11.IDLE, h11.SEND_BODY)


@dataclass(slots=True)
class Connections:
    """The connections of one process. Those of `proxies` are many visitors', and not counted."""

    proxies: Networks
    most: int = CONNECTIONS.number
    most_of_a_visitor: int = CONNECTIONS_OF_A_VISITOR.number
    open: "set[GuardedProtocol]" = field(default_factory=set)
    of: Counter[str] = field(default_factory=Counter)

    def admit(self, connection: "GuardedProtocol", host: str) -> HighwaterError | None:
        """Count a connection; or the error that it is answered with at once."""
        network = network_of(host)
        self.open.add(connection)
        self.of[network] += 1
        if len(self.open) > self.most:
            return LimitError(CONNECTIONS, retry_after_s=5)
        if self.of[network] > self.most_of_a_visitor and not self.proxies.contains(host):
            return LimitError(CONNECTIONS_OF_A_VISITOR, retry_after_s=5)
        return None

    def leave(self, connection: "GuardedProtocol", host: str) -> None:
        """A connection has ended."""
        if connection in self.open:
            self.open.remove(connection)
            network = network_of(host)
            self.of[network] -= 1
            if not self.of[network]:
                del self.of[network]

    def drop_unread(self) -> None:
        """End the connections whose answers have waited longest to be read, where all that waits
        is more than memory has room for."""
        unread = {connection: connection.unread_bytes for connection in self.open}
        total = sum(unread.values())
        for connection in sorted(unread, key=lambda one: one.paused_at):
            if total <= UNREAD_BYTES.number:
                return
            if unread[connection] > _LEAST_READ_BYTES:
                total -= unread[connection]
                connection.transport.abort()


class GuardedProtocol(H11Protocol):
    """uvicorn's protocol, with what it lacks. `connections` is set on a subclass, one a server."""

    connections_of_process: Connections
    look_every_s = _LOOK_EVERY_S
    request_s: float = REQUEST_SECONDS.number
    reading_s: float = READING_SECONDS.number

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._waiting_since = time.monotonic()
        self._looking: TimerHandle | None = None
        # How much was unread when, since when too little of it was read.
        self._unread: tuple[int, float] = (0, 0.0)
        self.paused_at = 0.0

    @property
    def unread_bytes(self) -> int:
        """How much of the answers waits for the client to read it."""
        return self.transport.get_write_buffer_size()

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Refuses at once where there are too many."""
        super().connection_made(transport)
        refused = self.connections_of_process.admit(self, self._host)
        if refused is not None:
            self._refuse(refused)
            return
        self._looking = self.loop.call_later(self.look_every_s, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Gives back the place."""
        if self._looking is not None:
            self._looking.cancel()
        self.connections_of_process.leave(self, self._host)
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """From now on the next request is waited for."""
        self._waiting_since = time.monotonic()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """The client reads more slowly than it is answered."""
        super().pause_writing()
        self.paused_at = time.monotonic()
        self._unread = (self.unread_bytes, self.paused_at)
        self.connections_of_process.drop_unread()

    def resume_writing(self) -> None:
        """The client has read."""
        super().resume_writing()
        self._unread = (0, 0.0)

    def send_400_response(self, msg: str) -> None:
        """A problem document, also for what is no request."""
        hint = getattr(sys.exception(), "error_status_hint", 400)
        too_large = hint == LimitError(HEADER_BYTES).status
        self._refuse(
            LimitError(HEADER_BYTES) if too_large else BadRequestError(msg, code="bad_request")
        )

    @property
    def _host(self) -> str:
        return self.client[0] if self.client else ""

    def _look(self) -> None:
        if self.transport.is_closing() and not self.unread_bytes:
            return
        now = time.monotonic()
        is_asking = self.conn.their_state in _CLIENTS_STATES
        if is_asking and now - self._waiting_since > self.request_s:
            self.transport.abort()
            return
        was_unread, since = self._unread
        unread = self.unread_bytes
        if was_unread and now - since > self.reading_s:
            if unread > was_unread - _LEAST_READ_BYTES:
                self.transport.abort()
                return
            self._unread = (unread, now)
        self._looking = self.loop.call_later(self.look_every_s, self._look)

    def _refuse(self, error: HighwaterError) -> None:
        answer = problem(error)
        lines = [f"HTTP/1.1 {error.status.value} {error.status.phrase}".encode()]
        lines += [name + b": " + value for name, value in answer.raw_headers]
        lines += [b"cache-control: no-store", b"x-content-type-options: nosniff"]
        self.transport.write(b"\r\n".join([*lines, b"connection: close", b"", bytes(answer.body)]))
        self.transport.close()


def protocol_for(proxies: str) -> type[GuardedProtocol]:
    """The protocol of one server, whose connections are counted together."""
    counted = Connections(Networks(_listed(proxies)))
    return type("Guarded", (GuardedProtocol,), {"connections_of_process": counted})


def _listed(proxies: str) -> Iterable[str]:
    return (address for address in proxies.split(",") if address)
