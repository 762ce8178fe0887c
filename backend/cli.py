"""The command line, `highwater`: the engine's commands, and the service's own.

`run`, `check`, `list`, `compare`, `conform`, `versions`, `schema`, `search`, `shrink` and `walk`
are the engine's (`python -m sim_engine`), handed on as they are written. What the service needs is
imported only by its own commands, so that the engine's start as fast as the engine does.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    name="highwater",
    help="See how Apache Kafka replicates, break it, and share the moment.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

DatabaseOption = Annotated[
    str | None,
    typer.Option("--database", help="sqlite:///FILE or postgresql://… (HIGHWATER_DATABASE_URL)."),
]


def main() -> None:
    app()


_ENGINE_COMMANDS = {
    "run": "Run a scenario and say what happened.",
    "check": "Run scenario files and hold them to their expectations.",
    "list": "List the scenarios that are shipped.",
    "compare": "Run one scenario under two versions and find where they part.",
    "conform": "Replay recordings of real clusters.",
    "versions": "Say which rule arrived with which release.",
    "schema": "Print the schema of scenario files or of results.",
    "search": "Search for the shortest way to violate a property.",
    "shrink": "Find the shortest scenario that still violates a property.",
    "walk": "Hold random schedules to what must always be true.",
}


def _engine_command(name: str) -> Callable[[typer.Context], None]:
    def command(context: typer.Context) -> None:
        from sim_engine.cli import main as engine_main

        raise typer.Exit(engine_main([name, *context.args]))

    return command


for _name, _help in _ENGINE_COMMANDS.items():
    app.command(
        _name,
        help=_help,
        add_help_option=False,
        context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    )(_engine_command(_name))


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="HIGHWATER_HOST.")] = None,
    port: Annotated[int | None, typer.Option(help="HIGHWATER_PORT; 0 takes a free one.")] = None,
    database: DatabaseOption = None,
) -> None:
    """Serve the pages and the interface until stopped."""
    from backend import commands

    raise typer.Exit(commands.serve(host=host, port=port, database_url=database))


@app.command()
def migrate(database: DatabaseOption = None) -> None:
    """Bring the database's schema up to date. Two at once take turns."""
    from backend import commands

    raise typer.Exit(commands.migrate(database_url=database))


@app.command()
def export(
    sid: Annotated[str, typer.Argument(help="A share: the last part of its link.")],
    output: Annotated[Path, typer.Option(help="Folder to write to.")] = Path("."),
    step: Annotated[list[int] | None, typer.Option(help="A step to draw; may be repeated.")] = None,
    lang: Annotated[str, typer.Option(help="A language, such as en or zh.")] = "en",
    database: DatabaseOption = None,
) -> None:
    """Write a share to files that need no service: its JSON, its transcript and its pictures."""
    from backend import commands

    raise typer.Exit(
        commands.export(sid, output=output, steps=step, lang=lang, database_url=database)
    )


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def summarize(
    context: typer.Context,
    master: Annotated[str, typer.Option(help="Where Spark runs.")] = "local[*]",
    database: DatabaseOption = None,
) -> None:
    """Summarise what people shared, on Spark, for the insights page."""
    from backend import commands

    raise typer.Exit(commands.summarize(context.args, master=master, database_url=database))


@app.command()
def openapi() -> None:
    """Print the OpenAPI document of the interface."""
    from backend.openapi import main as print_openapi

    print_openapi()


if __name__ == "__main__":
    main()
