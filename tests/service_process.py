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

_STARTS_WITHIN_S = 120
_ENDS_WITHIN_S = 30
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
    """`highwater serve`, or a different command that serves, on a free port, from the moment at
    which it is ready. As a context manager, it ends with the block.
    """

    def __init__(
        self,
        folder: Path,
        *options: str,
        program: Sequence[str] = PROGRAM,
        command: Sequence[str] = ("serve",),
        environment: Mapping[str, str] = os.environ,
        stdout: int = subprocess.DEVNULL,
    ) -> None:
        """It runs in `folder`; `program` is what comes before the command."""
        self.process = subprocess.Popen(
            [*program, *command, "--port", "0", *options],
            cwd=folder,
            env=environment,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        patience = threading.Timer(_STARTS_WITHIN_S, self.process.kill)
        patience.start()
        try:
            self.address = address_in(self.process.stderr)
        except BaseException:
            self.process.kill()
            self.process.wait()
            self.process.stderr.close()
            raise
        finally:
            patience.cancel()
        # The rest is discarded, because a full pipe would block the service.
        self._drain = threading.Thread(target=self.process.stderr.read, daemon=True)
        self._drain.start()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_error: object) -> None:
        self.end()

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End it, unless it has ended, and return its exit status. Kills it, and raises
        TimeoutExpired, if it takes too long.
        """
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(_ENDS_WITHIN_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            self._drain.join(10)
            assert self.process.stderr is not None
            self.process.stderr.close()


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
