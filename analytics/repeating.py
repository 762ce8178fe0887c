"""The same job again and again, each time in a process of its own."""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Never

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_TIME = re.compile(r"(?P<number>[1-9]\d{0,5})(?P<unit>[smhd])")
_INTERRUPTED = 130


def seconds_of(text: str) -> int:
    """The seconds in `90s`, `30m`, `1h` or `1d`. Raises ArgumentTypeError."""
    found = _TIME.fullmatch(text)
    if found is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time: write a whole number and s, m, h or d, such as 30m or 1h"
        )
    return int(found["number"]) * _SECONDS[found["unit"]]


def repeat(
    command: Sequence[str],
    variables: Mapping[str, str],
    *,
    every_seconds: float,
    sleep: Callable[[float], None] = time.sleep,
) -> Never:
    """Run the command, wait, and run it again until an exception ends this.

    `every_seconds` is from start to start. A run that takes longer is followed by the next one at
    once, never by two together. A run that fails has said why on standard error, and the next one
    tries again; only if the first one fails, SystemExit has its status, because then the settings
    are probably wrong. The memory that Java took is given back between runs.
    """
    is_first = True
    while True:
        started = time.monotonic()
        status = run_once(command, variables)
        if is_first and status:
            raise SystemExit(status)
        is_first = False
        left = max(0.0, every_seconds - (time.monotonic() - started))
        sys.stderr.write(f"the next summary begins in {left:,.0f} s\n")
        sys.stderr.flush()
        sleep(left)


def run_once(command: Sequence[str], variables: Mapping[str, str]) -> int:
    """The exit status. An exception here, such as a signal's, ends the process first."""
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
