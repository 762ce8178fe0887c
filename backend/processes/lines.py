"""What the processes of workers have in common: their output, which is lines of JSON, and how they
are stopped. Its importers start often, so this imports little.
"""

import signal
import sys
from collections.abc import Mapping

import msgspec


class Line(msgspec.Struct):
    """A line of a worker's output. The data is passed on as it is."""

    event: str
    data: msgspec.Raw
    keep: bool = True
    """Whether a result is kept for those who ask the same later."""


LINES = msgspec.json.Decoder(Line)


def interrupted_by_signals() -> None:
    """Let SIGINT and SIGTERM raise `KeyboardInterrupt` in this process."""
    for end in (signal.SIGINT, signal.SIGTERM):
        # Its parent may ignore SIGINT, which a child process inherits.
        signal.signal(end, signal.default_int_handler)


def write_line(
    event: str, data: Mapping[str, object] | msgspec.Struct, *, keep: bool = True
) -> None:
    """Write a line to standard output."""
    line = msgspec.json.encode({"event": event, "data": data, "keep": keep})
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()
