"""Runs migrations on the service's database, asynchronously, one migrator at a time.

There is no __init__.py in this folder, and there must be none: with one, `import alembic` would
find this folder instead of the library.
"""

import asyncio
import threading
from typing import Literal

from alembic import context
from sqlalchemy import text
from sqlalchemy.engine import Connection

import backend.assessments.tables
import backend.insights.tables
import backend.operations.tables
import backend.presentations.tables
import backend.sessions.tables
import backend.shares.tables  # noqa: F401  # each registers its tables
from backend.database.database import Base, Database, UtcDateTime
from backend.operations.migrations import ADVISORY_LOCK
from backend.settings import read_settings

_LOCK_TIMEOUT_MS = 10_000
_DRIVER_FINISHES_WITHIN_S = 0.5


def _migrate(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=connection.dialect.name == "sqlite",
        compare_type=True,
        compare_server_default=True,
        render_item=_rendered,
    )
    with context.begin_transaction():
        if connection.dialect.name == "postgresql":
            # A migration may take longer than a request, but must not wait forever for one that
            # locks a table.
            connection.execute(text("SET LOCAL statement_timeout = 0"))
            connection.execute(text(f"SET LOCAL lock_timeout = {_LOCK_TIMEOUT_MS}"))
            connection.execute(text(f"SELECT pg_advisory_xact_lock({ADVISORY_LOCK})"))
        context.run_migrations()
        if connection.dialect.name == "sqlite":
            broken = connection.execute(text("PRAGMA foreign_key_check")).all()
            assert not broken, "a migration left rows that refer to nothing"


def _rendered(kind: str, item: object, _context: object) -> str | Literal[False]:
    """Render SQLAlchemy's own types: a migration must not depend on the current code."""
    if kind == "type" and isinstance(item, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    return False


async def _connect_and_migrate(database_url: str) -> None:
    database = Database(database_url, enforce_foreign_keys=False)
    try:
        async with database.writing() as session:
            await (await session.connection()).run_sync(_migrate)
    finally:
        await database.close()
        await _let_driver_finish()


async def _let_driver_finish() -> None:
    """Wait for aiosqlite's thread. If a file cannot be opened, the thread still reports a result,
    and would fail because the event loop is closed (`Connection._connect`, `stop`)."""
    for thread in threading.enumerate():
        if "_connection_worker_thread" in thread.name:
            await asyncio.to_thread(thread.join, _DRIVER_FINISHES_WITHIN_S)


def _database_url() -> str:
    given = context.config.attributes.get("database_url")
    return given if isinstance(given, str) else read_settings().database_url


if context.is_offline_mode():
    raise SystemExit("migrations need a database; there is no offline mode")
asyncio.run(_connect_and_migrate(_database_url()))
