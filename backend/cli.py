"""The command line, `highwater`: the commands of the engine and of the service.

Only the service's commands import the service, so the engine's commands start as fast as the
engine.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from sim_engine import DEFAULT_LANGUAGE, ENGINE_VERSION
from sim_engine.command_line import (
    CAMPAIGN,
    SEARCH_GRID,
    SUMMARIZE,
    Commands,
    Parser,
    add_command,
    add_commands,
    as_program,
    carry_out,
    declare_campaign,
    declare_search_grid,
    declare_summarize,
)


def main() -> int:
    """Run the installed program and return its exit status."""
    return as_program(run)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    return carry_out(build_parser(), arguments)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser for all commands."""
    parser = Parser(
        prog="highwater",
        description="See how Apache Kafka replicates data, break it, and share the result.",
    )
    parser.add_argument("--version", action="version", version=f"highwater {ENGINE_VERSION}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_commands(commands)
    _add_serve(commands)
    _add_migrate(commands)
    _add_backup(commands)
    _add_verify(commands)
    _add_takedown(commands)
    _add_purge(commands)
    _add_export(commands)
    _add_spark_jobs(commands)
    _add_openapi(commands)
    _add_completion(commands)
    return parser


def _add_serve(commands: Commands) -> None:
    parser = add_command(
        commands, "serve", _serve, "serve the pages and the API until interrupted", json=False
    )
    parser.add_argument("--host", metavar="H", help="address to listen on (HIGHWATER_HOST)")
    parser.add_argument(
        "--port", metavar="N", type=int, help="port; 0 picks a free port (HIGHWATER_PORT)"
    )
    parser.add_argument("--open", action="store_true", help="open the pages in a browser")
    _add_database(parser)


def _serve(options: argparse.Namespace) -> int:
    return _command("serve.serve")(
        open_page=options.open, host=options.host, port=options.port, database_url=options.database
    )


def _add_migrate(commands: Commands) -> None:
    parser = add_command(
        commands,
        "migrate",
        _does("database.migrate", "to"),
        "upgrade the database schema; concurrent runs wait for each other",
    )
    parser.add_argument(
        "--to",
        metavar="REVISION",
        help="go to this revision, forward or back (default: the newest); going back deletes what "
        "the older schema has no place for",
    )
    _add_database(parser)


def _add_backup(commands: Commands) -> None:
    parser = add_command(
        commands,
        "backup",
        _does("database.backup", "file"),
        "copy the SQLite database to a new file, consistently, even while the service runs",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="the file to write")
    _add_database(parser)


def _add_verify(commands: Commands) -> None:
    parser = add_command(
        commands,
        "verify",
        _does("upkeep.verify"),
        "check every share against its digest; exit status 1 if one differs",
    )
    _add_database(parser)


def _add_takedown(commands: Commands) -> None:
    parser = add_command(
        commands,
        "takedown",
        _does("upkeep.takedown", "sid", "reason", "erase", "undo"),
        "hide a share from all visitors, or erase it",
    )
    parser.add_argument("sid", metavar="LINK", help="a link to a share, or its id")
    parser.add_argument(
        "--reason",
        choices=["privacy", "abuse", "spam", "legal"],
        default="legal",
        help="the reason shown to visitors of the link (default: legal)",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--erase", action="store_true", help="also delete its contents permanently")
    what.add_argument("--undo", action="store_true", help="show a hidden share again")
    _add_database(parser)


def _add_purge(commands: Commands) -> None:
    parser = add_command(
        commands,
        "purge",
        _does("upkeep.purge", "dry_run"),
        "delete expired data now: sessions unused for 30 days, old idempotency keys, and "
        "presentations unchanged for a day",
    )
    parser.add_argument("--dry-run", action="store_true", help="only count, delete nothing")
    _add_database(parser)


def _does(name: str, *options: str) -> Callable[[argparse.Namespace], int]:
    """Return the function that runs a command: one of `backend.commands`, with some of the options.

    The function also takes the database and whether to print JSON.
    """

    def do(parsed: argparse.Namespace) -> int:
        return _command(name)(
            **{option: getattr(parsed, option) for option in options},
            as_json=parsed.json,
            database_url=parsed.database,
        )

    return do


def _command(name: str) -> Callable[..., int]:
    """A function of `backend.commands`, imported when its command is given."""
    module, _, function = name.partition(".")
    command: Callable[..., int] = getattr(import_module(f"backend.commands.{module}"), function)
    return command


def _add_export(commands: Commands) -> None:
    parser = add_command(
        commands, "export", _export, "write a share to files that work without the service"
    )
    parser.add_argument("sid", metavar="LINK", help="a link to a share, or its id")
    parser.add_argument(
        "--output", metavar="FOLDER", type=Path, default=Path(), help="the folder to write to"
    )
    parser.add_argument(
        "--frame",
        metavar="N",
        type=int,
        action="append",
        dest="frames",
        help="a frame to draw, as in a link's ?frame=N; may be repeated",
    )
    parser.add_argument("--lang", default=DEFAULT_LANGUAGE, help="a language, such as en or zh")
    _add_database(parser)


def _export(options: argparse.Namespace) -> int:
    return _command("export.export")(
        options.sid,
        output=options.output,
        frames=options.frames,
        lang=options.lang,
        as_json=options.json,
        database_url=options.database,
    )


def _add_spark_jobs(commands: Commands) -> None:
    for name, help_text, declare, function in (
        ("summarize", SUMMARIZE, declare_summarize, _summarize),
        ("campaign", CAMPAIGN, declare_campaign, _campaign),
        ("search-grid", SEARCH_GRID, declare_search_grid, _search_grid),
    ):
        parser = add_command(commands, name, function, help_text, json=False)
        declare(parser)
        parser.set_defaults(passed_arguments=[])


def _summarize(options: argparse.Namespace) -> int:
    return _command("spark_jobs.summarize")(options.passed_arguments, database_url=options.database)


def _campaign(options: argparse.Namespace) -> int:
    return _command("spark_jobs.campaign")(options.passed_arguments)


def _search_grid(options: argparse.Namespace) -> int:
    return _command("spark_jobs.search_grid")(options.passed_arguments)


def _add_openapi(commands: Commands) -> None:
    add_command(commands, "openapi", _openapi, "print the OpenAPI document of the API", json=False)


def _openapi(_options: argparse.Namespace) -> int:
    return _command("openapi.print_openapi")()


def _add_completion(commands: Commands) -> None:
    parser = add_command(
        commands, "completion", _completion, "print a shell completion script", json=False
    )
    parser.add_argument("shell", choices=["bash", "zsh", "tcsh"], help="the shell")


def _completion(options: argparse.Namespace) -> int:
    import shtab

    sys.stdout.write(f"{shtab.complete(build_parser(), shell=options.shell)}\n")
    return 0


def _add_database(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--database",
        metavar="URL",
        help="sqlite:///FILE or postgresql://… (HIGHWATER_DATABASE_URL)",
    )


if __name__ == "__main__":
    sys.exit(main())
