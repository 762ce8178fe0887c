"""What nobody needs any more goes: sessions unused for 30 days, and old keys. Shares stay."""

import asyncio
import contextlib
import logging
from datetime import datetime, timedelta

from sqlalchemy.exc import SQLAlchemyError

from backend.database import Database, now
from backend.sessions import repository
from backend.sessions.timelines import UNUSED_FOR
from backend.shares.service import Shares

_EVERY = timedelta(hours=1)
_log = logging.getLogger("highwater")


async def clean_now_and_then(database: Database, shares: Shares, stopping: asyncio.Event) -> None:
    """Cleans at once and then every hour, until `stopping` is set; what it has begun, it ends."""
    while not stopping.is_set():
        try:
            await forget_unused_sessions(database, now())
            await shares.forget_old_keys()
        except SQLAlchemyError:
            _log.exception("housekeeping failed; it is tried again")
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stopping.wait(), _EVERY.total_seconds())


async def forget_unused_sessions(database: Database, moment: datetime) -> int:
    """How many went. Does nothing the second time, however often it is called."""
    async with database.writing() as session:
        return await repository.delete_unused_since(session, moment - UNUSED_FOR)
