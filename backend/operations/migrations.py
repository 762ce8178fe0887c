"""The database schema: upgrade it, and check whether this code can use it.

During a rolling upgrade, the old version still runs on the new schema. A migration stores the
oldest compatible code in the table `schema_compatibility`; older code refuses to start, with a
one-line message.

An SQLite file is migrated when the service starts, so no setup is needed. A PostgreSQL database is
migrated only by `highwater migrate`, when its operator decides to.
"""

import asyncio
import threading
from enum import Enum, auto
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import inspect, select
from sqlalchemy.engine import Connection

from backend.database import Database
from backend.operations.tables import SchemaCompatibilityRow

# Two migrators at once take turns: PostgreSQL's advisory lock of this number. SQLite's
# BEGIN IMMEDIATE does the same there.
ADVISORY_LOCK = 0x48_57_4D_52
# Alembic keeps what it works on in globals: in one process, one at a time.
_alembic = threading.Lock()
_TOO_NEW = (
    "the database's schema is of a newer version of Highwater that this one cannot work with: "
    "install the newer version, or restore a backup"
)
_MIGRATIONS = str(Path(__file__).resolve().parents[2] / "alembic")


class Schema(Enum):
    """What a database's schema is to this code."""

    CURRENT = auto()
    BEHIND = auto()
    NEWER = auto()
    """Of a newer version, and this code can use it."""
    TOO_NEW = auto()


class SchemaError(Exception):
    """The database's schema cannot be used as it is; the message is one line for a person."""


async def prepare_schema(database: Database) -> None:
    """An embedded database is brought up to date; a server's must be, or newer and compatible.

    Raises SchemaError, with one line that says what to do.
    """
    schema = await schema_of(database)
    if schema is Schema.TOO_NEW:
        raise SchemaError(_TOO_NEW)
    if schema is Schema.BEHIND:
        if not database.is_sqlite:
            raise SchemaError(
                "the database's schema is not this version's: run `highwater migrate` first"
            )
        await asyncio.to_thread(upgrade, database.url)
    database.remember_file()


def configuration(database_url: str) -> Config:
    """Alembic's configuration for a database, without its address in any file."""
    config = Config()
    config.set_main_option("script_location", _MIGRATIONS.replace("%", "%%"))
    config.attributes["database_url"] = database_url
    return config


def upgrade(database_url: str) -> Schema:
    """Bring the schema to the code's; one that is newer and compatible stays as it is.

    Returns what it was found to be: BEHIND where it may have been brought up to date. Raises
    SchemaError. Blocks, and must not be called on a running event loop.
    """
    with _alembic:
        try:
            command.upgrade(configuration(database_url), "head")
        except CommandError:
            schema = asyncio.run(_schema_at(database_url))
            if schema is Schema.TOO_NEW:
                raise SchemaError(_TOO_NEW) from None
            if schema is not Schema.NEWER:
                raise
            return schema
    return Schema.BEHIND


async def _schema_at(database_url: str) -> Schema:
    database = Database(database_url)
    try:
        return await schema_of(database)
    finally:
        await database.close()


@cache
def code_revision() -> str | None:
    """The newest migration of this code."""
    return ScriptDirectory(_MIGRATIONS).get_current_head()


@cache
def _known_revisions() -> frozenset[str]:
    script = ScriptDirectory(_MIGRATIONS)
    return frozenset(found.revision for found in script.walk_revisions())


async def schema_of(database: Database) -> Schema:
    """What the schema is to this code. Raises what a database that does not answer raises."""

    def read(connection: Connection) -> Schema:
        revision = MigrationContext.configure(connection).get_current_revision()
        if revision == code_revision():
            return Schema.CURRENT
        if revision is None or revision in _known_revisions():
            return Schema.BEHIND
        if not inspect(connection).has_table(SchemaCompatibilityRow.__tablename__):
            return Schema.TOO_NEW
        oldest = connection.scalar(select(SchemaCompatibilityRow.oldest_revision))
        return Schema.NEWER if oldest in _known_revisions() else Schema.TOO_NEW

    async with database.reading() as session:
        return await (await session.connection()).run_sync(read)
