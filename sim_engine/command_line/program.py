"""Shared by all commands: their declaration, exit status and output."""

import argparse
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from json import dumps
from typing import TypeAlias

from msgspec import to_builtins

from sim_engine.scenario_reader.document import ScenarioError

HOLDS = 0
FAILS = 1
WRONG_INPUT = 2

# The type that `add_subparsers` returns; argparse has no public name for it.
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


class WrongInputError(Exception):
    """An option or a name is invalid; the message is one line for the user."""


def add_command(
    commands: Commands,
    name: str,
    function: Callable[[argparse.Namespace], int],
    help_text: str,
    *,
    json: bool = True,
) -> argparse.ArgumentParser:
    """Declare a command; `function` runs it and returns its exit status.

    `help_text` is its line in the list of commands, and the first sentence of its help.
    """
    parser = commands.add_parser(
        name, help=help_text, description=f"{help_text[:1].upper()}{help_text[1:]}."
    )
    parser.set_defaults(command=function)
    if json:
        parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def carry_out(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> int:
    """Run one command of a program and return its exit status.

    A command that passes its arguments to another process declares the attribute
    `passed_arguments`, and receives them there as they were given.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        options, others = parser.parse_known_args(given)
        if "passed_arguments" in options:
            options.passed_arguments = given[1:]
        elif others:
            parser.error(f"unrecognized arguments: {' '.join(others)}")
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else WRONG_INPUT
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        return command(options)
    except (ScenarioError, WrongInputError) as error:
        return wrong_input(str(error))


def as_program(command: Callable[[], int]) -> int:
    """Run the main function of a process with correctly configured streams."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Values and titles may have any characters, so the output is UTF-8 in every locale.
            stream.reconfigure(encoding="utf-8")
    try:
        status = command()
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the output has closed the pipe, as `head` does; that is not a failure.
        sys.stderr.close()
        status = HOLDS
    return status


def print_json(document: object) -> None:
    """Print a document to standard output as indented JSON, without escaping characters."""
    print(dumps(to_builtins(document), ensure_ascii=False, indent=2))


def wrong_input(message: str) -> int:
    """Print one line to standard error, and return the exit status 2."""
    print(message, file=sys.stderr)
    return WRONG_INPUT
