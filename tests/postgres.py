"""A PostgreSQL server for one test run: its data in a temporary folder, on a free port.

It touches no cluster that the machine may have, needs no password and forgets everything.
PostgreSQL refuses to run as root; root's run goes by `runuser` as the system's user `postgres`.
"""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

USER = "highwater"
START_ATTEMPTS = 3


@dataclass(frozen=True)
class PostgresServer:
    """A running server. A test gets a separate database from `new_database`."""

    programs: Path
    port: int
    _numbers: Iterator[int] = field(default_factory=lambda: count(1), repr=False)

    @classmethod
    @contextlib.contextmanager
    def started(cls, programs: Path) -> Iterator["PostgresServer"]:
        # Not pytest's tmp_path: a socket's path may have 107 bytes, and the user postgres
        # cannot enter root's temporary folders.
        folder = Path(tempfile.mkdtemp(prefix="highwater-postgres-"))
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        data = folder / "data"
        try:
            _run(
                programs / "initdb", "--pgdata", data, "--username", USER, "--auth", "trust",
                "--encoding", "UTF8", "--locale", "C", "--no-sync",
            )  # fmt: skip
            port = _start(programs, folder, data)
            try:
                yield cls(programs, port)
            finally:
                _run(programs / "pg_ctl", "stop", "--pgdata", data, "--mode", "immediate")
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def new_database(self, like: str = "template1") -> str:
        """Creates a database and returns its address: an empty one, or a copy of the one that has
        this address, to which nobody may be connected.
        """
        name = f"highwater_{next(self._numbers)}"
        _run(
            self.programs / "createdb", "--host", "127.0.0.1", "--port", self.port,
            "--username", USER, "--template", like.rpartition("/")[2], name,
        )  # fmt: skip
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{name}"


def find_postgres_programs() -> Path | None:
    """The folder with initdb and pg_ctl of the newest installed release."""
    on_path = shutil.which("initdb")
    if on_path is not None:
        return Path(on_path).resolve().parent
    installed = list(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    installed.sort(key=lambda path: int(re.sub(r"\D", "", path.parts[-3]) or 0))
    return installed[-1].parent if installed else None


def _start(programs: Path, folder: Path, data: Path) -> int:
    """Starts the server and returns its port; another process may take a free port first."""
    for attempt in range(1, START_ATTEMPTS + 1):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port: int = probe.getsockname()[1]
        options = (
            f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c max_connections=100 "
            "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
        )
        try:
            _run(
                programs / "pg_ctl", "start", "--pgdata", data, "--options", options,
                "--log", folder / "log", "--wait", "--timeout", 60,
            )  # fmt: skip
        except RuntimeError:
            if attempt == START_ATTEMPTS:
                raise
        else:
            return port
    raise AssertionError("the loop returns or raises")


def _run(*command: object) -> None:
    words = [str(word) for word in command]
    if os.geteuid() == 0:
        words = ["runuser", "-u", "postgres", "--", *words]
    # The server inherits what pg_ctl has open: a pipe would keep us waiting for as long as it runs.
    with tempfile.TemporaryFile() as output:
        result = subprocess.run(
            words, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd="/", check=False
        )
        if result.returncode:
            output.seek(0)
            said = output.read().decode(errors="replace")
            raise RuntimeError(f"{' '.join(words)} exited with {result.returncode}:\n{said}")
