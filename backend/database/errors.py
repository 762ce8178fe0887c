"""Converts the errors of every database driver to the errors that a caller sees."""

import re
import sqlite3
from typing import Protocol, runtime_checkable

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from backend.http.errors import HighwaterError, StorageFullError, UnavailableError

_FULL = re.compile(r"disk is full|No space left on device", re.IGNORECASE)
_DISK_FULL = "53100"
# SQLSTATE classes of server failures, as opposed to invalid statements: connection, transaction
# rollback (deadlock), insufficient resources, locks, operator intervention or timeout, system
# error, internal error. Also: a read-only standby.
_OF_THE_SERVER = ("08", "40", "53", "55", "57", "58", "XX", "25006")
# SQLite: the result code without its extension.
_PRIMARY = 0xFF
# SQLite: the file itself is damaged.
_OF_THE_FILE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@runtime_checkable
class _PostgresError(Protocol):
    """An error of PostgreSQL's driver. Its SQLSTATE is None if the server did not send one."""

    sqlstate: str | None


@runtime_checkable
class _SqliteError(Protocol):
    """An error of the SQLite library. An error of Python's own module has no code."""

    sqlite_errorcode: int


def database_error_of(error: DBAPIError) -> HighwaterError | None:
    """The error to raise for a failure of the database itself; None for an error of our own, such
    as an invalid statement.
    """
    original: object = error.orig
    state = (original.sqlstate or "") if isinstance(original, _PostgresError) else ""
    if state == _DISK_FULL or _FULL.search(str(original)):
        return StorageFullError()
    if error.connection_invalidated or isinstance(error, OperationalError | InterfaceError):
        return unavailable()
    code = original.sqlite_errorcode if isinstance(original, _SqliteError) else 0
    if state.startswith(_OF_THE_SERVER) or code & _PRIMARY in _OF_THE_FILE:
        return unavailable()
    return None


def unavailable() -> UnavailableError:
    """The database is unavailable, and the caller may retry."""
    return UnavailableError(
        "The database does not respond. Nothing was changed; try again in a moment.",
        code="database_unavailable",
        retry_after_s=5,
    )
