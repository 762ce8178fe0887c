"""`highwater campaign`: run a grid, plan a campaign, or print a row's scenario."""

import argparse
import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

import msgspec

from analytics.campaigns.comparisons import pairs_of
from analytics.campaigns.folder import CampaignFolder, CampaignManifest
from analytics.campaigns.grid_file import left_out_lines, read_grid
from analytics.campaigns.grid_folder import short_id
from analytics.campaigns.row_scenario import replay
from analytics.campaigns.sample_sizes import plan_campaign, plan_lines
from analytics.errors import GridInvalidError
from analytics.file_systems import Files
from analytics.progress import Progress
from sim_engine.campaign.grid import Grid
from sim_engine.command_line import print_json
from sim_engine.command_line.spark_jobs import job_parser
from sim_engine.identifiers import ENGINE_VERSION


def run(arguments: Sequence[str]) -> None:
    """Run `highwater campaign` with these arguments.

    Raises `AnalyticsError` with a one-line message for the user, and `SystemExit` if an option is
    invalid.
    """
    if arguments[:1] == ["replay"]:
        replay(job_parser("campaign replay").parse_args(arguments[1:]))
        return
    options = job_parser("campaign").parse_args(arguments)
    grid = read_grid(options.grid)
    if any(name == "budget" for name, _ in grid.axes):
        raise GridInvalidError("budget is for search-grid: a campaign's faults are rates")
    if options.plan:
        _print_plan(grid, options)
        return
    if options.out is None:
        raise GridInvalidError("--out FOLDER is missing: name the folder for the rows")
    _run(grid, options)


def _print_plan(grid: Grid, options: argparse.Namespace) -> None:
    # The modules that use Spark take a second to import. An invalid grid is reported before that.
    from analytics.campaigns.campaign_runner import measure_cells

    tests = len(pairs_of(dict(grid.axes), [dict(cell.settings) for cell in grid.cells]))
    plan = plan_campaign(options.runs, tests, measure_cells(grid), _cores(options.master))
    if options.json:
        print_json({**msgspec.to_builtins(plan), "impossible": grid.impossible})
    else:
        sys.stdout.write("\n".join([*plan_lines(plan), *left_out_lines(grid)]) + "\n")


def _cores(master: str | None) -> int:
    """The cores of a local master. The cores of a cluster are unknown until Spark has started."""
    if master is None:
        return os.cpu_count() or 1
    inside = master.partition("[")[2].rstrip("]")
    if inside.isdigit():
        return int(inside)
    return os.cpu_count() or 1 if inside == "*" else 1


def _run(grid: Grid, options: argparse.Namespace) -> None:
    from analytics.campaigns.campaign_runner import make_examples, run_campaign
    from analytics.campaigns.campaign_summary import summarize
    from analytics.spark import require_java, shown_start, spark_session

    require_java("campaign")
    progress = Progress()
    with shown_start(progress, spark_session(options.master)) as spark:
        folder = _open_folder(grid, options, Files(spark, options.out), progress)
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
    if options.json:
        print_json(
            {
                "campaign": summary.campaign,
                "engine": summary.engine,
                "folder": options.out,
                "summary": target,
                "cells": len(summary.cells),
                "runs_per_cell": summary.runs_per_cell,
                "runs": summary.runs,
                "played": played,
                "exercised": summary.exercised,
                "lost": summary.lost,
                "digest": summary.digest,
            }
        )


def _open_folder(
    grid: Grid, options: argparse.Namespace, files: Files, progress: Progress
) -> CampaignFolder:
    from analytics.campaigns.campaign_runner import measure_cells, piece_sizes

    if options.resume:
        existing = CampaignFolder.resumed(files, short_id(grid.document))
        if existing is not None:
            return existing.with_runs(options.runs)
    CampaignFolder.require_none(files)
    with progress.stage("measuring cells") as stage:
        costs = measure_cells(grid)
        stage.result = (
            f"measured {len(grid.cells):,} cells: {min(costs):.0f} to {max(costs):.0f} ms a run"
        )
    return CampaignFolder.create(
        files,
        CampaignManifest(
            engine=ENGINE_VERSION,
            runs=options.runs,
            piece_runs=piece_sizes(costs),
            cell_ms=tuple(costs),
            grid=grid.document,
        ),
    )
