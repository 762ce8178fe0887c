"""`highwater migrate` and `highwater backup`: the database as a whole."""

from pathlib import Path

from backend.commands.backups import back_up
from backend.commands.outcome import CommandError, print_result, settings_of, status_of
from backend.operations.migrations import Schema, upgrade


def migrate(*, as_json: bool = False, **options: object) -> int:
    """Upgrade the schema, if it is not up to date. Returns the exit status.

    As JSON: `{"schema": "current" | "newer"}`.
    """

    def work() -> None:
        found = upgrade(settings_of(**options).database_url)
        is_newer = found is Schema.NEWER
        print_result(
            "The schema is newer than this version and compatible with it; it was not changed."
            if is_newer
            else "The schema is up to date.",
            {"schema": "newer" if is_newer else "current"},
            as_json=as_json,
        )

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
