"""Operator commands on the stored data: verify, take down a share, purge."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from backend.assessments import repository as assessments
from backend.assessments.repository import damaged_assessments
from backend.commands.outcome import (
    CommandError,
    print_result,
    settings_with_database,
    share_id_of,
    status_of,
)
from backend.database.database import Database, now
from backend.operations.housekeeping import count_expired, forget_expired
from backend.operations.migrations import prepare_schema
from backend.shares import repository
from backend.shares.verified_rows import damaged_shares

_DAMAGED = 1
_Said = tuple[str, Mapping[str, object]]
"""The result of a command, in words and as JSON."""


def verify(*, as_json: bool = False, **options: object) -> int:
    """Compare every share and every shared assessment with its digest, and print the damaged
    ones. Returns 0 if all match, and 1 if not.

    Works on a restored backup and on the database of a running service. As JSON: `{"shares",
    "damaged"}`, the number of shares and the ids of the damaged ones.
    """
    problems: list[str] = []

    async def check(database: Database) -> _Said:
        total, damaged = await damaged_shares(database)
        more, others = await damaged_assessments(database)
        total, damaged = total + more, damaged + others
        problems.extend(damaged)
        lines = [f"{sid} is damaged" for sid in damaged]
        words = "\n".join([*lines, f"{total} shares, {len(damaged)} damaged"])
        return words, {"shares": total, "damaged": damaged}

    return _with_database(check, options, as_json=as_json) or (_DAMAGED if problems else 0)


def takedown(
    sid: str, *, reason: str, erase: bool, undo: bool, as_json: bool = False, **options: object
) -> int:
    """Hide a share or a shared assessment, erase it, or show a hidden one again. Running services
    apply this immediately. Returns the exit status.

    As JSON: `{"sid", "shown", "erased", "reason"}`; the reason is null if the share is shown.
    """

    async def work(database: Database) -> _Said:
        share_id = share_id_of(sid)
        async with database.writing() as db:
            since, why = (None, None) if undo else (now(), reason)
            done = await repository.set_takedown(db, share_id, since, why)
            if done and erase:
                await repository.mark_deleted(db, share_id, now())
            elif not done:
                done = await assessments.set_takedown(db, share_id, since, why)
                if done and erase:
                    await assessments.mark_deleted(db, share_id, now())
        if not done:
            raise CommandError("there is no such share, or it was deleted")
        words = "The share is shown again." if undo else "Its link now returns 410 Gone."
        document = {"shown": undo, "erased": erase, "reason": None if undo else reason}
        return words, {"sid": share_id, **document}

    return _with_database(work, options, as_json=as_json)


def purge(*, dry_run: bool, as_json: bool = False, **options: object) -> int:
    """Delete expired data now, without waiting for housekeeping and without its clock check.
    Returns the exit status.

    As JSON: `{"sessions", "idempotency_keys", "presentations", "deleted"}`: the three numbers, and
    whether the rows were deleted.
    """

    async def work(database: Database) -> _Said:
        expired = await (count_expired if dry_run else forget_expired)(database, now())
        words = (
            f"{expired['sessions']} unused sessions, {expired['idempotency_keys']} idempotency "
            f"keys and {expired['presentations']} old presentations "
            f"{'would be deleted' if dry_run else 'deleted'}"
        )
        return words, {**expired, "deleted": not dry_run}

    return _with_database(work, options, as_json=as_json)


def _with_database(
    work: Callable[[Database], Awaitable[_Said]], options: dict[str, object], *, as_json: bool
) -> int:
    async def do(url: str) -> _Said:
        database = Database(url)
        try:
            await prepare_schema(database)
            return await work(database)
        finally:
            await database.close()

    def command() -> None:
        settings = settings_with_database(**options)
        words, document = asyncio.run(do(settings.database_url))
        print_result(words, document, as_json=as_json)

    return status_of(command)
