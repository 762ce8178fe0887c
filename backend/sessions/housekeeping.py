"""Sessions that nobody used for 30 days go. Shares stay."""

from datetime import datetime

from backend.database import Database
from backend.sessions import repository
from backend.sessions.timelines import UNUSED_FOR


async def forget_unused_sessions(database: Database, moment: datetime) -> int:
    """How many went. Does nothing the second time, however often it is called."""
    async with database.writing() as session:
        return await repository.delete_unused_since(session, moment - UNUSED_FOR)
