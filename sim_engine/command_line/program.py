"""Shared by all commands: their declaration, exit status and output."""

import argparse
import sys
from collections.abc import Callable, Sequence
from json import dumps
from typing import NoReturn, TypeAlias

from msgspec import to_builtins

from sim_engine.scenario_reader.document import ScenarioError

HOLDS = 0
FAILS = 1
WRONG_INPUT = 2

# The type that `add_subparsers` returns; argparse has no public name for it.
Commands: TypeAlias = "argparse._SubParsersAction[Parser]"


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, with the exit status 2.

    It accepts no argument that is empty or has a line break: nothing that a command takes does, and
    a script that passes an empty one has lost its value.
    """

    def error(self, message: str) -> NoReturn:
        """Print what is wrong, and where to find what is allowed, and exit."""
        self.exit(
            WRONG_INPUT, f"{self.prog}: {' '.join(message.split())}; see {self.prog} --help\n"
        )

    def parse_known_args(  # type: ignore[override]  # its overloads differ in the namespace only
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse, after refusing empty arguments and line breaks."""
        given = sys.argv[1:] if args is None else args
        for before, argument in zip(["", *given], given, strict=False):
            name, equals, value = argument.partition("=")
            if not argument:
                what = before if before.startswith("-") else "an argument"
                self.error(f"{what} is empty")
            if argument.startswith("--") and equals and not value:
                self.error(f"{name} is empty")
            if len(argument.splitlines()) > 1:
                self.error("an argument has a line break")
        return super().parse_known_args(args, namespace)


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
    """Run one command of a program and return its exit status. A file that cannot be used is wrong
    input.

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
    except OSError as error:
        return wrong_input(f"{error.filename}: {error.strerror}" if error.filename else str(error))


def print_json(document: object) -> None:
    """Print a document to standard output as indented JSON, without escaping characters."""
    print(dumps(to_builtins(document), ensure_ascii=False, indent=2))


def wrong_input(message: str) -> int:
    """Print one line to standard error, and return the exit status 2."""
    print(message, file=sys.stderr)
    return WRONG_INPUT
