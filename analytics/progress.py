"""Progress of a job on standard error, one line per stage."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

_CLEAR_LINE = "\r\x1b[K"


class Progress:
    """Shows the current stage (on a terminal only), then its result."""

    def __init__(
        self, stream: TextIO | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`clock` returns seconds."""
        self._clock = clock
        self._stream = sys.stderr if stream is None else stream
        self._is_terminal = self._stream.isatty()

    @contextmanager
    def stage(self, doing: str) -> Iterator["Stage"]:
        """Print the stage's `result` and its duration when the block ends; nothing if the block
        fails.
        """
        started = self._clock()
        stage = Stage(doing, self._show if self._is_terminal else None, self._clock)
        if self._is_terminal:
            self._write(f"  … {doing}")
        try:
            yield stage
        except BaseException:
            if self._is_terminal:
                self._write(_CLEAR_LINE)
            raise
        seconds = self._clock() - started
        if self._is_terminal:
            self._write(f"{_CLEAR_LINE}  ✓ {stage.result} ({seconds:.1f} s)\n")
        else:
            self._write(f"{stage.result} ({seconds:.1f} s)\n")

    def _show(self, text: str) -> None:
        self._write(f"{_CLEAR_LINE}  … {text}")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


class Stage:
    """One stage; set `result` to the message to print when it ends."""

    def __init__(
        self, doing: str, show: Callable[[str], None] | None, clock: Callable[[], float]
    ) -> None:
        self.result = doing
        self._doing = doing
        self._show = show
        self._clock = clock
        self._started = clock()

    def count(self, done: int, total: int) -> None:
        """Show how much is done and about how long the rest takes, on a terminal only."""
        if self._show is None or not total:
            return
        text = f"{self._doing}: {done:,} of {total:,} pieces"
        if 0 < done < total:
            left = (self._clock() - self._started) * (total - done) / done
            text = f"{text}, {_as_time(left)} left"
        self._show(text)


def _as_time(seconds: float) -> str:
    minutes, left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"
