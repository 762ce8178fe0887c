"""The database schema: upgrade it, and check whether this code can use it.

During a rolling upgrade, the old version still runs on the new schema. The name of a revision
begins with two numbers: `1.4_…` adds to `1.3_…`, so code of 1.3 works with it; `2.0_…` does more
than add, so older code refuses to start, with a one-line message.

An SQLite file is migrated when the service starts, so no setup is needed. A PostgreSQL database is
migrated only by `highwater migrate`, when its operator decides to.
"""

import asyncio
import re
import threading
from enum import Enum, auto
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy.engine import Connection

from backend.database.database import Database

# The PostgreSQL advisory lock that makes concurrent migrations take turns. With SQLite, BEGIN
# IMMEDIATE does.
ADVISORY_LOCK = 0x48_57_4D_52
# Alembic keeps its state in globals, so a process runs one migration at a time.
_alembic = threading.Lock()
_UNUSABLE = (
    "the database's schema was made by another version of Highwater, and this one cannot work with "
    "it: install that version, restore a backup, or name a new database"
)
_OF_NEWER = (
    "the database's schema is of a newer version of Highwater: go to another revision with that "
    "version"
)
_NUMBERS = re.compile(r"([0-9]+)\.([0-9]+)_", re.ASCII)
_MIGRATIONS = str(Path(__file__).resolve().parents[2] / "alembic")


class Schema(Enum):
    """The state of a database's schema, compared with this code."""

    CURRENT = auto()
    BEHIND = auto()
    NEWER = auto()
    """The schema is newer than this code, but compatible with it."""
    UNUSABLE = auto()
    """This code cannot work with it: it is of a newer version, or of none that was released."""


class SchemaError(Exception):
    """The database's schema cannot be used; the message is one line for the operator."""


async def prepare_schema(database: Database) -> None:
    """Upgrade an SQLite database. The schema of a database server must already be current, or newer
    and compatible.

    Raises SchemaError with a one-line message that states what to do.
    """
    schema = await schema_of(database)
    if schema is Schema.UNUSABLE:
        raise SchemaError(_UNUSABLE)
    if schema is Schema.BEHIND:
        if not database.is_sqlite:
            raise SchemaError(
                "the database's schema does not match this version: run `highwater migrate` first"
            )
        await asyncio.to_thread(upgrade, database.url)
    database.remember_file()


def configuration(database_url: str) -> Config:
    """Alembic's configuration for a database, without writing its address to a file."""
    config = Config()
    config.set_main_option("script_location", _MIGRATIONS.replace("%", "%%"))
    config.attributes["database_url"] = database_url
    return config


def upgrade(database_url: str) -> Schema:
    """Upgrade the schema to this code's. A newer compatible schema is not changed.

    Returns the state before the call; BEHIND means that it may have been upgraded. Raises
    SchemaError. Blocks, so it must not be called on a running event loop.
    """
    with _alembic:
        try:
            command.upgrade(configuration(database_url), "head")
        except CommandError:
            if not _is_of_newer_code(database_url):
                raise
            return Schema.NEWER
    return Schema.BEHIND


def go_to(database_url: str, revision: str) -> Schema:
    """Upgrade or revert the schema to a revision of this code, and return its state.

    Raises SchemaError for an unknown revision, and if newer code has migrated the database, because
    only that code knows how to revert its migrations. Blocks, as `upgrade` does.
    """
    if revision not in _known_revisions():
        known = ", ".join(sorted(_known_revisions()))
        raise SchemaError(f"there is no revision {revision!r}; this version has {known}")
    with _alembic:
        try:
            # Only one of the two changes anything: the other finds nothing to do.
            for move in (command.upgrade, command.downgrade):
                move(configuration(database_url), revision)
        except CommandError:
            if not _is_of_newer_code(database_url):
                raise
            raise SchemaError(_OF_NEWER) from None
    return Schema.CURRENT if revision == code_revision() else Schema.BEHIND


def _is_of_newer_code(database_url: str) -> bool:
    """Whether newer code has migrated the database. Raises SchemaError if this code cannot work
    with the schema.
    """
    schema = asyncio.run(_schema_at(database_url))
    if schema is Schema.UNUSABLE:
        raise SchemaError(_UNUSABLE)
    return schema is Schema.NEWER


async def _schema_at(database_url: str) -> Schema:
    database = Database(database_url)
    try:
        return await schema_of(database)
    finally:
        await database.close()


@cache
def code_revision() -> str | None:
    """The id of the newest migration of this code."""
    return ScriptDirectory(_MIGRATIONS).get_current_head()


@cache
def _known_revisions() -> frozenset[str]:
    script = ScriptDirectory(_MIGRATIONS)
    return frozenset(found.revision for found in script.walk_revisions())


def _adds_to_ours(revision: str) -> bool:
    ours, theirs = _NUMBERS.match(code_revision() or ""), _NUMBERS.match(revision)
    if ours is None or theirs is None:
        return False
    return ours[1] == theirs[1] and int(ours[2]) < int(theirs[2])


async def schema_of(database: Database) -> Schema:
    """The state of the schema, compared with this code. Raises UnavailableError if the database
    does not respond.
    """

    def read(connection: Connection) -> Schema:
        revision = MigrationContext.configure(connection).get_current_revision()
        if revision == code_revision():
            return Schema.CURRENT
        if revision is None or revision in _known_revisions():
            return Schema.BEHIND
        return Schema.NEWER if _adds_to_ours(revision) else Schema.UNUSABLE

    async with database.reading() as db:
        return await (await db.connection()).run_sync(read)
