"""What a caller sees of a database in trouble, whichever driver told of it in whose words."""

import re
import sqlite3

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from backend.http.errors import HighwaterError, StorageFullError, UnavailableError

_FULL = re.compile(r"disk is full|No space left on device", re.IGNORECASE)
_DISK_FULL = "53100"
# Classes of SQLSTATE that tell of the server and not of the statement: connection, transaction
# rolled back (deadlock), out of resources, locks, stopped by an operator or a timeout, system,
# internal. And: a standby, which does not write.
_OF_THE_SERVER = ("08", "40", "53", "55", "57", "58", "XX", "25006")
# SQLite: the file itself is wrong.
_OF_THE_FILE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def trouble_of(error: DBAPIError) -> HighwaterError | None:
    """The database's own trouble; None for an error that is ours, such as a wrong statement."""
    state = str(getattr(error.orig, "sqlstate", None) or "")
    if state == _DISK_FULL or _FULL.search(str(error.orig)):
        return StorageFullError()
    if error.connection_invalidated or isinstance(error, OperationalError | InterfaceError):
        return unavailable()
    code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF  # without the extended part
    if state.startswith(_OF_THE_SERVER) or code in _OF_THE_FILE:
        return unavailable()
    return None


def unavailable() -> UnavailableError:
    """The database does not answer, and the caller may try again."""
    return UnavailableError(
        "The database does not answer. Nothing was changed; try again in a moment.",
        code="database_unavailable",
        retry_after_s=5,
    )
