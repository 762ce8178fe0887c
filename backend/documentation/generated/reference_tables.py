"""The references that are tables: the columns of rows in Parquet files, the limits with the numbers
of this service, what FIDELITY.md lists, every command of `highwater`, the known ways to lose, and
the metrics, log lines and errors that an operator sees.

A language without a translation of FIDELITY.md has its rows in English, and the titles of their
sections.
"""

import argparse
import re
from collections.abc import Callable, Iterator
from textwrap import dedent

from msgspec import Struct

from backend.cli import build_parser
from backend.documentation.contents import FOLDER, WORDS
from backend.documentation.generated.subject import Subject, anchored, code, table
from backend.limit_table import Limit, all_limits
from sim_engine.campaign.row import RunRow
from sim_engine.campaign.run import SearchRow
from sim_engine.challenges import find_challenge
from sim_engine.client_errors import CLIENT_ERRORS
from sim_engine.command_line import help_of
from sim_engine.conformance.fidelity import fidelity, fidelity_path
from sim_engine.curriculum import lesson_index
from sim_engine.documents import pages
from sim_engine.documents.assessment import KnownLoss
from sim_engine.documents.operator_words import LineEntry, SeenIn, operator_reference
from sim_engine.documents.schemas import columns_of
from sim_engine.identifiers import ErrorCode
from sim_engine.known_losses.catalogue import WAYS, Way
from sim_engine.known_losses.entries import example_of, ranges, title_of, what_of
from sim_engine.languages import DEFAULT_LANGUAGE, in_language
from sim_engine.languages import say as say_message
from sim_engine.releases import begins_line, ends_line, line_name
from sim_engine.scenario_reader.reader import list_shipped, load_shipped
from sim_engine.versions import CONTROL_TITLES, Control


def _columns_table(row: type[Struct]) -> Callable[[Subject, str], str]:
    def generate(_subject: Subject, lang: str) -> str:
        return table(
            lang,
            ("field", "value", "meaning"),
            (
                (
                    code(column.name),
                    f"{column.type} or null" if column.is_nullable else column.type,
                    column.description,
                )
                for column in columns_of(row)
            ),
        )

    return generate


run_columns = _columns_table(RunRow)
"""The columns of a campaign's rows."""

search_columns = _columns_table(SearchRow)
"""The columns of the rows of a searched grid."""


def limits_table(subject: Subject, lang: str) -> str:
    """Every limit: what is limited, its name, its number, and the response when it is exceeded."""
    return table(
        lang,
        ("limit", "name", "number", "past"),
        (_limit_row(limit, lang) for limit in all_limits(subject.settings.quotas)),
    )


def limit_anchor(name: str) -> str:
    """The anchor of a limit on the page of limits."""
    return f"limit-{name}"


def _limit_row(limit: Limit, lang: str) -> tuple[str, str, str, str]:
    number = limit.written()
    if number[-1].isdigit():  # the others already include their unit
        number = f"{number} {limit.unit}"
    past = limit.said()[lang] if limit.status is None else f"{limit.status.value} `{limit.code}`"
    return limit.what()[lang], anchored(limit_anchor(limit.name), code(limit.name)), number, past


ENGINE = FOLDER.parent / "sim_engine"
_TITLE = re.compile(r"^## .+$", re.MULTILINE)
_COMMENT = re.compile(r"^<!--.*-->\n", re.MULTILINE)
_LINK = re.compile(r"\]\((?!\w+:|#|/)([^)]+)\)")


def fidelity_lists(_subject: Subject, lang: str) -> str:
    """The lists of the file as Markdown, without its title and introduction."""
    file = ENGINE / (fidelity_path(lang) or fidelity_path(DEFAULT_LANGUAGE) or "")
    text = file.read_text(encoding="utf-8")
    lists = _COMMENT.sub("", text[text.index("\n## ") :])
    # Links in the file are relative to its own folder. A translated page is one folder deeper.
    up = "../.." if lang == DEFAULT_LANGUAGE else "../../.."
    if fidelity_path(lang) is None:
        names = iter(section.name for section in fidelity())
        lists = _TITLE.sub(
            lambda _title: f"## {say_message(lang, 'interface/fidelity', next(names))}", lists
        )
    folder = file.parent.relative_to(ENGINE.parent).as_posix()
    return _LINK.sub(lambda link: f"]({up}/{folder}/{link[1]})", lists)


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
    if parser.epilog:
        examples = parser.epilog.partition("\n")[2] % {"prog": parser.prog}
        yield f"```sh\n{dedent(examples).strip()}\n```\n"
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
    said = help_of(action) % {"default": action.default, "prog": "highwater"}
    # Help texts may contain characters that are markup in Markdown.
    return said.replace("*", "\\*").replace("<", "&lt;").replace("[", "\\[")


