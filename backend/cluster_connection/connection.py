"""One connection to a broker: requests one after another, in the newest version that both know.

Only requests that describe can be sent. Every failure is a `ConnectionFailedError` with one
sentence; what the other side did instead of what was expected decides which one.
"""

import asyncio
import socket
import ssl
import struct
from collections.abc import Mapping
from contextlib import suppress
from math import inf
from typing import ClassVar, Self

from kafka.errors import for_code
from kafka.net.sasl.abc import SaslMechanism
from kafka.protocol import admin
from kafka.protocol.api_message import ApiMessage
from kafka.protocol.consumer.offsets import (
    ListOffsetsRequest,
    ListOffsetsResponse,
    OffsetForLeaderEpochRequest,
    OffsetForLeaderEpochResponse,
)
from kafka.protocol.metadata import (
    ApiVersionsRequest,
    ApiVersionsResponse,
    MetadataRequest,
    MetadataResponse,
)
from kafka.protocol.sasl import (
    SaslAuthenticateRequest,
    SaslAuthenticateResponse,
    SaslHandshakeRequest,
    SaslHandshakeResponse,
)

from backend.cluster_connection.authentication import sasl_mechanism, tls_context
from backend.cluster_connection.errors import ConnectionFailedError, without_secrets
from backend.cluster_connection.properties import ClientSettings

_RESPONSES: Mapping[type[ApiMessage], type[ApiMessage]] = {
    ApiVersionsRequest: ApiVersionsResponse,
    admin.DescribeConfigsRequest: admin.DescribeConfigsResponse,
    admin.DescribeLogDirsRequest: admin.DescribeLogDirsResponse,
    admin.DescribeQuorumRequest: admin.DescribeQuorumResponse,
    admin.DescribeTopicPartitionsRequest: admin.DescribeTopicPartitionsResponse,
    ListOffsetsRequest: ListOffsetsResponse,
    admin.ListPartitionReassignmentsRequest: admin.ListPartitionReassignmentsResponse,
    MetadataRequest: MetadataResponse,
    OffsetForLeaderEpochRequest: OffsetForLeaderEpochResponse,
    SaslAuthenticateRequest: SaslAuthenticateResponse,
    SaslHandshakeRequest: SaslHandshakeResponse,
}
"""All that is ever sent, and what answers it. None of them changes a cluster."""
_MOST_BYTES = 100_000_000
_TLS_ALERT = b"\x15\x03"
_UNSUPPORTED_VERSION = 35
_WITHOUT_AUTO_CREATION = 4
"""The first version of Metadata that does not create the topics that it names."""


class Address:
    """`host:port`, as in `bootstrap.servers`."""

    def __init__(self, host: str, port: int) -> None:
        self.host = host
        self.port = port

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_addresses(text: str) -> list[Address]:
    """The brokers of a comma-separated list. Raises `ConnectionFailedError`."""
    addresses = []
    for one in filter(None, (part.strip() for part in text.split(","))):
        host, colon, port = one.rpartition(":")
        host = host.removeprefix("[").removesuffix("]")
        if not colon or not host or not port.isdigit() or not 0 < int(port) < 65536:
            raise ConnectionFailedError(f"{one}: is not HOST:PORT")
        addresses.append(Address(host, int(port)))
    if not addresses:
        raise ConnectionFailedError("name a broker as HOST:PORT")
    return addresses


