"""How far a job is, on standard error: one line a stage."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

_CLEAR_LINE = "\r\x1b[K"


class Progress:
    """Says what is being done while it is done (on a terminal), and what came of it afterwards."""

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
    """One stage; set `result` to what there is to say about it once it is done."""

    def __init__(self, doing: str) -> None:
        self.result = doing
