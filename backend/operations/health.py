"""Whether this process can serve: what a load balancer asks before it sends anybody here."""

from collections.abc import Callable

from backend.database import Database
from backend.operations.migrations import code_revision, database_revision

# More than any piece of work takes, on a machine that has other work to do as well.
_LONGEST_WAIT_S = 30


class Health:
    """Ready while its database is, until it is told to stop."""

    def __init__(self, database: Database, *, waited_s: Callable[[], float] = lambda: 0.0) -> None:
        """`waited_s` says how long somebody has waited to have something computed."""
        self._database = database
        self._waited_s = waited_s
        self._draining = False

    def drain(self) -> None:
        """From now on nobody new is to come; what has begun goes on."""
        self._draining = True

    async def is_ready(self) -> bool:
        """Work goes on, and the database answers and has the schema that this code is for."""
        if self._draining or self._waited_s() > _LONGEST_WAIT_S:
            return False
        if not await self._database.answers():
            return False
        return await database_revision(self._database) == code_revision()
