"""The real service as a separate process, for tests that use the network."""

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def serving(repository: Path, database: Path) -> Iterator[str]:
    """`highwater serve` on a new database; returns its address, without a trailing slash."""
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "backend.cli", "serve", "--port", "0"),
            *("--database", f"sqlite:///{database}"),
        ],
        cwd=repository,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    said = process.stderr.readline()
    found = re.search(r"http://[^\s\"]+", said)
    assert found is not None, said
    # The logs from here on are discarded, because a full pipe would block the service.
    drain = threading.Thread(target=process.stderr.read, daemon=True)
    drain.start()
    try:
        yield found.group(0).rstrip("/")
    finally:
        process.terminate()
        process.wait(30)
        drain.join(10)
        process.stderr.close()
