"""`highwater search-grid`: each cell of a grid is searched for the shortest way to a failure."""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from analytics.campaigns.options import DEFAULT_MASTER, positive, read_grid
from analytics.campaigns.search_folder import SearchFolder, SearchWritten, search_id
from analytics.campaigns.search_printing import as_text, search_document, search_lines
from analytics.errors import CampaignFolderError
from analytics.progress import Progress
from sim_engine import (
    BUDGET_NAMES,
    DEFAULT_BUDGET,
    ENGINE_VERSION,
    GRAINS,
    PROPERTY_NAMES,
    Grid,
    SearchOptions,
    read_budget,
)

DEFAULT_PROPERTY = "NoAckedRecordLost"


def run(arguments: Sequence[str]) -> None:
    """Do what the arguments of `highwater search-grid` ask for.

    Raises `AnalyticsError` with the line that a person reads; `SystemExit` where an option is
    wrong.
    """
    options = _parser().parse_args(arguments)
    folder = _open_folder(read_grid(options.grid), options)
    _search(folder, options.master)
    if options.json:
        printed = json.dumps(search_document(folder), ensure_ascii=False, indent=2)
    else:
        printed = "\n".join(search_lines(folder))
    sys.stdout.write(f"{printed}\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="highwater search-grid",
        description="Search every cell of a grid for the shortest way to a failure, on Spark."
        " Of the grid file it takes the settings; which faults may happen, --budget says.",
    )
    parser.add_argument("grid", metavar="GRID.yaml", type=Path, help="a grid file")
    parser.add_argument(
        "--out", metavar="FOLDER", type=Path, required=True, help="where rows and scenarios go"
    )
    parser.add_argument(
        "--property",
        choices=PROPERTY_NAMES,
        default=DEFAULT_PROPERTY,
        help="the property to violate (default: %(default)s)",
    )
    parser.add_argument(
        "--budget",
        metavar="crash=1,…",
        type=_budget,
        default=dict(DEFAULT_BUDGET),
        help="maximum number of each fault, of elections, of epochs:"
        f" {', '.join(BUDGET_NAMES)} (default: {as_text(DEFAULT_BUDGET)})",
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
        "--grain",
        choices=GRAINS,
        default=GRAINS[0],
        help="what is one step: what a person does (step), or each message (message)",
    )
    parser.add_argument(
        "--master",
        metavar="MASTER",
        default=DEFAULT_MASTER,
        help="where Spark runs: local[*], local[2], spark://HOST:PORT (default: %(default)s)",
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on with the cells that have no row yet"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _budget(text: str) -> dict[str, int]:
    try:
        return read_budget(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{error.args[0]!r} is not NAME=NUMBER; it must look like {as_text(DEFAULT_BUDGET)},"
            f" and may name {', '.join(BUDGET_NAMES)}"
        ) from None


def _open_folder(grid: Grid, options: argparse.Namespace) -> SearchFolder:
    search_options = SearchOptions(
        property=options.property,
        grain=options.grain,
        max_depth=options.max_depth,
        max_states=options.states,
        budget=options.budget,
    )
    written = SearchWritten(
        search=search_id(grid, search_options),
        engine=ENGINE_VERSION,
        options=search_options,
        grid=grid.document,
    )
    if not SearchFolder.exists(options.out):
        return SearchFolder.create(options.out, written)
    if not options.resume:
        raise CampaignFolderError(
            f"{options.out} already has a searched grid: add --resume, or choose another folder"
        )
    folder = SearchFolder.open(options.out)
    if folder.written.search != written.search:
        raise CampaignFolderError(f"{options.out} has a search of another grid or other bounds")
    if folder.written.engine != ENGINE_VERSION:
        raise CampaignFolderError(
            f"{options.out} was searched by engine {folder.written.engine}, this is"
            f" {ENGINE_VERSION}: their searches are not the same"
        )
    return folder


def _search(folder: SearchFolder, master: str) -> None:
    if not folder.missing():
        return
    # Spark's part of the package takes a second to import, which a wrong option need not wait for.
    from analytics.campaigns.searching import search_grid
    from analytics.spark import spark_session

    progress = Progress()
    with ExitStack() as spark_runs:
        with progress.stage("starting Spark") as stage:
            spark = spark_runs.enter_context(spark_session(master))
            stage.result = f"started Spark on {master}"
        with progress.stage("searching") as stage:
            stage.result = f"searched {search_grid(spark, folder, stage.count):,} cells"
