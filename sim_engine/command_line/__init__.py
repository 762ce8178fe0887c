"""The engine's commands: one parser, to which other programs can add commands.

Exit status: 0 if the command ran and every check passed, 1 if a check failed, 2 if the input is
invalid or standard output cannot be written to; for several files, the highest. Results are printed
to standard output, and errors to standard error, one on each line.
"""

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module

from sim_engine.command_line.program import (
    Commands,
    Group,
    add_command,
    add_help,
    carry_out,
    parser_of_program,
    with_help,
)

_COMMANDS: Mapping[str, tuple[str, Group, str, Sequence[str]]] = {
    "run": (
        "run", "Runs", "run a scenario and print what happens",
        ("kip-101-data-loss", "mine.yaml --kafka 3.9", "mine.yaml --json | jq .final"),
    ),
    "describe": (
        "run", "Runs", "print a run's topics as kafka-topics --describe of its release does",
        ("kip-101-data-loss --step 3",),
    ),
    "compare": (
        "run", "Runs", "find where two versions or scenarios diverge",
        ("kip-101-data-loss --kafka 0.10.2 --kafka 0.11", "mine.yaml --with other.yaml"),
    ),
    "list": ("check", "Runs", "list the shipped scenarios", ("", "--json")),
    "versions": ("check", "Runs", "list the rules that each release added", ("", "--json")),
    "check": (
        "check", "Checks and searches", "check scenarios against their expectations",
        ("mine.yaml", "scenarios/*.yaml --json"),
    ),
    "search": (
        "search", "Checks and searches", "search for a failure after a scenario's steps",
        (
            "mine.yaml --property NoAckedRecordLost",
            "mine.yaml --property NoAckedRecordLost --budget crash=2,power_loss=1 --seconds 300",
        ),
    ),
    "shrink": (
        "search", "Checks and searches", "find the shortest scenario that still fails",
        ("mine.yaml --property NoAckedRecordLost > short.yaml",),
    ),
    "walk": (
        "search", "Checks and searches", "run random schedules and check the invariants",
        ("--runs 1000 --seed 7",),
    ),
    "conform": (
        "check", "Checks and searches", "replay recordings of real clusters", ("recording.json",),
    ),
    "import": (
        "clusters", "Real clusters",
        "create a scenario from the output of a real cluster's tools",
        ("topics.txt /var/lib/kafka-1 > mine.yaml", "- < topics.txt"),
    ),
    "assess": (
        "clusters", "Real clusters",
        "state what the next failure does to each partition of a real cluster",
        ("topics.txt --kafka 3.9", "topics.txt --down 2,3 --json"),
    ),
    "schema": ("check", "Programs", "print a JSON Schema", ("", "run")),
}  # fmt: skip
"""The module of each command, whose `declare_NAME` declares its arguments; its group; its help; and
the arguments of its examples."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0, 1 or 2."""
    words = with_help(sys.argv[1:] if arguments is None else arguments)
    parser, commands = parser_of_program(
        "python -m sim_engine", "Simulate how Apache Kafka replicates, version by version."
    )
    add_commands(commands, words[:1])
    add_help(commands)
    return carry_out(parser, words)


def add_commands(commands: Commands, chosen: Sequence[str] = tuple(_COMMANDS)) -> None:
    """Add the engine's commands to a program, whose name is shown in their help.

    Only the chosen ones get their arguments: that imports what they use, which takes time.
    """
    for name, (module, group, help_text, examples) in _COMMANDS.items():
        parser = add_command(commands, name, help_text, group, *examples)
        if name in chosen:
            declaring = import_module(f"sim_engine.command_line.{module}")
            getattr(declaring, f"declare_{name}")(parser)
