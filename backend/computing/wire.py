"""The messages between the serving process and the computing process.

Each connection of the socket carries one request and its response, as messages in MessagePack.
"""

import asyncio
from typing import TypeVar

import msgspec

from backend.processes.framing import framed, read_framed

_T = TypeVar("_T")
Headers = list[tuple[bytes, bytes]]


class Asked(msgspec.Struct, tag="asked"):
    """A request for the app: its path without the query, its visitor's network and its body."""

    method: str
    path: str
    query: bytes
    headers: Headers
    network: str
    body: bytes


class ReportAsked(msgspec.Struct, tag="report_asked"):
    """A question about the state of the computing process."""


class Begun(msgspec.Struct, tag="begun"):
    """The status and the headers of a response, and how many bytes were stored for it."""

    status: int
    headers: Headers
    stored_bytes: int


class Piece(msgspec.Struct, tag="piece"):
    """A piece of the body of a response; `more` pieces follow or not."""

    body: bytes
    more: bool


class Sample(msgspec.Struct, array_like=True):
    """The value of one series; `family` is the name of its metric."""

    family: str
    name: str
    labels: dict[str, str]
    value: float


class Report(msgspec.Struct, tag="report"):
    """How long the oldest queued work has waited, in seconds; and the metrics of this process that
    are added to those of the serving process.
    """

    waited_s: float
    samples: list[Sample]


Question = Asked | ReportAsked
Answer = Begun | Piece | Report
QUESTIONS = msgspec.msgpack.Decoder(Question)
ANSWERS = msgspec.msgpack.Decoder(Answer)
_encoder = msgspec.msgpack.Encoder()


def encoded(message: Question | Answer) -> bytes:
    """A message as it is sent."""
    return framed(_encoder.encode(message))


async def read(reader: asyncio.StreamReader, decoder: msgspec.msgpack.Decoder[_T]) -> _T | None:
    """The next message; None if the connection was closed before its end."""
    content = await read_framed(reader)
    return None if content is None else decoder.decode(content)
