"""Limits of connections: their number, the time to send a request, and the time to read a response.

uvicorn limits only the pause between two requests. A client that sends half a request, or does not
read its response, could otherwise keep its connection and the response's memory forever.
"""

import re
import sys
import time
from asyncio import TimerHandle, Transport
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from backend import limit_table
from backend.http.errors import BadRequestError, HighwaterError, LimitError
from backend.http.problems import problem
from backend.limits.visitors import Networks, network_of

_LOOK_EVERY_S = 5.0
# A client that reads less than this number of bytes within `READING_SECONDS` counts as not reading.
_LEAST_READ_BYTES = 64 * 1024
# How long, and how much, a refused client may go on sending before the connection is closed.
_LINGERS_S = 1.0
_MOST_IGNORED_BYTES = 1024 * 1024
_CLIENTS_STATES = (h11.IDLE, h11.SEND_BODY)
_HEAD_END = re.compile(rb"\n\r?\n")
# The request line and the empty line.
_LINES_BESIDE_HEADERS = 2
_TWO_LENGTHS = {b"content-length", b"transfer-encoding"}


@dataclass(slots=True)
class Connections:
    """The connections of one process. Those from `proxies` are not counted: they serve many
    visitors.
    """

    proxies: Networks
    most: int = limit_table.CONNECTIONS.number
    most_of_a_visitor: int = limit_table.CONNECTIONS_OF_A_VISITOR.number
    open: "set[GuardedProtocol]" = field(default_factory=set)
    of: Counter[str] = field(default_factory=Counter)

    def admit(self, connection: "GuardedProtocol", host: str) -> HighwaterError | None:
        """Count a new connection, or return the error to respond with immediately."""
        network = network_of(host)
        self.open.add(connection)
        self.of[network] += 1
        if len(self.open) > self.most:
            return LimitError(limit_table.CONNECTIONS, retry_after_s=5)
        if self.of[network] > self.most_of_a_visitor and not self.proxies.contains(host):
            return LimitError(limit_table.CONNECTIONS_OF_A_VISITOR, retry_after_s=5)
        return None

    def leave(self, connection: "GuardedProtocol", host: str) -> None:
        """Stop counting a connection that has ended."""
        if connection in self.open:
            self.open.remove(connection)
            network = network_of(host)
            self.of[network] -= 1
            if not self.of[network]:
                del self.of[network]

    def drop_unread(self) -> None:
        """If all unread responses together exceed the memory limit, close the connections whose
        responses have waited longest.
        """
        unread = {connection: connection.unread_bytes for connection in self.open}
        total = sum(unread.values())
        for connection in sorted(unread, key=lambda one: one.paused_at):
            if total <= limit_table.UNREAD_BYTES.number:
                return
            if unread[connection] > _LEAST_READ_BYTES:
                total -= unread[connection]
                connection.transport.abort()


class _Parser(h11.Connection):
    """h11's parser, with limits for a complete head.

    h11 limits only a head that is incomplete: one that arrives in a single read passes, and it
    parses every line of it.
    """

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next event. Raises RemoteProtocolError for a head that is too long or has too many
        lines, and for a request that states the length of its body in two ways (RFC 9112 §6.1).
        """
        if self.their_state is h11.IDLE:
            self._check_size()
        event = super().next_event()
        if isinstance(event, h11.Request) and {name for name, _ in event.headers} >= _TWO_LENGTHS:
            raise h11.RemoteProtocolError("both Content-Length and Transfer-Encoding")
        return event

    def _check_size(self) -> None:
        received, _ = self.trailing_data
        end = _HEAD_END.search(received)
        size = len(received) if end is None else end.end()
        for limit, number in (
            (limit_table.HEADER_BYTES, size),
            (limit_table.HEADERS, received.count(b"\n", 0, size) - _LINES_BESIDE_HEADERS),
        ):
            if number > limit.number:
                raise _TooMuchError(limit)


class _TooMuchError(h11.RemoteProtocolError):
    """A head exceeds a limit."""

    def __init__(self, limit: limit_table.Limit) -> None:
        super().__init__(limit.name)
        self.limit = limit


class GuardedProtocol(H11Protocol):
    """uvicorn's protocol with these limits. `connections` is set on a subclass, one for each
    server.
    """

    connections_of_process: Connections
    look_every_s = _LOOK_EVERY_S
    request_s: float = limit_table.REQUEST_SECONDS.number
    reading_s: float = limit_table.READING_SECONDS.number

    # Any: uvicorn's own arguments, which are only passed on.
    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn = _Parser(h11.SERVER)
        self._is_refused = False
        self._ignored_bytes = 0
        self._waiting_since = time.monotonic()
        self._looking: TimerHandle | None = None
        # The unread bytes, and the time since which too few of them have been read.
        self._unread: tuple[int, float] = (0, 0.0)
        self.paused_at = 0.0

    @property
    def unread_bytes(self) -> int:
        """The number of bytes of responses that the client has not read yet."""
        return self.transport.get_write_buffer_size()

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Reject the connection immediately if there are too many."""
        super().connection_made(transport)
        refused = self.connections_of_process.admit(self, self._host)
        if refused is not None:
            self._refuse(refused)
            self.transport.close()
            return
        self._looking = self.loop.call_later(self.look_every_s, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        if self._looking is not None:
            self._looking.cancel()
        self.connections_of_process.leave(self, self._host)
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Start the time limit for the next request."""
        self._waiting_since = time.monotonic()
        super().on_response_complete()

    def data_received(self, data: bytes) -> None:
        """Ignore what follows a request that was refused, up to a limit."""
        if not self._is_refused:
            super().data_received(data)
            return
        self._ignored_bytes += len(data)
        if self._ignored_bytes > _MOST_IGNORED_BYTES:
            self.transport.abort()

    def pause_writing(self) -> None:
        """Start the time limit for reading: the client reads more slowly than the
        response is sent.
        """
        super().pause_writing()
        self.paused_at = time.monotonic()
        self._unread = (self.unread_bytes, self.paused_at)
        self.connections_of_process.drop_unread()

    def resume_writing(self) -> None:
        """End the time limit for reading: the client has caught up."""
        super().resume_writing()
        self._unread = (0, 0.0)

    def send_400_response(self, msg: str) -> None:
        """Respond with a problem document, also to input that is not an HTTP request."""
        invalid = sys.exception()
        self._refuse(
            LimitError(invalid.limit)
            if isinstance(invalid, _TooMuchError)
            else BadRequestError(msg, code="bad_request")
        )
        # If the connection were closed while the client still sends, the system would discard what
        # the client has not read.
        self._is_refused = True
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(_LINGERS_S, self.transport.close)

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing: uvicorn would advise the operator to install a library for WebSockets, for
        each client that asks for one. Such a request is answered as any other."""

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
        response = problem(error)
        lines = [f"HTTP/1.1 {error.status.value} {error.status.phrase}".encode()]
        lines += [name + b": " + value for name, value in response.raw_headers]
        lines += [b"cache-control: no-store", b"x-content-type-options: nosniff"]
        self.transport.write(
            b"\r\n".join([*lines, b"connection: close", b"", bytes(response.body)])
        )


def protocol_for(proxies: str) -> type[GuardedProtocol]:
    """A protocol class for one server, whose connections are counted together."""
    counted = Connections(Networks(_listed(proxies)))
    return type("Guarded", (GuardedProtocol,), {"connections_of_process": counted})


def _listed(proxies: str) -> Iterable[str]:
    return (address for address in proxies.split(",") if address)
