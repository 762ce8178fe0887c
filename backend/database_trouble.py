"""Converts the errors of every database driver to the errors that a caller sees."""

import re
import sqlite3

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from backend.http.errors import HighwaterError, StorageFullError, UnavailableError

_FULL = re.compile(r"disk is full|No space left on device", re.IGNORECASE)
_DISK_FULL = "53100"
# SQLSTATE classes of server failures, as opposed to invalid statements: connection, transaction
# rollback (deadlock), insufficient resources, locks, operator intervention or timeout, system
# error, internal error. Also: a read-only standby.
_OF_THE_SERVER = ("08", "40", "53", "55", "57", "58", "XX", "25006")
# SQLite: the file itself is damaged.
_OF_THE_FILE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def trouble_of(error: DBAPIError) -> HighwaterError | None:
    """The error for a failure of the database itself; None for an error of ours, such as an invalid
    statement."""
    state = str(getattr(error.orig, "sqlstate", None) or "")
    if state == _DISK_FULL or _FULL.search(str(error.orig)):
        return StorageFullError()
    if error.connection_invalidated or isinstance(error, OperationalError | InterfaceError):
        return unavailable()
    code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF  # without the extended result code
    if state.startswith(_OF_THE_SERVER) or code in _OF_THE_FILE:
        return unavailable()
    return None


def unavailable() -> UnavailableError:
    """The database is unavailable, and the caller may retry."""
    return UnavailableError(
        "The database does not answer. Nothing was changed; try again in a moment.",
        code="database_unavailable",
        retry_after_s=5,
    )
