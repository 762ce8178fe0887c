"""Messages on a stream of bytes: each is its length in four bytes, most significant first, and its
content.
"""

import asyncio

LENGTH_BYTES = 4


def framed(content: bytes) -> bytes:
    """A message as it is sent."""
    return len(content).to_bytes(LENGTH_BYTES, "big") + content


async def read_framed(reader: asyncio.StreamReader) -> bytes | None:
    """The content of the next message; None if the stream ends before its end."""
    try:
        length = int.from_bytes(await reader.readexactly(LENGTH_BYTES), "big")
        return await reader.readexactly(length)
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
