"""`highwater migrate` and `highwater backup`: the database as a whole."""

from pathlib import Path

from backend.commands.backups import back_up
from backend.commands.outcome import CommandError, print_result, settings_of, status_of
from backend.operations.migrations import Schema, go_to, upgrade


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
        said = {"file": str(file), "bytes": size}
        print_result(f"{file}: {size} bytes, checked", said, as_json=as_json)

    return status_of(work)
