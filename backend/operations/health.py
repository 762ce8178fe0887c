"""Whether this process can serve: what a load balancer asks before it sends anybody here."""

from backend.database import Database
from backend.operations.migrations import code_revision, database_revision


class Health:
    """Ready while its database is, until it is told to stop."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._draining = False

    def drain(self) -> None:
        """From now on nobody new is to come; what has begun goes on."""
        self._draining = True

    async def is_ready(self) -> bool:
        """The database answers, and has the schema that this code was written for."""
        if self._draining or not await self._database.answers():
            return False
        return await database_revision(self._database) == code_revision()
