"""The service in operation: processes of `highwater serve` on one database, and their memory.

Every visitor comes from an address of its own (127.0.0.0/8 is all this machine), so no proxy is
needed for the service to tell them apart.
"""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from backend.operations.migrations import upgrade
from tests.postgres import PostgresServer, find_postgres_programs
from tests.service_process import Server

REPOSITORY = Path(__file__).resolve().parents[3]
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_NO_PROXY = "127.255.255.255"


@dataclass
class Servers:
    """The processes of one service."""

    running: list[Server] = field(default_factory=list)
    peak_bytes: int = 0

    @property
    def ports(self) -> list[int]:
        """The ports of all processes."""
        return [int(server.address.rpartition(":")[2]) for server in self.running]

    def memory_bytes(self) -> int:
        """The current memory of all processes, each with its computing process."""
        held = 0
        for server in self.running:
            serving = server.process.pid
            for pid in (serving, *_computing_processes(serving)):
                with contextlib.suppress(FileNotFoundError):  # it has just ended
                    held += int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE_BYTES
        self.peak_bytes = max(self.peak_bytes, held)
        return held

    def processor_s(self) -> tuple[float, float]:
        """How long the event loops have computed, and waited for a processor of the machine."""
        computed = waited = 0
        for server in self.running:
            now = Path(f"/proc/{server.process.pid}/schedstat").read_text().split()
            computed, waited = computed + int(now[0]), waited + int(now[1])
        return computed / 1e9, waited / 1e9

    async def watch(self) -> None:
        """Sample until cancelled; a process that ended is an error."""
        while True:
            assert all(one.process.poll() is None for one in self.running), "one has died"
            self.memory_bytes()
            await asyncio.sleep(0.5)


def _computing_processes(parent: int) -> list[str]:
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [child for child in children if _is_computing(Path(f"/proc/{child}/cmdline"))]


def _is_computing(command: Path) -> bool:
    try:
        return b"backend.commands.compute" in command.read_bytes()
    except OSError:
        return False


@contextmanager
def databases(kinds: list[str], folder: Path) -> Iterator[dict[str, list[str]]]:
    """Two empty databases of each kind: one for each number of processes."""
    urls: dict[str, list[str]] = {}
    if "sqlite" in kinds:
        urls["sqlite"] = [f"sqlite:///{folder}/soak-{number}.db" for number in range(2)]
    if "postgresql" not in kinds:
        yield urls
        return
    programs = find_postgres_programs()
    assert programs is not None, "PostgreSQL's programs are not installed"
    with PostgresServer.started(programs) as server:
        urls["postgresql"] = [server.new_database() for _ in range(2)]
        yield urls


@asynccontextmanager
async def serving(database_url: str, count: int) -> AsyncIterator[Servers]:
    """Start this many processes on free ports."""
    await asyncio.to_thread(upgrade, database_url)
    servers = Servers()
    settings = {"HIGHWATER_TRUSTED_PROXIES": _NO_PROXY, "HIGHWATER_PROCESSES": str(count)}
    start = partial(
        Server, REPOSITORY, "--database", database_url, environment={**os.environ, **settings}
    )
    try:
        for _ in range(count):
            servers.running.append(await asyncio.to_thread(start))
        watching = asyncio.create_task(servers.watch())
        try:
            yield servers
        finally:
            watching.cancel()
    finally:
        await asyncio.gather(*(asyncio.to_thread(server.end) for server in servers.running))
