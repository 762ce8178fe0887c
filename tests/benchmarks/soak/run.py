"""The soak: honest visitors alone, then with hostile ones, and the effect on the service.

    python -m tests.benchmarks soak --minutes 10

For each database, with one process and with two, it prints the milliseconds that honest visitors
wait at the median and at the 99th percentile, alone and under attack, and their ratio (the aim is
at most 3); what they got that was no success (none); what the attackers got (no 500); and the
memory of the service's processes before, at its peak, and after.

It also prints how long the event loops of the service computed, and how long they were ready to
compute but waited for a processor. Visitors share the machine's processors with the service:
the honest ones have the same load in both parts, and the hostile ones a low priority. If the event
loops waited for longer than they computed when the honest visitors were alone, other programs kept
the machine busy and the ratio says little.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.benchmarks.soak.honest import API, LESSONS
from tests.benchmarks.soak.servers import REPOSITORY, Servers, databases, serving

KINDS = ["sqlite", "postgresql"]
PROCESSES = [1, 2]
MINUTES = 10.0
SHARES = 12
# The honest visitors are measured alone for this part of the time, and at least this long.
ALONE = 0.3
LEAST_ALONE_S = 30.0
REST_S = 15.0
MOST_RATIO = 3.0
_MEBI = 1024 * 1024

Times = Mapping[str, list[float]]


@dataclass(frozen=True)
class Seen:
    """The report of one group of visitors."""

    times_ms: Times
    wrong: list[str]
    computed_s: float
    waited_s: float


def measure(
    minutes: float = MINUTES, kinds: Iterable[str] = KINDS, processes: Iterable[int] = PROCESSES
) -> None:
    """Each database with each number of processes, one after another."""
    with tempfile.TemporaryDirectory() as folder, databases(list(kinds), Path(folder)) as found:
        for kind, urls in found.items():
            for count in processes:
                asyncio.run(soak(kind, urls[count - 1], count, minutes * 60))


async def soak(kind: str, database_url: str, count: int, seconds: float) -> None:
    """One service, first with honest visitors only, then with all."""
    print(f"{kind}, {count} process{'es' if count > 1 else ''}, {seconds:.0f} s under attack")
    async with serving(database_url, count) as servers:
        shares = await _shares(servers.ports[0])
        alone_s = max(LEAST_ALONE_S, seconds * ALONE)
        await _honest(servers, 10, shares)  # until everything is imported and compiled
        alone = await _honest(servers, alone_s, shares)
        before = servers.memory_bytes()
        servers.peak_bytes = 0
        hostile = asyncio.create_task(_program("hostile", servers, seconds + 5, shares))
        await asyncio.sleep(5)
        attacked = await _honest(servers, seconds, shares)
        got = json.loads(await hostile)
        await asyncio.sleep(REST_S)
        ready = [await _status(port, "/readyz") for port in servers.ports]
        _print_waiting(alone.times_ms, attacked.times_ms)
        for when, seen in (("alone", alone), ("under attack", attacked)):
            print(
                f"  event loops, {when}: computed {seen.computed_s:.1f} s, "
                f"waited {seen.waited_s:.1f} s for a processor"
            )
        _print_wrong("alone", alone.wrong)
        _print_wrong("under attack", attacked.wrong)
        _print_attacks(got)
        after, peak = servers.memory_bytes(), servers.peak_bytes
    print(
        f"  memory: {before / _MEBI:.0f} MiB before, {peak / _MEBI:.0f} MiB at most, "
        f"{after / _MEBI:.0f} MiB after; ready again: {ready}"
    )


async def _shares(port: int) -> list[str]:
    """Shares for all visitors."""
    made = []
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}{API}", timeout=60) as client:
        for number in range(SHARES):
            lesson = {"scenario_id": LESSONS[number % len(LESSONS)]}
            session = (await client.post("/sessions", json=lesson)).json()
            share = await client.post(
                "/shares",
                json={"session": session["id"], "at": session["head"] - number},
                headers={"Idempotency-Key": str(number)},
            )
            share.raise_for_status()
            made.append(str(share.json()["sid"]))
    return made


async def _honest(servers: Servers, seconds: float, shares: list[str]) -> Seen:
    computed, waited = servers.processor_s()
    seen = json.loads(await _program("honest", servers, seconds, shares))
    now = servers.processor_s()
    return Seen(seen["times_ms"], seen["wrong"], now[0] - computed, now[1] - waited)


async def _program(name: str, servers: Servers, seconds: float, shares: list[str]) -> bytes:
    """The output of a group of visitors, which runs in a separate process."""
    ports = ",".join(map(str, servers.ports))
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", f"tests.benchmarks.soak.{name}", ports, str(seconds), ",".join(shares)),
        cwd=REPOSITORY,
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await process.communicate()
    assert process.returncode == 0, f"{name} failed"
    return said


async def _status(port: int, path: str) -> int:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        return (await client.get(path)).status_code


def _print_waiting(alone: Times, attacked: Times) -> None:
    print(
        f"  {'honest, ms':<16}{'alone p50':>10}{'p99':>8}{'attacked p50':>14}{'p99':>8}{'ratio':>7}"
    )
    rows = {kind: (alone[kind], attacked.get(kind, [])) for kind in sorted(alone)}
    everything = [[ms for times in found.values() for ms in times] for found in (alone, attacked)]
    for kind, (calm, busy) in {**rows, "all": (everything[0], everything[1])}.items():
        if not busy:
            print(f"  {kind:<16} none came under attack")
            continue
        ratio = quantile(busy, 0.99) / quantile(calm, 0.99)
        print(
            f"  {kind:<16}{quantile(calm, 0.5):>10.1f}{quantile(calm, 0.99):>8.1f}"
            f"{quantile(busy, 0.5):>14.1f}{quantile(busy, 0.99):>8.1f}{ratio:>7.2f}"
            f"{'' if ratio <= MOST_RATIO else ' above ' + format(MOST_RATIO, 'g')}"
            f"   of {len(calm)} and {len(busy)}"
        )


def quantile(values: list[float], share: float) -> float:
    """The percentile: the smallest value that is at least as large as this part of them."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def _print_wrong(when: str, wrong: list[str]) -> None:
    print(f"  honest answers that were no success, {when}: {len(wrong)}")
    for one in sorted(set(wrong))[:5]:
        print(f"    {wrong.count(one)} × {one}")


def _print_attacks(got: Mapping[str, Mapping[str, int]]) -> None:
    failures = 0
    for attack, statuses in got.items():
        failures += sum(
            count
            for status, count in statuses.items()
            if status.startswith("5") and "told when" not in status
        )
        print(f"  {attack:<40}", ", ".join(f"{count} × {what}" for what, count in statuses.items()))
    print(f"  5xx without a time to come again, to attackers: {failures}")
