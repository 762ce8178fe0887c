"""Operator commands on the stored data: verify, take down a share, purge."""

import asyncio
import sys
from collections.abc import Awaitable, Callable

from backend.database import Database, now
from backend.operations.commands import CommandError, settings_of, share_id_of, status_of
from backend.operations.housekeeping import (
    count_expired,
    forget_old_keys,
    forget_unused_sessions,
)
from backend.operations.migrations import prepare_schema
from backend.shares import repository
from backend.shares.stored import damaged_shares

_DAMAGED = 1


def verify(**options: object) -> int:
    """Compare every share with its digest. 0: all are what was shared; 1: the ones named are not.

    For a restored backup as for a running service's database.
    """
    found: list[str] = []

    async def check(database: Database) -> str:
        total, damaged = await damaged_shares(database)
        found.extend(damaged)
        lines = [f"{sid} is damaged" for sid in damaged]
        return "\n".join([*lines, f"{total} shares, {len(damaged)} damaged"])

    return _with_database(check, options) or (_DAMAGED if found else 0)


def takedown(sid: str, *, reason: str, erase: bool, undo: bool, **options: object) -> int:
    """Hide a share, erase it, or show a hidden one again. Running services follow at once."""

    async def work(database: Database) -> str:
        share_id = share_id_of(sid)
        async with database.writing() as session:
            if undo:
                done = await repository.put_back(session, share_id)
            else:
                done = await repository.take_down(session, share_id, now(), reason)
                if done and erase:
                    await repository.mark_deleted(session, share_id, now())
        if not done:
            raise CommandError("there is no such share, or it was deleted")
        return "The share is shown again." if undo else "Its link answers 410 Gone from now on."

    return _with_database(work, options)


def purge(*, dry_run: bool, **options: object) -> int:
    """Delete expired data now, without waiting for housekeeping and without its clock check."""

    async def work(database: Database) -> str:
        moment = now()
        if dry_run:
            sessions, keys = await count_expired(database, moment)
        else:
            sessions = await forget_unused_sessions(database, moment)
            keys = await forget_old_keys(database, moment)
        done = "would be deleted" if dry_run else "deleted"
        return f"{sessions} unused sessions and {keys} idempotency keys {done}"

    return _with_database(work, options)


def _with_database(work: Callable[[Database], Awaitable[str]], options: dict[str, object]) -> int:
    async def do(url: str) -> str:
        database = Database(url)
        try:
            await prepare_schema(database)
            return await work(database)
        finally:
            await database.close()

    def command() -> None:
        settings = settings_of(**options)
        if settings.database_file is not None and not settings.database_file.is_file():
            raise CommandError(f"there is no database {settings.database_file}")
        sys.stdout.write(asyncio.run(do(settings.database_url)) + "\n")

    return status_of(command)
