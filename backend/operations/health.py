"""Readiness: whether this process can serve requests, for load balancers."""

import asyncio
import contextlib
import shutil
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from backend.database import Database
from backend.operations.migrations import Schema, schema_of

# Below this, the next writes may find the disk full.
LEAST_FREE_BYTES = 32 * 1024 * 1024
# More than any piece of work takes, on a machine that has other work to do as well.
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

    async def answer(self) -> _T | None:
        """The answer; None where there is none in time, or the question failed."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.ensure_future(self._ask())
        try:
            async with asyncio.timeout(self._patience_s):
                return await asyncio.shield(self._asking)
        except Exception:  # whatever it was: there is no answer
            return None

    async def close(self) -> None:
        """Asks no more. What is asked is given a moment to end: cancelled, it may leave a
        connection open."""
        if self._asking is not None:
            await asyncio.wait([self._asking], timeout=self._patience_s)
            self._asking.cancel()
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await self._asking


class Health:
    """Ready while its database is, until it is told to stop."""

    def __init__(self, database: Database, *, waited_s: Callable[[], float] = lambda: 0.0) -> None:
        """`waited_s` returns how long the oldest queued work has waited, in seconds."""
        self._database = database
        self._waited_s = waited_s
        self._draining = False
        self._usable = Probe(self._is_usable)

    def drain(self) -> None:
        """Reports not ready from now on. Work in progress continues."""
        self._draining = True

    @property
    def is_draining(self) -> bool:
        """Whether it was told to stop."""
        return self._draining

    async def is_ready(self) -> bool:
        """Work goes on, the database can be used by this code, and there is room.

        Answered within about a second.
        """
        if self._draining or self._waited_s() > _LONGEST_WAIT_S:
            return False
        return await self.database_is_usable()

    async def database_is_usable(self) -> bool:
        """The database alone, also while stopping."""
        free = self.free_bytes()
        has_room = free is None or free >= LEAST_FREE_BYTES
        return has_room and self._database.has_its_file() and bool(await self._usable.answer())

    def free_bytes(self) -> int | None:
        """How much the disk of an SQLite database has left; None for a server's."""
        if self._database.file is None:
            return None
        try:
            return shutil.disk_usage(self._database.file.resolve().parent).free
        except OSError:
            return 0

    async def close(self) -> None:
        """Asks the database no more."""
        await self._usable.close()

    async def _is_usable(self) -> bool:
        schema = await schema_of(self._database)
        return schema in (Schema.CURRENT, Schema.NEWER)
