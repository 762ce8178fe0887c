"""The standard streams of a program: UTF-8 in every locale, and errors that commands can tell from
those of the files that they read and write.
"""

import sys
from collections.abc import Callable
from io import BufferedWriter, FileIO, StringIO, TextIOWrapper
from typing import TYPE_CHECKING

from sim_engine.command_line.program import HOLDS, wrong_input

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

INTERRUPTED = 130
"""The exit status of a program that SIGINT ended, as shells count it."""


class _OutputError(Exception):
    """Standard output cannot be written to. Not an `OSError`, which a command would report as an
    error of its own files.
    """


class _OutputClosedError(Exception):
    """The reader of standard output has closed the pipe, as `head` does."""


class _Output(FileIO):
    """Reports its first error. The interpreter writes the rest once more when it ends."""

    _failed = False

    def write(self, data: "ReadableBuffer", /) -> int:
        if self._failed:
            return memoryview(data).nbytes
        try:
            return super().write(data)
        except OSError as error:
            self._failed = True
            if isinstance(error, BrokenPipeError):
                raise _OutputClosedError from None
            raise _OutputError(str(error.strerror)) from None


class _Errors(FileIO):
    """An error that cannot be printed still has its exit status."""

    def write(self, data: "ReadableBuffer", /) -> int:
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def as_program(command: Callable[[], int]) -> int:
    """Run the main function of a process with its streams, and return its exit status.

    If the result cannot be printed, one line on standard error gives the reason, with status 2. If
    its reader closes the pipe, this is not a failure. An interrupt ends the program in silence.
    """
    if sys.stderr is None:
        sys.stderr = StringIO()
    elif isinstance(sys.stderr, TextIOWrapper):
        sys.stderr = _text(_Errors(sys.stderr.fileno(), "wb", closefd=False), "backslashreplace")
    if sys.stdout is None:
        return wrong_input("standard output is closed; write > /dev/null to discard the output")
    if isinstance(sys.stdout, TextIOWrapper):
        # File names that are not UTF-8 are printed as they are.
        output = _Output(sys.stdout.fileno(), "wb", closefd=False)
        sys.stdout = _text(output, "surrogateescape", line_buffering=output.isatty())
    try:
        status = command()
        sys.stdout.flush()
    except _OutputClosedError:
        return HOLDS
    except _OutputError as error:
        return wrong_input(f"standard output cannot be written to: {error}")
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def _text(raw: FileIO, errors: str, *, line_buffering: bool = True) -> TextIOWrapper:
    """Values and titles may have any characters, so the output is UTF-8 in every locale."""
    return TextIOWrapper(
        BufferedWriter(raw), encoding="utf-8", errors=errors, line_buffering=line_buffering
    )
