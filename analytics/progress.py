"""Progress of a job on standard error, one line per stage."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

_CLEAR_LINE = "\r\x1b[K"


class Progress:
    """Shows the current stage (on a terminal only), then its result."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._is_terminal = self._stream.isatty()

    @contextmanager
    def stage(self, doing: str) -> Iterator["Stage"]:
        """Prints the stage's `result` and its time when the block ends; nothing when it fails."""
        started = time.monotonic()
        stage = Stage(doing)
        if self._is_terminal:
            self._write(f"  … {doing}")
        try:
            yield stage
        except BaseException:
            if self._is_terminal:
                self._write(_CLEAR_LINE)
            raise
        seconds = time.monotonic() - started
        if self._is_terminal:
            self._write(f"{_CLEAR_LINE}  ✓ {stage.result} ({seconds:.1f} s)\n")
        else:
            self._write(f"{stage.result} ({seconds:.1f} s)\n")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


class Stage:
    """One stage; set `result` to the message to print when it ends."""

    def __init__(self, doing: str) -> None:
        self.result = doing
