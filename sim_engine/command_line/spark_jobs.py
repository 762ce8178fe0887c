"""The options of the Spark jobs: `summarize`, `campaign`, `campaign replay` and `search-grid`.

They are declared here, without Spark, because two programs read them: `highwater`, for its help and
its reference, and the job itself, which runs in a separate process.
"""

import argparse
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from sim_engine.command_line import Parser

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_TIME = re.compile(r"(?P<number>[1-9]\d{0,5})(?P<unit>[smhd])")


def _declare_summarize(parser: argparse.ArgumentParser) -> None:
    """Add the options of `summarize`. `database` is null if it is not given."""
    parser.add_argument(
        "--database",
        metavar="URL",
        help="sqlite:///FILE or postgresql://… (HIGHWATER_DATABASE_URL)",
    )
    _declare_master(parser)
    parser.add_argument(
        "--keep-parquet",
        metavar="FOLDER",
        help="also write the shares to this folder, as shares.parquet; any address that Spark can"
        " write to, such as s3a://…",
    )
    parser.add_argument(
        "--every",
        metavar="T",
        type=seconds_of,
        help="repeat, with a new summary every T (90s, 30m, 1h, 1d), until stopped",
    )
    parser.add_argument(
        "--json", action="store_true", help="print the result as a JSON object on standard output"
    )


def _declare_campaign(parser: argparse.ArgumentParser) -> None:
    """Add the options of `campaign GRID.yaml`. `out` is null if it is not given."""
    parser.add_argument("grid", metavar="GRID.yaml", type=Path, help="a grid file")
    parser.add_argument(
        "--runs",
        metavar="N",
        type=positive,
        default=1_000,
        help="runs of each cell (default: %(default)s)",
    )
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        help="the folder of rows and summary: a path, or any address that Spark can write to, such"
        " as s3a://…",
    )
    _declare_master(parser)
    parser.add_argument(
        "--resume",
        action="store_true",
        help="continue the campaign in the folder, or add runs to it",
    )
    parser.add_argument(
        "--plan", action="store_true", help="print what this number of runs can show; run nothing"
    )
    parser.add_argument(
        "--json", action="store_true", help="print the result, or the plan, as a JSON object"
    )


def _declare_replay(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `campaign replay`."""
    parser.add_argument(
        "folder", metavar="FOLDER", help="a campaign's folder: a path or an address"
    )
    parser.add_argument(
        "row",
        metavar="ROW",
        help="CELL:SEED, the row's digest, or its number counted by cell and seed from 0",
    )
    parser.add_argument(
        "--json", action="store_true", help="print the scenario as JSON instead of YAML"
    )


def _declare_search_grid(parser: argparse.ArgumentParser) -> None:
    """Add the options of `search-grid`. They need the engine, which takes time to load."""
    from sim_engine.exploration.alphabet import BUDGET_NAMES, DEFAULT_BUDGET, GRAINS
    from sim_engine.invariants.safety import PROPERTY_NAMES

    parser.add_argument("grid", metavar="GRID.yaml", type=Path, help="a grid file")
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        required=True,
        help="the folder of rows and scenarios: a path, or any address that Spark can write to",
    )
    parser.add_argument(
        "--property",
        choices=PROPERTY_NAMES,
        default="NoAckedRecordLost",
        help="the property to violate (default: %(default)s)",
    )
    parser.add_argument(
        "--budget",
        metavar="crash=1,…",
        type=_budget,
        default=dict(DEFAULT_BUDGET),
        help="maximum number of each fault, of elections, of epochs:"
        f" {', '.join(BUDGET_NAMES)} (default: {budget_text(DEFAULT_BUDGET)})",
    )
    parser.add_argument(
        "--max-depth", metavar="N", type=positive, default=12, help="maximum number of steps"
    )
    parser.add_argument(
        "--states",
        metavar="N",
        type=positive,
        default=50_000,
        help="maximum number of states in each cell (default: %(default)s)",
    )
    parser.add_argument(
        "--shares",
        metavar="N",
        type=positive,
        default=16,
        help="tasks over which a cell with more than 50,000 states is split (default: %(default)s)",
    )
    parser.add_argument(
        "--grain",
        choices=GRAINS,
        default=GRAINS[0],
        help="the unit of a step: a user's step, an exchange, or each message",
    )
    _declare_master(parser)
    parser.add_argument(
        "--resume", action="store_true", help="continue with what has not been searched yet"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def _declare_master(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--master",
        metavar="MASTER",
        help="where Spark runs: local[2], spark://HOST:PORT (default: as Spark is configured, or"
        " local[*]); spark-submit has an option of its own",
    )


_Declare = Callable[[argparse.ArgumentParser], None]

SPARK_JOBS: Mapping[str, tuple[str, _Declare, str]] = {
    "summarize": (
        "summarize the shared runs for the insights page, using Spark",
        _declare_summarize,
        "--every 1h",
    ),
    "campaign": (
        "run every cell of a grid of settings many times and summarize the losses, using Spark; "
        "`campaign replay FOLDER ROW` prints one run as a scenario file",
        _declare_campaign,
        "grid.yaml --runs 1000 --out campaigns/mine",
    ),
    "search-grid": (
        "search each cell of a grid for the shortest path to a failure, using Spark",
        _declare_search_grid,
        "grid.yaml --out searches/mine",
    ),
}
"""The help of each job, the function that adds its options to a parser, and an example."""

_REPLAY: tuple[str, _Declare, str] = ("Print one run as a scenario file.", _declare_replay, "")


def job_parser(name: str) -> Parser:
    """The parser of a job, or of `campaign replay`. The help has the command that users type."""
    help_text, declare, _ = {**SPARK_JOBS, "campaign replay": _REPLAY}[name]
    parser = Parser(prog=f"highwater {name}", description=help_text)
    declare(parser)
    return parser


def positive(text: str) -> int:
    """Parse a positive whole number. Raises `argparse.ArgumentTypeError` for any other value."""
    if not re.fullmatch("[0-9]{1,15}", text) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def seconds_of(text: str) -> int:
    """The seconds in `90s`, `30m`, `1h` or `1d`. Raises `argparse.ArgumentTypeError`."""
    match = _TIME.fullmatch(text)
    if match is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a duration: write a whole number and s, m, h or d, such as 30m or 1h"
        )
    return int(match["number"]) * _SECONDS[match["unit"]]


def budget_text(budget: Mapping[str, int]) -> str:
    """A budget in the syntax of `--budget`: `crash=2,drop=1`."""
    return ",".join(f"{name}={count}" for name, count in budget.items())


def _budget(text: str) -> dict[str, int]:
    from sim_engine.exploration.alphabet import BUDGET_NAMES, DEFAULT_BUDGET, read_budget

    try:
        return read_budget(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{error.args[0]!r} is not NAME=NUMBER; it must look like "
            f"{budget_text(DEFAULT_BUDGET)}, and may name {', '.join(BUDGET_NAMES)}"
        ) from None
