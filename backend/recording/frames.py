"""The network between nodes: every node is reached through a forwarder that reads the frames of
Kafka's protocol, and passes, holds or drops them.

The header of a request says which connection it is: a broker's fetcher is called
`broker-3-fetcher-0`, the reader of the metadata log `raft-client-3`, what checks transactions
`AddPartitionsManager-client-3`, and everything else that a broker sends to the controller has its
id as the client's name. A sender that is none of these is an error of the recording: what it is
told could not be held.
"""

import asyncio
import io
import re
import struct
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Literal

from kafka.protocol.api_header import RequestHeader
from kafka.protocol.consumer.fetch import FetchRequest
from kafka.protocol.consumer.offsets import ListOffsetsRequest, OffsetForLeaderEpochRequest

from backend.recording.failures import RecordingFailedError, failure
from sim_engine.conformance.recording import Frames
from sim_engine.error_texts import Wording

Node = int
Route = tuple[str, Node, Node]
"""An API, the node that sends its requests, and the node that answers them."""

_SENDER = re.compile(r"broker-(\d+)-.*|(?:raft|AddPartitionsManager)-client-(\d+)|(\d+)")
_NAMELESS = re.compile(r"ReplicaFetcherThread-\d+-\d+")
"""A fetcher before 1.0, whose requests name the replica, except OffsetForLeaderEpoch."""
_APIS = {
    FetchRequest.API_KEY: "Fetch",
    ListOffsetsRequest.API_KEY: "ListOffsets",
    OffsetForLeaderEpochRequest.API_KEY: "OffsetForLeaderEpoch",
}
_WITH_REPLICA_ID = 14
_MOST_BYTES = 100_000_000
_ROUND_S = 20
"""A follower that is backing off after an error sends its next request within this time, and the
other side answers one that it has.
"""


class NetworkError(RecordingFailedError):
    """What was to be held, passed or dropped did not come, or a connection is none of those that
    are known.
    """


def sender_of(client_id: str | None) -> Node | None:
    """The node with a client id; None for another client."""
    match = _SENDER.fullmatch(client_id or "")
    return None if match is None else int(next(filter(None, match.groups())))


class _Gate:
    """What is held of one kind of frame on one route."""

    def __init__(self) -> None:
        self.held = False
        self.holds_next = False
        """Whether the next frame alone is held."""
        self.waiting: deque[tuple[asyncio.Future[None], Callable[[], None]]] = deque()
        """The frames that wait, each with what closes its connection."""
        self.arrived = asyncio.Event()

    async def passed(self, close: Callable[[], None]) -> None:
        """Wait until a frame may pass."""
        if not (self.held or self.holds_next):
            return
        self.holds_next = False
        future = asyncio.get_running_loop().create_future()
        entry = (future, close)
        self.waiting.append(entry)
        self.arrived.set()
        try:
            await future
        finally:
            if entry in self.waiting:
                self.waiting.remove(entry)
            if not self.waiting:
                self.arrived.clear()

    def let_through(self, most: int | None = None) -> None:
        """Let the oldest frames pass; all that wait if no number is given."""
        count = len(self.waiting) if most is None else most
        for _ in range(count):
            future, _close = self.waiting.popleft()
            if not future.done():
                future.set_result(None)
        if not self.waiting:
            self.arrived.clear()

    async def wait_for_one(self, late: Wording) -> None:
        """Wait until a frame waits. Raises `NetworkError`, with the reason if none comes."""
        try:
            async with asyncio.timeout(_ROUND_S):
                await self.arrived.wait()
        except TimeoutError:
            raise NetworkError(late) from None


