"""The engine's commands: one parser, to which other programs can add commands.

Exit status: 0 if the command ran and every check passed, 1 if a check failed, 2 if the input is
invalid or standard output cannot be written to; for several files, the highest. Results are printed
to standard output, and errors to standard error, one on each line.
"""

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module

from sim_engine.command_line.program import Commands, Parser, add_command, carry_out

_COMMANDS: Mapping[str, tuple[str, str]] = {
    "run": ("run", "run a scenario and print what happens"),
    "check": ("check", "check scenarios against their expectations"),
    "list": ("check", "list the shipped scenarios"),
    "compare": ("run", "find where two versions or scenarios diverge"),
    "search": ("search", "search for a failure after a scenario's steps"),
    "shrink": ("search", "find the shortest scenario that still fails"),
    "walk": ("walk", "run random schedules and check the invariants"),
    "conform": ("check", "replay recordings of real clusters"),
    "import": ("import_cluster", "create a scenario from the output of a real cluster's tools"),
    "assess": ("assess", "state what the next failure does to each partition of a real cluster"),
    "describe": ("run", "print a run's topics as kafka-topics --describe of its release does"),
    "versions": ("check", "list the rules that each release added"),
    "schema": ("check", "print a JSON Schema"),
}
"""The module of each command, whose `declare_NAME` declares its arguments, and the help."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0, 1 or 2."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    parser = Parser(
        prog="python -m sim_engine",
        description="Simulate how Apache Kafka replicates, version by version.",
    )
    add_commands(parser.add_subparsers(required=True, metavar="COMMAND"), words[:1])
    return carry_out(parser, words)


def add_commands(commands: Commands, chosen: Sequence[str] = tuple(_COMMANDS)) -> None:
    """Add the engine's commands to a program, whose name is shown in their help.

    Only the chosen ones get their arguments: that imports what they use, which takes time.
    """
    for name, (module, help_text) in _COMMANDS.items():
        parser = add_command(commands, name, help_text)
        if name in chosen:
            declaring = import_module(f"sim_engine.command_line.{module}")
            getattr(declaring, f"declare_{name}")(parser)
