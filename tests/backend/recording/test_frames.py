"""The forwarder between nodes, with a leader that answers every request with its own bytes."""

import asyncio
import struct
from collections.abc import AsyncIterator
from typing import ClassVar

import pytest
from kafka.protocol.consumer.fetch import FetchRequest
from kafka.protocol.metadata import MetadataRequest

from backend.recording import frames
from backend.recording.failures import failure
from backend.recording.frames import Network, NetworkError, header_of, sender_of

ROUTE = ("Fetch", 1, 2)


def fetch(number: int, *, version: int = 4, client: str = "broker-1-fetcher-0") -> bytes:
    request = FetchRequest(
        replica_id=1, max_wait_ms=number, min_bytes=0, max_bytes=1, isolation_level=0, topics=[]
    )
    request.API_VERSION = version
    request.with_header(correlation_id=number, client_id=client)
    framed: bytes = request.encode(framed=True, header=True)
    return framed


def metadata_request(client: str) -> bytes:
    request = MetadataRequest(topics=[])
    request.API_VERSION = 1
    request.with_header(correlation_id=1, client_id=client)
    framed: bytes = request.encode(framed=True, header=True)
    return framed


class Follower:
    """A connection to the leader through the forwarder."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    opened: ClassVar[list[asyncio.StreamWriter]] = []

    @classmethod
    async def connected(cls, port: int) -> "Follower":
        one = cls(*await asyncio.open_connection("127.0.0.1", port))
        cls.opened.append(one.writer)
        return one

    def send(self, number: int) -> None:
        self.writer.write(fetch(number))

    async def response(self, seconds: float = 2) -> int | None:
        """The number of the next response; None if none comes, or the connection closes."""
        try:
            async with asyncio.timeout(seconds):
                (size,) = struct.unpack(">i", await self.reader.readexactly(4))
                body = await self.reader.readexactly(size)
        except (TimeoutError, asyncio.IncompleteReadError, ConnectionError):
            return None
        return int(struct.unpack_from(">i", body, 4)[0])


async def held_follower(opened: Network, port: int) -> Follower:
    """A follower whose request 1 is held."""
    await opened.hold(ROUTE, "request")
    follower = await Follower.connected(port)
    follower.send(1)
    return follower


@pytest.fixture
async def network() -> AsyncIterator[tuple[Network, int]]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                (size,) = struct.unpack(">i", await reader.readexactly(4))
                body = await reader.readexactly(size)
                writer.write(struct.pack(">i", size) + body)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    opened = Network()
    port = await opened.forward_to(2, server.sockets[0].getsockname()[1])
    yield opened, port
    await opened.close()
    for writer in Follower.opened:
        writer.close()
    Follower.opened.clear()
    server.close()
    await asyncio.sleep(0.05)  # the leader's side of each connection


@pytest.mark.parametrize(
    ("client", "node"),
    [
        ("broker-3-fetcher-0", 3),
        ("raft-client-12", 12),
        ("AddPartitionsManager-client-2", 2),
        ("broker-4-txn-marker-sender", 4),
        ("7", 7),
        ("producer-1", None),
        (None, None),
    ],
)
def test_the_name_of_a_client_says_which_node_it_is(client: str | None, node: int | None) -> None:
    assert sender_of(client) == node


def test_a_fetcher_without_a_name_is_known_by_its_replica() -> None:
    nameless = "ReplicaFetcherThread-0-2"
    assert header_of(fetch(5, version=3, client=nameless)[4:]) == (1, nameless, 1)
    assert header_of(metadata_request("admin")[4:]) == (3, "admin", None)


async def test_exactly_the_rounds_that_are_let_through_pass(network: tuple[Network, int]) -> None:
    opened, port = network
    follower = await held_follower(opened, port)
    assert await follower.response(0.2) is None

    follower.send(2)
    await opened.rounds(ROUTE, 1, "delivered")

    assert await follower.response() == 1
    assert await follower.response(0.2) is None
    opened.release(ROUTE, "request")
    assert await follower.response() == 2


async def test_a_request_of_a_follower_that_gave_up_never_reaches_the_leader(
    network: tuple[Network, int],
) -> None:
    opened, port = network
    impatient = await held_follower(opened, port)
    assert await impatient.response(0.2) is None
    impatient.writer.close()
    again = await Follower.connected(port)
    again.send(2)
    await asyncio.sleep(0.1)

    await opened.rounds(ROUTE, 1, "delivered")

    assert await again.response() == 2


async def test_a_held_response_is_released_or_dropped_with_its_connection(
    network: tuple[Network, int],
) -> None:
    opened, port = network
    follower = await held_follower(opened, port)
    await opened.rounds(ROUTE, 1, "held")
    assert await follower.response(0.2) is None
    opened.release(ROUTE, "response")
    assert await follower.response() == 1

    follower.send(2)
    await opened.rounds(ROUTE, 1, "held")
    await opened.drop(ROUTE, "response")

    assert await follower.reader.read() == b""
    again = await Follower.connected(port)
    again.send(3)
    assert await again.response(0.2) is None, "the requests are still held"


async def test_a_hold_waits_for_the_response_to_what_the_leader_has(
    network: tuple[Network, int],
) -> None:
    opened, port = network
    follower = await Follower.connected(port)
    follower.send(1)
    await asyncio.sleep(0.1)

    await opened.hold(ROUTE, "request")

    assert await follower.response(0.2) == 1


async def test_a_hold_that_finds_no_end_of_what_went_before_is_one_sentence(
    network: tuple[Network, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, _ = network
    monkeypatch.setattr(frames, "_ROUND_S", 0.1)
    opened.count(ROUTE, 1)
    with pytest.raises(NetworkError, match="the Fetch response of node 1 at node 2 did not come"):
        await opened.hold(ROUTE, "request")

    await opened.hold(ROUTE, "request", is_frozen=True)
    opened.count(ROUTE, -1)


async def test_a_sender_that_is_no_node_reaches_none_and_is_an_error(
    network: tuple[Network, int],
) -> None:
    opened, port = network
    opened.check()
    stranger = await Follower.connected(port)
    stranger.writer.write(metadata_request("producer-7"))

    assert await stranger.response() is None
    with pytest.raises(NetworkError, match=r"to node 2 .* its client is producer-7"):
        opened.check()


async def test_a_cut_closes_what_is_open_and_refuses_what_is_new(
    network: tuple[Network, int],
) -> None:
    opened, port = network
    follower = await Follower.connected(port)
    follower.send(1)
    assert await follower.response() == 1

    opened.cut(1, 2)

    assert await follower.response() is None
    new = await Follower.connected(port)
    new.send(2)
    assert await new.response() is None
    opened.heal(1, 2)
    healed = await Follower.connected(port)
    healed.send(3)
    assert await healed.response() == 3


async def test_a_response_in_the_direction_that_is_cut_is_lost(
    network: tuple[Network, int],
) -> None:
    opened, port = network
    follower = await Follower.connected(port)
    follower.send(1)
    assert await follower.response() == 1

    opened.cut(2, 1)
    follower.send(2)

    assert await follower.reader.read() == b""
    opened.heal(2, 1)
    again = await Follower.connected(port)
    again.send(3)
    assert await again.response() == 3


async def test_what_was_sent_before_a_cut_is_still_answered(network: tuple[Network, int]) -> None:
    opened, port = network
    follower = await held_follower(opened, port)
    await opened.rounds(ROUTE, 1, "held")
    opened.release(ROUTE, "request")

    opened.cut(1, 2)
    opened.release(ROUTE, "response")

    assert await follower.response() == 1
    follower.send(2)
    assert await follower.reader.read() == b""


async def test_a_round_that_does_not_come_is_one_sentence(
    network: tuple[Network, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "_ROUND_S", 0.1)
    with pytest.raises(NetworkError, match="the Fetch request of node 1 at node 2 did not come"):
        await network[0].rounds(ROUTE, 1, "delivered")


async def test_what_a_node_waits_for_ends_when_it_hangs_up(network: tuple[Network, int]) -> None:
    opened, port = network
    follower = await held_follower(opened, port)
    await opened.gate(ROUTE, "request").wait_for_one(failure("interrupted"))

    opened.hang_up(3)
    assert not follower.reader.at_eof()
    opened.hang_up(1)

    assert await follower.response() is None
    assert follower.reader.at_eof()
