"""A service with a computing process, and what its process does."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from starlette.requests import Request
from starlette.responses import Response

from tests.backend.conftest import SCENARIO, Service, StartService, starting

# A submitted scenario that computes for longer than any test waits.
ENDLESS = {
    "scenario": {
        **SCENARIO,
        "brokers": list(range(1, 10)),
        "topics": [{"name": "t", "partitions": [{"replicas": list(range(1, 10))}] * 16}],
        "steps": [{"run": {"ms": 86_400_000}}] * 20,
    }
}
PATIENCE_S = 60
IN_ONE_LOOP = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture
def database(tmp_path: Path, migrated_file: Path) -> str:
    """An empty database. One kind is enough: both processes use the same code to reach it."""
    path = tmp_path / "highwater.db"
    shutil.copy(migrated_file, path)
    return f"sqlite:///{path}"


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests wait for the process to start, which takes long while other tests run."""
    monkeypatch.setattr("backend.computing.process._WAITS_S", PATIENCE_S)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def apart(
    tmp_path_factory: pytest.TempPathFactory, migrated_file: Path
) -> AsyncIterator[Service]:
    """A service with a computing process, which takes seconds to start: one for all tests of a
    file, which run in one event loop (`IN_ONE_LOOP`).
    """
    folder = tmp_path_factory.mktemp("apart")
    url = f"sqlite:///{shutil.copy(migrated_file, folder / 'highwater.db')}"
    async with starting(folder / "frontend")(url, computes_apart=True) as started:
        yield started


@pytest.fixture
async def apart_alone(database: str, start_service: StartService) -> AsyncIterator[Service]:
    """The same for one test."""
    async with start_service(database, computes_apart=True) as started:
        yield started


@pytest.fixture
def passed_on(apart: Service, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The requests that the serving process has passed on."""
    computing = apart.services.computing
    assert computing is not None
    paths: list[str] = []
    respond = computing.respond

    async def noted(request: Request, body: bytes) -> Response:
        paths.append(f"{request.method} {request.url.path}")
        return await respond(request, body)

    monkeypatch.setattr(computing, "respond", noted)
    return paths


def computing_processes() -> list[int]:
    """The numbers of the computing processes that this process has started."""
    own = os.getpid()
    children = Path(f"/proc/{own}/task/{own}/children").read_text().split()
    return [int(child) for child in children if _computes(Path(f"/proc/{child}/cmdline"))]


def _computes(command: Path) -> bool:
    try:
        return b"backend.commands.compute" in command.read_bytes()
    except OSError:  # it has ended
        return False


def number_of_process() -> int:
    """The number of the only computing process."""
    (number,) = computing_processes()
    return number


def is_running(process: int) -> bool:
    """Whether a process exists and has not ended."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def computed_s(process: int) -> float:
    """The processor time of all threads of a process, in seconds."""
    return sum(
        int((thread / "schedstat").read_text().split()[0]) / 1e9
        for thread in Path(f"/proc/{process}/task").iterdir()
    )


def computes(process: int, *, for_s: float) -> Callable[[], Awaitable[bool]]:
    """Whether a process has computed for so long since now."""
    end = computed_s(process) + for_s

    async def has_computed() -> bool:
        return computed_s(process) > end

    return has_computed


async def until(done: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not await done():
            await asyncio.sleep(0.05)
