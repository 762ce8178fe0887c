"""A visitor who never stops: `python -m tests.neighbours.visitor PORT CONNECTIONS`.

Reads its requests from standard input, pickled, and sends them on all connections in turn, as fast
as they are answered, until standard input is closed. Then prints how often each status came.
"""

import asyncio
import json
import os
import pickle
import sys
from collections import Counter
from itertools import cycle

_MOST_READ_BYTES = 2**18


async def _visit(port: int, connections: int, requests: list[bytes]) -> Counter[str]:
    statuses: Counter[str] = Counter()
    visits = [
        asyncio.create_task(_ask(port, requests[at % len(requests) :] + requests, statuses))
        for at in range(connections)
    ]
    await asyncio.to_thread(sys.stdin.buffer.read)
    for visit in visits:
        visit.cancel()
    return statuses


async def _ask(port: int, requests: list[bytes], statuses: Counter[str]) -> None:
    following = cycle(requests)
    while True:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            while True:
                # A server that refuses a request may close before it has read all of it.
                writer.write(next(following))
                head = await reader.readuntil(b"\r\n\r\n")
                statuses[head[9:12].decode()] += 1
                await _skip_body(reader, head.lower())
        except (OSError, EOFError):
            statuses["closed"] += 1
            writer.close()


async def _skip_body(reader: asyncio.StreamReader, head: bytes) -> None:
    if b"connection: close" in head or b"text/event-stream" in head:
        raise EOFError
    if b"\ncontent-length:" in head:
        left = int(head.split(b"\ncontent-length:")[1].split(b"\r")[0])
        while left > 0:
            left -= len(await reader.readexactly(min(left, _MOST_READ_BYTES)))
    elif b"\ntransfer-encoding:" in head:
        while (size := int(await reader.readline(), 16)) > 0:
            await reader.readexactly(size + 2)
        await reader.readline()


if __name__ == "__main__":
    os.nice(10)
    sent = pickle.load(sys.stdin.buffer)
    counted = asyncio.run(_visit(int(sys.argv[1]), int(sys.argv[2]), sent))
    sys.stdout.write(json.dumps(counted))
    sys.stdout.flush()
    os._exit(0)  # the tasks wait for answers that nobody needs
