"""Makes a consistent copy of a running SQLite database.

Copying the file is not enough: the latest commits may still be only in its write-ahead log.
SQLite's backup API reads both, and no writer has to wait.
"""

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from backend.sqlite_connection import create_private

_PARTIAL = ".partial"


class BackupError(Exception):
    """No backup was made; the message is one line for a person."""


def back_up(database: Path, copy: Path) -> int:
    """Copy `database` to the new file `copy`, check the copy, and return its size in bytes.

    Raises BackupError if `copy` already has content, if there is no database, or if the copy is
    damaged. `copy` is either complete and on disk, or absent.
    """
    if not database.is_file():
        raise BackupError(f"there is no database {database}")
    if copy.exists() and (not copy.is_file() or copy.stat().st_size):
        raise BackupError(f"{copy} exists: name a new file")
    unfinished = copy.with_name(copy.name + _PARTIAL)
    try:
        unfinished.unlink(missing_ok=True)
        create_private(unfinished)
        _copy(database, unfinished)
        _flush(unfinished, os.O_RDWR)
        unfinished.replace(copy)
        if sys.platform != "win32":  # which opens no folder
            _flush(copy.parent, os.O_RDONLY)
    except (sqlite3.Error, OSError) as error:
        raise BackupError(f"no backup of {database} was made: {error}") from None
    finally:
        unfinished.unlink(missing_ok=True)
    return copy.stat().st_size


def _copy(database: Path, target: Path) -> None:
    # mode=rw, not ro: to read the write-ahead log of a database that no process has open, SQLite
    # must be able to recreate its index.
    address = f"{database.resolve().as_uri()}?mode=rw"
    with (
        closing(sqlite3.connect(address, uri=True, timeout=30)) as source,
        closing(sqlite3.connect(target)) as copied,
    ):
        source.backup(copied)
        # A copy is a single file, without a write-ahead log.
        copied.execute("PRAGMA journal_mode = DELETE")
        found = [line for (line,) in copied.execute("PRAGMA integrity_check")]
        if found != ["ok"]:
            raise BackupError(f"the copy of {database} is damaged: {'; '.join(found)[:200]}")


def _flush(path: Path, how: int) -> None:
    descriptor = os.open(path, how)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
