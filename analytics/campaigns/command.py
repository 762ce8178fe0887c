"""`highwater campaign`: run a grid, plan one, print a row's scenario."""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from analytics.campaigns.comparing import pairs_of
from analytics.campaigns.folder import CampaignFolder, Written, campaign_id
from analytics.campaigns.options import DEFAULT_MASTER, positive, read_grid
from analytics.campaigns.planning import plan_lines
from analytics.campaigns.replaying import replay_text
from analytics.errors import CampaignFolderError, GridInvalidError
from analytics.progress import Progress
from sim_engine import ENGINE_VERSION, Grid

DEFAULT_RUNS = 1_000


def run(arguments: Sequence[str]) -> None:
    """Do what the arguments of `highwater campaign` ask for.

    Raises `AnalyticsError` with the line that a person reads; `SystemExit` where an option is
    wrong.
    """
    if arguments[:1] == ["replay"]:
        options = _replay_parser().parse_args(arguments[1:])
        sys.stdout.write(replay_text(CampaignFolder.open(options.folder), options.row))
        return
    options = _parser().parse_args(arguments)
    grid = read_grid(options.grid)
    if options.plan:
        _print_plan(grid, options.runs, options.master)
        return
    if options.out is None:
        raise GridInvalidError("--out FOLDER is missing: where are the rows to go?")
    _run(grid, options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="highwater campaign",
        description="Run every cell of a grid many times on Spark and summarize what was lost."
        " `highwater campaign replay FOLDER ROW` prints one run as a scenario file.",
    )
    parser.add_argument("grid", metavar="GRID.yaml", type=Path, help="a grid file")
    parser.add_argument(
        "--runs", metavar="N", type=positive, default=DEFAULT_RUNS, help="runs of each cell"
    )
    parser.add_argument("--out", metavar="FOLDER", type=Path, help="where rows and summary go")
    parser.add_argument(
        "--master",
        metavar="MASTER",
        default=DEFAULT_MASTER,
        help="where Spark runs: local[*], local[2], spark://HOST:PORT (default: %(default)s)",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="go on with the campaign of the folder, or add runs to it",
    )
    parser.add_argument(
        "--plan",
        action="store_true",
        help="print what this many runs can show, and run nothing",
    )
    return parser


def _replay_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="highwater campaign replay", description="Print one run as a scenario file."
    )
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="a campaign's folder")
    parser.add_argument(
        "row",
        metavar="ROW",
        help="CELL:SEED, the row's digest, or its number counted by cell and seed from 0",
    )
    return parser


def _print_plan(grid: Grid, runs: int, master: str) -> None:
    # Spark's part of the package takes a second to import, which a wrong grid need not wait for.
    from analytics.campaigns.running import measure_cells

    cores = _cores(master)
    tests = len(pairs_of(dict(grid.axes), [dict(cell.settings) for cell in grid.cells]))
    lines = plan_lines(len(grid.cells), runs, tests, measure_cells(grid), cores)
    sys.stdout.write("\n".join(lines) + "\n")


def _cores(master: str) -> int:
    """The cores of a local master; of a cluster nobody knows before it is there."""
    inside = master.partition("[")[2].rstrip("]")
    if inside.isdigit():
        return int(inside)
    return os.cpu_count() or 1 if inside == "*" else 1


def _run(grid: Grid, options: argparse.Namespace) -> None:
    from analytics.campaigns.running import make_examples, run_campaign
    from analytics.campaigns.summarizing import summarize
    from analytics.spark import spark_session

    progress = Progress()
    folder = _open_folder(grid, options, progress)
    with ExitStack() as spark_runs:
        with progress.stage("starting Spark") as stage:
            spark = spark_runs.enter_context(spark_session(options.master))
            stage.result = f"started Spark on {options.master}"
        with progress.stage("running") as stage:
            played = run_campaign(spark, folder, stage.count)
            stage.result = f"played {played:,} runs"
        with progress.stage("summarizing") as stage:
            summary = summarize(
                spark,
                folder,
                partial(make_examples, spark, folder),
                finished_at=datetime.now(UTC).isoformat(timespec="seconds"),
            )
            target = folder.write_summary(summary)
            stage.result = (
                f"wrote {target}: {summary.lost:,} of {summary.exercised:,} exercised runs lost an"
                f" acknowledged record; digest {summary.digest[:16]}"
            )


def _open_folder(grid: Grid, options: argparse.Namespace, progress: Progress) -> CampaignFolder:
    from analytics.campaigns.running import measure_cells, piece_sizes

    if options.resume and CampaignFolder.exists(options.out):
        folder = CampaignFolder.open(options.out)
        if folder.written.campaign != campaign_id(grid):
            raise CampaignFolderError(f"{options.out} has a campaign of another grid")
        if folder.written.engine != ENGINE_VERSION:
            raise CampaignFolderError(
                f"{options.out} was run by engine {folder.written.engine}, this is"
                f" {ENGINE_VERSION}: their runs are not the same"
            )
        return folder.with_runs(options.runs)
    if CampaignFolder.exists(options.out):
        raise CampaignFolderError(
            f"{options.out} already has a campaign: add --resume, or choose another folder"
        )
    with progress.stage("measuring cells") as stage:
        costs = measure_cells(grid)
        stage.result = (
            f"measured {len(grid.cells):,} cells: {min(costs):.0f} to {max(costs):.0f} ms a run"
        )
    return CampaignFolder.create(
        options.out,
        Written(
            campaign=campaign_id(grid),
            engine=ENGINE_VERSION,
            runs=options.runs,
            piece_runs=piece_sizes(costs),
            cell_ms=tuple(costs),
            grid=grid.document,
        ),
    )
