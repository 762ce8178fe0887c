"""What every command has in common: how it is declared, how it ends, and what it prints."""

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

# What `add_subparsers` gives; the library has no public name for it.
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


class WrongInputError(Exception):
    """An option or a name that is wrong; the message is the line that the user reads."""


def add_command(
    commands: Commands,
    name: str,
    function: Callable[[argparse.Namespace], int],
    help_text: str,
    *,
    json: bool = True,
) -> argparse.ArgumentParser:
    """Declares a command; `function` does it and gives its exit status.

    `help_text` is its line in the list of commands, and the first sentence of its own help.
    """
    parser = commands.add_parser(
        name, help=help_text, description=f"{help_text[:1].upper()}{help_text[1:]}."
    )
    parser.set_defaults(command=function)
    if json:
        parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def carry_out(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> int:
    """Do one command of a program and give its exit status.

    A command's `handed_on` takes the arguments that it has not declared itself.
    """
    try:
        options, others = parser.parse_known_args(arguments)
        if "handed_on" in options:
            options.handed_on = others
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
    """Do what a process is for, with its streams as people and other programs expect them."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Values and titles are not only Latin, whatever the locale says.
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
    """A document on standard output, indented, in the characters that it has."""
    print(dumps(to_builtins(document), ensure_ascii=False, indent=2))


def wrong_input(message: str) -> int:
    """One line on standard error, and the exit status that goes with it."""
    print(message, file=sys.stderr)
    return WRONG_INPUT