class Connection:
    """An open and authenticated connection."""

    responses: ClassVar[Mapping[type[ApiMessage], type[ApiMessage]]] = _RESPONSES
    """The requests that may be sent, and their responses."""

    def __init__(self, address: Address, client: ClientSettings) -> None:
        self.address = address
        self.versions: dict[int, tuple[int, int]] = {}
        """The oldest and the newest version of each request that the broker offers, by its key."""
        self.supported: dict[str, int] = {}
        """The newest level of each feature that the broker supports."""
        self.finalized: dict[str, int] = {}
        """The level of each feature of the cluster."""
        self._client = client
        self._correlation = 0
        self._size: int | None = None
        """The size of the frame that is being read."""
        self._turn = asyncio.Lock()
        self._reader: asyncio.StreamReader
        self._writer: asyncio.StreamWriter

    @classmethod
    async def open(cls, address: Address, client: ClientSettings) -> Self:
        """Connect and authenticate. Raises `ConnectionFailedError`."""
        connection = cls(address, client)
        context = None if client.tls is None else tls_context(client.tls)
        try:
            async with asyncio.timeout(client.connect_s):
                connection._reader, connection._writer = await asyncio.open_connection(
                    address.host,
                    address.port,
                    ssl=context,
                    server_hostname=None if context is None else address.host,
                )
        except (OSError, EOFError) as error:
            raise connection._failed(_why_not_connected(error, client)) from None
        try:
            await connection._introduce()
            if client.sasl is not None:
                await connection._authenticate(await asyncio.to_thread(sasl_mechanism, client.sasl))
        except BaseException:
            await connection.close()
            raise
        return connection

    async def close(self) -> None:
        """Close it without waiting for the broker."""
        self._writer.transport.abort()
        with suppress(OSError):
            await self._writer.wait_closed()

    def offers(self, request: type[ApiMessage]) -> int | None:
        """The version of a request that will be sent; null if there is none that both know."""
        oldest, newest = self.versions.get(request.API_KEY, (0, -1))
        version = min(newest, request.max_version)
        if request is MetadataRequest and version < _WITHOUT_AUTO_CREATION:
            return version if version >= max(oldest, 1) else None
        return version if version >= oldest else None

    async def ask(self, request: ApiMessage, most_s: float = inf) -> ApiMessage:
        """Send a request and return its response. Raises `ConnectionFailedError`, also if there is
        none within this time or that of the settings; a response with an error code is returned.
        """
        version = self.offers(type(request))
        assert version is not None, "the broker offers this request"
        return await self._ask(request, version, most_s)

    async def _ask(self, request: ApiMessage, version: int, most_s: float = inf) -> ApiMessage:
        async with self._turn:
            self._correlation += 1
            request.API_VERSION = version
            request.with_header(correlation_id=self._correlation, client_id=self._client.client_id)
            name = request.name.removesuffix("Request")
            seconds = min(most_s, self._client.request_s)
            body = await self._exchange(
                request.encode(framed=True, header=True), name, seconds, self._correlation
            )
        try:
            response = self.responses[type(request)].decode(body, version=version, header=True)
        except (ValueError, struct.error, IndexError, TypeError):
            raise self._failed(f"the response to {name} cannot be read") from None
        if response.header.correlation_id != request.header.correlation_id:
            raise self._failed(f"the response to {name} answers a different request")
        return response

    async def _exchange(
        self, message: bytes, name: str, seconds: float, correlation: int | None
    ) -> bytes:
        """Send a frame and return the content of the next one with this correlation id: before it
        there may be responses for which nobody waits any more.
        """
        try:
            async with asyncio.timeout(seconds):
                self._writer.write(message)
                await self._writer.drain()
                while True:
                    body = await self._frame()
                    is_late = correlation is not None and body[:4] < struct.pack(">i", correlation)
                    if not is_late:
                        return body
        except TimeoutError:
            raise self._failed(f"no response to {name} within {seconds:g} s") from None
        except (asyncio.IncompleteReadError, ConnectionError):
            raise self._failed(self._why_closed(name)) from None
        except OSError as error:
            raise self._failed(_why_not_connected(error, self._client)) from None

    async def _frame(self) -> bytes:
        """The content of the next frame; if this is cancelled, the next call continues."""
        if self._size is None:
            head = await self._reader.readexactly(4)
            (size,) = struct.unpack(">i", head)
            if not 0 <= size <= _MOST_BYTES:
                raise self._failed(_why_not_kafka(head))
            self._size = size
        body = await self._reader.readexactly(self._size)
        self._size = None
        return body

    def _why_closed(self, name: str) -> str:
        if self._client.sasl is None and name == "Metadata":
            return (
                f"the broker closed the connection at {name}: it may require SASL, and "
                f"security.protocol is {self._client.protocol}"
            )
        if not self.versions:
            return (
                f"the broker closed the connection at {name}: it is older than 0.10, not a broker, "
                f"or does not use security.protocol={self._client.protocol}"
            )
        return f"the broker closed the connection at {name}"

    def _failed(self, reason: str) -> ConnectionFailedError:
        return ConnectionFailedError(
            f"{self.address}: {without_secrets(reason, self._client.secrets)}"
        )

    async def _introduce(self) -> None:
        """Ask which requests the broker offers, first in the newest version that is known here."""
        version = ApiVersionsRequest.max_version
        while True:
            response = await self._ask(
                ApiVersionsRequest(client_software_name="highwater", client_software_version="1"),
                version,
            )
            if response.error_code != _UNSUPPORTED_VERSION or version == 0:
                break
            offered = {one.api_key: one.max_version for one in response.api_keys}
            version = min(version - 1, offered.get(ApiVersionsRequest.API_KEY, 0))
        if response.error_code:
            raise self._failed(f"ApiVersions: {for_code(response.error_code).__name__}")
        self.versions = {
            one.api_key: (one.min_version, one.max_version) for one in response.api_keys
        }
        self.supported = {one.name: one.max_version for one in (response.supported_features or ())}
        self.finalized = {
            one.name: one.max_version_level for one in (response.finalized_features or ())
        }

    async def _authenticate(self, mechanism: SaslMechanism) -> None:
        assert self._client.sasl is not None, "the client authenticates"
        name = self._client.sasl.mechanism
        _, newest = self.versions.get(SaslHandshakeRequest.API_KEY, (0, 0))
        version = min(newest, 1)
        answer = await self._ask(SaslHandshakeRequest(mechanism=name), version)
        match for_code(answer.error_code).__name__:
            case "NoError":
                pass
            case "UnsupportedSaslMechanismError":
                offered = ", ".join(sorted(answer.mechanisms)) or "none"
                raise self._failed(f"the broker does not offer {name}; it offers: {offered}")
            case "IllegalSaslStateError":
                raise self._failed(
                    "this listener does not authenticate clients: security.protocol is "
                    f"{self._client.protocol}"
                )
            case other:
                raise self._failed(f"SaslHandshake: {other}")
        try:
            while not mechanism.is_done():
                mechanism.receive(await self._token_answer(mechanism.auth_bytes(), version))
        except (ValueError, KeyError):  # of the mechanism: the broker's proof is wrong
            raise self._failed(f"the broker did not authenticate itself by {name}") from None
        if not mechanism.is_authenticated():
            raise self._failed(f"authentication failed by {name}")

    async def _token_answer(self, token: bytes, version: int) -> bytes:
        if version == 0:  # before 1.0, tokens are not in requests
            return await self._exchange(
                struct.pack(">i", len(token)) + token,
                "SASL authentication",
                self._client.request_s,
                None,
            )
        _, newest = self.versions.get(SaslAuthenticateRequest.API_KEY, (0, 0))
        answer = await self._ask(
            SaslAuthenticateRequest(auth_bytes=token),
            min(newest, SaslAuthenticateRequest.max_version),
        )
        if answer.error_code:
            reason = answer.error_message or for_code(answer.error_code).__name__
            raise self._failed(f"authentication failed: {reason}")
        return bytes(answer.auth_bytes)


def _why_not_connected(error: BaseException, client: ClientSettings) -> str:
    if isinstance(error, socket.gaierror):
        return "the host name is not known"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the broker's certificate is not trusted: {error.verify_message}"
    if isinstance(error, TimeoutError):
        return f"no connection within {client.connect_s:g} s"
    if isinstance(error, ConnectionRefusedError):
        return "the connection was refused"
    if isinstance(error, ssl.SSLError | ConnectionError | EOFError) and client.tls is not None:
        reason = getattr(error, "reason", None) or "the connection was closed"
        return (
            f"TLS failed ({reason}): the listener may not use TLS, and security.protocol is "
            f"{client.protocol}"
        )
    return f"the connection failed: {getattr(error, 'strerror', None) or type(error).__name__}"


def _why_not_kafka(head: bytes) -> str:
    if head.startswith(_TLS_ALERT):
        return "the listener uses TLS: set security.protocol to SSL or SASL_SSL"
    return "the other side is not a Kafka broker"
