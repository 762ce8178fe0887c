"""The hostile visitors, as a separate program, which runs until it is stopped.

`python -m tests.benchmarks.soak.hostile PORTS SECONDS SHARES` prints one JSON object: of each
attack how many answers had which status; "closed" is a connection that the service ended, and
"left" an answer that nobody waited for.
"""

import asyncio
import contextlib
import json
import os
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable

import httpx

from tests.benchmarks.soak import attacks
from tests.benchmarks.soak.attacks import Aim

# The attacks, and the number of simultaneous attackers, each with its own address.
ATTACKS: dict[str, tuple[Callable[[Aim], Awaitable[None]], int]] = {
    "80 KB of unclosed strings": (attacks.unclosed_strings, 1),
    "a day on a large cluster, client gone": (attacks.endless_runs, 2),
    "acts on large states, again": (attacks.large_states, 1),
    "whole states of a large run": (attacks.whole_states, 1),
    "long runs, shared and viewed": (attacks.large_shares, 1),
    "endless headers": (attacks.endless_headers, 1),
    "half requests": (attacks.half_requests, 1),
    "answers that nobody reads": (attacks.unread_answers, 1),
    "searches in a burst": (attacks.searches, 2),
    "pictures of every width": (attacks.pictures, 1),
    "guessed links": (attacks.guessed_links, 1),
    "odd paths": (attacks.odd_paths, 1),
    "sessions in a flood": (attacks.sessions, 1),
    "clients that are killed": (attacks.killed_clients, 2),
}


async def attack(
    do: Callable[[Aim], Awaitable[None]], aim: Aim, until: float, chance: random.Random
) -> None:
    """The same attack repeatedly."""
    while time.monotonic() < until:
        # An attacker expects broken connections.
        with contextlib.suppress(
            httpx.HTTPError, OSError, TimeoutError, asyncio.IncompleteReadError
        ):
            async with asyncio.timeout(60):
                await do(aim)
        await asyncio.sleep(chance.uniform(0.02, 0.2))


async def main(ports: list[int], seconds: float, shares: list[str]) -> None:
    """All of them, for this duration; open connections are then dropped."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    until = time.monotonic() + seconds
    running = []
    number = 0
    for name, (do, attackers) in ATTACKS.items():
        for _ in range(attackers):
            number += 1
            aim = Aim(ports, f"127.0.2.{number}", shares, seen[name], random.Random(number))
            running.append(asyncio.create_task(attack(do, aim, until, random.Random(number))))
    await asyncio.sleep(seconds)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    json.dump(seen, sys.stdout)


if __name__ == "__main__":
    # They represent other machines, and must not take processor time from the honest visitors.
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    given_ports, given_seconds, given_shares = sys.argv[1:]
    asyncio.run(
        main(
            [int(port) for port in given_ports.split(",")],
            float(given_seconds),
            given_shares.split(","),
        )
    )
