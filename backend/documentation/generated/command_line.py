"""Every command of `highwater`, generated from the argument parser."""

import argparse
from collections.abc import Iterator

from backend.cli import build_parser
from backend.documentation.generated.subject import Subject, code, table

_BEFORE_USAGE = "usage: "
_INDENTED = " " * len(_BEFORE_USAGE)


def command_reference(_subject: Subject, lang: str) -> str:
    """A Markdown section for each command: its purpose, usage and arguments."""
    return "\n".join(
        part for name, said, parser in commands() for part in _section(name, said, parser, lang)
    )


def commands() -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    """Each command with its line in the list of commands, in that list's order."""
    for action in build_parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            said = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, parser in action.choices.items():
                yield name, said[name], parser


def _section(name: str, said: str, parser: argparse.ArgumentParser, lang: str) -> Iterator[str]:
    yield f"## {name}\n"
    yield f"{said[:1].upper()}{said[1:]}.\n"
    own = [action for action in parser._actions if not isinstance(action, argparse._HelpAction)]
    yield f"```text\n{_usage(parser)}```\n"
    if own:
        yield table(lang, ("argument", "meaning"), (_row(action) for action in own))


def _usage(parser: argparse.ArgumentParser) -> str:
    return parser.format_usage().removeprefix(_BEFORE_USAGE).replace("\n" + _INDENTED, "\n")


def _row(action: argparse.Action) -> tuple[str, str]:
    values = action.metavar if isinstance(action.metavar, str) else None
    if values is None and action.choices is not None:
        values = "|".join(str(choice) for choice in action.choices)
    if not action.option_strings:
        return code(values or action.dest), _meaning(action)
    spelt = action.option_strings[-1]
    return code(f"{spelt} {values}" if values and action.nargs != 0 else spelt), _meaning(action)


def _meaning(action: argparse.Action) -> str:
    said = (action.help or "") % {"default": action.default, "prog": "highwater"}
    # Help texts may contain characters that are markup in Markdown.
    return said.replace("*", "\\*").replace("<", "&lt;").replace("[", "\\[")
