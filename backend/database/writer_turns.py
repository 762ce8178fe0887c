"""The order in which the writing transactions of one SQLite file take turns.

SQLite allows one writing transaction at a time. The others poll with growing delays, so a new one
can overtake one that has waited for long. Here the writing transactions of a process wait in a
queue. If several processes share the file, the first in each queue waits for two file locks, one
after the other: the process with the first lock is the next one to write, and the process with the
second lock writes. A process that has just written must first get the first lock again, so a
process with many writing transactions cannot keep the others from writing.
"""

import asyncio
import logging
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from backend.database.errors import unavailable
from backend.http.errors import UnavailableError

if sys.platform != "win32":
    from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, flock

_log = logging.getLogger("highwater.database")
_WAITS_S = 5.0
_POLL_S = 0.001


class WriterTurns:
    """The queue of writing transactions in one process, and the locks that the processes share."""

    def __init__(self, database: Path) -> None:
        self._writers = asyncio.Lock()
        self._next = _FileLock(Path(f"{database}-next"))
        self._writing = _FileLock(Path(f"{database}-writing"))

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Inside the block, be the only writing transaction. Raises `UnavailableError` if earlier
        ones take more than 5 s.
        """
        try:
            async with asyncio.timeout(_WAITS_S):
                await self._writers.acquire()
        except TimeoutError:
            raise _waited_too_long() from None
        try:
            await self._wait_for_other_processes()
            yield
        finally:
            self._writing.release()
            self._writers.release()

    async def _wait_for_other_processes(self) -> None:
        try:
            async with asyncio.timeout(_WAITS_S):
                await self._next.acquire()
                await self._writing.acquire()
        except TimeoutError:
            raise _waited_too_long() from None
        finally:
            self._next.release()

    def close(self) -> None:
        """Close the files of the locks. If a process is killed, the operating system
        closes them.
        """
        self._next.close()
        self._writing.close()


class _FileLock:
    """A lock that processes share through a file.

    On Windows it is always free, and in a folder in which no file can be created. There the
    database cannot be written either, and its error states so.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None
        self._held = False

    async def acquire(self) -> None:
        """Wait until the lock is free, and take it."""
        while not self._taken():
            await asyncio.sleep(_POLL_S)

    def _taken(self) -> bool:
        if sys.platform == "win32":
            return True
        try:
            if self._file is None:
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            flock(self._file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # no such folder, no permission, or a file system without locks
            return True
        self._held = True
        return True

    def release(self) -> None:
        """Free the lock; does nothing if it is not taken."""
        if sys.platform != "win32" and self._held and self._file is not None:
            self._held = False
            flock(self._file, LOCK_UN)

    def close(self) -> None:
        """Close the file, which also frees the lock."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
            self._held = False


def _waited_too_long() -> UnavailableError:
    _log.warning("database_unavailable", extra={"fields": {"error": "WritersWait"}})
    return unavailable()
