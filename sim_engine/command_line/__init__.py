"""The engine's commands: one parser, to which other programs can add commands.

Exit status: 0 if the command ran and every check passed, 1 if a check failed, 2 if the input is
invalid or standard output cannot be written to; for several files, the highest. Results are printed
to standard output, and errors to standard error, one on each line.
"""

from collections.abc import Sequence

from sim_engine.command_line.check import add_check, add_conform, add_list, add_schema, add_versions
from sim_engine.command_line.import_cluster import add_import
from sim_engine.command_line.program import Commands, Parser, carry_out
from sim_engine.command_line.run import add_compare, add_run
from sim_engine.command_line.search import add_search, add_shrink, add_walk


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
