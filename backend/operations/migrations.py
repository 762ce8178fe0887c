"""The database's schema: bring it up to the code's, and say whether it is.

A SQLite file migrates itself when the service starts, so that nothing needs setting up. A
PostgreSQL server is somebody's: `highwater migrate` does it when they say so.
"""

import asyncio
import threading
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Connection

from backend.database import Database

# Two migrators at once take turns: PostgreSQL's advisory lock of this number. SQLite's
# BEGIN IMMEDIATE does the same there.
ADVISORY_LOCK = 0x48_57_4D_52
# Alembic keeps what it works on in globals: in one process, one at a time.
_alembic = threading.Lock()
_REPOSITORY = Path(__file__).resolve().parents[2]


class SchemaBehindError(Exception):
    """The database's schema is not this code's, and it is not ours to change unasked."""


async def prepare_schema(database: Database) -> None:
    """An embedded database is brought up to date; a server's must be.

    Raises SchemaBehindError, with one line that says what to do.
    """
    if await database_revision(database) == code_revision():
        return
    if not database.is_sqlite:
        raise SchemaBehindError(
            "the database's schema is not this version's: run `highwater migrate` first"
        )
    await asyncio.to_thread(upgrade, database.url)


def configuration(database_url: str) -> Config:
    """Alembic's configuration for a database, without its address in any file."""
    config = Config(_REPOSITORY / "alembic.ini")
    config.attributes["database_url"] = database_url
    return config


def upgrade(database_url: str) -> None:
    """Bring the schema to the code's. Blocks, and must not be called on a running event loop."""
    with _alembic:
        command.upgrade(configuration(database_url), "head")


@cache
def code_revision() -> str | None:
    """The newest migration of this code."""
    return ScriptDirectory(str(_REPOSITORY / "alembic")).get_current_head()


async def database_revision(database: Database) -> str | None:
    """The revision that the database is at; None for an empty one."""

    def read(connection: Connection) -> str | None:
        return MigrationContext.configure(connection).get_current_revision()

    async with database.reading() as session:
        return await (await session.connection()).run_sync(read)
