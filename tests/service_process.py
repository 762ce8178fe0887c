"""The real service as a separate process, for tests that use the network."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


def address_in(lines: Iterable[str]) -> str:
    """The address that the service prints once it is ready, without a trailing slash."""
    said = []
    for line in lines:
        if found := re.match(r"Highwater is on (http://\S+?)/?$", line):
            return found[1]
        said.append(line)
    raise AssertionError("the service did not start:\n" + "".join(said))


@contextmanager
def serving(repository: Path, database: Path) -> Iterator[str]:
    """`highwater serve` on a new database; returns its address, without a trailing slash."""
    with served(repository, database) as (address, _):
        yield address


@contextmanager
def served(
    repository: Path, database: Path, *, before: Sequence[str] = (), **settings: str
) -> Iterator[tuple[str, int]]:
    """Like `serving`, with settings as environment variables; also returns the process id.
    `before` comes before the command.
    """
    process = subprocess.Popen(
        [
            *before,
            *(sys.executable, "-m", "backend.cli", "serve", "--port", "0"),
            *("--database", f"sqlite:///{database}"),
        ],
        cwd=repository,
        env={**os.environ, **settings},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    address = address_in(process.stderr)
    # The logs from here on are discarded, because a full pipe would block the service.
    drain = threading.Thread(target=process.stderr.read, daemon=True)
    drain.start()
    try:
        yield address, process.pid
    finally:
        process.terminate()
        process.wait(30)
        drain.join(10)
        process.stderr.close()
