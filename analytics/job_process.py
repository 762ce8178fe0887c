"""Repeats a job, each time in a new process."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Never

_INTERRUPTED = 130


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