class Network:
    """The forwarders of all nodes, with what is held and cut."""

    def __init__(self) -> None:
        self._gates: defaultdict[tuple[Route, Frames], _Gate] = defaultdict(_Gate)
        self._unanswered: defaultdict[Route, int] = defaultdict(int)
        """The requests that a node has and has not answered, by route."""
        self._cut: set[tuple[Node, Node]] = set()
        self._links: set[_Link] = set()
        self._servers: list[asyncio.Server] = []
        self._stranger: Wording | None = None

    def check(self) -> None:
        """Raise `NetworkError` if the sender of any request until now was not recognised."""
        if self._stranger is not None:
            raise NetworkError(self._stranger)

    def refuse(self, client_id: str | None, receiver: Node) -> None:
        """Remember a request of an unknown sender, for `check`."""
        self._stranger = failure("stranger", node=receiver, client=str(client_id))

    async def forward_to(self, node: Node, port: int) -> int:
        """Begin to forward to a node that listens at a port; returns the port to connect to."""

        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            link = _Link(self, node, reader, writer)
            self._links.add(link)
            try:
                await link.run(port)
            finally:
                self._links.discard(link)

        server = await asyncio.start_server(accept, "127.0.0.1", 0)
        self._servers.append(server)
        opened: int = server.sockets[0].getsockname()[1]
        return opened

    async def close(self) -> None:
        """Close every connection and forwarder."""
        for server in self._servers:
            server.close()
        for link in [*self._links]:
            link.close()
        while self._links:
            await asyncio.sleep(0.01)

    async def hold(self, route: Route, what: Frames, *, is_frozen: bool = False) -> None:
        """Hold every frame of a kind from now on. A request that the other side has is answered
        first, unless that side is frozen. Raises `NetworkError` if it is not.
        """
        self._gates[route, what].held = True
        if what == "request" and not is_frozen:
            await self._answered(route)

    def release(self, route: Route, what: Frames) -> None:
        """Let everything pass again."""
        gate = self._gates[route, what]
        gate.held = gate.holds_next = False
        gate.let_through()

    async def drop(self, route: Route, what: Frames) -> None:
        """Close the connections of the held frames. Raises `NetworkError`."""
        gate = self._gates[route, what]
        await gate.wait_for_one(_late(route, what))
        for _, close in [*gate.waiting]:
            close()

    async def rounds(self, route: Route, count: int, last: Literal["delivered", "held"]) -> None:
        """Let exactly so many held requests through, each after the response to the one before.
        Raises `NetworkError`.
        """
        requests, responses = self._gates[route, "request"], self._gates[route, "response"]
        for number in range(count):
            await requests.wait_for_one(_late(route, "request"))
            responses.holds_next = last == "held" and number == count - 1
            requests.let_through(1)
            if responses.holds_next:
                await responses.wait_for_one(_late(route, "response"))
            else:
                await asyncio.sleep(0.01)
                await self._answered(route)

    async def _answered(self, route: Route) -> None:
        """Wait until no request is with the other side."""
        try:
            async with asyncio.timeout(_ROUND_S):
                while self._unanswered[route]:
                    await asyncio.sleep(0.01)
        except TimeoutError:
            raise NetworkError(_late(route, "response")) from None

    def cut(self, sender: Node, receiver: Node) -> None:
        """Lose what one node sends another: refuse its requests, and drop its responses. A
        response to what it sent before still arrives.
        """
        self._cut.add((sender, receiver))
        for link in [*self._links]:
            if (link.sender, link.receiver) == (sender, receiver) and not link.waits:
                link.close()

    def hang_up(self, sender: Node) -> None:
        """Close the connections on which requests of a node are held."""
        for (route, what), gate in self._gates.items():
            if route[1] == sender and what == "request":
                for _, close in [*gate.waiting]:
                    close()

    def heal(self, sender: Node, receiver: Node) -> None:
        """Let everything that one node sends another arrive again."""
        self._cut.discard((sender, receiver))

    def loses(self, sender: Node | None, receiver: Node) -> bool:
        """Whether what one node sends another is lost."""
        return sender is not None and (sender, receiver) in self._cut

    def gate(self, route: Route, what: Frames) -> _Gate:
        """What is held of one kind on a route."""
        return self._gates[route, what]

    def count(self, route: Route, difference: int) -> None:
        """Count a request that was passed on, or the response to one."""
        self._unanswered[route] += difference


