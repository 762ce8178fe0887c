"""Readiness: whether this process can serve requests, for load balancers."""

import asyncio
import contextlib
import shutil
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from backend.database.database import Database
from backend.operations.migrations import Schema, schema_of

# Below this number of bytes, the next writes may find the disk full.
LEAST_FREE_BYTES = 32 * 1024 * 1024
# In seconds: longer than any task takes, even on a loaded machine.
_LONGEST_WAIT_S = 30
_T = TypeVar("_T")


class Probe(Generic[_T]):
    """A database check with a timeout of one second; only one runs at a time.

    Concurrent callers share it, so a hanging database is queried only once.
    """

    def __init__(self, ask: Callable[[], Awaitable[_T]], *, patience_s: float = 1.0) -> None:
        self._ask = ask
        self._patience_s = patience_s
        self._asking: asyncio.Future[_T] | None = None

    async def result(self) -> _T | None:
        """The result of the check; None if it timed out or failed."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.ensure_future(self._ask())
            self._asking.add_done_callback(_note_error)
        try:
            async with asyncio.timeout(self._patience_s):
                return await asyncio.shield(self._asking)
        except Exception:  # any error means that there is no result
            return None

    async def close(self) -> None:
        """Stop checking. A running check gets a moment to finish, because cancelling it may leave a
        connection open.
        """
        if self._asking is not None:
            await asyncio.wait([self._asking], timeout=self._patience_s)
            self._asking.cancel()
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await self._asking


def _note_error(asked: "asyncio.Future[_T]") -> None:
    """Retrieve the error of a check that nobody waits for any more; asyncio would log it."""
    if not asked.cancelled():
        asked.exception()


class Health:
    """Readiness: the service is ready while its database is usable, until shutdown begins."""

    def __init__(self, database: Database, *, waited_s: Callable[[], float] = lambda: 0.0) -> None:
        """`waited_s` returns how long the oldest queued work has waited, in seconds."""
        self._database = database
        self._waited_s = waited_s
        self._draining = False
        self._usable = Probe(self._is_usable)

    def drain(self) -> None:
        """Report "not ready" from now on. Work in progress continues."""
        self._draining = True

    async def is_ready(self) -> bool:
        """Whether work is progressing, the database is usable with this code and accepts writes,
        and its disk has space.

        Returns within about a second.
        """
        if self._draining or self._waited_s() > _LONGEST_WAIT_S:
            return False
        return await self.database_is_usable()

    async def database_is_usable(self) -> bool:
        """Whether the database is usable, also during shutdown."""
        free = self.free_bytes()
        has_room = free is None or free >= LEAST_FREE_BYTES
        return has_room and self._database.has_its_file() and bool(await self._usable.result())

    def free_bytes(self) -> int | None:
        """The free bytes on the disk of an SQLite database; None for a database server."""
        if self._database.file is None:
            return None
        try:
            return shutil.disk_usage(self._database.file.resolve().parent).free
        except OSError:
            return 0

    async def close(self) -> None:
        """Stop checking the database."""
        await self._usable.close()

    async def _is_usable(self) -> bool:
        schema = await schema_of(self._database)
        known = schema in (Schema.CURRENT, Schema.NEWER)
        return known and await self._database.accepts_writes()
