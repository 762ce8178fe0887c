"""The engine's commands: one parser, to which other programs can add commands; and what all share:
their declaration, exit status and output.

Exit status: 0 if the command ran and every check passed, 1 if a check failed, 2 if the input is
invalid or standard output cannot be written to; for several files, the highest. Results are printed
to standard output, and errors to standard error, one on each line. The standard streams use UTF-8
in every locale, and their errors can be told from those of the files that commands read and write.

It imports nothing of the engine that takes time to load, because every command starts with it.
"""

import argparse
import gc
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from io import BufferedWriter, FileIO, StringIO, TextIOWrapper
from json import dumps
from types import FrameType
from typing import TYPE_CHECKING, Literal, NoReturn, TypeAlias, get_args

from msgspec import to_builtins

from sim_engine.error_texts import WrongInputError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

HOLDS = 0
FAILS = 1
WRONG_INPUT = 2

# What a program imports stays: looking for garbage in it takes a sixth of the time of its start.
_COLLECTIONS = (50_000, 20, 100)

FILE_OR_ID = "FILE|ID"
"""A scenario as an argument."""

# The type that `add_subparsers` returns; argparse has no public name for it.
Commands: TypeAlias = "argparse._SubParsersAction[Parser]"


Group = Literal[
    "Runs",
    "Checks and searches",
    "Real clusters",
    "The service",
    "Many runs, with Spark",
    "Programs",
]
"""The groups of commands, in the order in which the help lists them."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, with the exit status 2.

    It accepts no argument that is empty or has a line break: nothing that a command takes does, and
    a script that passes an empty one has lost its value.
    """

    group: Group = "Programs"
    """The group of a command."""

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """Raise an error that suggests the closest of the allowed values, or lists them."""
        if action.choices is None or value in action.choices:
            return
        allowed = [str(choice) for choice in action.choices]
        close = get_close_matches(str(value), allowed, n=1)
        meant = f"; did you mean {close[0]}?" if close else f" (choose from {', '.join(allowed)})"
        raise argparse.ArgumentError(action, f"invalid choice: {str(value)!r}{meant}")

    def error(self, message: str) -> NoReturn:
        """Print what is wrong, and where to find what is allowed, and exit."""
        self.exit(
            WRONG_INPUT, f"{self.prog}: {' '.join(message.split())}; see {self.prog} --help\n"
        )

    def parse_known_args(  # type: ignore[override]  # its overloads differ in the namespace only
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse, after refusing empty arguments and line breaks."""
        words = sys.argv[1:] if args is None else args
        for before, argument in zip(["", *words], words, strict=False):
            name, equals, value = argument.partition("=")
            if not argument:
                what = before if before.startswith("-") else "an argument"
                self.error(f"{what} is empty")
            if argument.startswith("--") and equals and not value:
                self.error(f"{name} is empty")
            if len(argument.splitlines()) > 1:
                self.error("an argument has a line break")
        return super().parse_known_args(args, namespace)


class _Help(argparse.RawDescriptionHelpFormatter):
    """Lists commands by their groups, and names the default of each option that has one."""

    def _get_help_string(self, action: argparse.Action) -> str:
        return help_of(action)

    def _format_action(self, action: argparse.Action) -> str:
        if not isinstance(action, argparse._SubParsersAction):
            return super()._format_action(action)
        listed: dict[str, list[str]] = {group: [] for group in get_args(Group)}
        self._indent()
        for one in action._get_subactions():
            listed[action.choices[one.dest].group].append(super()._format_action(one))
        self._dedent()
        return "\n".join(f"  {group}\n{''.join(lines)}" for group, lines in listed.items() if lines)


def help_of(action: argparse.Action) -> str:
    """The help of an argument, with its default if the text does not name it."""
    said = action.help or ""
    if not action.option_strings or "default" in said or action.default in _NO_DEFAULTS:
        return said
    return f"{said} (default: %(default)s)"


_NO_DEFAULTS: tuple[object, ...] = (None, False, argparse.SUPPRESS, [])


def parser_of_program(name: str, description: str) -> tuple[Parser, Commands]:
    """The parser of a program, and its commands, which are added to it."""
    parser = Parser(
        prog=name,
        description=description,
        epilog=f"`{name} help COMMAND` prints the options and examples of a command.",
        formatter_class=_Help,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND", title="commands")
    return parser, commands


def add_command(
    commands: Commands, name: str, help_text: str, group: Group, *examples: str
) -> argparse.ArgumentParser:
    """Declare a command without its arguments.

    `help_text` is its line in the list of commands, and the first sentence of its help. Each
    example has the arguments that follow the command's name, and may go on with other programs.
    """
    epilog = "".join(f"\n  %(prog)s {example}" for example in examples)
    parser = commands.add_parser(
        name,
        help=help_text,
        description=f"{help_text[:1].upper()}{help_text[1:]}.",
        epilog=f"examples:{epilog}" if examples else None,
        formatter_class=_Help,
    )
    parser.group = group
    return parser


def with_help(words: Sequence[str]) -> list[str]:
    """The arguments in which `help COMMAND` is `COMMAND --help`."""
    return [*words[1:2], "--help"] if words[:1] == ["help"] else list(words)


def add_help(commands: Commands) -> None:
    """Declare `help`, which `with_help` replaces."""
    parser = add_command(commands, "help", "print the help of a command", "Programs", "run")
    parser.add_argument("name", metavar="COMMAND", nargs="?", help="the command")


def run_by(
    parser: argparse.ArgumentParser,
    function: Callable[[argparse.Namespace], int],
    *,
    json: bool = True,
) -> None:
    """Declare what a command does: `function` runs it and returns its exit status. With `json`, it
    has the option `--json`.
    """
    parser.set_defaults(command=function)
    if json:
        parser.add_argument("--json", action="store_true", help="print JSON")


def carry_out(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> int:
    """Run one command of a program and return its exit status. A file that cannot be used is wrong
    input.

    A command that passes its arguments to another process declares the attribute
    `passed_arguments`, and receives them there as they were given.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        options, others = parser.parse_known_args(words)
        if "passed_arguments" in options:
            options.passed_arguments = words[1:]
        elif others:
            parser.error(f"unrecognized arguments: {' '.join(others)}")
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else WRONG_INPUT
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        return command(options)
    except WrongInputError as error:
        return wrong_input(str(error))
    except OSError as error:
        return wrong_input(f"{error.filename}: {error.strerror}" if error.filename else str(error))


_RESET = "\x1b[0m"
_COLOURS = {"bad": "\x1b[1;31m", "good": "\x1b[32m", "strong": "\x1b[1m"}


def coloured(text: str, colour: Literal["bad", "good", "strong"]) -> str:
    """A text in colour, if standard output is a terminal and `NO_COLOR` (no-color.org) is unset."""
    plain_terminal = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if plain_terminal or not sys.stdout.isatty():
        return text
    return f"{_COLOURS[colour]}{text}{_RESET}"


def print_json(document: object) -> None:
    """Print a document to standard output as indented JSON, without escaping characters."""
    print(dumps(to_builtins(document), ensure_ascii=False, indent=2))


def wrong_input(message: str) -> int:
    """Print one line to standard error, and return the exit status 2."""
    print(message, file=sys.stderr)
    return WRONG_INPUT


INTERRUPTED = 130
"""The exit status of a program that SIGINT ended, as shells count it."""


class _OutputError(Exception):
    """Standard output cannot be written to. Not an `OSError`, which a command would report as an
    error of its own files.
    """


class _OutputClosedError(Exception):
    """The reader of standard output has closed the pipe, as `head` does."""


class _Output(FileIO):
    """Reports its first error. The interpreter writes the rest once more when it ends."""

    _failed = False

    def write(self, data: "ReadableBuffer", /) -> int:
        if self._failed:
            return memoryview(data).nbytes
        try:
            return super().write(data)
        except OSError as error:
            self._failed = True
            if isinstance(error, BrokenPipeError):
                raise _OutputClosedError from None
            raise _OutputError(str(error.strerror)) from None


class _Errors(FileIO):
    """An error that cannot be printed still has its exit status."""

    def write(self, data: "ReadableBuffer", /) -> int:
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def as_program(command: Callable[[], int]) -> int:
    """Run the main function of a process with its streams, and return its exit status.

    If the result cannot be printed, one line on standard error gives the reason, with status 2. If
    its reader closes the pipe, this is not a failure. An interrupt ends the program in silence, and
    SIGTERM interrupts it too, unless the command handles it: what Ctrl-C keeps is kept.
    """
    gc.set_threshold(*_COLLECTIONS)
    terminated = False

    def terminate(_signal: int, _frame: FrameType | None) -> None:
        nonlocal terminated
        terminated = True
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a script
            signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.raise_signal(signal.SIGINT)

    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:  # a parent may ignore it
        signal.signal(signal.SIGTERM, terminate)
    if sys.stderr is None:
        sys.stderr = StringIO()
    elif isinstance(sys.stderr, TextIOWrapper):
        sys.stderr = _text(_Errors(sys.stderr.fileno(), "wb", closefd=False), "backslashreplace")
    if sys.stdout is None:
        return wrong_input("standard output is closed; write > /dev/null to discard the output")
    if isinstance(sys.stdout, TextIOWrapper):
        # File names that are not UTF-8 are printed as they are.
        output = _Output(sys.stdout.fileno(), "wb", closefd=False)
        sys.stdout = _text(output, "surrogateescape", line_buffering=output.isatty())
    try:
        status = command()
        sys.stdout.flush()
    except _OutputClosedError:
        return HOLDS
    except _OutputError as error:
        return wrong_input(f"standard output cannot be written to: {error}")
    except KeyboardInterrupt:
        status = INTERRUPTED
    if terminated and status == INTERRUPTED:
        with suppress(_OutputClosedError, _OutputError):
            sys.stdout.flush()
        # Whoever started the program sees that the signal ended it, and no failure.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTERM)
    return status


def _text(raw: FileIO, errors: str, *, line_buffering: bool = True) -> TextIOWrapper:
    """Values and titles may have any characters, so the output is UTF-8 in every locale."""
    return TextIOWrapper(
        BufferedWriter(raw), encoding="utf-8", errors=errors, line_buffering=line_buffering
    )


def plain(value: object) -> str:
    """A value as text: a dash for null and empty values, commas between elements."""
    if value is None:
        return "–"
    if isinstance(value, (list, tuple)):
        return ", ".join(plain(item) for item in value) or "–"
    return str(value)


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


def add_scenario(parser: argparse.ArgumentParser, *, kafka: bool = True) -> None:
    """Declare the argument of a command that runs a scenario and, with `kafka`, a version in place
    of the scenario's.
    """
    parser.add_argument(
        "scenario",
        metavar=FILE_OR_ID,
        help="a file, - for standard input, or the id of a shipped scenario",
    )
    if kafka:
        parser.add_argument(
            "--kafka", metavar="V", help="use this Kafka version instead of the scenario's"
        )