class _Link:
    """One connection to a node, and the forwarder's own behind it."""

    def __init__(
        self,
        network: Network,
        receiver: Node,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self.receiver = receiver
        self.sender: Node | None = None
        self._network = network
        self._client = (reader, writer)
        self._writers = [writer]
        self._is_closed = False
        self._arrived: asyncio.Queue[bytes] = asyncio.Queue()
        self._routes: deque[Route | None] = deque()
        """The routes of unanswered requests; None for a request that nothing holds."""

    @property
    def waits(self) -> bool:
        """Whether a request is with the other side, or its response is held."""
        return bool(self._routes)

    async def run(self, port: int) -> None:
        """Forward in both directions until one side closes."""
        reader, writer = self._client
        try:
            server_reader, server_writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            self.close()
            return
        self._writers.append(server_writer)
        if self._is_closed:
            self.close()
            return
        ways = [
            asyncio.ensure_future(self._arrive(reader)),
            asyncio.ensure_future(self._requests(server_writer)),
            asyncio.ensure_future(self._responses(server_reader, writer)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            for route in filter(None, self._routes):
                self._network.count(route, -1)
            self.close()

    def close(self) -> None:
        """Close both sides at once."""
        self._is_closed = True
        for writer in self._writers:
            writer.transport.abort()

    async def _arrive(self, reader: asyncio.StreamReader) -> None:
        """Read ahead: a client that gives up closes its connection, and a request that is still
        held must not reach the node afterwards.
        """
        while True:
            self._arrived.put_nowait(await _frame(reader))

    async def _requests(self, writer: asyncio.StreamWriter) -> None:
        while True:
            frame = await self._arrived.get()
            key, client_id, sender = header_of(frame)
            self.sender = self.sender if sender is None else sender
            if self.sender is None and not _NAMELESS.fullmatch(client_id or ""):
                self._network.refuse(client_id, self.receiver)
                return
            if self._network.loses(self.sender, self.receiver):
                return
            route = self._route(key)
            if route is not None:
                await self._network.gate(route, "request").passed(self.close)
                self._network.count(route, 1)
            self._routes.append(route)
            writer.write(struct.pack(">i", len(frame)) + frame)
            await writer.drain()

    async def _responses(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            frame = await _frame(reader)
            route = self._routes[0] if self._routes else None
            if route is not None:
                await self._network.gate(route, "response").passed(self.close)
                if self._network.loses(self.receiver, route[1]):
                    return
            writer.write(struct.pack(">i", len(frame)) + frame)
            await writer.drain()
            if self._routes:
                self._routes.popleft()
            if route is not None:
                self._network.count(route, -1)

    def _route(self, key: int) -> Route | None:
        api = _APIS.get(key)
        return None if api is None or self.sender is None else (api, self.sender, self.receiver)


def header_of(frame: bytes) -> tuple[int, str | None, Node | None]:
    """The API key of a request, its client, and the node that sent it; None for another client.

    Before 1.0, a fetcher has no name of its own in the header: its requests name the replica.
    """
    header = RequestHeader.decode(io.BytesIO(frame), flexible=False)
    key, version = header.request_api_key, header.request_api_version
    client_id: str | None = header.client_id
    sender = sender_of(client_id)
    if sender is None and key == FetchRequest.API_KEY and version <= _WITH_REPLICA_ID:
        replica: int = FetchRequest.decode(frame, version=version, header=True).replica_id
        sender = None if replica < 0 else replica
    return key, client_id, sender


async def _frame(reader: asyncio.StreamReader) -> bytes:
    (size,) = struct.unpack(">i", await reader.readexactly(4))
    if not 0 <= size <= _MOST_BYTES:
        raise ConnectionError("this is no frame of Kafka's protocol")
    return await reader.readexactly(size)


def _late(route: Route, what: Frames) -> Wording:
    api, sender, receiver = route
    if what == "request":
        return failure("request_late", api=api, sender=sender, receiver=receiver, seconds=_ROUND_S)
    return failure("response_late", api=api, sender=sender, receiver=receiver, seconds=_ROUND_S)
