"""Attacks of one anonymous visitor on the service. Each attack is bounded."""

import asyncio
import contextlib
import random
import socket
import struct
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from tests.benchmarks.soak.honest import API, NO_TLS

BROKERS = list(range(1, 10))
LARGE_LOGS = {str(broker): {"log": "x*1000/0", "high_watermark": 0} for broker in BROKERS}
_ODD_PATHS = ("/assets/%00", f"/assets/{'a' * 300}", "/s/%2e%2e%2f", "/embed/%00", "/%0d%0aX: y")
_LONGEST_SEARCH = {"max_depth": 40, "seconds": 60, "budget": {"produce": 10, "drop": 10}}


@dataclass(frozen=True)
class Aim:
    """The target of an attacker, its source address, and the responses."""

    ports: list[int]
    address: str
    shares: list[str]
    seen: Counter[str]
    chance: random.Random

    @property
    def port(self) -> int:
        return self.chance.choice(self.ports)

    @asynccontextmanager
    async def client(self, timeout_s: float = 30) -> AsyncIterator[httpx.AsyncClient]:
        """A client that counts the status of each response."""

        async def count(answer: httpx.Response) -> None:
            self.count(answer)

        async with httpx.AsyncClient(
            transport=httpx.AsyncHTTPTransport(local_address=self.address, verify=NO_TLS),
            base_url=f"http://127.0.0.1:{self.port}",
            timeout=timeout_s,
            event_hooks={"response": [count]},
        ) as client:
            yield client

    def count(self, answer: httpx.Response) -> None:
        """A 503 with Retry-After is a refusal; without it, a failure."""
        retry = " and told when" if "retry-after" in answer.headers else ""
        self.seen[f"{answer.status_code}{retry}"] += 1

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """A plain connection, which ends with a reset."""
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self.address, 0)
        )
        try:
            yield reader, writer
        finally:
            plug: socket.socket = writer.get_extra_info("socket")
            plug.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()


def scenario(
    *steps: dict[str, Any], partitions: int = 1, brokers: int = 3, logs: bool = False
) -> dict[str, Any]:
    listed = BROKERS[:brokers]
    partition: dict[str, Any] = {"replicas": listed}
    if logs:
        partition["logs"] = {str(broker): LARGE_LOGS[str(broker)] for broker in listed}
    topic = {"name": "t", "partitions": [partition] * partitions}
    head = {"scenario": 1, "id": "x", "title": "x", "kafka": "3.9", "brokers": listed}
    return {"scenario": {**head, "topics": [topic], "steps": list(steps)}}


async def unclosed_strings(aim: Aim) -> None:
    """A text that a regular expression may scan again from each quote."""
    body = b'{"a":' + b'"\\' * 40_000
    async with aim.client() as client:
        for path in ("/nope", f"{API}/sessions"):
            await client.post(path, content=body, headers={"Content-Type": "application/json"})


async def endless_runs(aim: Aim) -> None:
    """Hours of virtual time on nine brokers, for which no client waits."""
    body = scenario(*[{"run": {"ms": 86_400_000}}] * 20, partitions=16, brokers=9)
    async with aim.client(timeout_s=1) as client:
        try:
            await client.post(f"{API}/sessions", json=body)
        except httpx.TimeoutException:
            aim.seen["left"] += 1


async def _large_session(client: httpx.AsyncClient) -> dict[str, Any]:
    body = scenario({"run": {"ms": 200}}, partitions=16, brokers=9, logs=True)
    made = await client.post(f"{API}/sessions", json=body)
    made.raise_for_status()
    session: dict[str, Any] = made.json()
    return session


async def large_states(aim: Aim) -> None:
    """An action that creates many frames of a large state, and then the same again."""
    async with aim.client() as client:
        session = await _large_session(client)
        body = {"after": session["head"], "step": {"run": {"ms": 2000}}}
        for _ in range(3):
            await client.post(f"{API}/sessions/{session['id']}/actions", json=body)


async def whole_states(aim: Aim) -> None:
    """All complete states in one response."""
    async with aim.client() as client:
        session = await _large_session(client)
        for _ in range(3):
            await client.get(f"{API}/sessions/{session['id']}/timeline?full=1")


