"""The real service as a separate process, for tests that use the network."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

PROGRAM = (sys.executable, "-m", "backend.cli")


def address_in(lines: Iterable[str]) -> str:
    """The address that the service prints once it is ready, without a trailing slash."""
    said = []
    for line in lines:
        if found := re.match(r"Highwater is on (http://\S+?)/?$", line):
            return found[1]
        said.append(line)
    raise AssertionError("the service did not start:\n" + "".join(said))


class Server:
    """`highwater serve` on a free port, from the moment at which it is ready. As a context manager,
    it ends with the block.
    """

    def __init__(
        self,
        folder: Path,
        *options: str,
        program: Sequence[str] = PROGRAM,
        environment: Mapping[str, str] = os.environ,
        stdout: int = subprocess.DEVNULL,
    ) -> None:
        """It runs in `folder`; `program` is what comes before `serve`."""
        self.process = subprocess.Popen(
            [*program, "serve", "--port", "0", *options],
            cwd=folder,
            env=environment,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        self.address = address_in(self.process.stderr)
        # The rest is discarded, because a full pipe would block the service.
        self._drain = threading.Thread(target=self.process.stderr.read, daemon=True)
        self._drain.start()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_error: object) -> None:
        self.end()

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End it, unless it has ended, and return its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        status = self.process.wait(30)
        self._drain.join(10)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return status


@contextmanager
def serving(repository: Path, database: Path) -> Iterator[str]:
    """`highwater serve` on a new database; returns its address, without a trailing slash."""
    with served(repository, database) as server:
        yield server.address


def served(
    repository: Path, database: Path, *, before: Sequence[str] = (), **settings: str
) -> Server:
    """A server on a new database, with settings as environment variables. `before` comes before the
    command.
    """
    return Server(
        repository,
        *("--database", f"sqlite:///{database}"),
        program=(*before, *PROGRAM),
        environment={**os.environ, **settings},
    )
