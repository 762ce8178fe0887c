"""Each way in which a connection fails has one sentence. The other side is a small server."""

import asyncio
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from kafka.protocol.metadata import ApiVersionsRequest, ApiVersionsResponse
from kafka.protocol.sasl import SaslAuthenticateResponse, SaslHandshakeResponse

from backend.cluster_connection.connection import Address, Connection, read_addresses
from backend.cluster_connection.errors import ConnectionFailedError
from backend.cluster_connection.properties import ClientSettings, SaslSettings, TlsSettings

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
SASL = ClientSettings(
    protocol="SASL_PLAINTEXT",
    sasl=SaslSettings("PLAIN", {"username": "alice", "password": "hunter2"}),
    secrets=frozenset({"hunter2"}),
)


@asynccontextmanager
async def served(handle: Handler) -> AsyncIterator[Address]:
    async def handled(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await handle(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(handled, "127.0.0.1", 0)
    try:
        yield Address("127.0.0.1", server.sockets[0].getsockname()[1])
    finally:
        server.close()


async def frame(reader: asyncio.StreamReader) -> tuple[int, int, int]:
    """The key, the version and the correlation id of the next request."""
    (size,) = struct.unpack(">i", await reader.readexactly(4))
    key, version, correlation = struct.unpack_from(">hhi", await reader.readexactly(size))
    return key, version, correlation


def broker(
    *, mechanisms: tuple[str, ...] = ("PLAIN",), handshake: int = 0, refuses: str | None = None
) -> Handler:
    """A broker that offers three requests, and the oldest form of the first."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            key, version, correlation = await frame(reader)
            if key == 18:
                one = ApiVersionsResponse.ApiVersion
                keys = [
                    one(api_key=18, min_version=0, max_version=0),
                    one(api_key=17, min_version=0, max_version=1),
                    one(api_key=36, min_version=0, max_version=1),
                ]
                error = 35 if version > 0 else 0
                version = 0
                response = ApiVersionsResponse(error_code=error, api_keys=keys)
            elif key == 17:
                response = SaslHandshakeResponse(error_code=handshake, mechanisms=list(mechanisms))
            else:
                response = SaslAuthenticateResponse(
                    error_code=58 if refuses else 0, error_message=refuses, auth_bytes=b""
                )
            response.API_VERSION = version
            response.with_header(correlation_id=correlation)
            writer.write(response.encode(framed=True, header=True))
            await writer.drain()

    return handle


async def failure(handle: Handler, client: ClientSettings = ClientSettings()) -> str:  # noqa: B008
    async with served(handle) as address:
        with pytest.raises(ConnectionFailedError) as failed:
            await Connection.open(address, client)
    message = str(failed.value)
    assert message.startswith(f"{address}: ")
    return message.removeprefix(f"{address}: ")


async def test_a_broker_of_an_older_version_answers_and_is_understood() -> None:
    async with served(broker()) as address:
        connection = await Connection.open(address, SASL)
        await connection.close()

    assert connection.versions == {18: (0, 0), 17: (0, 1), 36: (0, 1)}


async def test_an_unknown_host() -> None:
    with pytest.raises(ConnectionFailedError) as failed:
        await Connection.open(Address("no-such-host.invalid", 9092), ClientSettings())

    assert str(failed.value) == "no-such-host.invalid:9092: the host name is not known"


async def test_a_closed_port() -> None:
    async with served(broker()) as address:
        pass

    with pytest.raises(ConnectionFailedError) as failed:
        await Connection.open(address, ClientSettings())

    assert str(failed.value) == f"{address}: the connection was refused"


async def test_no_answer() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    message = await failure(silent, ClientSettings(request_s=0.2))

    assert message == "no response to ApiVersions within 0.2 s"


async def test_a_listener_with_tls_that_is_spoken_to_in_the_clear() -> None:
    async def alert(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(b"\x15\x03\x03\x00\x02\x02\x50")

    message = await failure(alert)

    assert message == "the listener uses TLS: set security.protocol to SSL or SASL_SSL"


async def test_a_server_of_something_else() -> None:
    async def web(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    assert await failure(web) == "the other side is not a Kafka broker"


async def test_a_listener_without_tls_that_is_spoken_to_with_tls() -> None:
    async def closing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)

    message = await failure(closing, ClientSettings(protocol="SSL", tls=TlsSettings()))

    assert message.startswith("TLS failed (")
    assert message.endswith("the listener may not use TLS, and security.protocol is SSL")


async def test_a_broker_that_closes_at_once() -> None:
    async def closing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)

    message = await failure(closing)

    assert message == (
        "the broker closed the connection at ApiVersions: it is older than 0.10, not a broker, or "
        "does not use security.protocol=PLAINTEXT"
    )


async def test_a_mechanism_that_the_broker_does_not_offer() -> None:
    message = await failure(broker(mechanisms=("SCRAM-SHA-256", "GSSAPI"), handshake=33), SASL)

    assert message == "the broker does not offer PLAIN; it offers: GSSAPI, SCRAM-SHA-256"


async def test_a_listener_without_authentication() -> None:
    message = await failure(broker(handshake=34), SASL)

    assert message == (
        "this listener does not authenticate clients: security.protocol is SASL_PLAINTEXT"
    )


async def test_a_wrong_password_is_not_repeated() -> None:
    message = await failure(broker(refuses="no hunter2 here"), SASL)

    assert message == "authentication failed: no … here"


async def test_a_store_without_certificates() -> None:
    client = ClientSettings(protocol="SSL", tls=TlsSettings(trusted="nothing"))

    with pytest.raises(ConnectionFailedError) as failed:
        await Connection.open(Address("127.0.0.1", 9), client)

    assert str(failed.value) == "ssl.truststore: has no certificate in PEM"


@pytest.mark.parametrize("text", ["localhost", ":9092", "a:b", "a:0", "a:70000", ",", "a:1,b"])
def test_an_address_is_a_host_and_a_port(text: str) -> None:
    with pytest.raises(ConnectionFailedError):
        read_addresses(text)


def test_several_addresses() -> None:
    assert list(map(str, read_addresses("a:1, [::1]:9092"))) == ["a:1", "[::1]:9092"]


async def test_a_response_that_comes_too_late_answers_nothing_else() -> None:
    async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers the third request after its client has stopped waiting."""
        for count in range(1, 10):
            _, version, correlation = await frame(reader)
            one = ApiVersionsResponse.ApiVersion
            keys = [one(api_key=18, min_version=0, max_version=0)]
            response = ApiVersionsResponse(error_code=35 if version else 0, api_keys=keys)
            response.API_VERSION = 0
            response.with_header(correlation_id=correlation)
            encoded = response.encode(framed=True, header=True)
            writer.write(encoded[:6] if count == 3 else encoded)
            await writer.drain()
            if count == 3:
                await asyncio.sleep(0.3)
                writer.write(encoded[6:])

    async with served(slow) as address:
        connection = await Connection.open(address, ClientSettings(request_s=2))
        with pytest.raises(ConnectionFailedError) as failed:
            await connection.ask(ApiVersionsRequest(), 0.1)
        assert str(failed.value) == f"{address}: no response to ApiVersions within 0.1 s"

        response = await connection.ask(ApiVersionsRequest())

        assert response.header.correlation_id == 4
        await connection.close()
