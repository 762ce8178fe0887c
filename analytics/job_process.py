"""The process of a job: repeated, each time in a new one; and its temporary folder, removed even if
it is killed.

A job holds a lock on a file in its folder until its process ends, for whatever reason. The next job
removes the folders whose lock is free.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Never

_INTERRUPTED = 130
_PREFIX = "highwater-job-"
_HELD = "held"


def repeat(
    command: Sequence[str],
    variables: Mapping[str, str],
    *,
    every_seconds: float,
    sleep: Callable[[float], None] = time.sleep,
) -> Never:
    """Run the command, wait, and run it again until an exception is raised.

    `every_seconds` is the time from start to start. If a run takes longer, the next one starts
    immediately; runs never overlap. A failed run prints its reason to standard error, and the next
    run tries again. Only if the first run fails, SystemExit is raised with its status, because then
    the settings are probably wrong. Separate processes return Java's memory between runs.
    """
    is_first = True
    while True:
        started = time.monotonic()
        status = run_once(command, variables)
        if is_first and status:
            raise SystemExit(status)
        is_first = False
        left = max(0.0, every_seconds - (time.monotonic() - started))
        sys.stderr.write(f"the next summary starts in {left:,.0f} s\n")
        sys.stderr.flush()
        sleep(left)


def run_once(command: Sequence[str], variables: Mapping[str, str]) -> int:
    """Run the command and return its exit status. If an exception is raised meanwhile, for example
    by a signal, the process is ended first.
    """
    with subprocess.Popen(  # noqa: S603 (our own module, and no shell)
        command, env={**os.environ, **variables}
    ) as process:
        try:
            status = process.wait()
        except BaseException:
            process.terminate()
            process.wait()
            raise
    if status == _INTERRUPTED:
        raise KeyboardInterrupt
    return status


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A new folder in the system's temporary folder, removed when the block ends.

    First removes the folders of jobs that were killed.
    """
    _remove_abandoned(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=_PREFIX) as name:
        folder = Path(name)
        # Other jobs look only at folders with the final name, and by then the lock is held.
        with (folder / "taking").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            (folder / "taking").rename(folder / _HELD)
            yield folder


def _remove_abandoned(temporary: Path) -> None:
    for lock in temporary.glob(f"{_PREFIX}*/{_HELD}"):
        try:
            with lock.open("r+") as held:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(lock.parent, ignore_errors=True)
        except OSError:
            continue  # it is in use, being removed, or another user's
