"""The output of a worker's process: lines of JSON. Its importers start often, so this imports
little.
"""

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


def write_line(
    event: str, data: Mapping[str, object] | msgspec.Struct, *, keep: bool = True
) -> None:
    """Write a line to standard output."""
    line = msgspec.json.encode({"event": event, "data": data, "keep": keep})
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()
