"""Fixtures that every suite may use: tools of the system, a private PostgreSQL, Chromium.

A test that needs a missing tool fails and says what to install; with HIGHWATER_ALLOW_MISSING=1 it
is skipped instead, with the same sentence as the reason.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import hypothesis
import pytest

from backend.processes.interpreter import collect_rarely
from tests.postgres import PostgresServer, find_postgres_programs

REPOSITORY = Path(__file__).resolve().parent.parent

# Reproducible everywhere, and no deadline, because test machines can be slow and shared.
hypothesis.settings.register_profile("everyday", deadline=None, derandomize=True, max_examples=50)
hypothesis.settings.register_profile("nightly", deadline=None, max_examples=2000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "everyday"))

# As in the programs: what a test imports stays, and what it drops is rarely part of a cycle.
collect_rarely()

# Debian's headless shell is Chromium without the windows that it would draw for nobody: opening a
# page takes half of the processor time.
CHROMIUM_NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
# Chromium runs feature trials and updates itself in the background; tests disable both.
CHROMIUM_FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # As in Chromium itself: a frame without an origin shares no cache with another.
    "--enable-features=SplitCacheByNetworkIsolationKey",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="write transcripts as they are now")


@pytest.fixture
def rewrite(request: pytest.FixtureRequest) -> bool:
    """Whether transcripts are written anew instead of compared."""
    return bool(request.config.getoption("rewrite"))


@pytest.fixture(scope="session")
def repository() -> Path:
    """The project's folder."""
    return REPOSITORY


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server for this test run only, stopped when the run ends."""
    programs = find_postgres_programs()
    if programs is None:
        missing_tool("PostgreSQL is not installed: run scripts/ensure-tool postgres")
    with PostgresServer.started(programs) as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> str:
    """The address of a new, empty database, as HIGHWATER_DATABASE_URL takes it."""
    return postgres_server.new_database()


@pytest.fixture(scope="session")
def chromium_executable() -> str:
    """The path of the Chromium for browser tests; CHROMIUM sets a different one."""
    named = os.environ.get("CHROMIUM")
    found = named or next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if found is None:
        missing_tool("Chromium is not installed: run scripts/ensure-tool chromium")
    return found


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], chromium_executable: str
) -> dict[str, Any]:
    """The options with which pytest-playwright starts the system's browser; no sandbox as root."""
    sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
    return {
        **browser_type_launch_args,
        "executable_path": chromium_executable,
        "args": [*CHROMIUM_FLAGS, *sandbox],
    }


@pytest.fixture
def require_tool() -> Callable[[str, str], str]:
    """Finds a program by name, or ends the test with the given message."""

    def find(program: str, sentence: str) -> str:
        found = shutil.which(program)
        if found is None:
            missing_tool(sentence)
        return found

    return find


def missing_tool(sentence: str) -> NoReturn:
    if os.environ.get("HIGHWATER_ALLOW_MISSING") == "1":
        pytest.skip(f"{sentence} (HIGHWATER_ALLOW_MISSING=1)")
    pytest.fail(f"{sentence}, or skip such tests: HIGHWATER_ALLOW_MISSING=1", pytrace=False)
