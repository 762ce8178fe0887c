"""Writes log lines in a separate thread, so that no other thread ever waits for the output.

A pipe without a reader is full after 64 KiB and then blocks its writer. Here only this thread
blocks. Lines wait in a bounded queue; when it is full, further lines are dropped and counted.
"""

import logging
import os
import queue
import threading
from collections.abc import Callable

_MOST_WAITING = 10_000
_LAST_LINES_S = 1.0


class LogOutput(logging.Handler):
    """Writes each line to a file descriptor; `on_drop` is called for each line that is dropped."""

    def __init__(self, descriptor: int, *, most_waiting: int = _MOST_WAITING) -> None:
        super().__init__()
        self.on_drop: Callable[[], None] = lambda: None
        self._descriptor = descriptor
        self._waiting: queue.Queue[bytes | None] = queue.Queue(most_waiting)
        self._thread = threading.Thread(target=self._write, name="log-output", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a line. Never waits."""
        try:
            self._waiting.put_nowait(self.format(record).encode(errors="replace") + b"\n")
        except queue.Full:
            self.on_drop()
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """Write the queued lines, if this takes only a moment."""
        super().close()
        try:
            self._waiting.put_nowait(None)
        except queue.Full:
            return
        self._thread.join(_LAST_LINES_S)

    def _write(self) -> None:
        while (line := self._waiting.get()) is not None:
            try:
                # Not through sys.stdout: at the end of the process the interpreter would wait for
                # the lock of its buffer, which a blocked thread never releases.
                while line:
                    line = line[os.write(self._descriptor, line) :]
            except OSError:
                self.on_drop()
