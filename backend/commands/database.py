"""`highwater migrate` and `highwater backup`: the database as a whole.

To copy the file of a running SQLite database is not enough: the latest commits may still be only in
its write-ahead log. SQLite's backup API reads both, and no writer has to wait.
"""

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from backend.commands.outcome import CommandError, print_result, settings_of, status_of
from backend.database.sqlite import create_private
from backend.operations.migrations import Schema, go_to, upgrade

_PARTIAL = ".partial"


def migrate(to: str | None = None, *, as_json: bool = False, **options: object) -> int:
    """Upgrade the schema, if it is not up to date, or go to the revision `to`, forward or back.
    Returns the exit status.

    As JSON: `{"schema": "current" | "behind" | "newer"}`, compared with this version.
    """

    def work() -> None:
        url = settings_of(**options).database_url
        if to is not None:
            schema, words = go_to(url, to), f"The schema is at revision {to}."
        elif upgrade(url) is Schema.NEWER:
            schema = Schema.NEWER
            words = (
                "The schema is newer than this version and compatible with it; it was not changed."
            )
        else:
            schema, words = Schema.CURRENT, "The schema is up to date."
        print_result(words, {"schema": schema.name.lower()}, as_json=as_json)

    return status_of(work)


def backup(file: Path, *, as_json: bool = False, **options: object) -> int:
    """Copy an SQLite database to a new file while the service is running. Returns the exit status,
    which is 2 for PostgreSQL.

    As JSON: `{"file", "bytes"}`.
    """

    def work() -> None:
        settings = settings_of(**options)
        if settings.database_file is None:
            raise CommandError(
                "this copies SQLite databases; back up PostgreSQL with pg_dump "
                "(docs/how-to/operate.md)"
            )
        size = back_up(settings.database_file, file)
        document = {"file": str(file), "bytes": size}
        print_result(f"{file}: {size} bytes, checked", document, as_json=as_json)

    return status_of(work)


def back_up(database: Path, copy: Path) -> int:
    """Copy `database` to the new file `copy`, check the copy, and return its size in bytes.

    Raises CommandError if `copy` already has content, if there is no database, or if the copy is
    damaged. `copy` is either complete and on disk, or absent.
    """
    if not database.is_file():
        raise CommandError(f"there is no database {database}")
    if copy.exists() and (not copy.is_file() or copy.stat().st_size):
        raise CommandError(f"{copy} exists: name a new file")
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
        raise CommandError(f"no backup of {database} was made: {error}") from None
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
        problems = [line for (line,) in copied.execute("PRAGMA integrity_check")]
        if problems != ["ok"]:
            raise CommandError(f"the copy of {database} is damaged: {'; '.join(problems)[:200]}")


def _flush(path: Path, how: int) -> None:
    descriptor = os.open(path, how)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
