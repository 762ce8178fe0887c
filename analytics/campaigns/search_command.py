"""`highwater search-grid`: search each cell of a grid for the shortest path to a failure, and print
the cells as a table or a JSON document.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence

from msgspec import to_builtins

from analytics.campaigns.grid_file import left_out_lines, read_grid, varying_settings
from analytics.campaigns.grid_search import search_grid
from analytics.campaigns.search_folder import SearchFolder, SearchManifest, scenario_name
from analytics.file_systems import Files
from analytics.progress import Progress
from analytics.spark import require_java, shown_start, spark_session
from sim_engine.campaign.grid import Grid
from sim_engine.command_line import print_json
from sim_engine.command_line.spark_jobs import budget_text, job_parser
from sim_engine.exploration.search import SearchOptions
from sim_engine.identifiers import ENGINE_VERSION


def run(arguments: Sequence[str]) -> None:
    """Run `highwater search-grid` with these arguments.

    Raises `AnalyticsError` with a one-line message for the user, and `SystemExit` if an option is
    invalid.
    """
    options = job_parser("search-grid").parse_args(arguments)
    grid = read_grid(options.grid)
    require_java("search-grid")
    progress = Progress()
    with shown_start(progress, spark_session(options.master)) as spark:
        folder = _open_folder(grid, options, Files(spark, options.out))
        with progress.stage("searching") as stage:
            stage.result = f"searched {search_grid(spark, folder, stage.count):,} cells"
        folder.write_summary()
        if options.json:
            print_json(search_document(folder))
        else:
            sys.stdout.write("\n".join([*search_lines(folder), ""]))


def _open_folder(grid: Grid, options: argparse.Namespace, files: Files) -> SearchFolder:
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
    existing = SearchFolder.resumed(files, written.id) if options.resume else None
    return existing or SearchFolder.create(files, written)


def search_document(folder: SearchFolder) -> dict[str, object]:
    """The bounds, every row with the path of its scenario, and the skipped cells."""
    cells = [
        {**row, "scenario": folder.files.at(scenario_name(row["cell"])) if row["found"] else None}
        for row in folder.searched()
    ]
    return {
        "search": folder.written.id,
        "engine": folder.written.engine,
        "property": folder.written.options.property,
        "budget": folder.written.options.budget,
        "max_depth": folder.written.options.max_depth,
        "max_states": folder.written.options.max_states,
        "grain": folder.written.options.grain,
        "cells": cells,
        "impossible": to_builtins(folder.grid.impossible),
    }


def search_lines(folder: SearchFolder) -> Iterator[str]:
    """A line for each cell with the settings that vary, then the skipped cells and the totals."""
    rows = folder.searched()
    varying = varying_settings(folder.grid)
    head = ["cell", *varying, "found", "steps", "faults", "looked at", "prevented by"]
    lines = [head, *([*_settings(row, varying), *_outcome(row)] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    for line in lines:
        yield "  ".join(
            text.ljust(width) for text, width in zip(line, widths, strict=True)
        ).rstrip()
    yield from left_out_lines(folder.grid)
    failing = sum(bool(row["found"]) for row in rows)
    yield f"found a violation in {failing} of {len(rows)} cells ({folder.written.options.property})"
    if failing:
        yield f"the shortest path in each: {folder.files.at(scenario_name('N'))}"


def _settings(row: Mapping[str, object], varying: Sequence[str]) -> list[str]:
    return [str(row["cell"]), *(json.dumps(row[name]).strip('"') for name in varying)]


def _outcome(row: Mapping[str, object]) -> list[str]:
    faults, prevented = row["faults"], row["prevented_by"]
    assert isinstance(faults, dict)
    assert isinstance(prevented, list)
    if row["complete"]:
        looked_at = f"all {row['states']:,} states"
    elif row["verdict"] == "cut":
        looked_at = f"{row['states']:,} states, cut at depth {row['depth']}"
    else:
        looked_at = f"{row['states']:,} states, to depth {row['depth']}"
    return [
        "yes" if row["found"] else "no",
        "" if row["steps"] is None else str(row["steps"]),
        budget_text(faults),
        looked_at,
        ", ".join(map(str, prevented)),
    ]