# --- known ways to lose --------------------------------------------------------------------

_OF_WAYS = ("way", "what-happens", "releases", "likely", "needs", "closed-by", "shown-in")
_BREAK = "<br>"


def known_losses_table(_subject: Subject, lang: str) -> str:
    """A row for each way. Its likelihood and what closes it are those of an example."""
    return table(lang, _OF_WAYS, (_way_row(way, example_of(way), lang) for way in WAYS))


def _way_row(way: Way, example: KnownLoss, lang: str) -> tuple[str, ...]:
    return (
        anchored(way.id, f"**{title_of(way)[lang]}**"),
        what_of(way)[lang],
        _BREAK.join(_releases(way)),
        example.likely[lang],
        example.why[lang],
        _BREAK.join(f"{one.text[lang]} → {one.result[lang]}" for one in example.closed_by) or "–",
        _BREAK.join(_shown_in(way, lang)) or "–",
    )


def _releases(way: Way) -> Iterator[str]:
    for control, stretches in ranges()[way.id].items():
        named = ", ".join(_from_to(first, last) for first, last in stretches)
        yield f"{CONTROL_TITLES[control]} {named}"


def _from_to(first: str, last: str) -> str:
    if first == last:
        return first
    begin = line_name(first) if begins_line(first) else first
    return f"{begin}–{line_name(last) if ends_line(last) else last}"


def _shown_in(way: Way, lang: str) -> Iterator[str]:
    for lesson in way.lessons:
        yield f"[{load_shipped(lesson).title[lang]}](/lessons/{lesson})"
    for challenge in way.challenges:
        yield f"[{find_challenge(challenge).title[lang]}](/challenges/{challenge})"
    if way.finding is not None:
        yield f"[{way.finding}](../findings/{way.finding}.md)"


def scenarios_tables(_subject: Subject, lang: str) -> str:
    """The shipped scenarios, and how each ends in every release."""
    endings = {scenario: entry.endings for scenario, entry in lesson_index().items()}
    return pages.scenarios_tables(list_shipped(), endings, lang)


def client_error_table(_subject: Subject, lang: str) -> str:
    """Every error of Kafka's protocol: its number, its exception, and what it means."""
    return table(
        lang,
        ("error", "number", "exception", "meaning", "shown-in"),
        (
            (
                anchored(f"error-{error.code}", code(error.code)),
                str(error.number),
                _BREAK.join(map(code, error.names[1:])),
                error.means.text(lang),
                _BREAK.join(_lessons_with(error.code, lang)),
            )
            for error in CLIENT_ERRORS.values()
        ),
    )


def _lessons_with(error: ErrorCode, lang: str) -> Iterator[str]:
    for scenario in list_shipped():
        if error in lesson_index()[scenario.id].errors:
            yield f"[{in_language(scenario.title, lang)}](/lessons/{scenario.id})"


def metric_table(_subject: Subject, lang: str) -> str:
    """Every metric: what it counts, its releases, its source, and a lesson that shows it."""
    return table(
        lang,
        ("metric", "meaning", "releases", "source", "shown-in"),
        (
            (
                anchored(f"metric-{one.name}", f"{code(one.name)}<br>{code(one.bean)}"),
                in_language(one.text, lang),
                _under(in_language(one.releases, lang), one.control),
                ", ".join(map(code, one.sources)),
                _lesson(one.seen, lang),
            )
            for one in operator_reference().metrics
        ),
    )


def log_line_list(_subject: Subject, lang: str) -> str:
    """Every log line: what it means, and its forms with their releases, the newest first."""
    return "\n".join(_line(line, lang) for line in operator_reference().lines)


def _line(line: LineEntry, lang: str) -> str:
    forms = "\n".join(
        f"# {_under(in_language(form.releases, lang), line.control)} · {form.level} · "
        f"{form.source}\n{form.template}"
        for form in line.forms
    )
    component = say_message(lang, WORDS, f"component-{line.component}")
    seen = _lesson(line.seen, lang)
    told = f" {say_message(lang, WORDS, 'shown-in', lesson=seen)}" if seen else ""
    return (
        f"### {anchored(f'line-{line.id}', line.look_for)}\n\n"
        f"{component}: {in_language(line.text, lang)}{told}\n\n```text\n{forms}\n```\n"
    )


def _under(releases: str, control: Control | None) -> str:
    return releases if control is None else f"{releases} ({CONTROL_TITLES[control]})"


def _lesson(seen: SeenIn | None, lang: str) -> str:
    if seen is None:
        return ""
    under = "" if seen.kafka is None else f"&kafka={seen.kafka}"
    return f"[{in_language(seen.title, lang)}](/lessons/{seen.lesson}?step={seen.step}{under})"
