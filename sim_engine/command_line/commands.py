"""All of the engine's commands, in the order of the help."""

from collections.abc import Sequence

from sim_engine.command_line.check import add_check, add_list
from sim_engine.command_line.compare import add_compare
from sim_engine.command_line.conform import add_conform
from sim_engine.command_line.import_cluster import add_import
from sim_engine.command_line.program import Commands, Parser, carry_out
from sim_engine.command_line.reference import add_schema, add_versions
from sim_engine.command_line.run import add_run
from sim_engine.command_line.search import add_search
from sim_engine.command_line.shrink_and_walk import add_shrink, add_walk


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0, 1 or 2."""
    parser = Parser(
        prog="python -m sim_engine",
        description="Simulate how Apache Kafka replicates, version by version.",
    )
    add_commands(parser.add_subparsers(required=True, metavar="COMMAND"))
    return carry_out(parser, arguments)


def add_commands(commands: Commands) -> None:
    """Add the engine's commands to a program, whose name is shown in their help."""
    for add in (
        add_run,
        add_check,
        add_list,
        add_compare,
        add_search,
        add_shrink,
        add_walk,
        add_conform,
        add_import,
        add_versions,
        add_schema,
    ):
        add(commands)
