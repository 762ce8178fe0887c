"""`versions` and `schema`: reference output."""

import argparse

from sim_engine.command_line.program import HOLDS, Commands, add_command, print_json
from sim_engine.documents import run_schema
from sim_engine.documents.versions import versions_page, versions_table
from sim_engine.scenario_reader.schema import scenario_schema
from sim_engine.versions import list_versions


def add_versions(commands: Commands) -> None:
    """Add `versions`: prints each rule and the release that added it."""
    parser = add_command(commands, "versions", _versions, "list the rules that each release added")
    parser.add_argument(
        "--markdown", action="store_true", help="print docs/explanation/versions.md"
    )


def add_schema(commands: Commands) -> None:
    """Add `schema [scenario|run]`, which always prints JSON."""
    parser = add_command(commands, "schema", _schema, "print a JSON Schema", json=False)
    parser.add_argument("document", choices=("scenario", "run"), nargs="?", default="scenario")


def _versions(options: argparse.Namespace) -> int:
    if options.json:
        print_json(list_versions())
    else:
        print(versions_page() if options.markdown else versions_table(), end="")
    return HOLDS


def _schema(options: argparse.Namespace) -> int:
    print_json(run_schema() if options.document == "run" else scenario_schema())
    return HOLDS
