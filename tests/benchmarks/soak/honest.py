"""The honest visitors: 40 who view shares, and 8 who run lessons or scenarios of their own, as a
separate program.

`python -m tests.benchmarks.soak.honest PORTS SECONDS SHARES` prints one JSON object: for each kind
of request the milliseconds until its answer was read, and each answer that was no success.
"""

import asyncio
import json
import random
import ssl
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import httpx

API = "/api/v1"
# Otherwise each client would read all certificates that the machine trusts.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
VIEWERS = 40
ACTORS = 8
VIEWER_THINKS_S = 2.0
ACTOR_THINKS_S = 1.0
ACTS_A_RUN = 20
# The service closes connections that were idle for five seconds; a request must not race with that.
_LIMITS = httpx.Limits(keepalive_expiry=3)
# The visitors do not all start at the same moment.
LEAST_RUN_S = 8.0
# A run of an author, which is not in any cache: the values differ.
OWN_RECORDS = 12
LESSONS = ("kip-101-data-loss", "unnoticed-bounce", "three-brokers-three-epochs")
VIEWS = {
    "share page": "/s/{sid}",
    "embed": "/e/v1/s/{sid}",
    "picture": "/s/{sid}.svg",
    "share as JSON": f"{API}/shares/{{sid}}",
}


class Diary:
    """The visitors' results."""

    def __init__(self) -> None:
        self.times_ms: dict[str, list[float]] = defaultdict(list)
        self.wrong: list[str] = []

    async def ask(
        self, client: httpx.AsyncClient, kind: str, method: str, path: str, **options: Any
    ) -> httpx.Response | None:
        """The response to a request if it is a success, otherwise None."""
        started = time.perf_counter()
        try:
            answer = await client.request(method, path, **options)
        except httpx.HTTPError as error:
            self.wrong.append(f"{kind}: {type(error).__name__}")
            return None
        self.times_ms[kind].append((time.perf_counter() - started) * 1000)
        if answer.is_success:
            return answer
        self.wrong.append(f"{kind}: {answer.status_code} {answer.text[:120]}")
        return None


def client_from(address: str, port: int) -> httpx.AsyncClient:
    """A visitor's browser, with its own address and a persistent connection."""
    return httpx.AsyncClient(
        transport=httpx.AsyncHTTPTransport(local_address=address, verify=NO_TLS, limits=_LIMITS),
        base_url=f"http://127.0.0.1:{port}",
        timeout=60,
    )


async def view(
    diary: Diary, number: int, ports: Iterator[int], shares: list[str], until: float
) -> None:
    """Open one share after another, in each format."""
    chance = random.Random(number)
    clients = [client_from(f"127.0.1.{number + 1}", next(ports)) for _ in range(2)]
    await asyncio.sleep(chance.uniform(0, VIEWER_THINKS_S))
    for turn, (kind, path) in enumerate(cycle(VIEWS.items())):
        if time.monotonic() > until:
            break
        address = path.format(sid=chance.choice(shares))
        await diary.ask(clients[turn % 2], kind, "GET", address)
        await asyncio.sleep(chance.uniform(0.5, 1.5) * VIEWER_THINKS_S)
    for client in clients:
        await client.aclose()


def own_scenario(chance: random.Random) -> dict[str, Any]:
    """What an author submits: three brokers, records, a crash and an election."""
    values = [f"v{chance.randrange(10**6)}" for _ in range(OWN_RECORDS)]
    produced = [{"produce": {"to": "t-0", "values": [value], "as": "p1"}} for value in values]
    return {
        "scenario": 1,
        "id": "own",
        "title": "An author’s run",
        "kafka": chance.choice(["2.1", "3.9", "4.1"]),
        "brokers": [1, 2, 3],
        "topics": [{"name": "t", "partitions": [{"replicas": [1, 2, 3]}]}],
        "steps": [
            step
            for record in produced
            for step in (record, {"fetch": {"broker": 2}}, {"fetch": {"broker": 3}})
        ]
        + [{"crash": {"broker": 1}}, {"run": {"ms": 1000}}],
    }


async def act(diary: Diary, number: int, ports: Iterator[int], until: float) -> None:
    """Start a run, read it, and continue from its end; then the next one. Half of these visitors
    start lessons, the others scenarios of their own.
    """
    chance = random.Random(1000 + number)
    own = number % 2 == 1
    of = "own " if own else ""
    clients = [client_from(f"127.0.1.{100 + number}", next(ports)) for _ in range(2)]
    await asyncio.sleep(chance.uniform(0, LEAST_RUN_S))
    while time.monotonic() < until:
        body: dict[str, Any]
        if own:
            body = {"scenario": own_scenario(chance)}
        else:
            body = {"scenario_id": chance.choice(LESSONS)}
        made = await diary.ask(clients[0], f"{of}new run", "POST", f"{API}/sessions", json=body)
        if made is None:
            continue
        session, head = made.json()["id"], made.json()["head"]
        address = f"{API}/sessions/{session}"
        for turn in range(ACTS_A_RUN):
            await asyncio.sleep(chance.uniform(0.5, 1.5) * ACTOR_THINKS_S)
            if time.monotonic() > until:
                break
            client = clients[turn % 2]  # with two processes, either one
            if turn % 4 == 0:
                await diary.ask(client, f"{of}timeline", "GET", f"{address}/timeline")
                continue
            step = {"advance": {"ms": 100 + turn}}
            asked = {"after": head, "step": step}
            acted = await diary.ask(client, f"{of}act", "POST", f"{address}/actions", json=asked)
            if acted is not None:
                head = acted.json()["head"]
    for client in clients:
        await client.aclose()


async def main(ports: list[int], seconds: float, shares: list[str]) -> None:
    """All of them, for this duration."""
    diary, turns = Diary(), cycle(ports)
    until = time.monotonic() + seconds
    viewers = (view(diary, number, turns, shares, until) for number in range(VIEWERS))
    actors = (act(diary, number, turns, until) for number in range(ACTORS))
    await asyncio.gather(*viewers, *actors)
    json.dump({"times_ms": diary.times_ms, "wrong": diary.wrong}, sys.stdout)


if __name__ == "__main__":
    given_ports, given_seconds, given_shares = sys.argv[1:]
    asyncio.run(
        main(
            [int(port) for port in given_ports.split(",")],
            float(given_seconds),
            given_shares.split(","),
        )
    )
