"""`highwater search-grid`: search each cell of a grid for the shortest path to a failure."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack

from analytics.campaigns.grid_file import read_grid
from analytics.campaigns.search_folder import SearchFolder, SearchManifest
from analytics.campaigns.search_printing import search_document, search_lines
from analytics.progress import Progress
from sim_engine.campaign.grid import Grid
from sim_engine.command_line.program import print_json
from sim_engine.command_line.spark_jobs import job_parser
from sim_engine.exploration.search import SearchOptions
from sim_engine.identifiers import ENGINE_VERSION


def run(arguments: Sequence[str]) -> None:
    """Run `highwater search-grid` with these arguments.

    Raises `AnalyticsError` with a one-line message for the user, and `SystemExit` if an option is
    invalid.
    """
    options = job_parser("search-grid").parse_args(arguments)
    grid = read_grid(options.grid)
    # Imports Spark, which takes a second. An invalid grid is reported before that.
    from analytics.spark import require_rdds

    require_rdds("search-grid")
    folder = _open_folder(grid, options)
    _search(folder, options.master)
    folder.write_summary()
    if options.json:
        print_json(search_document(folder))
    else:
        sys.stdout.write("\n".join([*search_lines(folder), ""]))


def _open_folder(grid: Grid, options: argparse.Namespace) -> SearchFolder:
    search_options = SearchOptions(
        property=options.property,
        grain=options.grain,
        max_depth=options.max_depth,
        max_states=options.states,
        budget=options.budget,
    )
    written = SearchManifest(
        engine=ENGINE_VERSION, options=search_options, shares=options.shares, grid=grid.document
    )
    existing = SearchFolder.resumed(options.out, written.id) if options.resume else None
    return existing or SearchFolder.create(options.out, written)


def _search(folder: SearchFolder, master: str | None) -> None:
    if not folder.missing():
        return
    # The modules that use Spark take a second to import. An invalid option is reported before that.
    from analytics.campaigns.grid_search import search_grid
    from analytics.spark import place_of, spark_session

    progress = Progress()
    with ExitStack() as spark_runs:
        with progress.stage("starting Spark") as stage:
            spark = spark_runs.enter_context(spark_session(master))
            stage.result = f"started Spark on {place_of(spark)}"
        with progress.stage("searching") as stage:
            stage.result = f"searched {search_grid(spark, folder, stage.count):,} cells"
