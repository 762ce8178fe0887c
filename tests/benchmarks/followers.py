"""The delay until a presentation's followers receive a move of the playhead, and their cost.

One process of the service, on SQLite. So many followers hold a stream of server-sent events each;
then the presenter moves, and everybody's delay is measured from the request to the whole scene.
"""

import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import httpx

FOLLOWERS = 200
MOVES = 20
PORT = 8193
API = f"http://127.0.0.1:{PORT}/api/v1"
LESSON = "kip-101-data-loss"


class Follower:
    """One stream, and the arrival time of each version of the scene."""

    def __init__(self) -> None:
        self.seen: dict[int, float] = {}
        self.bytes = 0
        self._writer: asyncio.StreamWriter | None = None

    async def follow(self, code: str) -> None:
        reader, self._writer = await asyncio.open_connection(
            "127.0.0.1", PORT, limit=16 * 1024 * 1024
        )
        self._writer.write(
            f"GET /api/v1/presentations/{code}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        )
        is_scene = False
        while line := await reader.readline():
            self.bytes += len(line)
            if line.startswith(b"event: "):
                is_scene = line.strip() == b"event: scene"
            elif line.startswith(b"data: ") and is_scene:
                version = json.loads(line[6:])["version"]
                self.seen.setdefault(version, time.perf_counter())

    def leave(self) -> None:
        if self._writer is not None:
            self._writer.close()


def run() -> None:
    asyncio.run(measure())


async def measure(followers: int = FOLLOWERS) -> None:
    with tempfile.TemporaryDirectory() as folder:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "backend.cli", "serve", "--port", str(PORT)),
            env={
                **os.environ,
                "HIGHWATER_DATABASE_URL": f"sqlite:///{folder}/highwater.db",
                "PYTHONPATH": str(Path(__file__).parents[2]),
            },
            stderr=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
        )
        try:
            async with httpx.AsyncClient(timeout=60) as client:
                await ready(client)
                await present(client, process.pid, followers)
        finally:
            process.terminate()
            await process.wait()


async def ready(client: httpx.AsyncClient) -> None:
    for _ in range(100):
        try:
            if (await client.get(f"http://127.0.0.1:{PORT}/readyz")).is_success:
                return
        except httpx.TransportError:
            pass
        await asyncio.sleep(0.2)
    raise TimeoutError("the service does not start")


async def present(client: httpx.AsyncClient, pid: int, followers: int) -> None:
    session = (await client.post(f"{API}/sessions", json={"scenario_id": LESSON})).json()
    created = (
        await client.post(
            f"{API}/presentations",
            json={"session": session["id"], "moment": {"first": 0, "frame": 0}},
        )
    ).json()
    before = memory(pid)
    audience = [Follower() for _ in range(followers)]
    began = time.perf_counter()
    streams = [asyncio.create_task(one.follow(created["code"])) for one in audience]
    while not all(one.seen for one in audience):
        await asyncio.sleep(0.01)
    print(f"{followers} followers are there after {time.perf_counter() - began:.2f} s")
    delays: list[float] = []
    for move in range(MOVES):
        frame = 2 + move
        shown = time.perf_counter()
        await client.put(
            f"{API}/presentations/{created['code']}",
            json={"first": frame, "frame": frame},
            headers={"Authorization": f"Bearer {created['token']}"},
        )
        version = move + 2
        while not all(version in one.seen for one in audience):
            await asyncio.sleep(0.005)
        delays += [one.seen[version] - shown for one in audience]
        await asyncio.sleep(0.2)
    tell(delays)
    received = sum(one.bytes for one in audience) / followers
    print(
        f"each received {received / 1024:,.0f} KiB; the process grew by "
        f"{(memory(pid) - before) / followers:,.0f} KiB a follower"
    )
    for one in audience:
        one.leave()
    await asyncio.gather(*streams, return_exceptions=True)


def tell(delays: Sequence[float]) -> None:
    ordered = sorted(delays)
    print(
        f"{MOVES} moves: median {1000 * ordered[len(ordered) // 2]:.0f} ms, "
        f"99 % {1000 * ordered[len(ordered) * 99 // 100]:.0f} ms, "
        f"longest {1000 * ordered[-1]:.0f} ms"
    )


def memory(pid: int) -> int:
    """The memory of a process, in KiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])