async def large_shares(aim: Aim) -> None:
    """A scenario of timers is shared, which takes long, and looked at by many at once."""
    body = scenario(*[{"run": {"ms": 1000}}] * 100, partitions=8, brokers=5)
    async with aim.client() as client:
        made = await client.post(f"{API}/sessions", json=body)
        made.raise_for_status()
        share = await client.post(
            f"{API}/shares",
            json={"session": made.json()["id"], "at": 1},
            headers={"Idempotency-Key": made.json()["id"]},
        )
        share.raise_for_status()
        sid = share.json()["sid"]
        paths = [f"/s/{sid}", f"/s/{sid}.json", f"{API}/shares/{sid}?full=1", f"/e/v1/s/{sid}"]
        await asyncio.gather(*(client.get(path) for path in paths * 3))


async def endless_headers(aim: Aim) -> None:
    """One endless header."""
    async with aim.connection() as (reader, writer):
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX: ")
        for _ in range(1000):
            writer.write(b"a" * 65_536)
            await writer.drain()
            if writer.is_closing() or reader.at_eof():
                break
        await _answered(aim, reader)


async def half_requests(aim: Aim) -> None:
    """A hundred connections with an unfinished request on each."""
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(100):
            _, writer = await stack.enter_async_context(aim.connection())
            writer.write(
                f"POST {API}/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n".encode()
            )
        await asyncio.sleep(20)
        aim.seen["left"] += 100


async def unread_answers(aim: Aim) -> None:
    """Large responses on twenty connections, of which nothing is read."""
    async with contextlib.AsyncExitStack() as stack:
        async with aim.client() as client:
            session = await _large_session(client)
        path = f"{API}/sessions/{session['id']}/timeline?full=1"
        for _ in range(20):
            # A plain socket: a stream of asyncio would read ahead.
            plug = stack.enter_context(socket.socket())
            plug.bind((aim.address, 0))
            plug.connect(("127.0.0.1", aim.port))
            plug.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        await asyncio.sleep(20)
        aim.seen["left"] += 20


async def searches(aim: Aim) -> None:
    """Twelve searches at the same time, each of the maximum length, aborted in the middle."""
    async with aim.client() as client:
        made = await client.post(f"{API}/sessions", json=scenario(brokers=2))
        path = f"{API}/sessions/{made.json()['id']}/searches"

        async def search() -> None:
            async with client.stream("POST", path, json=_LONGEST_SEARCH) as answer:
                async for _ in answer.aiter_lines():
                    pass

        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(8):
                await asyncio.gather(*(search() for _ in range(12)), return_exceptions=True)
    await asyncio.sleep(1)


async def pictures(aim: Aim) -> None:
    """Every picture of a share in pixels, twenty at a time."""
    sid = aim.chance.choice(aim.shares)
    async with aim.client() as client:
        paths = [f"/s/{sid}.png?frame={step}&w=1600" for step in range(20)]
        await asyncio.gather(*(client.get(path) for path in paths))
    await asyncio.sleep(1)


async def guessed_links(aim: Aim) -> None:
    """Ids that do not exist."""
    async with aim.client() as client:
        for _ in range(50):
            guess = "".join(aim.chance.choices("0123456789abcdefghjkmnpqrstvwxyz", k=25))
            await client.get(f"/s/7{guess}")


async def odd_paths(aim: Aim) -> None:
    """Addresses that a file system or a log might interpret."""
    async with aim.client() as client:
        for path in (*_ODD_PATHS, f"/s/{'0' * 9000}"):
            await client.get(path)
    await asyncio.sleep(0.5)


async def sessions(aim: Aim) -> None:
    """As many runs as possible."""
    async with aim.client() as client:
        body = scenario({"produce": {"to": "t-0", "values": ["m"], "as": "p1"}})
        for _ in range(30):
            await client.post(f"{API}/sessions", json=body)
    await asyncio.sleep(0.5)


async def killed_clients(aim: Aim) -> None:
    """A client that disconnects in the middle of the response."""
    async with aim.client() as client:
        made = await client.post(f"{API}/sessions", json={"scenario_id": "kip-101-data-loss"})
    made.raise_for_status()
    session = made.json()["id"]
    for path in (f"{API}/sessions/{session}/timeline", f"/s/{aim.chance.choice(aim.shares)}"):
        async with aim.connection() as (_, writer):
            writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            await writer.drain()
            await asyncio.sleep(aim.chance.uniform(0, 0.02))
            aim.seen["left"] += 1


async def _answered(aim: Aim, reader: asyncio.StreamReader) -> None:
    said = await reader.readline()
    words = said.split()
    aim.seen[words[1].decode() if len(words) > 1 else "closed"] += 1
