"""The command line, `highwater`: the commands of the engine and of the service.

Only the service's commands import the service, so the engine's commands start as fast as the
engine.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path

from sim_engine.command_line import (
    FILE_OR_ID,
    Commands,
    Group,
    add_command,
    add_commands,
    add_help,
    add_scenario,
    as_program,
    carry_out,
    parser_of_program,
    run_by,
    with_help,
)
from sim_engine.command_line.spark_jobs import SPARK_JOBS
from sim_engine.identifiers import ENGINE_VERSION
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES


def main() -> int:
    """Run the installed program and return its exit status."""
    return as_program(run)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    words = with_help(sys.argv[1:] if arguments is None else arguments)
    return carry_out(build_parser(words[:1]), words)


def build_parser(chosen: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """Return the parser for all commands. If some are chosen, the others may be without arguments:
    declaring those takes time.
    """
    parser, commands = parser_of_program(
        "highwater", "See how Apache Kafka replicates data, break it, and share the result."
    )
    parser.add_argument("--version", action="version", version=f"highwater {ENGINE_VERSION}")
    if chosen is None:
        add_commands(commands)
    else:
        add_commands(commands, chosen)
    if chosen is None or "assess" in chosen:
        _let_connect(commands.choices["assess"])
    if chosen is None or "conform" in chosen:
        _let_show(commands.choices["conform"])
    if chosen is None or "walk" in chosen:
        _let_walk_against(commands.choices["walk"])
    _add_connect(commands)
    _add_record(commands)
    _add_serve(commands)
    _add_migrate(commands)
    _add_backup(commands)
    _add_verify(commands)
    _add_takedown(commands)
    _add_purge(commands)
    _add_export(commands)
    _add_render(commands, chosen)
    _add_site(commands)
    _add_spark_jobs(commands, chosen)
    _add_mcp(commands)
    _add_openapi(commands)
    _add_completion(commands)
    add_help(commands)
    return parser


def _add_connect(commands: Commands) -> None:
    parser = _add(
        commands,
        "connect",
        "connect.connect",
        "create a scenario from the state of a live cluster, which is only read",
        "Real clusters",
        "broker-1:9092 > mine.yaml",
        "broker-1:9092 --config client.properties --watch",
    )
    parser.add_argument(
        "bootstrap", metavar="BOOTSTRAP", help="HOST:PORT of a broker; several with commas"
    )
    _add_config(parser)
    parser.add_argument("--kafka", metavar="V", help="the cluster's Kafka version")
    parser.add_argument(
        "--topic", metavar="NAME", action="append", default=[], help="only this topic; repeatable"
    )
    parser.add_argument(
        "--watch", action="store_true", help="show the state again and again, until interrupted"
    )
    parser.add_argument(
        "--interval",
        metavar="SECONDS",
        type=_seconds,
        default=5.0,
        help="between two readings with --watch (default: 5)",
    )
    _add_page(
        parser, "with --watch: show it in a page in the browser, served by this program alone"
    )


def _add_record(commands: Commands) -> None:
    parser = _add(
        commands,
        "record",
        "record.record",
        "let real Kafka brokers carry out a scenario, and record what they do",
        "Real clusters",
        "s26 --kafka 0.10.2.2 -o loss.json && highwater conform loss.json",
        "mine.yaml --kafka 4.3.1 --once -o mine.json",
        json=False,
    )
    parser.add_argument("scenario", metavar=FILE_OR_ID, help="a scenario that begins empty")
    parser.add_argument(
        "--kafka",
        metavar="V",
        help="the release of the brokers, whose jars Maven downloads (default: the scenario's)",
    )
    parser.add_argument(
        "--once", action="store_true", help="one run; without it, two runs have to agree"
    )
    parser.add_argument(
        "--output", "-o", metavar="FILE", type=Path, required=True, help="the recording to write"
    )
    _add_page(
        parser, "show it in the browser beside the engine while it is made, until interrupted"
    )


def _let_show(conform: argparse.ArgumentParser) -> None:
    """Let `conform` show a recording in the browser."""
    run_files = conform.get_default("command")

    def run_it(parsed: argparse.Namespace) -> int:
        return _command("record.show")(parsed) if parsed.open_page else int(run_files(parsed))

    conform.set_defaults(command=run_it)
    _add_page(conform, "show one recording in the browser beside the engine, until interrupted")


def _add_page(parser: argparse.ArgumentParser, shows: str) -> None:
    """Declare the options of a page that this program alone serves; `shows` explains the first."""
    parser.add_argument("--open", dest="open_page", action="store_true", help=shows)
    parser.add_argument(
        "--port", metavar="N", type=int, default=0, help="port of that page (default: a free one)"
    )
    _add_database(parser)


def _let_connect(assess: argparse.ArgumentParser) -> None:
    """Let `assess` read a live cluster in place of files."""
    run_files = assess.get_default("command")

    def run_it(parsed: argparse.Namespace) -> int:
        is_live = parsed.connect is not None
        return _command("connect.assess")(parsed) if is_live else int(run_files(parsed))

    assess.set_defaults(command=run_it)
    assess.add_argument(
        "--connect", metavar="BOOTSTRAP", help="read this live cluster instead: HOST:PORT"
    )
    _add_config(assess)


def _let_walk_against(walk: argparse.ArgumentParser) -> None:
    """Let `walk` compare random schedules with real brokers."""
    run_in_engine = walk.get_default("command")

    def run_it(parsed: argparse.Namespace) -> int:
        if parsed.against is None:
            return int(run_in_engine(parsed))
        return _command("walk_against.walk_against")(
            against=parsed.against,
            runs=parsed.runs,
            seed=parsed.seed,
            control=parsed.control,
            shrink_runs=parsed.shrink_runs,
            keep=parsed.keep,
            as_json=parsed.json,
        )

    walk.set_defaults(command=run_it)
    walk.add_argument(
        "--against",
        metavar="V",
        help="record each schedule with real brokers of this release, and compare the engine",
    )
    walk.add_argument(
        "--shrink-runs",
        metavar="N",
        type=int,
        default=40,
        help="with --against: recordings to shorten one schedule that differs (default: 40)",
    )
    walk.add_argument(
        "--keep",
        metavar="FOLDER",
        type=Path,
        help="with --against: write each schedule and its recording there",
    )


def _add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config", metavar="FILE", type=Path, help="client.properties, as Kafka's tools take it"
    )


def _seconds(text: str) -> float:
    """A number of seconds above 0; argparse reports any other text."""
    seconds = float(text)
    if not 0.1 <= seconds <= 86_400:
        raise ValueError
    return seconds


def _add_serve(commands: Commands) -> None:
    parser = _add(
        commands,
        "serve",
        "serve.serve",
        "serve the pages and the API until interrupted",
        "The service",
        "",
        "--port 8123 --open",
        json=False,
    )
    parser.add_argument("--host", metavar="H", help="address to listen on (HIGHWATER_HOST)")
    parser.add_argument(
        "--port", metavar="N", type=int, help="port; 0 picks a free port (HIGHWATER_PORT)"
    )
    parser.add_argument(
        "--open", dest="open_page", action="store_true", help="open the pages in a browser"
    )
    _add_database(parser)


def _add_migrate(commands: Commands) -> None:
    parser = _add(
        commands,
        "migrate",
        "database.migrate",
        "upgrade the database schema; concurrent runs wait for each other",
        "The service",
        "--database postgresql://highwater@db/highwater",
    )
    parser.add_argument(
        "--to",
        metavar="REVISION",
        help="go to this revision, forward or back (default: the newest); going back deletes what "
        "the older schema has no place for",
    )
    _add_database(parser)


def _add_backup(commands: Commands) -> None:
    parser = _add(
        commands,
        "backup",
        "database.backup",
        "copy the SQLite database to a new file, consistently, even while the service runs",
        "The service",
        "backup.db",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="the file to write")
    _add_database(parser)


def _add_verify(commands: Commands) -> None:
    parser = _add(
        commands,
        "verify",
        "upkeep.verify",
        "check every share against its digest; exit status 1 if one differs",
        "The service",
        "",
    )
    _add_database(parser)


def _add_takedown(commands: Commands) -> None:
    parser = _add(
        commands,
        "takedown",
        "upkeep.takedown",
        "hide a share from all visitors, or erase it",
        "The service",
        "https://highwater.example/s/ID --reason privacy",
    )
    parser.add_argument("sid", metavar="LINK", help="a link to a share, or its id")
    parser.add_argument(
        "--reason",
        choices=["privacy", "abuse", "spam", "legal"],
        default="legal",
        help="the reason shown to visitors of the link (default: legal)",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--erase", action="store_true", help="also delete its contents permanently")
    what.add_argument("--undo", action="store_true", help="show a hidden share again")
    _add_database(parser)


def _add_purge(commands: Commands) -> None:
    parser = _add(
        commands,
        "purge",
        "upkeep.purge",
        "delete expired data now: sessions unused for 30 days, old idempotency keys, and "
        "presentations unchanged for a day",
        "The service",
        "--dry-run",
    )
    parser.add_argument("--dry-run", action="store_true", help="only count, delete nothing")
    _add_database(parser)


def _add_export(commands: Commands) -> None:
    parser = _add(
        commands,
        "export",
        "export.export",
        "write a share to files that work without the service",
        "The service",
        "https://highwater.example/s/ID --output run/",
    )
    parser.add_argument("sid", metavar="LINK", help="a link to a share, or its id")
    parser.add_argument(
        "--output", metavar="FOLDER", type=Path, default=Path(), help="the folder to write to"
    )
    parser.add_argument(
        "--frame",
        metavar="N",
        type=int,
        action="append",
        dest="frames",
        help="a frame to draw, as in a link's ?frame=N; may be repeated",
    )
    parser.add_argument("--lang", default=DEFAULT_LANGUAGE, help="a language, such as en or zh")
    _add_database(parser)


def _add_render(commands: Commands, chosen: Sequence[str] | None) -> None:
    parser = _add(
        commands,
        "render",
        "render.render",
        "write a run to a picture, an animation, a page, a transcript or a diagram",
        "Runs",
        "kip-101-data-loss --step 9 -o loss.svg",
        "mine.yaml --kafka 3.9 -o run.html",
        "- --range 2-7 --theme dark -o run.gif < mine.yaml",
        json=False,
    )
    if chosen is not None and "render" not in chosen:
        return
    add_scenario(parser)
    moment = parser.add_mutually_exclusive_group()
    moment.add_argument(
        "--step",
        metavar="N",
        type=int,
        help="show the end of this step, 0 is the start (default: the most important one)",
    )
    moment.add_argument(
        "--range",
        dest="steps",
        metavar="A-B",
        help="play the steps A to B (.svg, .gif), or write only these (.mmd)",
    )
    parser.add_argument(
        "--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE, help="language of the texts"
    )
    parser.add_argument(
        "--theme",
        choices=["light", "dark"],
        help="colours (default: light; a page follows its reader's setting)",
    )
    parser.add_argument(
        "--width",
        metavar="PIXELS",
        type=int,
        help="of a .png or .gif file, 100 to 2000 (default: 800)",
    )
    parser.add_argument(
        "--output",
        "-o",
        metavar="FILE",
        type=Path,
        required=True,
        help="the file to write: NAME.svg, .png, .gif, .html, .md, .mmd, .yaml, .itf.json or .json",
    )


def _add_site(commands: Commands) -> None:
    parser = _add(
        commands,
        "site",
        "site.site",
        "write the whole site as files, for GitHub Pages or any other host of files",
        "The service",
        "--out site/",
        "--out site/ --base-url https://USER.github.io/REPOSITORY",
    )
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        type=Path,
        required=True,
        help="the folder to write: a new one, an empty one, or a copy to replace",
    )
    parser.add_argument(
        "--base-url",
        metavar="URL",
        help="where it will be, such as https://USER.github.io/REPOSITORY; link cards and the map "
        "of the site need it",
    )


def _add_spark_jobs(commands: Commands, chosen: Sequence[str] | None) -> None:
    for job, (help_text, declare, example) in SPARK_JOBS.items():
        parser = add_command(commands, job, help_text, "Many runs, with Spark", example)
        run_by(parser, partial(_run_job, job), json=False)
        if chosen is None or job in chosen:
            declare(parser)
        parser.set_defaults(passed_arguments=[])


def _run_job(job: str, parsed: argparse.Namespace) -> int:
    url = parsed.database if job == "summarize" else None
    return _command("spark_jobs.run")(job, parsed.passed_arguments, database_url=url)


def _add_mcp(commands: Commands) -> None:
    _add(
        commands,
        "mcp",
        "mcp.serve",
        "offer the tools of an assistant on standard input and output (Model Context Protocol)",
        "Programs",
        json=False,
    )


def _add_openapi(commands: Commands) -> None:
    _add(
        commands,
        "openapi",
        "openapi.print_openapi",
        "print the OpenAPI document of the API",
        "Programs",
        "> openapi.json",
        json=False,
    )


def _add(
    commands: Commands,
    name: str,
    function: str,
    help_text: str,
    group: Group,
    *examples: str,
    json: bool = True,
) -> argparse.ArgumentParser:
    """Declare a command that a function of `backend.commands` runs, with the command's options as
    its arguments; `as_json` is the option `--json`.
    """

    def run_it(parsed: argparse.Namespace) -> int:
        options = {name: value for name, value in vars(parsed).items() if name != "command"}
        if json:
            options["as_json"] = options.pop("json")
        return _command(function)(**options)

    parser = add_command(commands, name, help_text, group, *examples)
    run_by(parser, run_it, json=json)
    return parser


def _command(name: str) -> Callable[..., int]:
    """A function of `backend.commands`, imported when its command is given."""
    module, _, function = name.partition(".")
    command: Callable[..., int] = getattr(import_module(f"backend.commands.{module}"), function)
    return command


def _add_completion(commands: Commands) -> None:
    parser = add_command(
        commands,
        "completion",
        "print a shell completion script",
        "Programs",
        "fish > ~/.config/fish/completions/highwater.fish",
        "bash >> ~/.bashrc",
    )
    run_by(parser, _completion, json=False)
    parser.add_argument("shell", choices=["bash", "zsh", "tcsh", "fish"], help="the shell")


def _completion(options: argparse.Namespace) -> int:
    import shtab

    if options.shell == "fish":
        sys.stdout.write("".join(f"{line}\n" for line in _fish(build_parser())))
        return 0
    sys.stdout.write(f"{shtab.complete(build_parser(), shell=options.shell)}\n")
    return 0


def _fish(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The lines of a completion script for fish, which shtab does not write."""
    of_commands = next(
        action for action in parser._actions if isinstance(action, argparse._SubParsersAction)
    )
    program = f"complete -c {parser.prog}"
    yield f"complete -c {parser.prog}-kafka -w {parser.prog}"
    for one in of_commands._get_subactions():
        yield f"{program} -n __fish_use_subcommand -f -a {one.dest} -d {_quoted(one.help or '')}"
    for name, command in of_commands.choices.items():
        chosen = f"{program} -n '__fish_seen_subcommand_from {name}'"
        for action in command._actions:
            values = " ".join(_values(action))
            # A file may be named instead.
            only = "" if action.metavar == FILE_OR_ID else " -f"
            taken = "" if action.nargs == 0 else " -r"
            said = f"-d {_quoted((action.help or '').replace('%%', '%'))}"
            given = f"{taken}{only} -a {_quoted(values)}" if values else taken
            for spelt in action.option_strings:
                kind = "-l" if spelt.startswith("--") else "-s"
                yield f"{chosen} {kind} {spelt.lstrip('-')}{given} {said}"
            if values and not action.option_strings:
                yield f"{chosen}{only} -a {_quoted(values)} {said}"


def _values(action: argparse.Action) -> Iterable[str]:
    """What an argument may be, as far as it is known."""
    from sim_engine.exploration.alphabet import BUDGET_NAMES
    from sim_engine.exploration.targets import SOUGHT_NAMES
    from sim_engine.releases import newest_of_lines
    from sim_engine.scenario_reader.reader import shipped_names
    from sim_engine.versions import CONTROLS

    if action.choices is not None:
        return map(str, action.choices)
    if action.metavar == FILE_OR_ID:
        return shipped_names()
    return {
        "budget": [f"{name}=1" for name in BUDGET_NAMES],
        "control": CONTROLS,
        "kafka": [release.line for release in newest_of_lines()],
        "property": SOUGHT_NAMES,
    }.get(action.dest, ())


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _add_database(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--database",
        dest="database_url",
        metavar="URL",
        help="sqlite:///FILE or postgresql://… (HIGHWATER_DATABASE_URL)",
    )


if __name__ == "__main__":
    sys.exit(main())
