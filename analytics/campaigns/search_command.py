"""`highwater search-grid`: search each cell of a grid for the shortest path to a failure."""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import ExitStack

from analytics.campaigns.grid_file import read_grid
from analytics.campaigns.search_folder import SearchFolder, SearchManifest, search_id
from analytics.campaigns.search_printing import search_document, search_lines
from analytics.errors import CampaignFolderError
from analytics.progress import Progress
from sim_engine import ENGINE_VERSION, Grid, SearchOptions
from sim_engine.command_line import SEARCH_GRID, Parser, declare_search_grid


def run(arguments: Sequence[str]) -> None:
    """Run `highwater search-grid` with these arguments.

    Raises `AnalyticsError` with a one-line message for the user, and `SystemExit` if an option is
    invalid.
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
    parser = Parser(prog="highwater search-grid", description=SEARCH_GRID)
    declare_search_grid(parser)
    return parser


def _open_folder(grid: Grid, options: argparse.Namespace) -> SearchFolder:
    search_options = SearchOptions(
        property=options.property,
        grain=options.grain,
        max_depth=options.max_depth,
        max_states=options.states,
        budget=options.budget,
    )
    written = SearchManifest(
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
        raise CampaignFolderError(
            f"{options.out} has a search with a different grid or different bounds"
        )
    if folder.written.engine != ENGINE_VERSION:
        raise CampaignFolderError(
            f"{options.out} was searched by engine {folder.written.engine}, whose results"
            f" differ from those of this engine, {ENGINE_VERSION}"
        )
    return folder


def _search(folder: SearchFolder, master: str) -> None:
    if not folder.missing():
        return
    # The modules that use Spark take a second to import. An invalid option is reported before that.
    from analytics.campaigns.grid_search import search_grid
    from analytics.spark import spark_session

    progress = Progress()
    with ExitStack() as spark_runs:
        with progress.stage("starting Spark") as stage:
            spark = spark_runs.enter_context(spark_session(master))
            stage.result = f"started Spark on {master}"
        with progress.stage("searching") as stage:
            stage.result = f"searched {search_grid(spark, folder, stage.count):,} cells"
